#include "grader/sim/ops/memory/bulk_copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ops/memory/mbarrier.h"
#include "grader/sim/ops/memory/memory_access.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Copy = BulkCopies::Copy;

constexpr u32 kUnit = 16;                 ///< alignment of addresses and sizes, in bytes
constexpr u32 kRequest = kUnit * kLanes;  ///< bytes that are reported to observers at a time

/// One side of a copy, for observers of memory.
struct Side {
  AccessKind kind;
  AccessSpace space;
  u64 at;  ///< device address, or offset in shared memory
};

/// Reports requests of 32 units, all by the issuing thread.
template <class Tell>
void tell(const Exec& x, const Copy& copy, const Side& side, const Tell& report_one) {
  alignas(64) u64 addresses[kLanes];
  alignas(64) u32 offsets[kLanes];
  for (u32 done = 0; done < copy.bytes; done += kRequest) {
    const u32 units = std::min(copy.bytes - done, kRequest) / kUnit;
    for (u32 i = 0; i < kLanes; ++i) {
      addresses[i] = side.at + done + u64{i < units ? i : 0} * kUnit;
      offsets[i] = static_cast<u32>(addresses[i]);
    }
    WarpAccess access;
    access.kind = side.kind;
    access.space = side.space;
    if (side.space == AccessSpace::Shared) access.form = AccessForm::Copy;
    access.width = kUnit;
    access.mask = units == kLanes ? kAllLanes : (1u << units) - 1;
    access.addresses = addresses;
    access.offsets = offsets;
    access.program = copy.program;
    access.instruction = copy.instruction;
    access.warp = copy.warp;
    access.sole_lane = copy.lane;
    access.memory = side.space == AccessSpace::Shared ? x.shared : x.global_host;
    const StoreData data{copy.program, copy.instruction, 1, kUnit, kUnit, {copy.data.data() + done}};
    if (side.kind == AccessKind::Store && copy.is_read) access.stored = &data;
    report_one(access);
  }
}

Side source_of(const Copy& copy, u64 address, AccessSpace space) {
  return {AccessKind::Load, space, copy.to_global ? copy.from : address};
}
Side target_of(const Copy& copy) {
  return {AccessKind::Store, copy.to_global ? AccessSpace::Global : AccessSpace::Shared, copy.to};
}

void report_landed(Exec& x, const Copy& copy, const Side& side) {
  if (x.every_access.empty()) return;
  report_loads(x);
  tell(x, copy, side, [&](const WarpAccess& access) {
    for (WorkerObserver* const observer : x.every_access) observer->copy_landed(access);
  });
}

void read(Exec& x, Copy& copy) {
  if (copy.is_read) return;
  report_landed(x, copy, source_of(copy, 0, AccessSpace::Shared));
  copy.data.assign(x.shared + copy.from, x.shared + copy.from + copy.bytes);
  copy.is_read = true;
}

void write(Exec& x, Copy& copy) {
  read(x, copy);
  report_landed(x, copy, target_of(copy));
  std::memcpy((copy.to_global ? x.global_host : x.shared) + copy.to, copy.data.data(), copy.bytes);
  ++x.changes;
}

}  // namespace

u32& BulkCopies::closed(const Exec& x, u32 lane) {
  const std::size_t thread = std::size_t{x.warp} * kLanes + lane;
  if (closed_.size() <= thread) closed_.resize(thread + 1);
  return closed_[thread];
}

void BulkCopies::add(Exec& x, Copy copy) {
  copy.group = closed(x, copy.lane);
  copies_.push_back(std::move(copy));
}

void BulkCopies::commit(const Exec& x, u32 mask) {
  for (; mask != 0; mask &= mask - 1) ++closed(x, static_cast<u32>(std::countr_zero(mask)));
}

void BulkCopies::land(Exec& x, u32 mask, u32 left, bool read_alone) {
  std::erase_if(copies_, [&](Copy& copy) {
    const bool waited = copy.barrier == kNone && copy.warp == x.warp && (mask >> copy.lane & 1) != 0 &&
                        u64{copy.group} + left < closed(x, copy.lane);
    if (!waited) return false;
    if (read_alone)
      read(x, copy);
    else
      write(x, copy);
    return !read_alone;
  });
}

void BulkCopies::complete(Exec& x, u32 barrier) {
  std::erase_if(copies_, [&](Copy& copy) {
    if (copy.barrier != barrier) return false;
    write(x, copy);
    complete_bytes(x, copy.warp, barrier, copy.bytes);
    return true;
  });
}

void BulkCopies::end(Exec& x) {
  for (Copy& copy : copies_) write(x, copy);
  copies_.clear();
}

