#pragma once
// The hardware counters of one warp instruction: pure functions of its addresses, fitted to measurements
// (docs/counters.md) and checked against every measured row (wavefronts_test.cpp).

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cudalabs::sim::counting {

enum class SharedAccess : std::uint8_t {
  Load,             ///< ld.shared
  Store,            ///< st.shared
  Matrix,           ///< ldmatrix, stmatrix: lane 8 m + r has the address of row r of matrix m; width 16
  Atomic,           ///< 32-bit integer add, min, max, and, or, xor, exch, with or without a result
  AtomicIncrement,  ///< add of the constant 1 whose result is unused (ATOMS.POPC.INC)
  AtomicCas,        ///< compare and swap, 4 or 8 bytes
};

/// Counters of the loop that implements an add of a float, double or 64-bit integer: a shared load and a
/// compare-and-swap. They assume that no other warp interferes.
struct SpinCounts {
  int iterations = 0;  ///< = shared load instructions = shared atomic instructions
  int atomic_wavefronts = 0;
  int load_wavefronts = 0;
  int load_conflicts = 0;
  bool operator==(const SpinCounts&) const = default;
};

namespace detail {

inline constexpr std::uint32_t kAll = 0xFFFFFFFFu;

inline bool on(std::uint32_t mask, int lane) { return (mask >> lane & 1u) != 0; }

/// Lanes [first, first + count) as a mask.
inline std::uint32_t lanes(int first, int count) {
  return (count == 32 ? kAll : (1u << count) - 1u) << first;
}

/// A small set of numbers on the stack, because these functions run inside launches.
template <class T, std::size_t Most>
class Numbers {
 public:
  void add(T number) {
    if (end_ == 0 || numbers_[end_ - 1] != number) numbers_[end_++] = number;
  }
  /// The distinct numbers, sorted.
  std::span<const T> different() {
    const auto begin = numbers_.begin(), end = begin + static_cast<std::ptrdiff_t>(end_);
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    return {begin, std::unique(begin, end)};
  }

 private:
  std::array<T, Most> numbers_;
  std::size_t end_ = 0;
};

/// The maximum number of distinct words that `active` lanes need from one bank.
inline int degree(int width, const std::uint32_t* addresses, std::uint32_t active) {
  // A lane needs at most one word of a bank.
  std::array<std::array<std::uint32_t, 32>, 32> words;
  std::array<std::uint8_t, 32> counts{};
  std::uint8_t most = 0;
  for (; active != 0; active &= active - 1) {
    const std::uint32_t first = addresses[std::countr_zero(active)] / 4;
    const std::uint32_t end = first + static_cast<std::uint32_t>(std::max(width, 4)) / 4;
    for (std::uint32_t word = first; word < end; ++word) {
      auto& bank = words[word % 32];
      std::uint8_t& count = counts[word % 32];
      if (std::find(bank.begin(), bank.begin() + count, word) != bank.begin() + count) continue;
      bank[count++] = word;
      most = std::max(most, count);
    }
  }
  return most;
}

/// The maximum number of `active` lanes that access one bank: lanes at one address are not combined.
inline int lane_degree(int width, const std::uint32_t* addresses, std::uint32_t active) {
  std::array<int, 32> bank{};
  for (int lane = 0; lane < 32; ++lane)
    if (on(active, lane))
      for (int offset = 0; offset < width; offset += 4)
        ++bank[(addresses[lane] / 4 + static_cast<std::uint32_t>(offset / 4)) % 32];
  return *std::max_element(bank.begin(), bank.end());
}

/// True iff for d = 1 or for d = 2 every active lane's partner
/// (lane xor d) is inactive or reads the same address.
inline bool merged(const std::uint32_t* addresses, std::uint32_t active) {
  for (const int d : {1, 2}) {
    bool all = true;
    for (int lane = 0; lane < 32; ++lane)
      if (on(active, lane) && on(active, lane ^ d) && addresses[lane] != addresses[lane ^ d]) all = false;
    if (all) return true;
  }
  return false;
}

/// How many equal groups of consecutive lanes are served one after the other.
inline int passes(int width, const std::uint32_t* addresses, std::uint32_t active, SharedAccess kind) {
  const int full = std::max(1, width / 4);  // a pass moves at most 128 bytes
  switch (kind) {
    case SharedAccess::Load: return full > 1 && merged(addresses, active) ? full / 2 : full;
    case SharedAccess::Store: return full;
    case SharedAccess::Matrix: return 4;
    case SharedAccess::AtomicCas: return full;
    case SharedAccess::Atomic:
    case SharedAccess::AtomicIncrement: return 1;
  }
  return 1;
}

}  // namespace detail

/// Passes over the 32 banks. `addresses`: 32 byte addresses in shared memory,
/// aligned to `width_bytes` (1, 2, 4, 8 or 16); those of inactive lanes are not
/// read. 0 if no lane is active. For Matrix, `active` has 8 lanes a matrix.
inline int shared_wavefronts(int width_bytes, const std::uint32_t* addresses, std::uint32_t active,
                             SharedAccess kind) {
  const int count = detail::passes(width_bytes, addresses, active, kind);
  int sum = 0;
  for (int pass = 0; pass < count; ++pass) {
    const std::uint32_t group = active & detail::lanes(pass * (32 / count), 32 / count);
    if (kind == SharedAccess::Atomic)
      sum += detail::lane_degree(width_bytes, addresses, group);
    else if (kind == SharedAccess::AtomicCas)
      sum += 2 * detail::lane_degree(width_bytes, addresses, group);
    else
      sum += detail::degree(width_bytes, addresses, group);
  }
  return sum;
}

/// The number of passes with an active lane: the wavefronts of the access without a conflict.
inline int shared_minimum(int width_bytes, const std::uint32_t* addresses, std::uint32_t active,
                          SharedAccess kind) {
  const int count = detail::passes(width_bytes, addresses, active, kind);
  int used = 0;
  for (int pass = 0; pass < count; ++pass)
    if (active & detail::lanes(pass * (32 / count), 32 / count)) ++used;
  return used;
}

/// Conflicts of an access that takes this many wavefronts.
inline int shared_conflicts(int wavefronts, int width_bytes, const std::uint32_t* addresses,
                            std::uint32_t active, SharedAccess kind) {
  return (kind == SharedAccess::AtomicCas ? wavefronts / 2 : wavefronts) -
         shared_minimum(width_bytes, addresses, active, kind);
}

/// Bank conflicts as Nsight Compute counts them. A compare-and-swap
/// takes two wavefronts a step and counts one conflict.
inline int shared_conflicts(int width_bytes, const std::uint32_t* addresses, std::uint32_t active,
                            SharedAccess kind) {
  return shared_conflicts(shared_wavefronts(width_bytes, addresses, active, kind), width_bytes, addresses,
                          active, kind);
}

/// A float (4), double or 64-bit integer (8) add: in each round the waiting
/// lanes load; then, half-warp by half-warp for 8 bytes, the lowest waiting lane
/// of each bank tries to swap, and fails if its value changed since the load.
inline SpinCounts shared_spin(int width_bytes, const std::uint32_t* addresses, std::uint32_t active) {
  SpinCounts counts;
  const int groups = width_bytes / 4;
  while (active != 0) {
    ++counts.iterations;
    const int loads = shared_wavefronts(width_bytes, addresses, active, SharedAccess::Load);
    counts.load_wavefronts += loads;
    counts.load_conflicts += loads - shared_minimum(width_bytes, addresses, active, SharedAccess::Load);
    std::vector<std::uint32_t> changed;  // addresses swapped since this round's load
    std::uint32_t done = 0;
    for (int group = 0; group < groups; ++group) {
      const std::uint32_t waiting = active & detail::lanes(group * (32 / groups), 32 / groups);
      if (waiting == 0) continue;
      counts.atomic_wavefronts += 2;
      std::uint32_t taken = 0;  // banks
      for (int lane = 0; lane < 32; ++lane) {
        if (!detail::on(waiting, lane)) continue;
        const std::uint32_t bank = 1u << (addresses[lane] / 4 % 32);
        if (taken & bank) continue;
        taken |= bank;
        if (std::find(changed.begin(), changed.end(), addresses[lane]) != changed.end()) continue;
        changed.push_back(addresses[lane]);
        done |= 1u << lane;
      }
    }
    active &= ~done;
  }
  return counts;
}

/// Requests of a global load, store, atomic or reduction: one if any lane is active.
inline int global_requests(std::uint32_t active) { return active ? 1 : 0; }

/// The bytes that active lanes access, each once however many lanes access it.
template <class Address>
std::uint32_t distinct_bytes(const Address* addresses, std::uint32_t width, std::uint32_t active) {
  Address sorted[32];
  std::size_t count = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    sorted[count++] = addresses[std::countr_zero(rest)];
  const std::span<Address> all(sorted, count);
  if (!std::ranges::is_sorted(all)) std::ranges::sort(all);
  std::uint32_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i)
    bytes +=
        i + 1 == count ? width : static_cast<std::uint32_t>(std::min<Address>(width, all[i + 1] - all[i]));
  return bytes;
}

