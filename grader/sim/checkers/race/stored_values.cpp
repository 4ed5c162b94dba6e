#include "grader/sim/checkers/race/stored_values.h"

#include <array>
#include <bit>
#include <cstring>

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Bytes = std::array<std::byte, 32>;

/// Copies the stored bytes of a lane to `out`. False: they are unknown.
bool stored(const WarpAccess& store, u32 lane, Bytes& out) {
  const StoreData* d = store.stored;
  if (d == nullptr) return false;
  for (u32 e = 0; e < d->count && (e + 1) * d->element_bytes <= out.size(); ++e) {
    if (d->elements[e] == nullptr) return false;
    std::memcpy(out.data() + e * d->element_bytes, d->elements[e] + std::size_t{lane} * d->lane_bytes,
                d->element_bytes);
  }
  return true;
}

u64 address_of(const WarpAccess& a, u32 lane) {
  return a.space == AccessSpace::Shared ? a.offsets[lane] : a.addresses[lane];
}

}  // namespace

bool same_as_memory(const WarpAccess& store, const StoredPart& part) {
  Bytes mine{};
  return stored(store, part.lane, mine) &&
         std::memcmp(store.memory + part.address + part.from, mine.data() + part.from, part.bytes) == 0;
}

bool same_as_lower_lane(const WarpAccess& store, const StoredPart& part) {
  Bytes mine{}, theirs{};
  if (!stored(store, part.lane, mine)) return false;
  const u64 begin = part.address + part.from;
  for (u32 left = store.mask & ((1u << part.lane) - 1); left != 0; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    const u64 at = address_of(store, lane);
    if (begin < at || begin + part.bytes > at + store.width) continue;
    stored(store, lane, theirs);
    if (std::memcmp(theirs.data() + (begin - at), mine.data() + part.from, part.bytes) != 0) return false;
  }
  return true;
}

bool is_crowded(const WarpAccess& access, u32 lane) {
  if (access.kind != AccessKind::Store) return false;
  for (u32 left = access.mask & ~(1u << lane); left != 0; left &= left - 1) {
    if (address_of(access, static_cast<u32>(std::countr_zero(left))) == address_of(access, lane)) return true;
  }
  return false;
}

}  // namespace cudalabs::sim
