// Bulk copies (cp.async.bulk), and addresses within a cluster.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ops/memory/bulk_copy.h"
#include "grader/sim/ops/warp/cluster.h"

namespace cudalabs::sim {

using ptx::Mod;

namespace {

/// The displacement of an address in Inst's 32-bit fields, from which it is sign-extended.
std::uint32_t displacement(std::int64_t offset) {
  if (offset < INT32_MIN || offset > INT32_MAX) throw Refusal{msg::bulk_copy_displacement()};
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(offset));
}

}  // namespace

void Lowering::bulk_copy(const ptx::Instruction& in) {
  const ptx::Operand &to = operand(in, 0), &from = operand(in, 1);
  // .shared::cta with .shared::cluster is a copy between blocks; with only one of the two the other side is
  // global.
  const bool to_global = in.space == ptx::Space::Global;
  const bool between = !to_global && in.has(Mod::SharedCta) && in.has(Mod::SharedCluster);
  const BulkWay way = to_global ? BulkWay::SharedToGlobal
                      : between ? BulkWay::SharedToShared
                                : BulkWay::GlobalToShared;
  const auto space = [](bool global) { return global ? ptx::Space::Global : ptx::Space::Shared; };
  bool wide_to = true, wide_from = true, wide_barrier = true;
  const std::uint32_t d = base_address(to, space(to_global), wide_to),
                      a = base_address(from, space(way == BulkWay::GlobalToShared), wide_from);
  if ((to_global && !wide_to) || (way == BulkWay::GlobalToShared && !wide_from))
    throw Refusal{msg::narrow_global_address(), msg::compile_for_64_bits_hint()};
  const std::uint32_t bytes = read(operand(in, 2), ptx::Type::U32);
  std::uint32_t barrier = kNone, barrier_offset = 0;
  if (!to_global) {
    barrier = base_address(operand(in, 3), ptx::Space::Shared, wide_barrier);
    barrier_offset = displacement(operand(in, 3).offset);
  }
  Inst& i = emit(HandlerPair{bulk_copy_handler(), bulk_copy_handler()}, Flow::Checked);
  i.d = d;
  i.extra = displacement(to.offset);
  i.a = a;
  i.imm = from.offset;
  i.b = bytes;
  i.c = barrier;
  i.target = barrier_offset;
  i.count = static_cast<std::uint8_t>(way);
  i.width = static_cast<std::uint8_t>((wide_to ? kWideTo : 0) | (wide_from ? kWideFrom : 0) |
                                      (wide_barrier ? kWideBarrier : 0));
}

void Lowering::await_bulk(const ptx::Instruction& in) {
  Inst& i = emit(HandlerPair{bulk_wait_handler(), bulk_wait_handler()}, Flow::Checked);
  i.imm = static_cast<std::int64_t>(operand(in, 0).bits & 0xFFFFFFFF);
  i.extra = in.has(Mod::Read) ? 1 : 0;
}

/// A cluster has one block: addresses of all blocks are the same.
void Lowering::of_cluster(const ptx::Instruction& in) {
  const ptx::Operand& d = operand(in, 0);
  if (in.op == ptx::Op::Getctarank) {
    emit(Arith::Mov32, reg(d), value32(0));
    return;
  }
  const bool wide = wide_type(in.type());
  const std::uint32_t address = read(operand(in, 1), in.type()), rank = read(operand(in, 2), ptx::Type::U32);
  Inst& i = emit(HandlerPair{mapa_handler(wide), mapa_handler(wide)}, Flow::Checked);
  i.d = reg(d);
  i.a = address;
  i.b = rank;
}

}  // namespace cudalabs::sim
