#include "grader/present/web/pages/version_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/grading/score/remarks.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/svg.h"

namespace cudalabs {
namespace {

using html::Anchor;
using html::escaped;
using html::Html;
using html::markup;

constexpr std::size_t kVersionName = 60;
constexpr double kFarMore = 1.25;  // times the reference's figure; larger ones are pointed out

bool timed(const VersionResult& version) { return version.speed.source != TimeSource::None; }

std::size_t count_of(const std::vector<LaunchSummary>& launches) {
  std::size_t count = 0;
  for (const LaunchSummary& launch : launches) count += launch.launches;
  return count;
}

/// One row of the comparison: a count of one program.
struct Row {
  std::string_view name;
  double (*value)(const sim::Counters&, std::size_t launches);
  bool ratio = false;
};

double as_double(std::uint64_t value) { return static_cast<double>(value); }

double sectors(const sim::Counters& c) {
  return as_double(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors);
}
double requests(const sim::Counters& c) {
  return as_double(c.global_load_requests + c.global_store_requests + c.global_atomic_requests);
}

constexpr Row kRows[] = {
    {"kernel launches", [](const sim::Counters&, std::size_t launches) { return as_double(launches); }},
    {"warp instructions", [](const sim::Counters& c, std::size_t) { return as_double(c.warp_instructions); }},
    {"global memory: requests", [](const sim::Counters& c, std::size_t) { return requests(c); }},
    {"global memory: sectors of 32 bytes", [](const sim::Counters& c, std::size_t) { return sectors(c); }},
    {"sectors per request",
     [](const sim::Counters& c, std::size_t) { return requests(c) > 0 ? sectors(c) / requests(c) : 0; },
     true},
    {"shared memory: wavefronts",
     [](const sim::Counters& c, std::size_t) {
       return as_double(c.source_shared_load_wavefronts + c.source_shared_store_wavefronts +
                        c.shared_atomic_wavefronts);
     }},
    {"shared memory: bank conflicts",
     [](const sim::Counters& c, std::size_t) {
       return as_double(c.source_shared_load_bank_conflicts + c.source_shared_store_bank_conflicts);
     }},
    {"constant memory: loads",
     [](const sim::Counters& c, std::size_t) { return as_double(c.constant_load_instructions); }},
    {"barriers", [](const sim::Counters& c, std::size_t) { return as_double(c.barriers); }},
    {"divergent branches",
     [](const sim::Counters& c, std::size_t) { return as_double(c.divergent_branches); }},
};

std::string number(const Row& row, double value) {
  return row.ratio ? human_factor(value) : human_count(static_cast<std::uint64_t>(value));
}

/// A figure next to the reference's, with a note if it is far above.
Html beside(const Row& row, double mine, std::optional<double> theirs) {
  Html cell = escaped(number(row, mine));
  if (!theirs) return cell;
  cell += markup("<br><span class=\"of\">reference {}</span>", escaped(number(row, *theirs)));
  if (*theirs > 0 && mine >= kFarMore * *theirs)
    cell += html::Piece("<br>") +
            parts::chip(parts::Mood::Mixed, tr("{} times as many", human_factor(mine / *theirs)));
  if (*theirs == 0 && mine > 0)
    cell += html::Piece("<br>") + parts::chip(parts::Mood::Mixed, "the reference has none");
  return cell;
}

}  // namespace

Html time_figure(const GradeResult& result) {
  constexpr double kWidth = 480, kRow = 52, kBar = 16, kTop = 4, kMax = 300;
  double longest = 0;
  std::size_t rows = 0;
  std::string description;
  for (const VersionResult& v : result.versions) {
    if (!timed(v)) continue;
    longest = std::max({longest, v.speed.student_ns, v.speed.reference_ns});
    ++rows;
    description += tr("{}: {}, the reference {}. ", v.name.substr(0, kVersionName),
                      human_time(v.speed.student_ns), human_time(v.speed.reference_ns));
  }
  html::Svg svg("times", kWidth, kTop + kRow * static_cast<double>(rows),
                "Times of the versions and of the reference", description);
  double y = kTop;
  for (const VersionResult& v : result.versions) {
    if (!timed(v)) continue;
    svg.text(0, y + 11, v.name, Anchor::Start, "label");
    const auto bar = [&](double at, double ns, html::Piece classes, const std::string& who) {
      const double width = std::max(1.0, kMax * ns / longest);
      svg.box(1, at, width, kBar - 3, classes);
      svg.text(width + 7, at + 10.5, who + human_time(ns), Anchor::Start, "soft");
    };
    bar(y + 16, v.speed.student_ns, "yours", "");
    bar(y + 16 + kBar, v.speed.reference_ns, "theirs", tr("reference "));
    y += kRow;
  }
  return std::move(svg).write();
}

Html counter_table(const GradeResult& result) {
  std::vector<parts::Head> heads{{"timed case"}};
  for (const VersionResult& v : result.versions)
    if (timed(v)) heads.push_back({escaped(v.name, kVersionName)});
  parts::Table table("Times, points and counters by version", heads);
  std::vector<Html> times{markup("time")}, points{markup("points")};
  for (const VersionResult& v : result.versions) {
    if (!timed(v)) continue;
    times.push_back(markup("{}<br><span class=\"of\">reference {}</span>",
                           escaped(human_time(v.speed.student_ns)),
                           escaped(human_time(v.speed.reference_ns))));
    points.push_back(html::format("{}<span class=\"of\">/{}</span>", escaped(human_points(v.points)),
                                  escaped(human_points(v.max_points))));
  }
  table.row(times);
  table.row(points);
  for (const Row& row : kRows) {
    std::vector<Html> cells{html::word(row.name)};
    bool any = false;
    for (const VersionResult& v : result.versions) {
      if (!timed(v)) continue;
      const double mine = row.value(total_counters(v.launches), count_of(v.launches));
      std::optional<double> theirs;
      if (!v.reference_launches.empty())
        theirs = row.value(total_counters(v.reference_launches), count_of(v.reference_launches));
      any = any || mine > 0 || theirs.value_or(0) > 0;
      cells.push_back(beside(row, mine, theirs));
    }
    if (any) table.row(cells);  // rows without any figure are left out
  }
  return std::move(table).write();
}

Html roofline_table(const Roofline& roofline) {
  parts::Table table("The roofline in numbers", {{"version"},
                                                 {"whose", true},
                                                 {"warp instructions"},
                                                 {"bytes requested"},
                                                 {"instructions a byte"},
                                                 {"shared wavefronts"},
                                                 {"time"},
                                                 {"10⁹ instructions a second"},
                                                 {"least time here"},
                                                 {"of the limit"}});
  std::size_t version = 0;
  std::string last;
  for (const RooflinePoint& point : roofline.points) {
    if (!last.empty() && !point.reference) ++version;
    last = point.version;
    const double share = roofline.least_ns(point) / point.ns;
    table.row({html::format("<span aria-hidden=\"true\">{}</span> {}", version_sign(version),
                            escaped(point.version, kVersionName)),
               point.reference ? markup("reference") : markup("this submission"),
               escaped(human_count(static_cast<std::uint64_t>(point.instructions))),
               escaped(human_count(static_cast<std::uint64_t>(point.bytes))),
               escaped(human_factor(point.intensity())),
               escaped(human_count(static_cast<std::uint64_t>(point.wavefronts))),
               escaped(human_time(point.ns)), escaped(human_factor(point.rate())),
               escaped(human_time(roofline.least_ns(point))), html::format("{:.0f} %", 100 * share)});
  }
  return std::move(table).write();
}

}  // namespace cudalabs
