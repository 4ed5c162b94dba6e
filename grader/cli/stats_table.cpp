#include "grader/cli/stats_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"

namespace cudalabs::cli {

std::string stats_table(const std::vector<logging::MetricRow>& rows) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  using Line = std::array<std::string, 4>;
  std::vector<Line> lines = {{tr("step"), tr("count"), tr("average (ms)"), tr("total (ms)")}};
  for (const logging::MetricRow& row : rows) {
    const double total = Milliseconds(row.total).count();
    lines.push_back({translated_word(row.words), fmt::format("{}", row.count),
                     fmt::format("{:.3f}", total / static_cast<double>(row.count)),
                     fmt::format("{:.1f}", total)});
  }
  std::array<std::size_t, 4> widths{};
  for (const Line& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], display_width(line[c]));
  }
  std::string text;
  for (const Line& line : lines) {
    text += pad_right(line[0], widths[0]);
    for (std::size_t c = 1; c < line.size(); ++c) text += "  " + pad_left(line[c], widths[c]);
    text += '\n';
  }
  return text;
}

}  // namespace cudalabs::cli
