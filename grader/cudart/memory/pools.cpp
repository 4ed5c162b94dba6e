// Memory pools. A program sees only a pool's statistics, which are kept here as a card keeps them (measured
// on an H100, CUDA 13.0). Each allocation has its own address on the device and is freed there at once, so
// that a use after free is found: no pool reuses memory, whatever its reuse attributes allow.

#include "grader/cudart/memory/pools.h"

#include <algorithm>
#include <utility>

#include "grader/cudart/devices.h"
#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/graphs/graph.h"
#include "grader/cudart/streams/stream_order.h"

namespace cudalabs::cudart {
namespace {

/// amount that a pool takes from the device at a time
constexpr std::uint64_t kChunk = std::uint64_t{32} << 20;

struct Pool : Named<Pool, cudaMemPool_t> {
  static constexpr std::uint64_t kTag = 0x4d50'0000'0000;
  int device = 0;
  std::uint32_t readers = 0;  ///< protocol::Grant: the devices with access to the pool, including its own
  std::uint64_t threshold = 0, most = 0;
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
  int follow_events = 1, opportunistic = 1, internal_dependencies = 1;

  /// Returns memory that is reserved beyond use and beyond `keep` to the device.
  void trim(std::uint64_t keep) {
    const std::uint64_t needed = std::max(chunks(used), keep / kChunk * kChunk);
    reserved = std::min(reserved, needed);
  }
  void take(std::uint64_t bytes) {
    used += bytes;
    reserved = std::max(reserved, chunks(used));
    used_high = std::max(used_high, used);
    reserved_high = std::max(reserved_high, reserved);
  }
  static std::uint64_t chunks(std::uint64_t bytes) { return (bytes + kChunk - 1) / kChunk * kChunk; }
};

struct Allocation {
  cudaMemPool_t pool = nullptr;
  std::uint64_t bytes = 0;
};

// Never destroyed: destructors of the program may still call us.
struct State {
  std::map<int, Pool> by_default;        ///< by device
  std::map<int, cudaMemPool_t> current;  ///< by device, if it is not the default one
  std::map<cudaMemPool_t, std::unique_ptr<Pool>> made;
  std::map<const void*, Allocation> allocations;
};
State& state() {
  static auto* const instance = new State;
  return *instance;
}

Pool& default_pool(int device) {
  auto& pools = state().by_default;
  const auto found = pools.find(device);
  if (found != pools.end()) return found->second;
  Pool& made = pools[device];
  made.device = device;
  made.readers = 1u << device;
  return made;
}

cudaMemPool_t current_pool(int device) {
  const auto found = state().current.find(device);
  return found != state().current.end() ? found->second : default_pool(device).handle();
}

Status no_such_pool() { return invalid_value(msg::no_such_pool()); }

template <class Body>
cudaError_t on_pool(const char* call, cudaMemPool_t handle, Body body) {
  return api(call, Mode::Host, [&](Runtime& runtime) -> Status {
    for (int device = 0; device < device_count(runtime); ++device) default_pool(device);
    Pool* pool = Pool::find(handle);
    return pool == nullptr ? no_such_pool() : body(runtime, *pool);
  });
}

Status only_device_memory(const Runtime& runtime, const cudaMemLocation* location) {
  return location != nullptr && location->type == cudaMemLocationTypeDevice &&
                 device_exists(runtime, location->id).ok()
             ? Status{}
             : Status{CudaError::InvalidValue, msg::pool_not_on_device()};
}

Status allocate(Runtime& runtime, void** pointer, std::size_t bytes, cudaMemPool_t handle,
                std::uint32_t stream) {
  if (pointer == nullptr) return invalid_value(msg::no_place_for("pointer"));
  *pointer = nullptr;
  if (bytes == 0) return {};
  if (is_captured(stream)) {
    AllocateOperation allocation;
    const OnDevice there(runtime, stream_device(stream));
    Status status = GraphMemory::make(runtime, bytes, allocation.memory);
    allocation.parms.poolProps.allocType = cudaMemAllocationTypePinned;
    allocation.parms.poolProps.location.type = cudaMemLocationTypeDevice;
    allocation.parms.poolProps.location.id = stream_device(stream);
    allocation.parms.bytesize = bytes;
    if (!status.ok()) return status;
    void* const place = allocation.parms.dptr = allocation.memory->pointer();
    status = submit(runtime, stream, std::move(allocation));
    if (status.ok()) *pointer = place;
    return status;
  }
  Pool* pool = Pool::find(handle);
  if (pool == nullptr) return no_such_pool();
  if (pool->most != 0 && bytes > pool->most - std::min(pool->used, pool->most))
    return {CudaError::MemoryAllocation, msg::pool_full()};
  const OnDevice there(runtime, pool->device);
  protocol::Range range;
  Status status = runtime.exchange(protocol::Allocate{bytes, call_frames(), pool->readers}, range);
  if (!status.ok()) return status;
  *pointer = reinterpret_cast<void*>(range.address);
  state().allocations[*pointer] = {handle, bytes};
  pool->take(bytes);
  if (follows_streams()) status = StreamOrder::get().allocated(runtime, *pointer, bytes, stream);
  return status;
}

/// The place of an attribute's value. Null: the value is an int, or there is no such attribute.
std::uint64_t* size_of(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: return &pool.threshold;
    case cudaMemPoolAttrReservedMemCurrent: return &pool.reserved;
    case cudaMemPoolAttrReservedMemHigh: return &pool.reserved_high;
    case cudaMemPoolAttrUsedMemCurrent: return &pool.used;
    case cudaMemPoolAttrUsedMemHigh: return &pool.used_high;
    default: return nullptr;
  }
}
int* flag_of(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: return &pool.follow_events;
    case cudaMemPoolReuseAllowOpportunistic: return &pool.opportunistic;
    case cudaMemPoolReuseAllowInternalDependencies: return &pool.internal_dependencies;
    default: return nullptr;
  }
}

}  // namespace

