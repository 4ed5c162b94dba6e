#include "grader/present/web/pages/class_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/svg.h"

namespace cudalabs {
namespace {

constexpr std::size_t kTenths = 10;

std::string tenth(double max_points, std::size_t bin) {
  return human_points(round_points(max_points * static_cast<double>(bin) / kTenths));
}

}  // namespace

std::string Spread::name(std::size_t bin) const {
  if (bin == kTenths) return tr("all {}", human_points(max_points));
  return tr("{} to {}{}", tenth(max_points, bin), bin + 1 == kTenths ? tr("below ") : "",
            tenth(max_points, bin + 1));
}

Spread spread_of(const std::vector<double>& points, double max_points) {
  Spread spread{max_points, std::vector<std::size_t>(kTenths + 1)};
  for (const double value : points) {
    const double share = max_points > 0 ? value / max_points : 0;
    const std::size_t bin =
        share >= 1 ? kTenths
                   : static_cast<std::size_t>(std::floor(std::clamp(share, 0.0, 0.9999999) * kTenths + 1e-9));
    ++spread.students[std::min(bin, kTenths)];
  }
  return spread;
}

html::Html spread_figure(const Spread& spread, html::Piece id, const std::string& what) {
  constexpr double kWidth = 340, kHeight = 150, kTop = 30, kBottom = 22, kStep = 30, kGap = 5;
  const auto& students = spread.students;
  const std::size_t all = std::accumulate(students.begin(), students.end(), std::size_t{0});
  const double most = static_cast<double>(std::max<std::size_t>(1, *std::ranges::max_element(students)));
  std::string description = counted(all, "student") + ".";
  parts::Table table(tr("Points for {}", what), {{"points"}, {"students"}, {"share"}});
  html::Svg svg(id, kWidth, kHeight, tr("Points for {}: how many students have how many", what), [&] {
    for (std::size_t bin = 0; bin < students.size(); ++bin)
      if (students[bin] > 0) description += fmt::format(" {}: {}.", spread.name(bin), students[bin]);
    return description;
  }());
  svg.text(0, 12, what, html::Anchor::Start, "label");
  for (std::size_t bin = 0; bin < students.size(); ++bin) {
    const double x = kStep * static_cast<double>(bin) + (bin == kTenths ? 8 : 0);
    const double height = (kHeight - kTop - kBottom) * static_cast<double>(students[bin]) / most;
    const double y = kHeight - kBottom - height;
    if (students[bin] > 0) {
      svg.box(x + kGap / 2, y, kStep - kGap, std::max(1.0, height),
              bin == kTenths ? html::Piece("full") : html::Piece("yours"));
      svg.text(x + kStep / 2, y - 3, human_count(students[bin]), html::Anchor::Middle, "soft");
    }
    if (bin % 5 == 0 && bin < kTenths)
      svg.text(x + kGap / 2, kHeight - 7, tenth(spread.max_points, bin), html::Anchor::Start, "tick");
    if (bin == kTenths) svg.text(kWidth, kHeight - 7, spread.name(bin), html::Anchor::End, "tick");
    table.row(
        {html::escaped(spread.name(bin)), html::escaped(human_count(students[bin])),
         html::format("{:.0f} %",
                      all > 0 ? 100.0 * static_cast<double>(students[bin]) / static_cast<double>(all) : 0)});
  }
  svg.line(0, kHeight - kBottom, kWidth, kHeight - kBottom, "axis-line");
  return parts::figure(std::move(svg).write(), {}, std::move(table).write());
}

double mean_of(const std::vector<double>& values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace cudalabs
