#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/executable/address_origin.h"
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

const Program& kernel_of(const Exec& x) {
  const Activation* root = x.activation;
  while (root->caller != nullptr) root = root->caller;
  return *root->program;
}

/// The array that a kernel's argument points to, and the element that an access begins with; a byte where the
/// size of an element is unknown.
struct AccessedArray {
  PointerParameter parameter;
  std::int64_t element = 0;
  std::uint32_t size = 1;  ///< bytes of an element
  bool sized = false;      ///< that is known
  Range range;             ///< the live allocation that the argument points into; may be empty

  [[nodiscard]] Message element_name(const Exec& x) const {
    const auto& [number, value, type] = parameter;
    return msg::array_element(element, sized, type, parameter.is_pointer(), kernel_of(x).kernel, number, "");
  }
};

/// Where the running instruction's address comes from; nothing in a function that is called.
std::optional<AddressOrigin> origin_of(const Exec& x, const Inst* inst) {
  const Program& kernel = kernel_of(x);
  if (inst == nullptr || x.activation->program != &kernel) return std::nullopt;
  const auto index = static_cast<std::size_t>(inst - kernel.code.data());
  return address_origin(*kernel.function, kernel.source[index]);
}

/// By the address of a load, a store or an atomic operation; where that does not tell, the only argument that
/// points to memory. What a texture reads is not an argument.
std::optional<PointerParameter> accessed_by(const Exec& x, const Inst* inst) {
  if (inst == nullptr) return std::nullopt;
  const Program& running = *x.activation->program;
  const auto index = static_cast<std::size_t>(inst - running.code.data());
  const ptx::Op op = running.function->body[running.source[index]].op;
  if (op != ptx::Op::Ld && op != ptx::Op::St && op != ptx::Op::Atom && op != ptx::Op::Red)
    return std::nullopt;
  const std::span<const std::byte> parameters{x.params, x.param_bytes};
  if (const auto origin = origin_of(x, inst)) return parameter_of(kernel_of(x), parameters, *origin);
  return only_pointer(kernel_of(x), parameters,
                      [&](std::uint64_t value) { return x.global->is_device(value); });
}

std::optional<AccessedArray> accessed_array(const Exec& x, const Inst* inst, std::uint64_t address) {
  auto parameter = accessed_by(x, inst);
  if (!parameter) return std::nullopt;
  AccessedArray array{.parameter = std::move(*parameter), .range = {}};
  const std::uint32_t known = element_bytes(array.parameter.type);
  array.sized = known != 0;
  array.size = std::max(known, 1u);
  array.element = static_cast<std::int64_t>(address - array.parameter.value) / std::int64_t{array.size};
  array.range = x.global->find(array.parameter.value);
  return array;
}

Message advice(const GlobalMemory& memory, std::uint64_t address) {
  if (address < 65536) return msg::pointer_unset_advice();
  if (!memory.is_device(address)) return msg::memory_of_host_advice();
  if (memory.was_freed(address)) return msg::freed_too_early_advice();
  return msg::index_out_of_bounds_advice();
}

/// Access of an array whose first and last elements are known.
Message out_of_array(const Exec& x, const AccessedArray& array, std::uint64_t address, std::uint32_t width,
                     AccessKind kind) {
  const PointerParameter& parameter = array.parameter;
  const std::uint64_t first = (parameter.value - array.range.begin) / array.size;
  const Message extent = msg::array_extent((array.range.end - parameter.value) / array.size, array.sized);
  const Message name = msg::array_name(parameter.is_pointer(), kernel_of(x).kernel, parameter.number, "");
  if (address < array.range.begin)
    return msg::access_before_array(verb(kind), array.element_name(x), name,
                                    msg::array_extent(first, array.sized), first);
  if (address >= array.range.end)
    return msg::access_past_array(verb(kind), array.element_name(x), name, extent, first);
  return msg::access_across_end(verb(kind), width, array.element_name(x), name, extent, first);
}