/// Distinct 32-byte sectors that a global load or store
/// touches: an aligned access of up to 16 bytes is in one.
inline int global_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  if (active == 0) return 0;
  // Usually the addresses increase with the lanes: then sorting is unnecessary.
  std::uint64_t last = addresses[std::countr_zero(active)] / 32;
  int count = 1;
  bool rising = true;
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const std::uint64_t sector = addresses[std::countr_zero(left)] / 32;
    rising &= sector >= last;
    count += sector != last ? 1 : 0;
    last = sector;
  }
  if (rising) return count;
  detail::Numbers<std::uint64_t, 32> sectors;
  for (int lane = 0; lane < 32; ++lane)
    if (detail::on(active, lane)) sectors.add(addresses[lane] / 32);
  return static_cast<int>(sectors.different().size());
}

/// Sectors of a global atomic or reduction: for each sector, as many as the lanes at its most used address.
inline int global_atomic_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  std::vector<std::uint64_t> sorted;
  for (int lane = 0; lane < 32; ++lane)
    if (detail::on(active, lane)) sorted.push_back(addresses[lane]);
  std::sort(sorted.begin(), sorted.end());
  int sum = 0, worst = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t same = i;
    while (same < sorted.size() && sorted[same] == sorted[i]) ++same;
    worst = std::max(worst, static_cast<int>(same - i));
    if (same == sorted.size() || sorted[same] / 32 != sorted[i] / 32) {
      sum += worst;
      worst = 0;
    }
    i = same;
  }
  return sum;
}

/// Requests of a local load or store: one for each 4 bytes of its width.
inline int local_requests(int width_bytes, std::uint32_t active) {
  return active ? std::max(1, width_bytes / 4) : 0;
}

/// Sectors of a local load or store. `offsets`: byte offset of each lane in its own local memory, which the
/// lanes interleave word by word: word w of lane l is at (w * 32 + l) * 4.
inline int local_sectors(int width_bytes, const std::uint32_t* offsets, std::uint32_t active) {
  std::vector<std::uint32_t> sectors;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if (detail::on(active, static_cast<int>(lane)))
      for (int byte = 0; byte < width_bytes; byte += 4)
        sectors.push_back(((offsets[lane] + static_cast<std::uint32_t>(byte)) / 4 * 32 + lane) / 8);
  std::sort(sectors.begin(), sectors.end());
  return static_cast<int>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

}  // namespace cudalabs::sim::counting
