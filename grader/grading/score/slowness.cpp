#include "grader/grading/score/slowness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "grader/base/human.h"
#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

using sim::CostBounds;
using sim::Counters;

std::uint64_t sectors(const Counters& c) {
  return c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors;
}
std::uint64_t ideal_sectors(const Counters& c) {
  return c.global_load_ideal_sectors + c.global_store_ideal_sectors + c.global_atomic_ideal_sectors;
}
std::uint64_t local(const Counters& c) { return c.local_load_requests + c.local_store_requests; }

/// The largest sum over the launches of one kernel: several launches may share the work of one.
std::uint64_t most_of_kernel(std::span<const LaunchRecord> launches,
                             std::uint64_t (*count)(const LaunchRecord&)) {
  std::map<std::string_view, std::uint64_t> sums;
  for (const LaunchRecord& launch : launches) sums[launch.kernel_full] += count(launch);
  std::uint64_t most = 0;
  for (const auto& [kernel, sum] : sums) most = std::max(most, sum);
  return most;
}

std::uint64_t most_threads(std::span<const LaunchRecord> launches) {
  return most_of_kernel(launches, [](const LaunchRecord& l) { return l.grid.count() * l.block.count(); });
}

std::uint64_t most_blocks(std::span<const LaunchRecord> launches) {
  return most_of_kernel(launches, [](const LaunchRecord& l) { return l.grid.count(); });
}

double sum_of(std::span<const LaunchRecord> launches, double CostBounds::*bound) {
  double sum = 0;
  for (const LaunchRecord& launch : launches) sum += launch.bounds.*bound;
  return sum;
}

/// Both sides of the comparison, and the difference in one bound.
struct Compared {
  std::span<const LaunchRecord> student, reference;
  Counters mine, theirs;
  double excess = 0;  ///< nanoseconds

  [[nodiscard]] Location worst(std::uint64_t (*count)(const Counters&)) const {
    return worst_line(student, [count](const Counters& c) { return static_cast<double>(count(c)); });
  }
  /// "it makes 3.10 times the reference's passes over shared memory (96 against 31)"; empty if the ratio is
  /// below 1.2.
  [[nodiscard]] Message times_more(std::uint64_t (*count)(const Counters&), std::string_view what) const {
    const double ratio = static_cast<double>(count(mine) + 1) / static_cast<double>(count(theirs) + 1);
    if (ratio < 1.2) return {};
    return count(theirs) == 0 ? msg::reference_makes_none(count(mine), what)
                              : msg::more_than_reference(ratio, what, count(mine), count(theirs));
  }
};

/// Detects the same work on fewer multiprocessors; empty if that is not the cause.
Remark few_blocks(const Compared& c) {
  const std::uint64_t mine = most_blocks(c.student), theirs = most_blocks(c.reference);
  if (mine * 2 > theirs) return {};
  return {msg::fewer_blocks_than_reference(mine, theirs), msg::use_more_blocks(), {}};
}

/// Average number of active lanes of a warp in this line; 32 if it is not known.
double lanes_in(std::span<const LaunchRecord> launches, const Location& where) {
  Counters sum;
  for (const LaunchRecord& launch : launches) {
    for (const sim::LineCounters& line : launch.lines) {
      if (base_name(line.file) == where.file && static_cast<int>(line.line) == where.line)
        sum += line.counters;
    }
  }
  return sum.warp_instructions == 0 || sum.thread_instructions == 0
             ? 32
             : static_cast<double>(sum.thread_instructions) / static_cast<double>(sum.warp_instructions);
}

/// Two digits tell how few they are.
Message idle_lanes(const Compared& c, const Location& where) {
  constexpr double kFew = 8;
  const double lanes = lanes_in(c.student, where);
  if (lanes > kFew) return {};
  const double digits = lanes < 1 ? 100 : 10;
  return msg::use_idle_lanes(std::round(lanes * digits) / digits);
}

/// Detects fewer threads than the reference has and a GPU can run; empty if that is not the cause.
Remark few_threads(const Compared& c) {
  const std::uint64_t mine = most_threads(c.student), theirs = most_threads(c.reference);
  constexpr std::uint64_t kFillsCard = 1 << 17;  // threads: more of them make no GPU busier
  if (mine * 2 > theirs || mine >= kFillsCard) return {};
  return {msg::fewer_threads_than_reference(mine, theirs), msg::use_more_threads(), {}};
}

Remark launches(const Compared& c) {
  return {msg::more_launches_than_reference(c.student.size(), c.reference.size()), msg::merge_kernels(), {}};
}

/// Returns whether warps diverge often enough to matter, and more often than in the reference.
bool divides(const Compared& c) {
  constexpr std::uint64_t kSome = 64;  // warp instructions for each one that makes its warp diverge
  return c.mine.divergent_branches > 2 * c.theirs.divergent_branches + 32 &&
         c.mine.divergent_branches * kSome > c.mine.warp_instructions;
}