/// Access past the end of the variable that the instruction indexes, or before it.
std::optional<Message> out_of_variable(const Exec& x, const Inst* inst, std::uint64_t address,
                                       std::uint32_t width, AccessKind kind) {
  const auto origin = origin_of(x, inst);
  if (!origin || origin->kind != ptx::SymbolKind::ModuleVariable) return std::nullopt;
  const Range range = x.global->nearest(address);
  const Message variable = x.global->name(range.begin);
  if (!variable.is(msg::device_variable) && !variable.is(msg::constant_variable)) return std::nullopt;
  const auto& name = std::get<std::string>(variable.arguments().front());
  if (name != demangle(kernel_of(x).module->variables[origin->symbol].name, true)) return std::nullopt;
  const auto byte = static_cast<std::int64_t>(address - range.begin),
             bytes = static_cast<std::int64_t>(range.end - range.begin);
  return msg::access_out_of_variable(verb(kind), byte / width, bytes / width, byte, bytes, name, width, 0);
}

void out_of_bounds(Exec& x, const Inst* inst, std::uint32_t lane, std::uint64_t address, std::uint32_t width,
                   AccessKind kind) {
  const auto array = accessed_array(x, inst, address);
  if (array && !array->range.empty())
    return x.fail(FaultKind::OutOfBounds, lane, out_of_array(x, *array, address, width, kind),
                  msg::index_out_of_bounds_advice());
  if (const auto variable = array ? std::nullopt : out_of_variable(x, inst, address, width, kind))
    return x.fail(FaultKind::OutOfBounds, lane, *variable, msg::index_out_of_bounds_advice());
  x.fail(FaultKind::OutOfBounds, lane,
         msg::access_out_of_bounds(verb(kind), width, hex_address(address), x.global->describe(address),
                                   array ? array->element_name(x) : Message()),
         advice(*x.global, address));
}

void misaligned(Exec& x, const Inst* inst, std::uint32_t lane, std::uint64_t address, std::uint32_t width,
                AccessKind kind, const char* space) {
  const auto array = inst == nullptr ? std::nullopt : accessed_array(x, inst, address);
  const bool between = array && (address - array->parameter.value) % array->size != 0;
  x.fail(FaultKind::Misaligned, lane,
         array && !between ? msg::array_access_misaligned(verb(kind), width, array->element_name(x))
                           : msg::access_misaligned(verb(kind), width, space, hex_address(address)),
         msg::alignment_advice(width));
}

/// Access to another device's memory without peer access.
void peer_fault(Exec& x, const Inst* inst, std::uint32_t lane, std::uint32_t width, AccessKind kind,
                const GlobalMemory::Hidden& hidden) {
  const std::uint64_t address = x.addresses[lane], begin = hidden.range.begin;
  const std::uint32_t card = x.global->cards().selected(), peer = hidden.card;
  const auto array = accessed_array(x, inst, address);
  x.fail(FaultKind::OutOfBounds, lane,
         msg::peer_access_missing(verb(kind), width, peer, card, hex_address(address), address - begin,
                                  hidden.range.end - begin, hex_address(begin),
                                  array ? array->element_name(x) : Message()),
         hidden.granted ? msg::pool_access_advice(card) : msg::peer_access_advice(peer, card));
}

/// An array in shared memory, with its place there.
struct SharedArray {
  std::string name;
  std::uint32_t begin = 0, bytes = 0;
};

