// Order statistics of a handful of samples.
#pragma once

#include <vector>

namespace tlbscope {

// q 0 … 1; between two samples by linear interpolation of their ranks. 0 for no samples.
double quantile(std::vector<double> samples, double q);

} // namespace tlbscope
