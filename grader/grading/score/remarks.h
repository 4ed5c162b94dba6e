#pragma once
// Judges from the counters of the timed case how the work was done. A remark is a sentence for the student.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "grader/grading/score/evidence.h"

namespace cudalabs {

struct Remark {
  Messages reason, advice;
  Location where;
  std::string case_name{};  ///< LostPoints
};

/// Detects a right answer that the kernels cannot have produced: there was no launch; the outputs were copied
/// or set and not stored; most of the input was copied to the host, while the kernels read less than the
/// input or results came back; or no input element contributes to the results of the tracked case. Finishing
/// a reduction on the CPU from partial results is far below these bounds, and data that go back to the GPU
/// are not results.
struct WorkAllowed {
  bool by_copies = false;             ///< copies and sets may produce the output
  bool repeated_right = false;        ///< CaseEvidence::repeated of the tracked case
  std::uint64_t partial_results = 0;  ///< bytes that may go to the host in a case of any size
};
std::optional<Remark> not_done_by_kernels(const CaseEvidence& evidence, const WorkAllowed& allowed = {});

/// Bytes that the timed case copies to the host, if they are few enough to be partial results.
std::uint64_t partial_result_bytes(const CaseEvidence& timed);

/// Returns whether the host saw enough of the input to have computed the results.
bool host_could_compute(const CaseEvidence& evidence, std::uint64_t partial_results);

/// Returns a remark if provenance was requested but cannot be determined. Points that depend on it are not
/// given.
std::optional<Remark> not_known(const sim::Provenance& origins);

/// Judges one requirement on the timed case.
struct StructureRemark {
  bool satisfied = false;
  Messages observed;  ///< the figures
  Remark problem;     ///< unless satisfied
};
/// `origins`: provenance of the results of the tracked case; not known if no case was tracked.
StructureRemark judge_structure(const StructurePoints& requirement, const CaseEvidence& timed,
                                const sim::Provenance& origins);

/// The source line where `metric` is highest over all launches; no file if it is nowhere above 0.
using Metric = std::function<double(const sim::Counters&)>;
Location worst_line(std::span<const LaunchRecord> launches, const Metric& metric);

/// Loads, stores and atomics together.
std::uint64_t shared_conflicts(const sim::Counters& counters);
std::uint64_t shared_wavefronts(const sim::Counters& counters);

/// Sums over the launches.
sim::Counters total_counters(std::span<const LaunchRecord> launches);
sim::Counters total_counters(std::span<const LaunchSummary> launches);
sim::CostBounds total_bounds(std::span<const LaunchRecord> launches);
sim::CostBounds total_bounds(std::span<const LaunchSummary> launches);
/// "above all memory (62 %)"; empty where nothing was estimated.
Message what_rules(const sim::CostBounds& bounds);
std::int64_t percent(double part, double whole);
double total_estimated_ns(std::span<const LaunchRecord> launches);

}  // namespace cudalabs