/// The one that the instruction indexes, or the only one that the kernel has.
std::optional<SharedArray> shared_array(const Exec& x, const Inst* inst) {
  const Program& kernel = kernel_of(x);
  const std::uint32_t begin = kernel.dynamic_shared_offset;
  const auto dynamic = [&](const std::string& name) {
    return SharedArray{plain_name(name), begin, x.shared_bytes - std::min(begin, x.shared_bytes)};
  };
  if (const auto origin = origin_of(x, inst)) {
    if (origin->kind == ptx::SymbolKind::Parameter) return std::nullopt;
    const bool of_module = origin->kind == ptx::SymbolKind::ModuleVariable;
    const ptx::Variable& v =
        of_module ? kernel.module->variables[origin->symbol] : kernel.function->variables[origin->symbol];
    if (v.is_extern) return dynamic(v.name);
    const auto found = std::ranges::find(kernel.shared_variables, v.name, &SharedVariable::name);
    if (found == kernel.shared_variables.end()) return std::nullopt;
    return SharedArray{plain_name(v.name), found->offset, found->bytes};
  }
  const auto is_dynamic = [](const ptx::Variable& v) { return v.is_extern && v.space == ptx::Space::Shared; };
  const auto names = std::ranges::count_if(kernel.module->variables, is_dynamic);
  const auto& fixed = kernel.shared_variables;
  if (fixed.size() == 1 && names == 0)
    return SharedArray{plain_name(fixed.front().name), fixed.front().offset, fixed.front().bytes};
  if (!fixed.empty() || names != 1) return std::nullopt;
  return dynamic(std::ranges::find_if(kernel.module->variables, is_dynamic)->name);
}

Message outside_of_shared(const Exec& x, const Inst& inst, AccessKind kind, std::uint32_t width,
                          std::uint32_t offset) {
  const bool negative = offset >= 0x80000000u;
  const auto array = shared_array(x, &inst);
  if (!array) return msg::access_without_shared_variable(verb(kind), width, offset, x.shared_bytes, negative);
  const std::int64_t byte = std::int64_t{static_cast<std::int32_t>(offset)} - array->begin;
  const std::int64_t bytes = array->bytes;
  return msg::access_out_of_shared_memory(verb(kind), byte / width, bytes / width, byte, bytes, array->name,
                                          width, 0);
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

void global_fault(Exec& x, const Inst& inst, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint64_t a = x.addresses[i];
    if (a % width != 0 && x.global->find(a).holds(a, 1))
      return misaligned(x, &inst, i, a, width, kind, "global");
    if (x.global->find(a).holds(a, width)) continue;
    if (const auto hidden = x.global->hidden(a)) return peer_fault(x, &inst, i, width, kind, *hidden);
    return out_of_bounds(x, &inst, i, a, width, kind);
  }
}

void shared_fault(Exec& x, const Inst& inst, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint32_t a = x.offsets[i];
    if (std::uint64_t{a} + width > x.shared_bytes) {
      x.fail(FaultKind::OutOfBounds, i, outside_of_shared(x, inst, kind, width, a),
             msg::shared_index_advice());
      return;
    }
    if (a % width != 0) return misaligned(x, nullptr, i, a, width, kind, "shared");
  }
}

void piece_fault(Exec& x, std::uint32_t lane, std::uint64_t address, std::uint32_t length, AccessKind kind,
                 bool global) {
  if (!global) {
    const auto offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(address, UINT32_MAX));
    x.fail(FaultKind::OutOfBounds, lane,
           msg::access_without_shared_variable(verb(kind), length, offset, x.shared_bytes, false),
           msg::shared_index_advice());
    return;
  }
  x.addresses[lane] = address;
  if (const auto hidden = x.global->hidden(address))
    return peer_fault(x, nullptr, lane, length, kind, *hidden);
  // The first unmapped byte is more informative than the beginning of the copy.
  const Range range = x.global->find(address);
  const std::uint64_t first = range.holds(address, 1) ? range.end : address;
  out_of_bounds(x, nullptr, lane, first, 1, kind);
}

void parameter_fault(Exec& x, std::uint32_t lane, bool inside) {
  x.fail(FaultKind::OutOfBounds, lane, inside ? msg::parameter_written() : msg::parameter_overrun(),
         inside ? msg::parameter_is_constant_advice() : msg::parameter_index_advice());
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
    if (a % width != 0) return misaligned(x, nullptr, i, a, width, kind, "local");
  }
}

}  // namespace cudalabs::sim
