#include "grader/grading/score/rules.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

/// How a version does what a rule names.
struct Deed {
  Message how;  ///< "kernel count_kernel adds atomically"
  Messages advice;
  Location where;
};

/// The timed case's data passes through this memory. The partial results of a block may pass through shared
/// memory.
std::optional<Deed> passes_memory(Requirement memory, const CaseEvidence& timed,
                                  const sim::Provenance& origins) {
  const StructureRemark used = judge_structure({memory, 0, kUsesSharedMemory}, timed, origins);
  if (!used.satisfied) return std::nullopt;
  const sim::Counters total = total_counters(timed.launches);
  constexpr double kNearlyAll = 0.9;
  const bool shared = memory == Requirement::UsesSharedMemory;
  if (shared && static_cast<double>(total.shared_store_bytes + total.shared_copied_bytes) <
                    kNearlyAll * static_cast<double>(timed.input_bytes))
    return std::nullopt;
  const char* const name = shared ? "shared" : "constant";
  return Deed{msg::uses_forbidden_memory(name), msg::read_global_directly(name), {}};
}

std::uint64_t atomics_of(const sim::Counters& counters) {
  return counters.global_atomic_requests + counters.shared_atomic_instructions;
}

std::optional<Deed> works_atomically(const CaseEvidence& timed) {
  for (const LaunchRecord& launch : timed.launches) {
    if (atomics_of(launch.counters) == 0) continue;
    Deed deed{msg::works_atomically(launch.kernel), msg::no_atomics(), {}};
    const auto line = std::ranges::max_element(
        launch.lines, {}, [](const sim::LineCounters& at) { return atomics_of(at.counters); });
    if (line != launch.lines.end() && atomics_of(line->counters) > 0)
      deed.where = Location{base_name(line->file), static_cast<int>(line->line), 0};
    return deed;
  }
  return std::nullopt;
}

/// Returns whether a kernel is one of the library's. Thrust lets kernels of CUB work, whose types then name
/// it.
bool is_of_library(const LaunchRecord& launch, Rule library) {
  const std::string_view kernel = launch.kernel;
  const bool thrust = kernel.starts_with("thrust::"), cub = kernel.starts_with("cub::");
  return library == Rule::Cub ? cub : thrust || (cub && kernel.find("thrust::") != std::string_view::npos);
}

std::optional<Deed> calls_library(Rule library, const CaseEvidence& timed) {
  for (const LaunchRecord& launch : timed.launches) {
    if (!is_of_library(launch, library)) continue;
    const std::string kernel = launch.kernel.substr(0, launch.kernel.find('<'));
    return Deed{
        msg::kernel_of_library(kernel, spelling(library)), msg::write_it_yourself(spelling(library)), {}};
  }
  return std::nullopt;
}

std::optional<Deed> does(Rule rule, const CaseEvidence& timed, const sim::Provenance& origins) {
  switch (rule) {
    case Rule::SharedMemory: return passes_memory(Requirement::UsesSharedMemory, timed, origins);
    case Rule::ConstantMemory: return passes_memory(Requirement::UsesConstantMemory, timed, origins);
    case Rule::Atomics: return works_atomically(timed);
    case Rule::Thrust:
    case Rule::Cub: return calls_library(rule, timed);
  }
  std::abort();
}

}  // namespace

std::optional<Remark> broken_rule(const Version& version, const CaseEvidence& timed,
                                  const sim::Provenance& origins) {
  for (const Rule rule : version.forbids) {
    if (auto deed = does(rule, timed, origins))
      return Remark{msg::other_work_than_asked(version.name, std::move(deed->how)), std::move(deed->advice),
                    std::move(deed->where)};
  }
  for (const Rule rule : version.needs) {
    if (does(rule, timed, origins)) continue;
    return Remark{msg::other_work_than_asked(version.name, msg::does_not_use(spelling(rule))),
                  msg::use_what_is_asked(spelling(rule)),
                  {}};
  }
  return std::nullopt;
}

}  // namespace cudalabs
