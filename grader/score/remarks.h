#pragma once
// What the counters of the timed case say about how the
// work was done. A remark is a sentence for the student.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "grader/score/evidence.h"

namespace cudalabs {

struct Remark {
  Messages reason, advice;
  Location where;
  std::string case_name{};  ///< LostPoints
};

/// A right answer that the kernels cannot have produced: no launch; outputs that are copied or set,
/// not stored; most of the input copied to the host, while the kernels read less than the input or
/// results came back; or results that are made of no input element (of the case that was followed).
/// Finishing a reduction on the CPU from partial results is far below these bounds, and data that go
/// back to the card are no results.
struct WorkAllowed {
  bool by_copies = false;             ///< copies and sets may make the output
  bool repeated_right = false;        ///< CaseEvidence::repeated, of the case that was followed
  std::uint64_t partial_results = 0;  ///< bytes that go to the host in a case of any size
};
std::optional<Remark> not_done_by_kernels(const CaseEvidence& evidence, const WorkAllowed& allowed = {});

/// Bytes that the timed case copies to the host, if so few that they are partial results.
std::uint64_t partial_result_bytes(const CaseEvidence& timed);

/// Did the host see so much of the input that it could have made the results?
bool host_could_compute(const CaseEvidence& evidence, std::uint64_t partial_results);

/// Somebody wanted to know what results are made of, and it cannot be told: what rests on it is not given.
std::optional<Remark> not_known(const sim::Origins& origins);

/// Judges one requirement on the timed case.
struct StructureRemark {
  bool satisfied = false;
  Messages observed;  ///< the figures, as one sentence
  Remark problem;     ///< unless satisfied
};
/// `origins`: of the results of the case that was followed; not known if none was.
StructureRemark judge_structure(const StructurePoints& requirement, const CaseEvidence& timed,
                                const sim::Origins& origins);

/// The source line where `metric` is highest over all launches; no file if it is nowhere above 0.
using Metric = std::function<double(const sim::Counters&)>;
Location worst_line(std::span<const LaunchRecord> launches, const Metric& metric);

/// Of loads, stores and atomics together.
std::uint64_t shared_conflicts(const sim::Counters& counters);
std::uint64_t shared_wavefronts(const sim::Counters& counters);

/// Sums over the launches.
sim::Counters total_counters(std::span<const LaunchRecord> launches);
sim::CostBounds total_bounds(std::span<const LaunchRecord> launches);
/// "above all memory (62 %)"; empty where nothing was estimated.
Message what_rules(const sim::CostBounds& bounds);
double total_estimated_ns(std::span<const LaunchRecord> launches);

}  // namespace cudalabs
