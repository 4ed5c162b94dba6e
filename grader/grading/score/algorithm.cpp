#include "grader/grading/score/algorithm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "grader/diagnostics/messages/score.h"
#include "grader/grading/score/hidden.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {
namespace {

constexpr double kLanes = 32;

std::optional<Remark> other_exchange(Exchange asked, const sim::Provenance& o) {
  // A version that begins or ends with a few shuffles is acceptable. Two warps that end with shuffles have
  // half of their steps there, and a block that is not full a little more. No kernel has both.
  const double least = asked == Exchange::SharedMemory ? 0.45 : 0.6;
  const std::uint64_t all = o.from_shared + o.from_lanes + o.by_atomics;
  const bool shared = asked == Exchange::SharedMemory;
  const std::uint64_t wanted = shared ? o.from_shared : o.from_lanes;
  if (auto unknown = not_known(o)) return unknown;
  if (!o.known) return std::nullopt;
  if (all == 0) {
    return Remark{msg::nothing_exchanged(), msg::combine_round_by_round(), {}};
  }
  if (static_cast<double>(wanted) >= least * static_cast<double>(all)) return std::nullopt;
  const char* const way = o.by_atomics >= std::max(o.from_shared, o.from_lanes) ? "atomic operations"
                          : o.from_lanes >= o.from_shared                       ? "shuffles"
                                                                                : "shared memory";
  return Remark{msg::other_exchange(way, wanted, all, shared ? "shared memory" : "shuffles"),
                shared ? msg::combine_in_shared() : msg::combine_by_shuffles(),
                {}};
}

std::optional<Remark> other_distances(Distances wanted, const sim::Provenance& o) {
  if (auto unknown = not_known(o)) return unknown;
  if (!o.known) return std::nullopt;
  const std::uint64_t all = o.growing_distances + o.shrinking_distances;
  if (wanted == Distances::Shrinking) {
    // A tree with one round, or one thread that adds everything, has neither kind of distances.
    if (o.growing_distances <= o.shrinking_distances) return std::nullopt;
    return Remark{msg::distances_grow(o.growing_distances, all), msg::halve_step(), {}};
  }
  if (o.growing_distances > o.shrinking_distances) return std::nullopt;
  return Remark{all == 0 ? msg::no_tree_in_shared() : msg::distances_shrink(o.shrinking_distances, all),
                msg::double_step(),
                {}};
}

std::optional<Remark> growing_grid(const CaseEvidence& timed, const CaseEvidence& larger) {
  constexpr double kSame = 1.25, kLarger = 1.5;
  const auto times = [](std::uint64_t more, std::uint64_t less) {
    return static_cast<double>(more) / static_cast<double>(std::max<std::uint64_t>(less, 1));
  };
  if (times(larger.input_elements, timed.input_elements) < kLarger) return std::nullopt;
  if (times(larger.threads, timed.threads) <= kSame) return std::nullopt;
  Remark grows{msg::grid_grows(timed.threads, timed.input_elements, larger.threads, larger.input_elements),
               msg::launch_fixed_grid(),
               {}};
  hide_data(larger, grows);
  return grows;
}

/// What the lanes of a warp have combined before, they change by fewer operations.
std::optional<Remark> many_atomics(double most, const CaseEvidence& timed) {
  const auto operations = [](const sim::Counters& counters) { return counters.global_atomic_sectors; };
  std::uint64_t all = 0;
  for (const LaunchRecord& launch : timed.launches) all += operations(launch.counters);
  if (static_cast<double>(all) <= most * static_cast<double>(timed.input_elements)) return std::nullopt;
  return Remark{msg::many_global_atomics(all, timed.input_elements), msg::combine_before_atomics(),
                worst_line(timed.launches,
                           [&](const sim::Counters& line) { return static_cast<double>(operations(line)); })};
}

/// All launches of one kernel together, because two launches on half of the data each do the work of one.
struct Kernel {
  std::string_view name;
  double blocks = 0, threads = 0, warps = 0, loads = 0;
  sim::Counters counters;
  std::vector<const LaunchRecord*> launches;
};

std::vector<Kernel> kernels_of(std::span<const LaunchRecord> launches) {
  std::vector<Kernel> kernels;
  for (const LaunchRecord& launch : launches) {
    auto kernel = std::ranges::find(kernels, std::string_view(launch.kernel_full), &Kernel::name);
    if (kernel == kernels.end())
      kernel = kernels.insert(kernels.end(), Kernel{launch.kernel_full, 0, 0, 0, 0, {}, {}});
    const auto blocks = static_cast<double>(launch.grid.count()),
               size = static_cast<double>(launch.block.count());
    kernel->blocks += blocks;
    kernel->threads += blocks * size;
    kernel->warps += blocks * std::ceil(size / kLanes);
    kernel->loads += static_cast<double>(launch.counters.global_load_sectors);
    kernel->counters += launch.counters;
    kernel->launches.push_back(&launch);
  }
  return kernels;
}

/// The kernels that read at least half as much as the one that reads most, largest first.
std::vector<Kernel> large_ones(std::vector<Kernel> kernels) {
  std::ranges::stable_sort(kernels, std::greater<>(), &Kernel::loads);
  const double most = kernels.front().loads;
  std::erase_if(kernels, [most](const Kernel& kernel) { return kernel.loads * 2 < most; });
  return kernels;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
}

/// How many elements the launch's threads load, of `element_bytes` bytes each.
double loads_of_factors(const LaunchRecord& launch, double element_bytes) {
  // A compiler may or may not keep a value in a register, so a repeated load counts once. An atomic operation
  // that changes nothing is a load by another name, and no compiler adds one. A value received from another
  // lane counts as loaded.
  const sim::Counters& c = launch.counters;
  const sim::RepeatedLoads& seen = launch.repeated_loads;
  const double shared =
      static_cast<double>(c.shared_load_bytes) * (1 - ratio(seen.shared_bytes_again, seen.shared_bytes)) +
      static_cast<double>(c.shared_atomic_bytes);
  // Sectors do not show how many lanes load an element: the examined blocks show the width of a load.
  const double width =
      seen.global == 0 ? element_bytes : ratio(seen.global_bytes - seen.global_bytes_again, seen.global);
  const double by_warps = static_cast<double>(c.global_load_requests) * width / element_bytes +
                          static_cast<double>(c.global_atomic_requests + c.warp_exchanges);
  return shared / element_bytes + by_warps * kLanes;
}

/// Explains which requirement this kernel does not meet.
std::optional<Remark> lacks(const Algorithm& asked, const CaseEvidence& timed, const Kernel& kernel) {
  const auto threads = static_cast<std::uint64_t>(kernel.threads);
  const double inputs = static_cast<double>(timed.input_elements) / kernel.threads;
  if (inputs < asked.inputs_per_thread) {
    return Remark{
        msg::few_inputs_per_thread(threads, timed.input_elements, inputs), msg::take_several_elements(), {}};
  }
  const double outputs = static_cast<double>(timed.output_elements) / kernel.threads;
  if (outputs < asked.outputs_per_thread) {
    return Remark{msg::few_outputs_per_thread(threads, timed.output_elements, outputs),
                  msg::compute_several_results(),
                  {}};
  }
  if (asked.loads_per_factor > 0 && timed.factors > 0) {
    const double element = static_cast<double>(timed.input_bytes) /
                           static_cast<double>(std::max<std::uint64_t>(timed.input_elements, 1));
    double each = 0;
    for (const LaunchRecord* launch : kernel.launches)
      each += loads_of_factors(*launch, element) / timed.factors;
    if (each > asked.loads_per_factor) {
      return Remark{msg::factors_loaded_again(each), msg::share_factors(),
                    worst_line(timed.launches, [](const sim::Counters& line) {
                      return static_cast<double>(line.shared_load_bytes);
                    })};
    }
  }
  // Within a warp, __syncwarp() separates the rounds. cuda::barrier counts as a barrier too.
  const sim::Counters& c = kernel.counters;
  const double exchanges = static_cast<double>(c.warp_exchanges) / kernel.blocks;
  const double barriers = static_cast<double>(c.barriers + c.barrier_arrivals) / kernel.warps;
  if (barriers + exchanges < asked.barriers) {
    return Remark{msg::few_barriers(barriers), msg::halve_threads(), {}};
  }
  if (exchanges < asked.warp_exchanges) {
    return Remark{msg::few_warp_exchanges(exchanges), msg::end_within_warp(), {}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Remark> other_algorithm(const Algorithm& asked, const CaseEvidence& timed,
                                      const CaseEvidence* larger, const sim::Provenance& origins) {
  if (timed.launches.empty()) return std::nullopt;  // another remark reports this
  if (asked.exchange) {
    if (auto other = other_exchange(*asked.exchange, origins)) return other;
  }
  if (asked.distances) {
    if (auto other = other_distances(*asked.distances, origins)) return other;
  }
  if (asked.fixed_grid && larger != nullptr) {
    if (auto other = growing_grid(timed, *larger)) return other;
  }
  if (asked.global_atomics_per_input > 0) {
    if (auto other = many_atomics(asked.global_atomics_per_input, timed)) return other;
  }
  // A submission may also launch kernels that fill or pad something, or that do nothing useful. The
  // provenance of the tracked case's results shows which kernels matter. If that case used other kernels, all
  // kernels must meet the requirements.
  std::vector<Kernel> kernels = kernels_of(timed.launches), meant = kernels;
  std::erase_if(meant, [&](const Kernel& kernel) {
    return std::ranges::find(origins.kernels, kernel.name) == origins.kernels.end();
  });
  const bool any = origins.kernels.empty();
  std::optional<Remark> first;
  for (const Kernel& kernel : large_ones(meant.empty() ? std::move(kernels) : std::move(meant))) {
    std::optional<Remark> other = lacks(asked, timed, kernel);
    if (!other && any) return std::nullopt;
    if (!first) first = std::move(other);
  }
  return first;
}

}  // namespace cudalabs
