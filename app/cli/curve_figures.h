// A figure of curves as text, JSON and CSV.
#pragma once

#include "app/cli/figures.h"
#include "engine/experiment/curve_features.h"

#include <optional>
#include <string>
#include <vector>

namespace tlbscope {

class CurveFigure {
public:
    explicit CurveFigure(CurveSpec spec);

    const CurveSpec& spec() const { return spec_; }
    void add(const CurvePoint& point, const CurveProgress& progress);
    bool complete() const { return progress_.total > 0 && progress_.done == progress_.total; }

    std::string text() const;
    std::string json() const;
    std::string csv() const;

private:
    // Points of one variant that have a seed, by working set.
    std::vector<CurvePoint> curve(std::size_t variant) const;
    const CurvePoint& point(std::size_t variant, std::size_t size) const {
        return points_[variant * spec_.subintervals.size() + size];
    }
    std::vector<Figures> point_rows() const;
    std::vector<Figures> knee_rows() const;
    std::vector<Figures> comparison_rows() const;
    std::string features_text() const;

    CurveSpec spec_;
    std::vector<CurvePoint> points_;
    CurveProgress progress_;
};

} // namespace tlbscope
