#include "grader/cudart/streams/operations.h"

#include <algorithm>
#include <cstring>

#include "grader/cudart/graphs/graph.h"
#include "grader/cudart/memory/arrays.h"
#include "grader/cudart/memory/copies.h"

namespace cudalabs::cudart {
namespace {

std::map<const void*, GraphMemory*>& graph_memories() {
  static auto* const instance = new std::map<const void*, GraphMemory*>;
  return *instance;
}

/// For elements of two or four bytes that are not all equal: makes one row, and copies it repeatedly.
Status set_elements(Runtime& runtime, const cudaMemsetParams& p, std::uint32_t stream) {
  std::vector<std::byte> row(p.width * p.elementSize);
  for (std::size_t i = 0; i < p.width; ++i)
    std::memcpy(row.data() + i * p.elementSize, &p.value, p.elementSize);
  if (!Managed::get().contains(p.dst)) {
    return copy_in(runtime, {reinterpret_cast<std::uint64_t>(p.dst), p.pitch}, row.data(), 0, row.size(),
                   p.height, stream);
  }
  for (std::size_t y = 0; y < p.height; ++y)
    std::memcpy(static_cast<std::byte*>(p.dst) + y * p.pitch, row.data(), row.size());
  return {};
}

struct Runner {
  Runtime& runtime;
  std::uint32_t stream;

  Status operator()(const KernelOperation& kernel) const { return run(runtime, kernel, stream); }
  Status operator()(const CopyOperation& volume) const { return run(runtime, volume, stream); }
  Status operator()(const SetOperation& rows) const { return run(runtime, rows, stream); }
  Status operator()(const HostOperation& host) const {
    host.parms.fn(host.parms.userData);
    return {};
  }
  Status operator()(const ChildOperation& child) const { return run(runtime, *child.graph, stream); }
  Status operator()(const EmptyOperation&) const { return {}; }
  Status operator()(const WaitOperation& wait) const {
    std::uint32_t event = 0;
    Status status = event_number(wait.event, event);
    return status.ok() ? runtime.exchange(protocol::WaitEvent{event, stream}) : status;
  }
  Status operator()(const RecordOperation& record) const {
    std::uint32_t event = 0;
    Status status = event_number(record.event, event);
    if (status.ok()) status = runtime.exchange(protocol::RecordEvent{event, stream});
    if (status.ok() && HostClock::wanted()) HostClock::get().recorded(stream_device(stream), event);
    return status;
  }
  Status operator()(const AllocateOperation& allocation) const { return allocation.memory->begin(runtime); }
  Status operator()(const FreeOperation& freed) const { return release(runtime, freed.pointer); }
};

}  // namespace

GraphMemory::GraphMemory(std::uint64_t address, std::uint64_t bytes) : address_(address), bytes_(bytes) {
  graph_memories()[pointer()] = this;
}

GraphMemory::~GraphMemory() {
  graph_memories().erase(pointer());
  // Memory that no node has freed remains the program's, like other memory.
  if (live_) return;
  Runtime& runtime = Runtime::get();
  static_cast<void>(runtime.exchange(protocol::SetAside{address_, false}));
  static_cast<void>(runtime.exchange(protocol::Free{address_}));
}

Status GraphMemory::make(Runtime& runtime, std::uint64_t bytes, std::shared_ptr<GraphMemory>& memory) {
  protocol::Range range;
  Status status = runtime.exchange(protocol::Allocate{bytes, call_frames()}, range);
  if (!status.ok()) return status;
  memory.reset(new GraphMemory(range.address, bytes));
  return runtime.exchange(protocol::SetAside{range.address, true});
}

GraphMemory* GraphMemory::find(const void* pointer) {
  const auto found = graph_memories().find(pointer);
  return found == graph_memories().end() ? nullptr : found->second;
}

Status GraphMemory::begin(Runtime& runtime) {
  if (live_) return invalid_value(msg::graph_memory_live());
  live_ = true;
  return runtime.exchange(protocol::SetAside{address_, false});
}

Status GraphMemory::end(Runtime& runtime) {
  if (!live_) return invalid_value(msg::graph_memory_not_live());
  live_ = false;
  return runtime.exchange(protocol::SetAside{address_, true});
}

Status run(Runtime& runtime, const Operation& operation, std::uint32_t stream) {
  return std::visit(Runner{runtime, stream}, operation);
}

CopyOperation copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                           std::size_t width, std::size_t rows, cudaMemcpyKind kind) {
  CopyOperation result;
  result.parms.dstPtr = {to, to_pitch, width, rows};
  result.parms.srcPtr = {const_cast<void*>(from), from_pitch, width, rows};
  result.parms.extent = {width, rows, 1};
  result.parms.kind = kind;
  return result;
}

Status run(Runtime& runtime, const CopyOperation& volume, std::uint32_t stream) {
  cudaMemcpy3DParms parms = volume.parms;
  const cudaPitchedPtr &from = parms.srcPtr, &to = parms.dstPtr;
  Status status = resolve_arrays(parms);
  for (std::size_t plane = 0; plane < parms.extent.depth && status.ok(); ++plane) {
    const auto place = [plane](const cudaPitchedPtr& pitched, const cudaPos& position) {
      return static_cast<std::byte*>(pitched.ptr) +
             ((position.z + plane) * pitched.ysize + position.y) * pitched.pitch + position.x;
    };
    status = copy(runtime, place(to, parms.dstPos), to.pitch, place(from, parms.srcPos), from.pitch,
                  parms.extent.width, parms.extent.height, parms.kind, stream);
  }
  return status;
}

Status run(Runtime& runtime, const SetOperation& rows, std::uint32_t stream) {
  const cudaMemsetParams& p = rows.parms;
  std::byte bytes[sizeof p.value];
  std::memcpy(bytes, &p.value, sizeof bytes);
  if (std::all_of(bytes, bytes + p.elementSize, [&](std::byte b) { return b == bytes[0]; })) {
    return set(runtime, p.dst, p.pitch, std::to_integer<int>(bytes[0]), p.width * p.elementSize, p.height,
               stream);
  }
  return set_elements(runtime, p, stream);
}

}  // namespace cudalabs::cudart
