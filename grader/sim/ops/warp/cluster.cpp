#include "grader/sim/ops/warp/cluster.h"

#include <bit>
#include <string>

namespace cudalabs::sim {
namespace {

template <class Address>
void mapa(Exec& x, const Inst& inst, std::uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (const std::uint32_t rank = slot<std::uint32_t>(x, inst.b)[lane]; rank != 0) {
      x.fail(FaultKind::OutOfBounds, lane,
             "shared memory of block " + std::to_string(rank) + " of a cluster that has one block",
             "The ranks of a cluster's blocks go from 0 to cluster.num_blocks() - 1.");
      return;
    }
    slot<Address>(x, inst.d)[lane] = slot<Address>(x, inst.a)[lane];
  }
}

}  // namespace

Handler mapa_handler(bool wide) { return wide ? mapa<std::uint64_t> : mapa<std::uint32_t>; }

}  // namespace cudalabs::sim
