#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/executable/memory_names.h"
#include "grader/sim/ops/memory/memory_access.h"

namespace cudalabs::sim {
namespace {

const char* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load: return "read";
    case AccessKind::Store: return "write";
    case AccessKind::Atomic: return "atomic operation";
  }
  return "access";
}

void misaligned(Exec& x, std::uint32_t lane, std::uint64_t address, std::uint32_t width, AccessKind kind,
                const char* space) {
  x.fail(FaultKind::Misaligned, lane, msg::access_misaligned(verb(kind), width, space, hex_address(address)),
         msg::alignment_advice(width));
}

Message advice(const GlobalMemory& memory, std::uint64_t address) {
  if (address < 65536) return msg::pointer_unset_advice();
  if (!memory.is_device(address)) return msg::memory_of_host_advice();
  if (memory.was_freed(address)) return msg::freed_too_early_advice();
  return msg::index_out_of_bounds_advice();
}

const Program& kernel_of(const Exec& x) {
  const Activation* root = x.activation;
  while (root->caller != nullptr) root = root->caller;
  return *root->program;
}

/// "element 100 of parameter 1 (float*)", for the kernel argument that points near the address.
Message element_of(const Exec& x, std::uint64_t address, std::uint32_t width) {
  if (address < 65536) return {};
  Range range = x.global->nearest(address);
  if (const auto hidden = x.global->hidden(address)) {
    range = hidden->range;
  } else if (!x.global->is_device(address) || x.global->was_freed(address)) {
    // There is no allocation: use a parameter that points not too far before the address.
    constexpr std::uint64_t kFar = std::uint64_t{1} << 30;
    range = {address - std::min(address, kFar), address + 1};
  }
  const auto parameter =
      pointer_parameter(kernel_of(x), {x.params, x.param_bytes}, range.begin, range.end, address);
  if (!parameter) return {};
  const std::uint32_t known = element_bytes(parameter->type), size = known != 0 ? known : width;
  const std::int64_t distance = static_cast<std::int64_t>(address - parameter->value);
  const std::int64_t element = distance / static_cast<std::int64_t>(size);
  if (parameter->type.empty()) return msg::element_of_parameter(element, parameter->number);
  return msg::element_of_typed_parameter(element, parameter->number, parameter->type);
}

/// Access to another device's memory without peer access.
void peer_fault(Exec& x, std::uint32_t lane, std::uint32_t width, AccessKind kind,
                const GlobalMemory::Hidden& hidden) {
  const std::uint64_t address = x.addresses[lane], begin = hidden.range.begin;
  const std::uint32_t card = x.global->cards().selected(), peer = hidden.card;
  x.fail(
      FaultKind::OutOfBounds, lane,
      msg::peer_access_missing(verb(kind), width, peer, card, hex_address(address), address - begin,
                               hidden.range.end - begin, hex_address(begin), element_of(x, address, width)),
      hidden.granted ? msg::pool_access_advice(card) : msg::peer_access_advice(peer, card));
}

/// An access at an offset that is outside of shared memory, with the variable at or before the offset.
Message outside_of_shared(const Exec& x, AccessKind kind, std::uint32_t width, std::uint32_t offset) {
  const auto& variables = kernel_of(x).shared_variables;
  const SharedVariable* nearest = nullptr;
  for (const SharedVariable& v : variables) {
    if (v.offset <= offset && (nearest == nullptr || v.offset > nearest->offset)) nearest = &v;
  }
  const bool negative = offset >= 0x80000000u;
  if (nearest == nullptr)
    return msg::access_without_shared_variable(verb(kind), width, offset, x.shared_bytes, negative);
  return msg::access_out_of_shared_memory(verb(kind), width, offset, x.shared_bytes,
                                          plain_name(nearest->name), negative);
}

/// Distributes the counts of a group to its members. `shapes` are the program's, by instruction.
void settle(Shape* shapes, std::uint32_t leader) {
  Shape& first = shapes[leader];
  for (std::uint32_t word = 0; word < kSectorWords; ++word) {
    const std::uint64_t runs = std::exchange(first.runs_together[word], 0);
    if (runs == 0) continue;
    for (const GroupMember& m : *first.together) {
      const std::uint32_t base = word * 4 + first.phase % 4 + static_cast<std::uint32_t>(m.distance);
      shapes[m.at].repeats[first.space == AccessSpace::Shared ? 0 : base / 4 % kSectorWords] += runs;
    }
  }
}

}  // namespace

std::string hex_address(std::uint64_t address) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(address));
  return buffer;
}