void freed_from_pool(const void* pointer) {
  const auto found = state().allocations.find(pointer);
  if (found == state().allocations.end()) return;
  if (Pool* pool = Pool::find(found->second.pool)) pool->used -= found->second.bytes;
  state().allocations.erase(found);
}

void synchronized_pools() {
  State& all = state();
  for (auto& [device, pool] : all.by_default) {
    if (pool.reserved > pool.threshold) pool.trim(pool.threshold);
  }
  for (const auto& [handle, pool] : all.made) {
    if (pool->reserved > pool->threshold) pool->trim(pool->threshold);
  }
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return on_stream("cudaMallocAsync", Mode::Host, stream, [&](Runtime& runtime, std::uint32_t number) {
    return allocate(runtime, pointer, bytes, current_pool(stream_device(number)), number);
  });
}
CUDALABS_PTSZ(cudaMallocAsync);

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return on_stream("cudaMallocFromPoolAsync", Mode::Host, stream,
                   [&](Runtime& runtime, std::uint32_t number) {
                     return allocate(runtime, pointer, bytes, pool, number);
                   });
}
CUDALABS_PTSZ(cudaMallocFromPoolAsync);

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return on_stream("cudaFreeAsync", Mode::Async, stream, [&](Runtime& runtime, std::uint32_t number) {
    if (pointer == nullptr) return Status{};
    if (is_captured(number) && GraphMemory::find(pointer) == nullptr)
      return invalid_value(msg::graph_frees_other_memory());
    return submit(runtime, number, FreeOperation{pointer});
  });
}
CUDALABS_PTSZ(cudaFreeAsync);

cudaError_t cudaMemPoolCreate(cudaMemPool_t* place, const cudaMemPoolProps* properties) {
  return api("cudaMemPoolCreate", Mode::Host, [&](Runtime& runtime) {
    if (place == nullptr || properties == nullptr)
      return invalid_value(msg::no_place_for_pool_or_no_properties());
    if (properties->allocType != cudaMemAllocationTypePinned) return invalid_value(msg::pool_not_pinned());
    if (properties->handleTypes != cudaMemHandleTypeNone)
      return runtime.unsupported("a memory pool that is shared between processes");
    Status status = only_device_memory(runtime, &properties->location);
    if (!status.ok()) return status;
    auto pool = std::make_unique<Pool>();
    pool->device = properties->location.id;
    pool->readers = 1u << pool->device;
    pool->most = properties->maxSize;
    *place = pool->handle();
    state().made[*place] = std::move(pool);
    return status;
  });
}

