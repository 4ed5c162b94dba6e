#include "grader/grading/score/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "grader/base/human.h"
#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/grading/score/algorithm.h"
#include "grader/grading/score/criteria.h"
#include "grader/grading/score/devices.h"
#include "grader/grading/score/hidden.h"
#include "grader/grading/score/remarks.h"
#include "grader/grading/score/rules.h"
#include "grader/grading/score/same_work.h"
#include "grader/grading/score/slowness.h"

namespace cudalabs {
namespace {

void lose(VersionResult& result, double points, std::string part, Remark finding) {
  if (points <= 0) return;
  result.lost.push_back({round_points(points), std::move(part), std::move(finding.reason),
                         std::move(finding.advice), std::move(finding.where), std::move(finding.case_name)});
}

double structure_max(const Version& version) {
  double points = 0;
  for (const StructurePoints& requirement : version.structure) points += requirement.points;
  return points;
}

VersionResult blank(const Version& version) {
  VersionResult result;
  result.name = version.name;
  result.title = version.title;
  result.entry = version.entry;
  result.max_points = version.max_points();
  result.bonus = version.bonus;
  result.correctness.max_points = version.correctness_points;
  for (const StructurePoints& requirement : version.structure) {
    result.structure.push_back({requirement.requirement, false, false, 0, requirement.points, {}});
  }
  result.speed.max_points = version.speed_points;
  return result;
}

/// The evidence of a failure. Each failure is one of the evidence's cases.
const CaseEvidence& case_of(const CaseFailure& failure, const VersionEvidence& evidence) {
  return *std::ranges::find(evidence.cases, failure.case_name, &CaseEvidence::name);
}

/// The first failure, in the lab's order, of a case with elements. A version that is wrong everywhere also
/// fails on empty cases, and that says little. A hidden case says less than any other.
const CaseFailure& first_failure(const CorrectnessResult& correctness, const VersionEvidence& evidence) {
  return *std::ranges::min_element(correctness.failures, {}, [&](const CaseFailure& failure) {
    const CaseEvidence& test = case_of(failure, evidence);
    return std::pair(test.hidden, !test.has_output);
  });
}

/// How well the reason of a failure is known. An explanation for every value of several cases says more than
/// the location of a fault, which is a consequence. It does not if the order of threads is wrong too.
int known_of(const CaseEvidence& test, const VersionEvidence& evidence) {
  enum : int { Nothing, Suggested, FailedCall, Usual, Seen, Fault, UsualInSeveral };
  if (test.hidden) return Nothing;  // it may be shown only if nothing else is
  if (test.fault) return Fault;
  if (test.verdict != Verdict::WrongAnswer) {
    // A refused launch affects only its own case. Data that a copy did not bring is missing in other cases
    // too.
    const bool failed = test.has_output && !test.failed_call.empty() && test.refused_kernel.empty();
    return failed ? FailedCall : Nothing;
  }
  if (test.reason == CaseEvidence::Reason::Seen) return Seen;
  if (test.reason == CaseEvidence::Reason::None) return Nothing;
  if (!test.mismatch.usual || test.mismatch.guess.empty()) return Suggested;
  const auto all = std::ranges::count(evidence.cases, test.mismatch.guess,
                                      [](const CaseEvidence& other) { return other.mismatch.guess; });
  return all > 1 && std::ranges::none_of(evidence.cases, &CaseEvidence::unsound) ? UsualInSeveral : Usual;
}

/// Selects the failure to report: among wrong answers and faults, the first one whose reason is known best.
const CaseFailure& reported_failure(const CorrectnessResult& correctness, const VersionEvidence& evidence) {
  const CaseFailure& first = first_failure(correctness, evidence);
  const CaseEvidence& first_case = case_of(first, evidence);
  if (first.verdict != Verdict::WrongAnswer && !first_case.fault) return first;
  const CaseFailure* told = &first;
  int best = known_of(first_case, evidence);
  for (const CaseFailure& failure : correctness.failures) {
    const int known = known_of(case_of(failure, evidence), evidence);
    if (known <= best) continue;
    told = &failure;
    best = known;
  }
  return *told;
}

void judge_correctness(VersionResult& result, const Version& version, const Lab& lab,
                       const VersionEvidence& evidence) {
  CorrectnessResult& correctness = result.correctness;
  for (std::size_t i = 0; i < evidence.cases.size(); ++i) {
    const CaseEvidence& test = evidence.cases[i];
    const bool passed = test.verdict == Verdict::Accepted;
    if (is_bonus(lab, i)) {  // the version is right without it
      if (!passed && test.verdict != Verdict::NotGraded && version.bonus_points > 0)
        result.notes.emplace_back(msg::bonus_case_failed(test.name, test.message));
      continue;
    }
    if (!passed || test.has_output) ++correctness.total;
    if (passed && test.has_output) ++correctness.passed;
    if (test.verdict == Verdict::NotGraded) {
      ++correctness.skipped;
    } else if (!passed) {
      correctness.failures.push_back({test.name, test.verdict, test.message, test.advice, test.where});
    }
  }
  correctness.criteria = judge_criteria(lab, evidence, correctness.max_points, version.bonus_points);
  double points = 0;
  for (const CriterionResult& criterion : correctness.criteria)
    (criterion.bonus ? result.bonus_points : points) += criterion.points;
  result.bonus_points = round_points(result.bonus_points);
  if (correctness.criteria.empty() && correctness.total > 0 && computes(evidence))
    points = correctness.max_points * correctness.passed / correctness.total;
  correctness.points = round_points(points);
  if (!correctness.failures.empty()) result.verdict = first_failure(correctness, evidence).verdict;
}

/// A case whose answer depends on the order of blocks or warps, or in which the checkers found an error that
/// is independent of the answer, if that holds for half of the watched cases. The error is then not limited
/// to some sizes, and right answers are luck that changes with the seed. Null if there is none.
const CaseEvidence* unsound_case(const VersionEvidence& evidence) {
  const auto by_order = std::ranges::find_if(evidence.cases, &CaseEvidence::by_order);
  if (by_order != evidence.cases.end()) return &*by_order;
  const auto of_all = [&](auto holds) {
    return std::ranges::count_if(evidence.cases,
                                 [&](const CaseEvidence& c) { return c.has_output && holds(c); });
  };
  const auto watched = of_all([](const CaseEvidence& c) { return c.watched; });
  const auto unsound = of_all([](const CaseEvidence& c) { return c.watched && c.unsound; });
  if (unsound == 0 || unsound * 2 < watched) return nullptr;
  return &*std::ranges::find_if(evidence.cases, [](const CaseEvidence& c) { return c.watched && c.unsound; });
}

/// Marks answers that are right by luck as wrong.
void discount_luck(VersionEvidence& evidence) {
  const CaseEvidence* const known = unsound_case(evidence);
  if (known == nullptr) return;
  for (CaseEvidence& test : evidence.cases) {
    if (test.watched || !test.has_output || test.verdict != Verdict::Accepted) continue;
    test.verdict = Verdict::RuntimeError;
    test.message = msg::passed_by_luck(known->name, known->message);
    test.advice = known->advice;
    test.where = known->where;
  }
}

/// If a version is right for the published sizes and wrong for those drawn from the seed, it handles only the
/// former. Such a version earns no points.
void discount_published_sizes(VersionEvidence& evidence) {
  constexpr int kSeveral = 3;
  int drawn = 0, wrong = 0;
  const CaseEvidence* first = nullptr;
  for (const CaseEvidence& test : evidence.cases) {
    if (!test.has_output) continue;
    if (!test.drawn && test.verdict != Verdict::Accepted) return;
    drawn += test.drawn ? 1 : 0;
    if (!test.drawn || test.verdict != Verdict::WrongAnswer) continue;
    ++wrong;
    if (first == nullptr) first = &test;
  }
  // One drawn size may happen to be a published one.
  if (wrong < kSeveral || wrong * 4 < drawn * 3) return;
  const CaseEvidence known = *first;
  for (CaseEvidence& test : evidence.cases) {
    if (!test.has_output || test.drawn) continue;
    test.verdict = Verdict::WrongAnswer;
    test.message = msg::right_for_published_sizes(known.name, known.message);
    test.advice = msg::write_for_any_size();
    test.where = known.where;
  }
}

/// Structure and speed are judged on the timed case only, independent of the other cases.
void lose_unjudged(VersionResult& result, const Version& version, const CaseEvidence& timed) {
  const double points = structure_max(version) + version.speed_points;
  lose(result, points,
       version.speed_points > 0 ? (version.structure.empty() ? "speed" : "structure and speed") : "structure",
       {msg::judged_with_timed_case(timed.name), msg::pass_timed_case_first(), {}});
}

/// The tracked case. Null if no case was tracked, or none of the tracked ones is right: after a fault there
/// is no provenance.
const CaseEvidence* followed_case(const VersionEvidence& evidence) {
  const auto followed = std::ranges::find_if(evidence.cases, [](const CaseEvidence& c) {
    return (c.followed || c.origins.known) && c.verdict == Verdict::Accepted;
  });
  return followed == evidence.cases.end() ? nullptr : &*followed;
}

/// The provenance of the tracked case's results.
sim::Provenance origins_of(const VersionEvidence& evidence) {
  const CaseEvidence* const followed = followed_case(evidence);
  return followed == nullptr ? sim::Provenance{} : followed->origins;
}

/// The right case with the most elements besides the timed one; null if none is right.
const CaseEvidence* largest_case(const VersionEvidence& evidence) {
  const CaseEvidence* largest = nullptr;
  for (const CaseEvidence& test : evidence.cases) {
    if (test.timed || test.verdict != Verdict::Accepted) continue;
    if (largest == nullptr || test.input_elements > largest->input_elements) largest = &test;
  }
  return largest;
}

/// `not_asked`: why the work is not what the version asks for, so that it meets none of its requirements.
void judge_structure_points(VersionResult& result, const Version& version, const VersionEvidence& evidence,
                            const std::optional<Remark>& not_asked) {
  const CaseEvidence& timed = evidence.cases.back();
  for (std::size_t i = 0; i < version.structure.size(); ++i) {
    const StructurePoints& requirement = version.structure[i];
    StructureRemark finding = judge_structure(requirement, timed, origins_of(evidence));
    StructureResult& judged = result.structure[i];
    judged.judged = true;
    judged.satisfied = finding.satisfied && !not_asked;
    judged.observed = std::move(finding.observed);
    judged.points = judged.satisfied ? requirement.points : 0;
    if (judged.satisfied) continue;
    if (not_asked) {
      if (finding.satisfied) finding.problem = {{}, not_asked->advice, finding.problem.where};
      Messages reason = not_asked->reason;
      reason.add(finding.problem.reason);
      finding.problem.reason = std::move(reason);
    }
    lose(result, requirement.points, "structure." + std::string(spelling(requirement.requirement)),
         std::move(finding.problem));
  }
}

/// "above all memory (62 %)", for the kernels together with the copies and sets.
Message largest_part_of_all(const sim::CostBounds& kernels, double copies_ns) {
  const double total = kernels.total() + copies_ns;
  if (total <= 0) return {};
  const sim::CostPart& part = sim::largest_part(kernels);
  const double largest = kernels.*part.value;
  return copies_ns > largest ? msg::largest_part("copies", percent(copies_ns, total))
                             : msg::largest_part(part.name, percent(largest, total));
}

/// Advice for a call whose copies and sets take long.
Message fewer_copies(const CaseEvidence& timed) {
  const auto prints = std::ranges::find_if(
      timed.launches, [](const LaunchRecord& launch) { return launch.printed_bytes > 0; });
  if (prints != timed.launches.end()) return msg::remove_printf(prints->kernel);
  return timed.bytes_to_host + timed.bytes_to_device > 0 ? msg::avoid_host_copies()
                                                         : msg::avoid_device_copies();
}

void judge_speed(VersionResult& result, const Version& version, const VersionEvidence& evidence,
                 const CaseEvidence& timed) {
  SpeedResult& speed = result.speed;
  speed.case_name = timed.name;
  speed.measurement = evidence.measured;
  if (evidence.measured) {
    if (!evidence.measured->problem.empty()) {
      const Messages& advice = evidence.measured->advice;
      lose(result, version.speed_points, "speed",
           {evidence.measured->problem,
            advice.empty() ? Messages(msg::do_same_work_each_call()) : advice,
            {}});
      return;
    }
    speed.student_ns = evidence.measured->student.call_ns;
    speed.reference_ns = evidence.measured->reference.call_ns;
  } else {
    speed.student_ns = total_estimated_ns(timed.launches) + timed.copies_ns;
    speed.reference_ns = total_estimated_ns(evidence.reference_launches) + evidence.reference_copies_ns;
  }
  if (timed.launches.empty()) {
    lose(result, version.speed_points, "speed",
         {msg::no_kernel_in_timed_case(timed.name), msg::work_in_kernel(), {}});
    return;
  }
  if (speed.student_ns <= 0 || speed.reference_ns <= 0) {
    lose(result, version.speed_points, "speed",
         {msg::no_time_taken(timed.name), msg::tell_staff_the_seed(), {}});
    return;
  }
  speed.source = evidence.measured ? TimeSource::Measured : TimeSource::Estimated;
  speed.speedup = speed.reference_ns / speed.student_ns;
  const double share = curve_share(version.speed_curve, speed.speedup);
  speed.points = round_points(version.speed_points * share);
  if (share >= 1) return;
  Remark cause = explain_time(timed.launches, evidence.reference_launches);
  if (!evidence.measured &&
      timed.copies_ns - evidence.reference_copies_ns > (speed.student_ns - speed.reference_ns) / 2) {
    cause = {msg::copies_take(timed.copies_ns), fewer_copies(timed), {}};
  }
  Messages reason = msg::slower_than_reference(speed.student_ns, spelling(speed.source), speed.reference_ns,
                                               1 / speed.speedup);
  if (!evidence.measured) reason.add(largest_part_of_all(total_bounds(timed.launches), timed.copies_ns));
  reason.add(cause.reason);
  lose(result, version.speed_points - speed.points, "speed",
       {std::move(reason), std::move(cause.advice), cause.where});
}

std::vector<LaunchSummary> summary_of(const std::vector<LaunchRecord>& launches, bool measured) {
  std::vector<LaunchSummary> summaries;
  const std::size_t listed = launches.size() > kMaxLaunchesListed ? kMaxLaunchesListed - 1 : launches.size();
  for (const LaunchRecord& launch : std::span(launches).first(listed)) {
    summaries.push_back({launch.kernel, launch.grid, launch.block,
                         launch.static_shared_bytes + launch.dynamic_shared_bytes, launch.counters,
                         measured ? sim::CostBounds{} : launch.bounds});
  }
  if (const auto others = std::span(launches).subspan(listed); !others.empty()) {
    LaunchSummary together;
    together.grid = together.block = {0, 0, 0};
    together.counters = total_counters(others);
    if (!measured) together.bounds = total_bounds(others);
    together.launches = others.size();
    summaries.push_back(std::move(together));
  }
  return summaries;
}

/// Whether the call does what the algorithm asks for.
bool meets(const Algorithm& algorithm, const VersionEvidence& evidence) {
  return !other_algorithm(algorithm, evidence.cases.back(), largest_case(evidence), origins_of(evidence));
}

/// A sentence about an earlier version whose kernels did the same work on the timed case, if there is one.
Message forwarded_to(std::span<const Version> versions, const std::vector<VersionEvidence>& all,
                     std::size_t index, const CaseEvidence& timed) {
  for (std::size_t i = 0; i < index; ++i) {
    if (all[i].state != Verdict::Accepted || all[i].cases.empty()) continue;
    const CaseEvidence& other = all[i].cases.back();
    if (other.verdict != Verdict::Accepted) continue;
    // An algorithm with a tile that is larger than necessary is still the same algorithm.
    const bool by_tiles = !versions[index].algorithm || !versions[i].algorithm;
    const auto same = same_work(timed.launches, other.launches, by_tiles);
    if (!same) continue;
    // A loop over a fixed grid moves the same data as one thread an element does.
    const auto& algorithm = versions[index].algorithm;
    if (same->altered && algorithm && meets(*algorithm, all[index]) && !meets(*algorithm, all[i])) continue;
    if (same->altered) return msg::same_work_again(all[index].name, all[i].name);
    return msg::same_kernels(all[index].name, all[i].name, same->renamed, same->relaunched);
  }
  return {};
}

void violate(VersionResult& result, Remark finding) {
  result.verdict = Verdict::RuleViolation;
  result.correctness.points = result.bonus_points = 0;
  for (CriterionResult& criterion : result.correctness.criteria) criterion.points = 0;
  lose(result, result.max_points, "rules", std::move(finding));
}

/// Structure and speed count as far as the lab's gate lets them.
void close_gate(VersionResult& result, Gate gate) {
  const CorrectnessResult& correctness = result.correctness;
  if (gate == Gate::None || correctness.max_points <= 0 || correctness.points >= correctness.max_points)
    return;
  const double share = gate == Gate::Strict ? 0 : correctness.points / correctness.max_points;
  double lost = 0;
  const auto scale = [&](double& points) {
    const double kept = round_points(points * share);
    lost += points - kept;
    points = kept;
  };
  for (StructureResult& structure : result.structure) scale(structure.points);
  scale(result.speed.points);
  lose(result, lost, "structure and speed",
       {msg::gated(gate == Gate::Strict), msg::mend_answers_first(), {}});
}

/// Of failed cases, and of the criterion without which the others earn nothing.
Messages why_incorrect(const CorrectnessResult& correctness, const CaseFailure& told, bool is_first) {
  const int failed = correctness.total - correctness.passed - correctness.skipped;
  Messages reason = msg::cases_failed(failed, correctness.total, correctness.skipped,
                                      is_first ? "first" : "says_most", told.case_name, told.message);
  for (const CriterionResult& criterion : correctness.criteria) {
    if (criterion.needed && !criterion.met) reason.add(msg::nothing_without(criterion.name));
  }
  return reason;
}

VersionResult score_version(const Lab& lab, const std::vector<VersionEvidence>& all, std::size_t index) {
  const std::span<const Version> versions = lab.versions;
  const Version& version = versions[index];
  const VersionEvidence& evidence = all[index];
  VersionResult result = blank(version);
  result.notes = evidence.notes;
  result.verdict = evidence.state;
  if (evidence.state != Verdict::Accepted) {
    if (evidence.state != Verdict::NotGraded) {
      lose(result, result.max_points, "everything", {evidence.message, evidence.advice, evidence.where});
    }
    return result;
  }
  judge_correctness(result, version, lab, evidence);
  const CaseEvidence* const followed = followed_case(evidence);
  const WorkAllowed allowed{version.outputs_by_copies,
                            followed != nullptr && followed->repeated == CaseEvidence::Repeated::Right,
                            partial_result_bytes(evidence.cases.back())};
  for (const CaseEvidence& test : evidence.cases) {
    auto finding = not_done_by_kernels(test, allowed);
    if (test.verdict == Verdict::RuleViolation)
      finding = Remark{msg::case_breaks_rules(test.name, test.message), test.advice, test.where};
    if (finding) {
      hide_data(test, *finding);
      violate(result, std::move(*finding));
      return result;
    }
  }
  if (auto library = forbidden_library(version, evidence.cases)) {
    violate(result, std::move(*library));
    return result;
  }
  const CorrectnessResult& correctness = result.correctness;
  if (!correctness.failures.empty()) {
    const CaseFailure& told = reported_failure(correctness, evidence);
    const bool is_first = &told == &first_failure(correctness, evidence);
    lose(result, correctness.max_points - correctness.points, "correctness",
         {why_incorrect(correctness, told, is_first), told.advice, told.where, told.case_name});
  }
  const CaseEvidence& timed = evidence.cases.back();
  if (timed.verdict != Verdict::Accepted) {
    lose_unjudged(result, version, timed);
    return result;
  }
  result.launches = summary_of(timed.launches, evidence.measured.has_value());
  result.reference_launches = summary_of(evidence.reference_launches, evidence.measured.has_value());
  std::optional<Remark> not_asked = idle_device(version, timed);
  // Versions for several devices may differ only in how the devices exchange data.
  if (Message forwarded = version.devices > 1 ? Message() : forwarded_to(versions, all, index, timed);
      !forwarded.empty()) {
    not_asked = Remark{std::move(forwarded), msg::kernel_for_each_version(), {}};
  } else if (!not_asked && version.algorithm) {
    not_asked = other_algorithm(*version.algorithm, timed, largest_case(evidence), origins_of(evidence));
    if (not_asked) not_asked->reason = msg::other_work_than_asked(version.name, std::move(not_asked->reason));
  }
  if (!not_asked) not_asked = broken_rule(version, evidence.cases, origins_of(evidence));
  judge_structure_points(result, version, evidence, not_asked);
  if (version.speed_points <= 0) return result;
  if (!not_asked) {
    judge_speed(result, version, evidence, timed);
  } else {
    lose(result, version.speed_points, "speed", std::move(*not_asked));
  }
  return result;
}

}  // namespace

double curve_share(const std::vector<std::pair<double, double>>& curve, double ratio) {
  if (curve.empty()) return 0;
  const auto next = std::ranges::find_if(curve, [&](const auto& point) { return !(ratio >= point.first); });
  if (next == curve.begin()) return curve.front().second;
  if (next == curve.end()) return curve.back().second;
  const auto& [left, low] = *std::prev(next);
  const auto& [right, high] = *next;
  return low + (high - low) * (ratio - left) / (right - left);
}

GradeResult score(const Lab& lab, std::vector<VersionEvidence> evidence) {
  const logging::Timed timed(logging::Metric::Score);
  for (VersionEvidence& version : evidence) hide_data(version);
  if (!must_be_safe(lab)) std::ranges::for_each(evidence, discount_luck);
  std::ranges::for_each(evidence, discount_published_sizes);
  GradeResult result;
  result.lab = lab.lab;
  result.variant = lab.variant;
  result.title = lab.title;
  result.file = lab.file;
  for (std::size_t i = 0; i < lab.versions.size(); ++i) {
    VersionResult version = score_version(lab, evidence, i);
    close_gate(version, lab.gate);
    double points = version.correctness.points + version.speed.points + version.bonus_points;
    for (const StructureResult& structure : version.structure) points += structure.points;
    version.points = round_points(points);
    logging::info(logging::Stage::Score, [&] {
      return fmt::format("{}: {}, {} of {} points, {} remarks", version.name, spelling(version.verdict),
                         version.points, version.max_points, version.lost.size());
    });
    if (version.verdict != Verdict::NotGraded) {
      result.points += version.points;
      result.bonus_points += version.bonus ? version.points : version.bonus_points;
      result.max_points += version.bonus ? 0 : version.max_points;
    }
    result.versions.push_back(std::move(version));
  }
  if (lab.hidden_elsewhere > 0 && !result.versions.empty())
    result.versions.back().notes.emplace_back(msg::hidden_cases_elsewhere(lab.hidden_elsewhere));
  result.points = round_points(result.points);
  result.max_points = round_points(result.max_points);
  result.bonus_points = round_points(result.bonus_points);
  for (const ManualCriterion& one : lab.manual)
    result.open.push_back({OpenPoints::By::Hand, one.name, one.titles, one.points});
  if (!lab.leaderboard.empty())
    result.open.push_back({OpenPoints::By::Rank, "leaderboard", {}, lab.points_by_rank(), lab.leaderboard});
  return result;
}

}  // namespace cudalabs