/// "A block of 33 threads is 2 warps of 32 lanes, ..."; empty if a block fills its warps well enough.
Message unfilled_warps(const Compared& c) {
  const std::uint64_t threads = c.student.front().block.count(), warps = (threads + 31) / 32;
  if (warps * 32 * 4 < threads * 5) return {};
  return msg::fill_warps(threads, warps);
}

Remark issue(const Compared& c) {
  constexpr auto count = [](const Counters& x) { return x.warp_instructions; };
  // If the threads are fewer by a larger factor than the instructions are more, the number of threads is the
  // cause.
  const auto times = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a + 1) / static_cast<double>(b + 1);
  };
  if (times(most_threads(c.reference), most_threads(c.student)) > times(count(c.mine), count(c.theirs))) {
    if (Remark few = few_threads(c); !few.reason.empty()) return few;
  }
  Message more = c.times_more(count, "warp instructions");
  if (more.empty()) {
    if (Remark few = few_blocks(c); !few.reason.empty()) return few;
    more = msg::instructions_take_longer();
  }
  if (Message unfilled = unfilled_warps(c); !unfilled.empty())
    return {std::move(more), std::move(unfilled), {}};
  const Location where = c.worst(count);
  return {std::move(more),
          {idle_lanes(c, where), divides(c) ? msg::avoid_divergence() : msg::look_for_needless_work()},
          where};
}

Remark doubles(const Compared&) { return {msg::double_precision(), msg::avoid_doubles(), {}}; }

/// All counters are like the reference's, so the cause is something that they do not count.
Remark unlike_shapes(const Compared& c) {
  const auto longest = [](std::span<const LaunchRecord> launches) -> const LaunchRecord& {
    return *std::ranges::max_element(launches, {},
                                     [](const LaunchRecord& launch) { return launch.estimated_ns(); });
  };
  if (c.student.empty() || c.reference.empty()) return {};
  const sim::Dim3 &mine = longest(c.student).block, &theirs = longest(c.reference).block;
  if (mine.x != theirs.x || mine.y != theirs.y) {
    return {msg::other_block_shape(mine.x, mine.y, theirs.x, theirs.y), msg::try_reference_shape(), {}};
  }
  return {msg::steps_wait_longer(), msg::overlap_reads(), {}};
}

bool scattered(const Compared& c) {
  return sectors(c.mine) > ideal_sectors(c.mine) + ideal_sectors(c.mine) / 4;
}

/// Returns whether these accesses cause more than half of the additional sectors.
bool more_by(std::uint64_t Counters::*accesses, const Compared& c) {
  const std::uint64_t mine = c.mine.*accesses, theirs = c.theirs.*accesses;
  return mine > theirs &&
         (mine - theirs) * 2 > sectors(c.mine) - std::min(sectors(c.mine), sectors(c.theirs));
}

/// Advice for less traffic, if the accesses are already coalesced.
Message access_less(const Compared& c) {
  if (more_by(&Counters::global_store_sectors, c)) return msg::store_results_once();
  const sim::Dim3 &mine = c.student.front().block, &theirs = c.reference.front().block;
  const bool by_tiles =
      c.mine.source_shared_load_instructions > 0 && c.theirs.source_shared_load_instructions > 0;
  if (by_tiles && mine.y > 1 && theirs.y > 1 && mine.x < theirs.x) {
    return msg::use_larger_tiles(mine.x, theirs.x);
  }
  return msg::read_elements_once();
}

/// Explains traffic between the multiprocessors and L2, and from there to memory.
Remark traffic(const Compared& c) {
  Message more = c.times_more(sectors, "global-memory sectors");
  if (more.empty()) {
    if (Remark few = few_blocks(c); !few.reason.empty()) return few;
  }
  if (more.empty()) return unlike_shapes(c);
  if (more_by(&Counters::global_atomic_sectors, c)) {
    constexpr auto atomic = [](const Counters& x) { return x.global_atomic_requests; };
    if (Message by = c.times_more(atomic, "atomic instructions of a warp on global memory"); !by.empty())
      return {std::move(by), msg::one_atomic_per_block(), c.worst(atomic)};
  }
  return {std::move(more), scattered(c) ? msg::coalesce_accesses() : access_less(c), c.worst(sectors)};
}

Remark shared(const Compared& c) {
  const bool conflict = shared_conflicts(c.mine) * 8 > shared_wavefronts(c.mine);
  Message more = c.times_more(shared_wavefronts, "wavefronts of shared memory");
  // Hits in L1 use the same pipe.
  const auto times = [&c](std::uint64_t (*count)(const Counters&)) {
    return static_cast<double>(count(c.mine) + 1) / static_cast<double>(count(c.theirs) + 1);
  };
  constexpr double kFarMore = 3;
  const bool by_reads = !conflict && scattered(c) && times(sectors) > kFarMore * times(shared_wavefronts);
  if (more.empty() || by_reads) return traffic(c);
  const Location most = c.worst(shared_wavefronts);
  if (Message idle = idle_lanes(c, most); !conflict && !idle.empty())
    return {std::move(more), std::move(idle), most};
  const bool by_atomics = c.mine.shared_atomic_bank_conflicts * 2 > shared_conflicts(c.mine);
  return {std::move(more),
          conflict && by_atomics ? msg::combine_within_warp()
          : conflict             ? msg::pad_or_access_neighbours()
                                 : msg::read_less_from_shared(),
          conflict ? c.worst(shared_conflicts) : most};
}

