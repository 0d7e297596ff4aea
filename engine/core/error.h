// The one exception type for failures a user can act on.
#pragma once

#include <stdexcept>
#include <string>

namespace tlbscope {

// `where` names the file, field or option; `what` says what is wrong with it; `hint` what to do.
// what() joins them: "where: what (hint)".
class Error : public std::runtime_error {
public:
    Error(std::string where, std::string what, std::string hint = {})
        : std::runtime_error(where + ": " + what + (hint.empty() ? "" : " (" + hint + ")")),
          where_(std::move(where)), problem_(std::move(what)), hint_(std::move(hint)) {}

    const std::string& where() const { return where_; }
    const std::string& problem() const { return problem_; }
    const std::string& hint() const { return hint_; }

private:
    std::string where_, problem_, hint_;
};

} // namespace tlbscope
