#include "grader/score/algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/score/human.h"

namespace cudalabs {
namespace {

std::string rounded(double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); }

std::optional<Remark> other_exchange(Exchange asked, const sim::Origins& o) {
  // A version that ends in a few shuffles, or begins with them, is as good.
  constexpr double kLeast = 1.0 / 3;
  const std::uint64_t all = o.from_shared + o.from_lanes + o.by_atomics;
  const bool shared = asked == Exchange::SharedMemory;
  const std::uint64_t wanted = shared ? o.from_shared : o.from_lanes;
  if (!o.known || all == 0 || static_cast<double>(wanted) >= kLeast * static_cast<double>(all))
    return std::nullopt;
  const char* const way = o.by_atomics >= std::max(o.from_shared, o.from_lanes) ? "atomic operations"
                          : o.from_lanes >= o.from_shared                       ? "shuffles"
                                                                                : "shared memory";
  return Remark{fmt::format("partial results come together by {} here: {} of {} steps go through {}", way,
                            human_count(wanted), human_count(all), shared ? "shared memory" : "shuffles"),
                shared ? "Let each thread put its value into shared memory, and the threads of the block "
                         "combine what lies "
                         "there, round by round."
                       : "Let the lanes of a warp combine their registers with __shfl_down_sync.",
                {}};
}

}  // namespace

std::optional<Remark> other_algorithm(const Algorithm& asked, const CaseEvidence& timed,
                                      const sim::Origins& origins) {
  if (timed.launches.empty()) return std::nullopt;  // that is told by others
  const LaunchRecord& largest = *std::ranges::max_element(timed.launches, {}, [](const LaunchRecord& launch) {
    return launch.grid.count() * launch.block.count();
  });
  const auto blocks = static_cast<double>(largest.grid.count());
  const auto threads = blocks * static_cast<double>(largest.block.count());
  const double warps = blocks * std::ceil(static_cast<double>(largest.block.count()) / 32);

  const double inputs = static_cast<double>(timed.input_elements) / threads;
  if (inputs < asked.inputs_per_thread) {
    return Remark{
        fmt::format("{} threads take {} elements, {} each", human_count(static_cast<std::uint64_t>(threads)),
                    human_count(timed.input_elements), rounded(inputs)),
        "Launch fewer blocks, and let each thread take several elements.",
        {}};
  }
  const double outputs = static_cast<double>(timed.output_elements) / threads;
  if (outputs < asked.outputs_per_thread) {
    return Remark{
        fmt::format("{} threads make {} results, {} each", human_count(static_cast<std::uint64_t>(threads)),
                    human_count(timed.output_elements), rounded(outputs)),
        "Let each thread compute several results, and keep them in registers.",
        {}};
  }
  if (asked.exchange) {
    if (auto other = other_exchange(*asked.exchange, origins)) return other;
  }
  const double barriers = static_cast<double>(largest.counters.barriers) / warps;
  if (barriers < asked.barriers) {
    return Remark{
        fmt::format("a warp passes {} barriers: that is no tree, which has one before each of its rounds",
                    rounded(barriers)),
        "Halve the number of working threads round by round, with __syncthreads() between the rounds.",
        {}};
  }
  const double exchanges = static_cast<double>(largest.counters.warp_exchanges) / blocks;
  if (exchanges < asked.warp_exchanges) {
    return Remark{fmt::format("a block has {} shuffles and __syncwarp()", rounded(exchanges)),
                  "Let the last warp go on without __syncthreads(): with __syncwarp() between its rounds, or "
                  "with shuffles.",
                  {}};
  }
  return std::nullopt;
}

}  // namespace cudalabs
