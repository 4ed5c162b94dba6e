#include "grader/grading/score/rules.h"

#include <algorithm>
#include <ranges>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/grading/score/hidden.h"

namespace cudalabs {
namespace {

/// How a version does what a rule names.
struct Deed {
  Message how;  ///< "kernel count_kernel adds atomically"
  Messages advice;
  Location where;
  const CaseEvidence* test = nullptr;  ///< the case that shows it; null: the timed one
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

/// The line of a launch that works atomically most; no file if none does.
Location atomic_line(const LaunchRecord& launch) {
  const auto line = std::ranges::max_element(
      launch.lines, {}, [](const sim::LineCounters& at) { return atomics_of(at.counters); });
  if (line == launch.lines.end() || atomics_of(line->counters) == 0) return {};
  return {base_name(line->file), static_cast<int>(line->line), 0};
}

/// Is one of the namespaces of a kernel's name this one? Libraries may be wrapped in others.
bool is_in_namespace(std::string_view kernel, std::string_view name) {
  std::string_view rest = kernel.substr(0, kernel.find('<'));
  for (std::size_t end = 0; (end = rest.find("::")) != std::string_view::npos; rest.remove_prefix(end + 2))
    if (rest.substr(0, end) == name) return true;
  return false;
}

/// Returns whether a kernel is one of the library's. Thrust lets kernels of CUB work, whose types then name
/// it. A namespace of the submission may have the same name: its code then comes from no file of a library.
bool is_of_library(const LaunchRecord& launch, Rule library) {
  const std::string_view kernel = launch.kernel;
  const bool thrust = is_in_namespace(kernel, "thrust"), cub = is_in_namespace(kernel, "cub");
  const bool named =
      library == Rule::Cub ? cub : thrust || (cub && kernel.find("thrust::") != std::string_view::npos);
  if (!named || launch.lines.empty()) return named;
  return std::ranges::any_of(launch.lines, [](const sim::LineCounters& at) {
    return at.file.find("/thrust/") != std::string::npos || at.file.find("/cub/") != std::string::npos;
  });
}

/// The rules that are about what single launches do.
constexpr Rule kOfLaunches[] = {Rule::Atomics,           Rule::Thrust,      Rule::Cub,
                                Rule::CooperativeLaunch, Rule::TensorCores, Rule::CooperativeGroups,
                                Rule::DynamicParallelism};

bool does(const LaunchRecord& launch, Rule rule) {
  switch (rule) {
    case Rule::Atomics: return atomics_of(launch.counters) > 0;
    case Rule::Thrust:
    case Rule::Cub: return is_of_library(launch, rule);
    case Rule::CooperativeLaunch: return launch.cooperative;
    case Rule::CooperativeGroups: return launch.uses_cooperative_groups;
    case Rule::TensorCores: return launch.uses_tensor_cores;
    case Rule::DynamicParallelism: return launch.by_kernel;
    default: return false;
  }
}

/// What a launch does, in words.
Deed deed_of(const RuleDeed& done) {
  const std::string kernel = done.kernel.substr(0, done.kernel.find('<'));
  switch (done.rule) {
    case Rule::Atomics: return {msg::works_atomically(done.kernel), msg::no_atomics(), done.where};
    case Rule::CooperativeLaunch:
      return {msg::launched_cooperatively(done.kernel), msg::end_kernel_to_wait(), done.where};
    case Rule::CooperativeGroups:
      return {msg::calls_cooperative_groups(done.kernel), msg::synchronize_by_intrinsics(), done.where};
    case Rule::TensorCores:
      return {msg::uses_tensor_cores(done.kernel), msg::multiply_by_cuda_cores(), done.where};
    case Rule::DynamicParallelism:
      return {msg::launched_by_kernel(done.kernel), msg::launch_from_host(), done.where};
    default:
      return {msg::kernel_of_library(kernel, spelling(done.rule)),
              msg::write_it_yourself(spelling(done.rule)), done.where};
  }
}

std::optional<Deed> done_in(const CaseEvidence& test, Rule rule) {
  const auto found = std::ranges::find(test.deeds, rule, &RuleDeed::rule);
  if (found == test.deeds.end()) return std::nullopt;
  Deed deed = deed_of(*found);
  deed.test = &test;
  return deed;
}

/// The cases in the order in which results prefer to tell of them: the timed one first, hidden ones last.
std::vector<const CaseEvidence*> by_telling(const std::vector<CaseEvidence>& cases) {
  std::vector<const CaseEvidence*> order;
  for (const bool hidden : {false, true})
    for (const CaseEvidence& test : std::views::reverse(cases))
      if (test.hidden == hidden) order.push_back(&test);
  return order;
}

/// The first case in which a launch does it.
std::optional<Deed> done_anywhere(const std::vector<CaseEvidence>& cases, Rule rule) {
  for (const CaseEvidence* test : by_telling(cases))
    if (auto deed = done_in(*test, rule)) return deed;
  return std::nullopt;
}

std::optional<Deed> does(Rule rule, const std::vector<CaseEvidence>& cases, const sim::Provenance& origins) {
  switch (rule) {
    case Rule::SharedMemory: return passes_memory(Requirement::UsesSharedMemory, cases.back(), origins);
    case Rule::ConstantMemory: return passes_memory(Requirement::UsesConstantMemory, cases.back(), origins);
    default: return done_anywhere(cases, rule);
  }
}

/// Why the version does not do what it must do in the timed case.
std::optional<Remark> not_done(Rule rule, const CaseEvidence& timed, const sim::Provenance& origins) {
  const bool by_memory = rule == Rule::SharedMemory || rule == Rule::ConstantMemory;
  if (!(by_memory ? does(rule, {timed}, origins) : done_in(timed, rule)))
    return Remark{msg::does_not_use(spelling(rule)), msg::use_what_is_asked(spelling(rule)), {}};
  if (rule != Rule::Atomics) return std::nullopt;
  if (auto unknown = not_known(origins)) return unknown;
  if (!origins.known || origins.by_atomics + origins.atomic_words > 0) return std::nullopt;
  // A shared histogram of ones leaves no trace in its results. It has an operation for each element.
  constexpr std::uint64_t kLanes = 32, kEnough = 4;  // the counters are by warp
  const sim::Counters total = total_counters(timed.launches);
  if (atomics_of(total) * kLanes * kEnough >= timed.input_elements) return std::nullopt;
  return Remark{msg::atomics_not_in_results(), msg::use_what_atomics_give(), done_in(timed, rule)->where};
}

/// What is wrong with the number of launches, the memory or the size of a block.
std::optional<Deed> wrong_amounts(const Version& version, const std::vector<CaseEvidence>& cases) {
  const CaseEvidence& timed = cases.back();
  const auto count = std::ranges::count(timed.launches, false, &LaunchRecord::by_kernel);
  if (version.max_launches > 0 && count > version.max_launches)
    return Deed{msg::too_many_launches(count, version.max_launches), msg::launch_fewer(), {}};
  if (version.max_device_memory > 0 && timed.peak_bytes > version.max_device_memory)
    return Deed{
        msg::too_much_device_memory(timed.peak_bytes, version.max_device_memory), msg::allocate_less(), {}};
  if (version.block_size == 0) return std::nullopt;
  for (const CaseEvidence* test : by_telling(cases)) {
    for (const auto& [kernel, threads] : test->blocks) {
      if (threads != version.block_size)
        return Deed{msg::other_block_size(kernel, threads, version.block_size),
                    msg::take_block_size(version.block_size),
                    {},
                    test};
    }
  }
  return std::nullopt;
}

Remark not_asked(const Version& version, Deed deed) {
  Remark remark{msg::other_work_than_asked(version.name, std::move(deed.how)), std::move(deed.advice),
                std::move(deed.where)};
  // The name of a kernel may tell of the data, too: step<7>.
  if (deed.test != nullptr) hide_data(*deed.test, remark);
  return remark;
}

}  // namespace

void record_deeds(CaseEvidence& evidence) {
  constexpr std::size_t kMaxBlocks = 64;
  for (const LaunchRecord& launch : evidence.launches) {
    for (const Rule rule : kOfLaunches) {
      if (!does(launch, rule) ||
          std::ranges::find(evidence.deeds, rule, &RuleDeed::rule) != evidence.deeds.end())
        continue;
      evidence.deeds.push_back(
          {rule, launch.kernel, rule == Rule::Atomics ? atomic_line(launch) : Location{}});
    }
    const BlockSize size{launch.kernel, static_cast<std::int64_t>(launch.block.count())};
    if (evidence.blocks.size() < kMaxBlocks &&
        std::ranges::find(evidence.blocks, size) == evidence.blocks.end())
      evidence.blocks.push_back(size);
  }
}

std::optional<Remark> forbidden_library(const Version& version, const std::vector<CaseEvidence>& cases) {
  for (const Rule rule : version.forbids) {
    if (rule != Rule::Thrust && rule != Rule::Cub) continue;
    if (auto deed = done_anywhere(cases, rule)) return not_asked(version, *std::move(deed));
  }
  return std::nullopt;
}

std::optional<Remark> broken_rule(const Version& version, const std::vector<CaseEvidence>& cases,
                                  const sim::Provenance& origins) {
  for (const Rule rule : version.forbids) {
    if (auto deed = does(rule, cases, origins)) return not_asked(version, *std::move(deed));
  }
  for (const Rule rule : version.needs) {
    if (auto problem = not_done(rule, cases.back(), origins)) {
      problem->reason = msg::other_work_than_asked(version.name, std::move(problem->reason));
      return problem;
    }
  }
  if (auto deed = wrong_amounts(version, cases)) return not_asked(version, *std::move(deed));
  return std::nullopt;
}

}  // namespace cudalabs
