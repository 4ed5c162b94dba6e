#include "grader/present/web/pages/class_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/standing.h"
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

AttemptsByDay attempts_of(std::vector<std::int64_t> times) {
  constexpr std::int64_t kDay = 86'400, kMaxTime = 253'402'300'799;  // the end of the year 9999
  constexpr std::size_t kBins = 40;
  AttemptsByDay all;
  std::erase_if(times, [](std::int64_t at) { return at < 0 || at > kMaxTime; });
  if (times.empty()) return all;
  const auto [first, last] = std::ranges::minmax(times);
  const std::int64_t start = first / kDay, days = last / kDay - start + 1;
  while (static_cast<std::size_t>(days) > kBins * all.days) all.days = all.days == 1 ? 7 : 2 * all.days;
  const auto width = static_cast<std::int64_t>(all.days);
  for (std::int64_t day = 0; day < days; day += width)
    all.bins.push_back({time_words((start + day) * kDay).substr(0, 10), 0});
  for (const std::int64_t at : times)
    ++all.bins[static_cast<std::size_t>((at / kDay - start) / width)].hand_ins;
  return all;
}

html::Html attempts_figure(const AttemptsByDay& attempts, html::Piece id) {
  constexpr double kWidth = 700, kHeight = 160, kTop = 24, kBottom = 22, kWidest = 60;
  const auto& bins = attempts.bins;
  if (bins.empty()) return {};
  const std::size_t most =
      std::max<std::size_t>(1, std::ranges::max(bins, {}, &AttemptsByDay::Bin::hand_ins).hand_ins);
  const double step = std::min(kWidest, kWidth / static_cast<double>(bins.size()));
  std::string description;
  std::size_t so_far = 0;
  parts::Table table("Attempts over time",
                     {{attempts.days == 1 ? "day" : "days from", true}, {"attempts"}, {"so far"}});
  for (const auto& bin : bins) {
    so_far += bin.hand_ins;
    if (bin.hand_ins > 0) description += fmt::format("{}: {}. ", bin.name, bin.hand_ins);
    table.row({html::escaped(bin.name), html::escaped(human_count(bin.hand_ins)),
               html::escaped(human_count(so_far))});
  }
  html::Svg svg(id, kWidth, kHeight,
                attempts.days == 1 ? tr("Attempts by day") : tr("Attempts by {} days", attempts.days),
                description);
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const double x = step * static_cast<double>(b);
    const double height =
        (kHeight - kTop - kBottom) * static_cast<double>(bins[b].hand_ins) / static_cast<double>(most);
    if (bins[b].hand_ins == 0) continue;
    svg.box(x + step * 0.1, kHeight - kBottom - height, step * 0.8, std::max(1.0, height), "yours");
    svg.text(x + step / 2, kHeight - kBottom - height - 3, human_count(bins[b].hand_ins),
             html::Anchor::Middle, "soft");
  }
  svg.text(0, kHeight - 7, bins.front().name, html::Anchor::Start, "tick");
  if (bins.size() > 2)
    svg.text(std::max(step * static_cast<double>(bins.size()), 160.0), kHeight - 7, bins.back().name,
             html::Anchor::End, "tick");
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
