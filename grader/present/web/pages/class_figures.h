#pragma once
// The distribution of points in a class.

#include <cstddef>
#include <string>
#include <vector>

#include "grader/present/web/html.h"

namespace cudalabs {

/// Counts students by tenths of the maximum. Full marks have their own bin, because they are more than just
/// above nine tenths.
struct Spread {
  double max_points = 0;
  std::vector<std::size_t> students;  ///< by tenth, then those with all points: 11 bins

  [[nodiscard]] std::string name(std::size_t bin) const;  ///< "27 to 30", "all 30"
};
Spread spread_of(const std::vector<double>& points, double max_points);

/// The figure with its table. `id` is unique on the page; `what`: "padded".
html::Html spread_figure(const Spread& spread, html::Piece id, const std::string& what);

double mean_of(const std::vector<double>& values);  ///< 0 if there are none, as below
double median_of(std::vector<double> values);

}  // namespace cudalabs
