#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

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

std::string bytes(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

void misaligned(Exec& x, std::uint32_t lane, std::uint64_t address, std::uint32_t width, AccessKind kind,
                const char* space) {
  x.fail(FaultKind::Misaligned, lane,
         std::string("misaligned ") + verb(kind) + " of " + bytes(width) + " at " + space + " address " +
             hex_address(address),
         "An access of " + bytes(width) + " needs an address that is a multiple of " + std::to_string(width) +
             ": check casts to float2/float4/double and odd offsets.");
}

const char* advice(const GlobalMemory& memory, std::uint64_t address) {
  if (address < 65536) return "The pointer was never set, or its cudaMalloc failed.";
  if (!memory.is_device(address)) {
    return "Kernels here use memory from cudaMalloc and cudaMallocManaged (or __device__ and __shared__ "
           "variables), of the host only what cudaHostAlloc maps with cudaHostAllocMapped: copy the data "
           "there "
           "with cudaMemcpy, and check the index.";
  }
  if (memory.was_freed(address)) return "Call cudaFree after the last kernel that uses the memory.";
  return "Compare the index with the size of the array: threads beyond the end need an if, and loops must "
         "stop before it; where they do, it may take another dimension for the length of a row.";
}

const Program& kernel_of(const Exec& x) {
  const Activation* root = x.activation;
  while (root->caller != nullptr) root = root->caller;
  return *root->program;
}

/// Returns ", element 100 of parameter 1 (float*)" for the kernel argument that points near the address.
std::string element_of(const Exec& x, std::uint64_t address, std::uint32_t width) {
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
  std::string text = ", element " + std::to_string(distance / static_cast<std::int64_t>(size)) +
                     " of parameter " + std::to_string(parameter->number);
  if (!parameter->type.empty()) text += " (" + parameter->type + ")";
  return text;
}

/// Access to another device's memory without peer access.
void peer_fault(Exec& x, std::uint32_t lane, std::uint32_t width, AccessKind kind,
                const GlobalMemory::Hidden& hidden) {
  const std::uint64_t address = x.addresses[lane], begin = hidden.range.begin;
  const std::string card = std::to_string(x.global->cards().selected()), peer = std::to_string(hidden.card);
  x.fail(FaultKind::OutOfBounds, lane,
         std::string(verb(kind)) + " of " + bytes(width) + " in memory of device " + peer +
             ", which device " + card + " may not access: address " + hex_address(address) + " is " +
             bytes(address - begin) + " into the " + std::to_string(hidden.range.end - begin) +
             "-byte allocation at " + hex_address(begin) + element_of(x, address, width),
         hidden.granted
             ? "Memory of a pool is opened to other devices by cudaMemPoolSetAccess: name device " + card +
                   " there before the kernel."
             : "cudaDeviceEnablePeerAccess is missing: call cudaDeviceEnablePeerAccess(" + peer +
                   ", 0) while device " + card +
                   " is the current one, before the kernel, or copy the data with cudaMemcpyPeer.");
}

/// The variable in shared memory at or before an offset.
std::string describe_shared(const Exec& x, std::uint32_t offset) {
  const auto& variables = kernel_of(x).shared_variables;
  const SharedVariable* nearest = nullptr;
  for (const SharedVariable& v : variables) {
    if (v.offset <= offset && (nearest == nullptr || v.offset > nearest->offset)) nearest = &v;
  }
  std::string text = "the block has " + bytes(x.shared_bytes) + " of shared memory";
  if (nearest != nullptr) {
    text += ", the last variable before this address is " + plain_name(nearest->name);
  }
  if (offset >= 0x80000000u) text += "; the index is probably negative";
  return text;
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
  const SharedLoads told{x.unflushed.program, x.warp, {x.unflushed.loads.data(), x.unflushed.count}};
  x.unflushed.count = 0;
  for (WorkerObserver* observer : x.every_shared) observer->shared_loads(told);
}

void global_fault(Exec& x, const Inst&, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint64_t a = x.addresses[i];
    if (a % width != 0 && x.global->find(a).holds(a, 1)) return misaligned(x, i, a, width, kind, "global");
    if (x.global->find(a).holds(a, width)) continue;
    if (const auto hidden = x.global->hidden(a)) return peer_fault(x, i, width, kind, *hidden);
    x.fail(FaultKind::OutOfBounds, i,
           std::string(verb(kind)) + " of " + bytes(width) + " out of bounds: address " + hex_address(a) +
               " is " + x.global->describe(a) + element_of(x, a, width),
           advice(*x.global, a));
    return;
  }
}

void shared_fault(Exec& x, const Inst&, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint32_t a = x.offsets[i];
    if (std::uint64_t{a} + width > x.shared_bytes) {
      x.fail(FaultKind::OutOfBounds, i,
             std::string(verb(kind)) + " of " + bytes(width) + " out of bounds of shared memory at offset " +
                 std::to_string(a) + ": " + describe_shared(x, a),
             "Check the index into the __shared__ array, or the shared-memory size given at the launch.");
      return;
    }
    if (a % width != 0) return misaligned(x, i, a, width, kind, "shared");
  }
}

void piece_fault(Exec& x, std::uint32_t lane, std::uint64_t address, std::uint32_t length, AccessKind kind,
                 bool global) {
  if (!global) {
    const auto offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(address, UINT32_MAX));
    x.fail(FaultKind::OutOfBounds, lane,
           std::string(verb(kind)) + " of " + bytes(length) + " out of bounds of shared memory at offset " +
               std::to_string(offset) + ": " + describe_shared(x, offset),
           "Check the index into the __shared__ array, or the shared-memory size given at the launch.");
    return;
  }
  x.addresses[lane] = address;
  if (const auto hidden = x.global->hidden(address)) return peer_fault(x, lane, length, kind, *hidden);
  // The first unmapped byte is more informative than the beginning of the copy.
  const Range range = x.global->find(address);
  const std::uint64_t first = range.holds(address, 1) ? range.end : address;
  x.fail(FaultKind::OutOfBounds, lane,
         std::string(verb(kind)) + " of " + bytes(length) + " out of bounds: address " + hex_address(first) +
             " is " + x.global->describe(first) + element_of(x, first, 1),
         advice(*x.global, first));
}

void local_fault(Exec& x, const Inst&, std::uint32_t mask, std::uint32_t width, AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    const std::uint32_t a = x.offsets[i];
    if (std::uint64_t{a} + width > x.local_bytes) {
      x.fail(FaultKind::OutOfBounds, i,
             std::string(verb(kind)) + " of " + bytes(width) +
                 " out of bounds of the thread's local memory at offset " + std::to_string(a) + " (" +
                 bytes(x.local_bytes) + " a thread)",
             "An array inside the kernel is indexed outside its bounds.");
      return;
    }
    if (a % width != 0) return misaligned(x, i, a, width, kind, "local");
  }
}

}  // namespace cudalabs::sim
