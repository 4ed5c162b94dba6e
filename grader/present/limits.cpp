#include "grader/present/limits.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/diagnostics/messages/present.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {
namespace {

using Plain = TypedRow<signature_of("")>;

/// By CostPart::name.
struct Step {
  std::string_view part;
  const Plain* next;
};
constexpr std::array<Step, 8> kSteps{{{"launch", &msg::next_launch},
                                      {"issue", &msg::next_issue},
                                      {"doubles", &msg::next_doubles},
                                      {"shared", &msg::next_shared},
                                      {"l2", &msg::next_l2},
                                      {"memory", &msg::next_memory},
                                      {"atomics", &msg::next_atomics},
                                      {"latency", &msg::next_latency}}};

/// What versions are compared by. Accesses are counted as the source has them.
struct Measure {
  std::string_view name;
  std::uint64_t (*of)(const sim::Counters&);
};
constexpr std::array<Measure, 5> kMeasures{
    {{"conflicts", shared_conflicts},
     {"sectors", [](const sim::Counters& c) { return c.global_load_sectors + c.global_store_sectors; }},
     {"requests", [](const sim::Counters& c) { return c.global_load_requests + c.global_store_requests; }},
     {"shared_loads", [](const sim::Counters& c) { return c.source_shared_load_instructions; }},
     {"instructions", [](const sim::Counters& c) { return c.warp_instructions; }}}};

/// A difference of a quarter, of counts that take time.
bool differ(std::uint64_t one, std::uint64_t other) {
  constexpr std::uint64_t kFew = 1000;
  const auto [low, high] = std::minmax(one, other);
  return high >= kFew && 4 * high > 5 * low;
}

bool merges_loads(const sim::Counters& c) {
  return c.shared_load_instructions < c.source_shared_load_instructions &&
         differ(c.source_shared_load_instructions, c.shared_load_instructions);
}

Message merged_loads(const VersionResult& version, const sim::Counters& c) {
  return msg::loads_are_merged(version.name, c.source_shared_load_instructions, c.shared_load_instructions);
}

Messages changes(const VersionResult& before, const VersionResult& after) {
  const sim::Counters was = total_counters(before.launches), is = total_counters(after.launches);
  Messages list;
  for (const Measure& measure : kMeasures) {
    const std::uint64_t one = measure.of(was), other = measure.of(is);
    if (differ(one, other)) list.add(msg::measure_changes(measure.name, one, other));
  }
  // What the source asks for and what the machine does: a padded tile may lose its wide loads.
  if (merges_loads(is))
    list.add(merged_loads(after, is));
  else if (merges_loads(was))
    list.add(merged_loads(before, was));
  if (list.empty()) return {};
  return msg::changes_against(before.name, std::move(list), before.speed.student_ns, after.speed.student_ns);
}

bool has_all(const VersionResult& version) {
  constexpr double kRounding = 0.005;
  return version.verdict == Verdict::Accepted && version.points > version.max_points - kRounding &&
         version.speed.source == TimeSource::Estimated && total_bounds(version.launches).total() > 0;
}

}  // namespace

std::vector<VersionLimit> limits_of(const GradeResult& result) {
  std::vector<VersionLimit> limits;
  const VersionResult* before = nullptr;
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::NotGraded) continue;
    if (!has_all(version)) return {};
    const sim::CostBounds bounds = total_bounds(version.launches);
    VersionLimit limit{version.name, msg::limited_by(what_rules(bounds)), {}, {}};
    for (const Step& step : kSteps)
      if (step.part == sim::largest_part(bounds).name) limit.next = (*step.next)();
    if (before != nullptr) limit.changes = changes(*before, version);
    // One piece of advice for several versions stands below the last of them.
    if (!limits.empty() && limits.back().next == limit.next) limits.back().next = {};
    limits.push_back(std::move(limit));
    before = &version;
  }
  return limits;
}

}  // namespace cudalabs
