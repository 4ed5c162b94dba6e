#pragma once
// The distribution of points in a class.

#include <cstddef>
#include <cstdint>
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

/// Hand-ins by day, or by week if the days are many.
struct AttemptsByDay {
  struct Bin {
    std::string name;  ///< "2026-03-01": its first day, UTC
    std::size_t hand_ins = 0;
  };
  std::vector<Bin> bins;  ///< in order, empty days included
  std::size_t days = 1;   ///< of a bin
};
AttemptsByDay attempts_of(std::vector<std::int64_t> times);
html::Html attempts_figure(const AttemptsByDay& attempts, html::Piece id);

double mean_of(const std::vector<double>& values);  ///< 0 if there are none, as below
double median_of(std::vector<double> values);

}  // namespace cudalabs
