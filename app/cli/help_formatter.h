// --help as wrapped sentences.
#pragma once

#include <CLI/CLI.hpp>

namespace tlbscope {

// Wraps every description to 100 columns and names the default at its end.
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter();
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_description(const CLI::App* app) const override;
    std::string make_subcommand(const CLI::App* sub) const override;
    std::string make_footer(const CLI::App* app) const override;
};

// Breaks at spaces; keeps the line breaks it finds, and lines that begin with a space as they are.
std::string wrap(const std::string& text, std::size_t width);

} // namespace tlbscope