void report_repeats(Exec& x, const Program& program, std::uint32_t instruction, Shape& shape) {
  if (shape.counted_by != kNone) settle(&shape - instruction, shape.counted_by);
  if (std::all_of(std::begin(shape.repeats), std::end(shape.repeats), [](auto n) { return n == 0; })) return;
  alignas(64) std::uint64_t addresses[kLanes];
  alignas(64) std::uint32_t offsets[kLanes];
  WarpAccess access;
  access.kind = shape.kind;
  access.space = shape.space;
  access.width = shape.width;
  access.mask = kAllLanes;
  access.addresses = addresses;
  access.offsets = offsets;
  access.program = &program;
  access.instruction = instruction;
  for (std::uint32_t word = 0; word < kSectorWords; ++word) {
    if (shape.repeats[word] == 0) continue;
    const std::uint64_t base = shape.space == AccessSpace::Shared
                                   ? shape.base
                                   : shape.base - shape.phase + word * 4 + shape.phase % 4;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      addresses[i] = base + shape.wide[i];
      offsets[i] = static_cast<std::uint32_t>(base) + shape.narrow[i];
    }
    access.repeats = shape.repeats[word];
    for (WorkerObserver* observer : x.shapes_only) observer->access(access);
    shape.repeats[word] = 0;
  }
}

void report_repeats(Exec& x, const Program& program, std::uint32_t instruction, PartialShape& shape) {
  alignas(64) std::uint64_t addresses[kLanes];
  alignas(64) std::uint32_t offsets[kLanes];
  WarpAccess access;
  access.kind = shape.kind;
  access.space = shape.space;
  access.width = shape.width;
  access.mask = shape.mask;
  access.addresses = addresses;
  access.offsets = offsets;
  access.program = &program;
  access.instruction = instruction;
  for (std::uint32_t word = 0; word < kSectorWords; ++word) {
    if (shape.repeats[word] == 0) continue;
    const std::uint64_t base = shape.space == AccessSpace::Shared
                                   ? shape.base
                                   : shape.base - shape.phase + word * 4 + shape.phase % 4;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      addresses[i] = base + (shape.distances[i] & shape.active[i]);
      offsets[i] = static_cast<std::uint32_t>(addresses[i]);
    }
    access.repeats = std::exchange(shape.repeats[word], 0);
    for (WorkerObserver* observer : x.shapes_only) observer->access(access);
  }
}

void report_unflushed(Exec& x) {
  const SharedLoads reported{x.unflushed.program, x.warp, {x.unflushed.loads.data(), x.unflushed.count}};
  x.unflushed.count = 0;
  for (WorkerObserver* observer : x.every_shared) observer->shared_loads(reported);
}

void global_fault(Exec& x, const Inst&, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint64_t a = x.addresses[i];
    if (a % width != 0 && x.global->find(a).holds(a, 1)) return misaligned(x, i, a, width, kind, "global");
    if (x.global->find(a).holds(a, width)) continue;
    if (const auto hidden = x.global->hidden(a)) return peer_fault(x, i, width, kind, *hidden);
    x.fail(FaultKind::OutOfBounds, i,
           msg::access_out_of_bounds(verb(kind), width, hex_address(a), x.global->describe(a),
                                     element_of(x, a, width)),
           advice(*x.global, a));
    return;
  }
}

void shared_fault(Exec& x, const Inst&, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint32_t a = x.offsets[i];
    if (std::uint64_t{a} + width > x.shared_bytes) {
      x.fail(FaultKind::OutOfBounds, i, outside_of_shared(x, kind, width, a), msg::shared_index_advice());
      return;
    }
    if (a % width != 0) return misaligned(x, i, a, width, kind, "shared");
  }
}

void piece_fault(Exec& x, std::uint32_t lane, std::uint64_t address, std::uint32_t length, AccessKind kind,
                 bool global) {
  if (!global) {
    const auto offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(address, UINT32_MAX));
    x.fail(FaultKind::OutOfBounds, lane, outside_of_shared(x, kind, length, offset),
           msg::shared_index_advice());
    return;
  }
  x.addresses[lane] = address;
  if (const auto hidden = x.global->hidden(address)) return peer_fault(x, lane, length, kind, *hidden);
  // The first unmapped byte is more informative than the beginning of the copy.
  const Range range = x.global->find(address);
  const std::uint64_t first = range.holds(address, 1) ? range.end : address;
  x.fail(FaultKind::OutOfBounds, lane,
         msg::access_out_of_bounds(verb(kind), length, hex_address(first), x.global->describe(first),
                                   element_of(x, first, 1)),
         advice(*x.global, first));
}

void local_fault(Exec& x, const Inst&, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint32_t a = x.offsets[i];
    if (std::uint64_t{a} + width > x.local_bytes) {
      x.fail(FaultKind::OutOfBounds, i, msg::access_out_of_local_memory(verb(kind), width, a, x.local_bytes),
             msg::local_index_advice());
      return;
    }
    if (a % width != 0) return misaligned(x, i, a, width, kind, "local");
  }
}

}  // namespace cudalabs::sim