/// Memory allocated from the pool stays allocated until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return on_pool("cudaMemPoolDestroy", handle, [&](Runtime&, Pool&) {
    if (state().made.erase(handle) == 0) return invalid_value(msg::default_pool_destroyed());
    std::erase_if(state().current, [&](const auto& entry) { return entry.second == handle; });
    return Status{};
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return on_pool("cudaMemPoolSetAttribute", handle, [&](Runtime&, Pool& pool) {
    if (value == nullptr) return invalid_value(msg::no_attribute_value());
    if (int* flag = flag_of(pool, attribute)) {
      *flag = *static_cast<const int*>(value);
      return Status{};
    }
    const bool high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    const std::uint64_t wanted = *static_cast<const std::uint64_t*>(value);
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool.threshold = wanted;
    } else if (high && wanted == 0) {
      *size_of(pool, attribute) = attribute == cudaMemPoolAttrUsedMemHigh ? pool.used : pool.reserved;
    } else {
      return invalid_value(msg::pool_attribute_not_settable());
    }
    return Status{};
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return on_pool("cudaMemPoolGetAttribute", handle, [&](Runtime&, Pool& pool) {
    if (value == nullptr) return invalid_value(msg::no_place_for("value"));
    if (const int* flag = flag_of(pool, attribute))
      *static_cast<int*>(value) = *flag;
    else if (const std::uint64_t* size = size_of(pool, attribute))
      *static_cast<std::uint64_t*>(value) = *size;
    else
      return invalid_value(msg::unknown_attribute("attribute"));
    return Status{};
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t keep) {
  return on_pool("cudaMemPoolTrimTo", handle, [&](Runtime&, Pool& pool) {
    pool.trim(keep);
    return Status{};
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* accesses, std::size_t count) {
  return on_pool("cudaMemPoolSetAccess", handle, [&](Runtime& runtime, Pool& pool) {
    if (accesses == nullptr && count > 0) return invalid_value(msg::no_pool_accesses());
    std::uint32_t readers = pool.readers;
    for (std::size_t i = 0; i < count; ++i) {
      Status status = only_device_memory(runtime, &accesses[i].location);
      if (!status.ok()) return status;
      const bool opened = accesses[i].flags == cudaMemAccessFlagsProtReadWrite;
      const int device = accesses[i].location.id;
      if (!opened && (device == pool.device || accesses[i].flags != cudaMemAccessFlagsProtNone))
        return invalid_value(msg::bad_pool_access());
      readers = opened ? readers | 1u << device : readers & ~(1u << device);
    }
    if (readers == std::exchange(pool.readers, readers)) return Status{};
    for (const auto& [pointer, allocation] : state().allocations) {
      if (allocation.pool != handle) continue;
      Status status =
          runtime.exchange(protocol::Grant{reinterpret_cast<std::uint64_t>(pointer), pool.readers});
      if (!status.ok()) return status;
    }
    return Status{};
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* location) {
  return on_pool("cudaMemPoolGetAccess", handle, [&](Runtime& runtime, Pool& pool) {
    if (flags == nullptr) return invalid_value(msg::no_place_for("flags"));
    Status status = only_device_memory(runtime, location);
    if (status.ok()) {
      *flags = (pool.readers >> location->id & 1) != 0 ? cudaMemAccessFlagsProtReadWrite
                                                       : cudaMemAccessFlagsProtNone;
    }
    return status;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api("cudaDeviceGetDefaultMemPool", Mode::Host, [&](Runtime& runtime) -> Status {
    if (pool == nullptr) return invalid_value(msg::no_place_for("pool"));
    Status status = device_exists(runtime, device);
    if (status.ok()) *pool = default_pool(device).handle();
    return status;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api("cudaDeviceGetMemPool", Mode::Host, [&](Runtime& runtime) -> Status {
    if (pool == nullptr) return invalid_value(msg::no_place_for("pool"));
    Status status = device_exists(runtime, device);
    if (status.ok()) *pool = current_pool(device);
    return status;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return on_pool("cudaDeviceSetMemPool", handle, [&](Runtime& runtime, Pool& pool) -> Status {
    Status status = device_exists(runtime, device);
    if (!status.ok()) return status;
    if (pool.device != device) return invalid_value(msg::pool_on_another_device());
    state().current[device] = handle;
    return status;
  });
}
}
