#include "grader/sim/checkers/init/padding.h"

#include <algorithm>
#include <bit>

namespace cudalabs::sim {
namespace {

using u64 = std::uint64_t;

constexpr u64 kLargestStructure = 256, kLargestAlone = 64, kLargestAlignment = 16;

/// Checks the gaps within one structure of `size` bytes.
bool are_gaps(const ValidBits& bits, u64 begin, u64 size) {
  u64 most = 1;
  for (u64 at = 0; at < size;) {
    if (bits.at(begin + at)) {
      ++at;
      continue;
    }
    if (at == 0) return false;  // no structure begins with padding
    const u64 first = at;
    while (at < size && !bits.at(begin + at)) ++at;
    const u64 alignment = std::bit_ceil(at - first + 1);
    if (alignment > kLargestAlignment || at % alignment != 0 || size % alignment != 0) return false;
    most = std::max(most, alignment);
  }
  // Is there a member with that alignment and size?
  for (u64 at = 0; at + most <= size; at += most)
    if (bits.all(begin + at, begin + at + most)) return true;
  return false;
}

}  // namespace

bool looks_like_padding(const ValidBits& bits, u64 begin, u64 end) {
  const u64 bytes = end - begin;
  for (u64 size = 2; size <= std::min(bytes, kLargestStructure); size += 2) {
    if (bytes % size != 0) continue;
    if (size == bytes) return size <= kLargestAlone && bits.at(end - 1) && are_gaps(bits, begin, size);
    bool same = true;
    for (u64 at = begin + size; at < end && same; ++at) same = bits.at(at) == bits.at(at - size);
    // A larger size would contain this structure several times.
    if (same) return are_gaps(bits, begin, size);
  }
  return false;
}

}  // namespace cudalabs::sim
