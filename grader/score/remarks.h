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
  std::string reason, advice;
  Location where;
};

/// A right answer that the kernels cannot have produced: no launch; outputs that are copied or set,
/// not stored; most of the input copied to the host, while the kernels read less than the input or
/// results came back; or results that are made of no input element (of the case that was followed).
/// Finishing a reduction on the CPU from partial results is far below these bounds, and data that go
/// back to the card are no results.
std::optional<Remark> not_done_by_kernels(const CaseEvidence& evidence, bool by_copies = false);

/// Judges one requirement on the timed case.
struct StructureRemark {
  bool satisfied = false;
  std::string observed;  ///< the figures, as one sentence
  Remark problem;        ///< unless satisfied
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
std::string what_rules(const sim::CostBounds& bounds);
double total_estimated_ns(std::span<const LaunchRecord> launches);

}  // namespace cudalabs
