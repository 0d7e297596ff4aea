#include "app/resource_folder.h"

#include "engine/core/error.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace tlbscope {

namespace fs = std::filesystem;

namespace {

bool holds_resources(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / "processors", ignored);
}

} // namespace

std::string resource_folder() {
    if (const char* named = std::getenv("TLBSCOPE_RESOURCES"); named != nullptr && *named != '\0') {
        if (holds_resources(named)) return named;
        throw Error("TLBSCOPE_RESOURCES", std::string(named) + " holds no folder processors",
                    "unset it, or let it name a copy of the folder resources");
    }
    std::vector<fs::path> places;
    std::error_code failed;
    if (const fs::path program = fs::read_symlink("/proc/self/exe", failed); !failed) {
        const fs::path beside = program.parent_path();
        for (const char* place : {"resources", "../share/tlbscope", "../resources"})
            places.push_back((beside / place).lexically_normal());
    }
    places.emplace_back(TLBSCOPE_SOURCE_RESOURCES);
    std::string looked;
    for (const fs::path& place : places) {
        if (holds_resources(place)) return place.string();
        looked += (looked.empty() ? "" : ", ") + place.string();
    }
    throw Error("resources", "no folder with processors in " + looked,
                "set TLBSCOPE_RESOURCES to the folder resources of the source");
}

} // namespace tlbscope
