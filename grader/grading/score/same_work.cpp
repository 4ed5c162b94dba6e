#include "grader/grading/score/same_work.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/sim/counters/shared_layouts.h"

namespace cudalabs {
namespace {

constexpr std::uint64_t kLaneBytes = 32 * 4;  ///< one word for each lane of a warp

/// The total work of all launches with the same code.
struct Share {
  std::uint64_t code = 0;  ///< 0: not known, and the kernel's name identifies it
  std::string name;
  /// A block's shared memory, as far as the code can reach it.
  std::uint64_t static_bytes = 0, dynamic_bytes = 0;
  sim::Counters counters;
  std::vector<sim::LayoutCount> layouts;  ///< of its first launch
};

/// The work of a kernel, separated by how cheaply a submission can add more of it for show.
struct Amounts {
  std::vector<std::uint64_t> instructions;
  std::vector<std::uint64_t> others;  ///< traffic, conflicts, barriers; not what orders nothing alone
};

Amounts amounts_of(const sim::Counters& counters) {
  Amounts amounts;
  counters.each(sim::CounterShown::Hidden, [&](std::string_view name, std::uint64_t value) {
    if (name == "warp_exchanges" || name == "barrier_arrivals" || name == "divergent_branches") return;
    const bool instructions = name == "warp_instructions" || name == "thread_instructions";
    (instructions ? amounts.instructions : amounts.others).push_back(value);
  });
  return amounts;
}

std::uint64_t dynamic_bytes_of(const LaunchRecord& launch) {
  const bool reached = launch.code == 0 || launch.uses_dynamic_shared;
  return reached ? launch.dynamic_shared_bytes : 0;
}

/// Traffic and instructions as one number, enough to distinguish much work from little.
std::uint64_t amount(const sim::Counters& c) {
  return c.warp_instructions + c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors;
}

bool leaves_something(const LaunchRecord& launch) {
  return launch.counters.global_store_requests > 0 || launch.counters.global_atomic_requests > 0;
}

/// The shares that make up the call: those that store something, if any does, without negligible ones.
std::vector<Share> shares_of(std::span<const LaunchRecord> launches) {
  constexpr std::uint64_t kNextToNothing = 64;
  std::vector<Share> shares;
  std::uint64_t total = 0;
  const bool any = std::ranges::any_of(launches, leaves_something);
  for (const LaunchRecord& launch : launches) {
    const sim::Counters& c = launch.counters;
    if (any && !leaves_something(launch)) continue;
    auto share = std::ranges::find_if(shares, [&](const Share& known) {
      return known.code == launch.code && (launch.code != 0 || known.name == launch.kernel_full);
    });
    if (share == shares.end()) {
      shares.push_back({launch.code, launch.kernel_full, 0, 0, {}, launch.shared_layouts});
      share = std::prev(shares.end());
    }
    share->static_bytes = std::max<std::uint64_t>(share->static_bytes, launch.static_shared_bytes);
    share->dynamic_bytes = std::max(share->dynamic_bytes, dynamic_bytes_of(launch));
    share->counters += c;
    total += amount(c);
  }
  std::erase_if(shares, [&](const Share& share) { return amount(share.counters) * kNextToNothing < total; });
  return shares;
}

/// The same work in pieces takes a few more instructions, and its last blocks are not full. A submission can
/// add instructions cheaply.
bool about_the_same(const sim::Counters& one, const sim::Counters& other) {
  constexpr std::uint64_t kOfInstructions = 4, kShare = 16, kOfAll = 256;
  const std::uint64_t few = std::max(one.warp_instructions, other.warp_instructions) / kOfAll;
  const Amounts ours = amounts_of(one), theirs = amounts_of(other);
  const auto within = [few](std::uint64_t share) {
    return [few, share](std::uint64_t a, std::uint64_t b) {
      const auto [low, high] = std::minmax(a, b);
      return high - low <= high / share + few;
    };
  };
  return std::ranges::equal(ours.instructions, theirs.instructions, within(kOfInstructions)) &&
         std::ranges::equal(ours.others, theirs.others, within(kShare));
}

/// Compares the counters for each warp and each access. They show what the code does in a block, independent
/// of the number and size of the blocks and of the work in each. They differ if an argument selects another
/// pitch or another tree.
bool works_alike(const sim::Counters& one, const sim::Counters& other) {
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
  };
  const auto ratios = [&](const sim::Counters& c) {
    const std::uint64_t accesses = c.source_shared_load_instructions + c.source_shared_store_instructions;
    return std::vector{ratio(c.source_shared_load_instructions, c.source_shared_store_instructions),
                       ratio(c.source_shared_load_wavefronts + c.source_shared_store_wavefronts, accesses),
                       ratio(c.shared_load_bytes + c.shared_store_bytes, accesses * kLaneBytes),
                       ratio(c.warp_exchanges, accesses + c.warp_exchanges),
                       ratio(c.global_load_sectors, c.global_load_requests),
                       ratio(c.constant_load_instructions, c.global_load_requests)};
  };
  return std::ranges::equal(ratios(one), ratios(other),
                            [](double a, double b) { return std::abs(a - b) <= 0.15 * std::max(a, b); });
}

/// A tile whose pitch is one longer has a thirty-second more.
bool as_much(std::uint64_t one, std::uint64_t other) {
  const auto [low, high] = std::minmax(one, other);
  return (high - low) * 50 <= high;
}

/// A tile of another pitch, or one that is swizzled, has another layout.
bool lie_alike(const Share& one, const Share& other) {
  constexpr double kNearlyAll = 0.9;
  return sim::common_layouts(one.layouts, other.layouts) >= kNearlyAll;
}

bool same(const Share& one, const Share& other, bool by_tiles) {
  const bool same_code = one.code != 0 && one.code == other.code;
  if (!by_tiles)
    return about_the_same(one.counters, other.counters) ||
           (same_code && works_alike(one.counters, other.counters));
  if (!as_much(one.dynamic_bytes, other.dynamic_bytes) || !lie_alike(one, other)) return false;
  // If both have the same code, the size of its array does not matter.
  return (same_code || as_much(one.static_bytes, other.static_bytes)) &&
         about_the_same(one.counters, other.counters);
}

/// Finds each entry of `part` in `whole`; fails if one is missing.
bool contains(const std::vector<Share>& whole, const std::vector<Share>& part, bool by_tiles,
              SameWork& work) {
  work = {};
  return std::ranges::all_of(part, [&](const Share& share) {
    const auto found =
        std::ranges::find_if(whole, [&](const Share& candidate) { return same(candidate, share, by_tiles); });
    if (found == whole.end()) return false;
    work.renamed |= found->name != share.name;
    work.altered |= (found->code == 0 || found->code != share.code) && found->counters != share.counters;
    return true;
  });
}

/// Compares the launches one by one.
bool launched_alike(std::span<const LaunchRecord> one, std::span<const LaunchRecord> other) {
  return std::ranges::equal(one, other, [](const LaunchRecord& a, const LaunchRecord& b) {
    return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
           a.counters == b.counters;
  });
}

}  // namespace

std::optional<SameWork> same_work(std::span<const LaunchRecord> one, std::span<const LaunchRecord> other,
                                  bool by_tiles) {
  const std::vector<Share> ours = shares_of(one), theirs = shares_of(other);
  if (ours.empty() || theirs.empty()) return std::nullopt;
  SameWork work;
  if (!contains(theirs, ours, by_tiles, work) && !contains(ours, theirs, by_tiles, work)) return std::nullopt;
  work.relaunched = !launched_alike(one, other);
  return work;
}

}  // namespace cudalabs