Remark atomics(const Compared& c) {
  constexpr auto count = [](const Counters& x) { return x.global_atomic_requests; };
  std::uint64_t blocks = 0;
  for (const LaunchRecord& launch : c.student) blocks += launch.grid.count();
  const bool alone = count(c.mine) <= 2 * blocks;  // one of each block
  Messages reason = c.times_more(count, "atomic instructions of a warp on global memory");
  if (reason.empty()) reason.add(msg::atomics_wait());
  reason.add(msg::colliding_atomics_wait(c.excess));
  return {std::move(reason), alone ? msg::fewer_blocks_for_atomics() : msg::one_atomic_per_block(),
          c.worst(count)};
}

Remark waiting(const Compared& c) {
  constexpr std::uint64_t kSmallBlock = 64;
  if (Remark few = few_blocks(c);
      !few.reason.empty() && most_threads(c.student) * 2 > most_threads(c.reference))
    return few;
  if (Remark few = few_threads(c); !few.reason.empty()) return few;
  constexpr std::uint64_t kFarMore = 3;
  if (c.mine.warp_instructions > kFarMore * c.theirs.warp_instructions) return issue(c);
  constexpr auto barriers = [](const Counters& x) { return x.barriers; };
  if (c.mine.barriers > 2 * c.theirs.barriers + 32)
    return {c.times_more(barriers, "waits at __syncthreads()"), msg::fewer_barriers(), c.worst(barriers)};
  constexpr std::uint64_t kManyBlocks = 2048;  // more than fit on the GPU at once
  const bool small = c.student.front().block.count() < kSmallBlock && most_blocks(c.student) > kManyBlocks;
  return {msg::reads_not_hidden(c.excess), small ? msg::use_larger_blocks() : msg::overlap_elements(), {}};
}

struct Cause {
  double CostBounds::*bound;
  Remark (*explain)(const Compared&);
};
constexpr std::array<Cause, 8> kCauses{
    Cause{&CostBounds::launch, launches}, Cause{&CostBounds::issue, issue},
    Cause{&CostBounds::doubles, doubles}, Cause{&CostBounds::shared, shared},
    Cause{&CostBounds::l2, traffic},      Cause{&CostBounds::memory, traffic},
    Cause{&CostBounds::atomics, atomics}, Cause{&CostBounds::latency, waiting}};

/// A kernel with almost no threads that takes most of the additional time, next to kernels that do the rest;
/// empty if there is none.
Remark lonely_kernel(const Compared& c) {
  constexpr std::uint64_t kOneWarp = 32;
  const double beyond = total_estimated_ns(c.student) - total_estimated_ns(c.reference);
  if (c.student.size() < 2 || beyond <= 0) return {};
  const auto worst = std::ranges::max_element(
      c.student, {}, [](const LaunchRecord& l) { return l.estimated_ns() - l.bounds.launch; });
  const std::uint64_t threads = worst->grid.count() * worst->block.count();
  const double work = worst->estimated_ns() - worst->bounds.launch;
  if (threads > kOneWarp || work * 2 < beyond || most_threads(c.student) <= kOneWarp) return {};
  return {
      msg::time_in_small_kernel(worst->estimated_ns(), worst->kernel, threads), msg::share_small_kernel(),
      worst_line({&*worst, 1}, [](const Counters& x) { return static_cast<double>(x.warp_instructions); })};
}

}  // namespace

Remark explain_time(std::span<const LaunchRecord> student, std::span<const LaunchRecord> reference) {
  Compared compared{student, reference, total_counters(student), total_counters(reference)};
  // The estimate does not include spilled registers, but they cost time on a GPU.
  if (local(compared.mine) > 8 * local(compared.theirs) + 32) {
    return {compared.times_more(local, "local-memory accesses"), msg::keep_in_registers(),
            compared.worst(local)};
  }
  if (Remark alone = lonely_kernel(compared); !alone.reason.empty()) return alone;
  const Cause* worst = nullptr;
  for (const Cause& cause : kCauses) {
    const double excess = sum_of(student, cause.bound) - sum_of(reference, cause.bound);
    if (excess <= compared.excess) continue;
    compared.excess = excess;
    worst = &cause;
  }
  // If the reference computes nothing in double, the submission's doubles are a mistake. They also add
  // conversions and longer dependency chains, but no memory time.
  const bool bring_it =
      worst != nullptr && (worst->bound == &CostBounds::issue || worst->bound == &CostBounds::latency);
  const double share = bring_it ? 8 : 1;
  if (sum_of(reference, &CostBounds::doubles) == 0 &&
      sum_of(student, &CostBounds::doubles) * share > compared.excess && compared.excess > 0)
    return doubles(compared);
  Remark remark = worst == nullptr ? Remark{} : worst->explain(compared);
  if (remark.reason.empty()) return {{}, msg::compare_launch_shape(), {}};
  return remark;
}

}  // namespace cudalabs