namespace {

struct Request {
  u64 to, from;
  u32 bytes, barrier;
};

/// An address in shared memory. 32-bit addresses wrap at 32 bits; an invalid address stays invalid.
template <class Field>
u64 address_at(Exec& x, Field base, std::int64_t offset, u32 lane, bool wide) {
  if (wide) return slot<u64>(x, base)[lane] + static_cast<u64>(offset);
  return slot<u32>(x, base)[lane] + static_cast<u32>(offset);
}
std::int64_t displacement(u32 field) { return static_cast<std::int32_t>(field); }

bool is_whole(Exec& x, u32 lane, const Request& request, BulkWay way) {
  if (request.bytes % kUnit != 0) {
    x.fail(FaultKind::Misaligned, lane, msg::bulk_copy_uneven(request.bytes), msg::bulk_copy_advice());
    return false;
  }
  const auto fits = [&](u64 address, bool global) {
    if (address % kUnit == 0) return true;
    x.fail(FaultKind::Misaligned, lane,
           global ? msg::bulk_copy_misaligned_global(request.bytes, hex_address(address))
                  : msg::bulk_copy_misaligned_shared(request.bytes, address),
           msg::bulk_copy_advice());
    return false;
  };
  return fits(request.to, way == BulkWay::SharedToGlobal) &&
         fits(request.from, way == BulkWay::GlobalToShared);
}

bool is_inside(Exec& x, u32 lane, u64 address, u32 bytes, AccessKind kind, bool global) {
  if (global ? x.global->find(address).holds(address, bytes)
             : address <= x.shared_bytes && bytes <= x.shared_bytes - address)
    return true;
  piece_fault(x, lane, address, bytes, kind, global);
  return false;
}

void bulk_copy(Exec& x, const Inst& inst, u32 mask) {
  const auto way = static_cast<BulkWay>(inst.count);
  const bool to_global = way == BulkWay::SharedToGlobal, from_global = way == BulkWay::GlobalToShared;
  for (u32 left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    Request request{
        address_at(x, inst.d, displacement(inst.extra), lane, to_global || (inst.width & kWideTo) != 0),
        address_at(x, inst.a, inst.imm, lane, from_global || (inst.width & kWideFrom) != 0),
        slot<u32>(x, inst.b)[lane], kNone};
    if (!is_whole(x, lane, request, way) ||
        !is_inside(x, lane, request.from, request.bytes, AccessKind::Load, from_global) ||
        !is_inside(x, lane, request.to, request.bytes, AccessKind::Store, to_global))
      return;
    if (inst.c != kNone) {
      const u64 barrier =
          address_at(x, inst.c, displacement(inst.target), lane, (inst.width & kWideBarrier) != 0);
      if (!is_barrier_for_bytes(x, lane, barrier)) return;
      request.barrier = static_cast<u32>(barrier);
    }
    Copy copy;
    copy.program = x.activation->program;
    copy.instruction = x.pc;
    copy.warp = x.warp;
    copy.lane = lane;
    copy.to_global = to_global;
    copy.to = request.to;
    copy.from = static_cast<u32>(request.from);
    copy.bytes = request.bytes;
    copy.barrier = request.barrier;
    copy.is_read = !to_global;
    if (copy.is_read) {
      const std::byte* const source = from_global ? x.global->host(request.from) : x.shared + request.from;
      copy.data.assign(source, source + request.bytes);
    }
    report_loads(x);
    for (const Side& side :
         {source_of(copy, request.from, from_global ? AccessSpace::Global : AccessSpace::Shared),
          target_of(copy)}) {
      tell(x, copy, side, [&](const WarpAccess& access) {
        for (WorkerObserver* const observer : x.observers) observer->access(access);
      });
    }
    if (*x.bulk == nullptr) *x.bulk = std::make_unique<BulkCopies>();
    (*x.bulk)->add(x, std::move(copy));
    if (request.barrier != kNone) {
      // The thread's earlier accesses happen before the end of the phase.
      for (WorkerObserver* const observer : x.every_access)
        observer->mbarrier_arrive(x.warp, request.barrier, false);
    }
  }
}

void bulk_commit(Exec& x, const Inst&, u32 mask) {
  if (*x.bulk != nullptr) (*x.bulk)->commit(x, mask);
}

void bulk_wait(Exec& x, const Inst& inst, u32 mask) {
  if (*x.bulk != nullptr) (*x.bulk)->land(x, mask, static_cast<u32>(inst.imm), inst.extra == 1);
}

}  // namespace

Handler bulk_copy_handler() { return bulk_copy; }
Handler bulk_commit_handler() { return bulk_commit; }
Handler bulk_wait_handler() { return bulk_wait; }

}  // namespace cudalabs::sim
