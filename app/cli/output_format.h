// --json and --csv, which exclude each other.
#pragma once

#include <CLI/CLI.hpp>

namespace tlbscope {

struct OutputFormat {
    bool json = false, csv = false;

    void add_to(CLI::App& app) {
        auto* as_json =
            app.add_flag("--json", json, "Prints JSON; the keys are listed below and stay as they are.");
        auto* as_csv = app.add_flag("--csv", csv, "Prints CSV with the same keys.");
        as_json->excludes(as_csv)->group("Output");
        as_csv->group("Output");
    }
};

} // namespace tlbscope
