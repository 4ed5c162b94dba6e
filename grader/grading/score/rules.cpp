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

/// The first launch of the timed case for which this holds.
std::optional<Deed> launches(const CaseEvidence& timed, bool LaunchRecord::*kind, const auto& how,
                             Messages advice) {
  const auto found = std::ranges::find(timed.launches, true, kind);
  if (found == timed.launches.end()) return std::nullopt;
  return Deed{how(found->kernel), std::move(advice), {}};
}

std::optional<Deed> does(Rule rule, const CaseEvidence& timed, const sim::Provenance& origins) {
  switch (rule) {
    case Rule::SharedMemory: return passes_memory(Requirement::UsesSharedMemory, timed, origins);
    case Rule::ConstantMemory: return passes_memory(Requirement::UsesConstantMemory, timed, origins);
    case Rule::Atomics: return works_atomically(timed);
    case Rule::Thrust:
    case Rule::Cub: return calls_library(rule, timed);
    case Rule::CooperativeLaunch:
      return launches(timed, &LaunchRecord::cooperative, msg::launched_cooperatively,
                      msg::end_kernel_to_wait());
    case Rule::DynamicParallelism:
      return launches(timed, &LaunchRecord::by_kernel, msg::launched_by_kernel, msg::launch_from_host());
  }
  std::abort();
}

/// What is wrong with the number of launches, or with the size of a block.
std::optional<Deed> wrong_launches(const Version& version, const CaseEvidence& timed) {
  const auto count = std::ranges::count(timed.launches, false, &LaunchRecord::by_kernel);
  if (version.max_launches > 0 && count > version.max_launches)
    return Deed{msg::too_many_launches(count, version.max_launches), msg::launch_fewer(), {}};
  for (const LaunchRecord& launch : timed.launches) {
    const auto threads = static_cast<std::int64_t>(launch.block.count());
    if (version.block_size > 0 && threads != version.block_size)
      return Deed{msg::other_block_size(launch.kernel, threads, version.block_size),
                  msg::take_block_size(version.block_size),
                  {}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Remark> forbidden_library(const Version& version, const CaseEvidence& timed) {
  for (const Rule rule : version.forbids) {
    if (rule != Rule::Thrust && rule != Rule::Cub) continue;
    if (auto deed = calls_library(rule, timed))
      return Remark{
          msg::other_work_than_asked(version.name, std::move(deed->how)), std::move(deed->advice), {}};
  }
  return std::nullopt;
}

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
  if (auto deed = wrong_launches(version, timed))
    return Remark{
        msg::other_work_than_asked(version.name, std::move(deed->how)), std::move(deed->advice), {}};
  return std::nullopt;
}

}  // namespace cudalabs
