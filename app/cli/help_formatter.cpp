#include "app/cli/help_formatter.h"

#include <sstream>

namespace tlbscope {

namespace {
constexpr std::size_t kColumns = 100;
constexpr std::size_t kNameColumns = 30;

// Characters of UTF-8, not bytes.
std::size_t length(const std::string& text) {
    std::size_t n = 0;
    for (const char c : text)
        n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return n;
}
} // namespace

std::string wrap(const std::string& text, std::size_t width) {
    std::string out;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        if (!out.empty()) out += '\n';
        if (line.starts_with(' ')) {
            out += line;
            continue;
        }
        std::istringstream words(line);
        std::string word;
        std::size_t column = 0;
        while (words >> word) {
            if (column > 0 && column + 1 + length(word) > width) {
                out += '\n';
                column = 0;
            }
            if (column > 0) {
                out += ' ';
                ++column;
            }
            out += word;
            column += length(word);
        }
    }
    return out;
}

HelpFormatter::HelpFormatter() {
    column_width(kNameColumns);
    label("POSITIONALS", "Argument");
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    if (option->get_expected_max() == 0 || option->get_items_expected_max() == 0) return "";
    std::string type = option->get_type_name();
    type = type.substr(0, type.find(':')); // the rest is CLI11's wording of the checks
    return type.empty() ? "" : " " + type;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
    std::string text = option->get_description();
    if (const std::string standard = option->get_default_str(); !standard.empty())
        text += " Default: " + standard + ".";
    return wrap(text, kColumns - kNameColumns);
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
    return wrap(app->get_description(), kColumns) + "\n";
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
    std::ostringstream out;
    const std::string whole = sub->get_description();
    CLI::detail::format_help(out, sub->get_name(), wrap(whole.substr(0, whole.find('\n')), kColumns - 14),
                             14);
    return out.str();
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
    const std::string text = app->get_footer();
    return text.empty() ? "" : "\n" + wrap(text, kColumns) + "\n";
}

} // namespace tlbscope
