#pragma once
// How points are distributed over a class.

#include <cstddef>
#include <string>
#include <vector>

namespace cudalabs {

/// Tenths of the most that can be had, and all of it apart: what is full marks is not just above nine tenths.
struct Spread {
  double max_points = 0;
  std::vector<std::size_t> students;  ///< by tenth, then those with all points: 11

  [[nodiscard]] std::string name(std::size_t bin) const;  ///< "27 to 30", "all 30"
};
Spread spread_of(const std::vector<double>& points, double max_points);

/// The figure with its table; `id` is one of the page's own making, `what`: "padded".
std::string spread_figure(const Spread& spread, const std::string& id, const std::string& what);

double mean_of(const std::vector<double>& values);  ///< 0 of none, so below
double median_of(std::vector<double> values);

}  // namespace cudalabs
