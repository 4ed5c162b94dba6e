#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "grader/cudart/devices.h"
#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/pools.h"
#include "grader/cudart/memory/texture_limits.h"
#include "grader/cudart/streams/stream_order.h"

namespace cudalabs::cudart {
namespace {

constexpr std::size_t kMaxPitch = 0x7fffffff;
constexpr std::uint64_t kMaxL2Fetch = 128;  // bytes; a hint that changes no result

struct Limits {
  sim::KernelLimits of_kernels;
  std::uint64_t persisting_l2 = 0, l2_fetch = 64;
  bool heap_used = false, printf_used = false;  ///< by a kernel that was launched
};
PerDevice<Limits> limits;
PerDevice<unsigned> device_flags;

/// Sets fields that only some toolkits have: CUDA 13 dropped them.
template <class Properties>
void fill_old_fields(Properties& properties, const protocol::Welcome& device) {
  if constexpr (requires { properties.clockRate; }) properties.clockRate = static_cast<int>(device.clock_khz);
  if constexpr (requires { properties.memoryClockRate; }) {
    properties.memoryClockRate = static_cast<int>(device.memory_clock_khz);
  }
  if constexpr (requires { properties.deviceOverlap; }) properties.deviceOverlap = 1;
}

void fill_texture_limits(cudaDeviceProp& to) {
  const auto fill = [](auto& place, std::initializer_list<cudaDeviceAttr> attributes) {
    int* next = reinterpret_cast<int*>(&place);
    for (const cudaDeviceAttr attribute : attributes) *next++ = texture_limit(attribute);
  };
  fill(to.maxTexture1D, {cudaDevAttrMaxTexture1DWidth});
  fill(to.maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
  fill(to.maxTexture2DLinear, {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight,
                               cudaDevAttrMaxTexture2DLinearPitch});
  fill(to.maxTexture2DGather, {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
  fill(to.maxTexture3D,
       {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
  fill(to.maxTextureCubemap, {cudaDevAttrMaxTextureCubemapWidth});
  fill(to.maxTexture1DLayered, {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
  fill(to.maxTexture2DLayered, {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                                cudaDevAttrMaxTexture2DLayeredLayers});
  fill(to.maxTextureCubemapLayered,
       {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers});
  fill(to.maxSurface1D, {cudaDevAttrMaxSurface1DWidth});
  fill(to.maxSurface2D, {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight});
  fill(to.maxSurface3D,
       {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth});
  fill(to.maxSurface1DLayered, {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers});
  fill(to.maxSurface2DLayered, {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
                                cudaDevAttrMaxSurface2DLayeredLayers});
  fill(to.maxSurfaceCubemap, {cudaDevAttrMaxSurfaceCubemapWidth});
  fill(to.maxSurfaceCubemapLayered,
       {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers});
}

/// The part of the L2 cache for persisting accesses. Nothing here depends on it.
std::uint64_t most_persisting_l2(const protocol::Welcome& device) { return device.l2_bytes / 4 * 3; }
constexpr int kMaxAccessWindow = 128 << 20;

int attribute_value(const protocol::Welcome& device, cudaDeviceAttr attribute, int number) {
  const auto as_int = [](std::uint64_t value) { return static_cast<int>(value); };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return as_int(device.max_threads_per_block);
    case cudaDevAttrMaxBlockDimX: return as_int(device.max_block_x);
    case cudaDevAttrMaxBlockDimY: return as_int(device.max_block_y);
    case cudaDevAttrMaxBlockDimZ: return as_int(device.max_block_z);
    case cudaDevAttrMaxGridDimX: return as_int(device.max_grid_x);
    case cudaDevAttrMaxGridDimY: return as_int(device.max_grid_y);
    case cudaDevAttrMaxGridDimZ: return as_int(device.max_grid_z);
    case cudaDevAttrMaxSharedMemoryPerBlock: return as_int(device.shared_bytes_per_block);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return as_int(device.shared_bytes_per_block_optin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return as_int(device.shared_bytes_per_multiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock: return as_int(device.reserved_shared_bytes_per_block);
    case cudaDevAttrTotalConstantMemory: return as_int(device.constant_bytes);
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrMaxPitch: return static_cast<int>(kMaxPitch);
    case cudaDevAttrMaxRegistersPerBlock: return as_int(device.registers_per_block);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return as_int(device.registers_per_multiprocessor);
    case cudaDevAttrClockRate: return as_int(device.clock_khz);
    case cudaDevAttrMemoryClockRate: return as_int(device.memory_clock_khz);
    case cudaDevAttrGlobalMemoryBusWidth: return as_int(device.memory_bus_bits);
    case cudaDevAttrL2CacheSize: return as_int(device.l2_bytes);
    case cudaDevAttrMaxPersistingL2CacheSize: return as_int(most_persisting_l2(device));
    case cudaDevAttrMaxAccessPolicyWindowSize: return kMaxAccessWindow;
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return 1;
    case cudaDevAttrMultiProcessorCount: return as_int(device.multiprocessors);
    case cudaDevAttrMaxThreadsPerMultiProcessor: return as_int(device.max_threads_per_multiprocessor);
    case cudaDevAttrMaxBlocksPerMultiprocessor: return as_int(device.max_blocks_per_multiprocessor);
    case cudaDevAttrComputeCapabilityMajor: return as_int(device.compute_major);
    case cudaDevAttrComputeCapabilityMinor: return as_int(device.compute_minor);
    case cudaDevAttrAsyncEngineCount: return 1;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCooperativeLaunch: return 1;
    case cudaDevAttrPciBusId: return pci_bus(device, number);
    case cudaDevAttrMultiGpuBoardGroupID: return number;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return 2;
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId: return -1;
    default: return texture_limit(attribute);  // 0: features that the device does not have
  }
}

/// Null: this device has no such limit.
std::uint64_t* limit_of(cudaLimit limit, const protocol::Welcome& device) {
  sim::KernelLimits& of_kernels = limits.here().of_kernels;
  switch (limit) {
    case cudaLimitStackSize: return &of_kernels.stack_bytes;
    case cudaLimitPrintfFifoSize: return &of_kernels.printf_bytes;
    case cudaLimitMallocHeapSize: return &of_kernels.heap_bytes;
    case cudaLimitMaxL2FetchGranularity: return &limits.here().l2_fetch;
    case cudaLimitPersistingL2CacheSize: return &limits.here().persisting_l2;
    case cudaLimitDevRuntimePendingLaunchCount: return &of_kernels.most_children;
    case cudaLimitDevRuntimeSyncDepth: return device.compute_major < 9 ? &of_kernels.sync_depth : nullptr;
    default: return nullptr;
  }
}

Status no_limit(cudaLimit limit) {
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize)
    return invalid_value(msg::unknown_limit());
  return {CudaError::UnsupportedLimit, msg::limit_not_on_device()};
}

}  // namespace

std::uint64_t bank_bytes_of(cudaSharedMemConfig config) {
  return config == cudaSharedMemBankSizeEightByte ? 8 : config == cudaSharedMemBankSizeFourByte ? 4 : 0;
}

void put_limits(protocol::Launch& message) {
  const sim::KernelLimits& of_kernels = limits.here().of_kernels;
  message.most_children = of_kernels.most_children;
  message.stack_bytes = of_kernels.stack_bytes;
  message.heap_bytes = of_kernels.heap_bytes;
  message.printf_bytes = of_kernels.printf_bytes;
  message.sync_depth = of_kernels.sync_depth;
  message.bank_bytes = of_kernels.bank_bytes;
}

void settle_limits(const protocol::KernelReply& kernel) {
  Limits& here = limits.here();
  here.heap_used = here.heap_used || kernel.uses_heap;
  here.printf_used = here.printf_used || kernel.uses_printf;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api("cudaGetDeviceProperties", Mode::Host, [&](Runtime& runtime) {
    if (properties == nullptr) return invalid_value(msg::no_place_for("properties"));
    Status status = device_exists(runtime, device);
    if (!status.ok()) return status;
    const protocol::Welcome& from = runtime.device();
    cudaDeviceProp& to = *properties;
    std::memset(&to, 0, sizeof to);
    std::strncpy(to.name, from.name.c_str(), sizeof to.name - 1);
    const auto value = [&](cudaDeviceAttr attribute) { return attribute_value(from, attribute, device); };
    to.pciBusID = value(cudaDevAttrPciBusId);
    to.multiGpuBoardGroupID = value(cudaDevAttrMultiGpuBoardGroupID);
    to.uuid.bytes[15] = static_cast<char>(to.pciBusID);
    to.totalGlobalMem = from.global_bytes;
    to.sharedMemPerBlock = from.shared_bytes_per_block;
    to.sharedMemPerBlockOptin = from.shared_bytes_per_block_optin;
    to.sharedMemPerMultiprocessor = from.shared_bytes_per_multiprocessor;
    to.reservedSharedMemPerBlock = from.reserved_shared_bytes_per_block;
    to.regsPerBlock = value(cudaDevAttrMaxRegistersPerBlock);
    to.regsPerMultiprocessor = value(cudaDevAttrMaxRegistersPerMultiprocessor);
    to.warpSize = 32;
    to.memPitch = kMaxPitch;
    to.maxThreadsPerBlock = value(cudaDevAttrMaxThreadsPerBlock);
    to.maxThreadsDim[0] = value(cudaDevAttrMaxBlockDimX);
    to.maxThreadsDim[1] = value(cudaDevAttrMaxBlockDimY);
    to.maxThreadsDim[2] = value(cudaDevAttrMaxBlockDimZ);
    to.maxGridSize[0] = value(cudaDevAttrMaxGridDimX);
    to.maxGridSize[1] = value(cudaDevAttrMaxGridDimY);
    to.maxGridSize[2] = value(cudaDevAttrMaxGridDimZ);
    to.totalConstMem = from.constant_bytes;
    to.major = value(cudaDevAttrComputeCapabilityMajor);
    to.minor = value(cudaDevAttrComputeCapabilityMinor);
    to.textureAlignment = value(cudaDevAttrTextureAlignment);
    to.surfaceAlignment = value(cudaDevAttrSurfaceAlignment);
    to.texturePitchAlignment = value(cudaDevAttrTexturePitchAlignment);
    fill_texture_limits(to);
    to.multiProcessorCount = value(cudaDevAttrMultiProcessorCount);
    to.maxThreadsPerMultiProcessor = value(cudaDevAttrMaxThreadsPerMultiProcessor);
    to.maxBlocksPerMultiProcessor = value(cudaDevAttrMaxBlocksPerMultiprocessor);
    to.memoryBusWidth = value(cudaDevAttrGlobalMemoryBusWidth);
    to.l2CacheSize = value(cudaDevAttrL2CacheSize);
    to.persistingL2CacheMaxSize = value(cudaDevAttrMaxPersistingL2CacheSize);
    to.accessPolicyMaxWindowSize = value(cudaDevAttrMaxAccessPolicyWindowSize);
    to.memoryPoolsSupported = 1;
    to.canUseHostPointerForRegisteredMem = 1;
    to.canMapHostMemory = 1;
    to.concurrentKernels = 1;
    to.asyncEngineCount = 1;
    to.unifiedAddressing = 1;
    to.streamPrioritiesSupported = 1;
    to.globalL1CacheSupported = 1;
    to.localL1CacheSupported = 1;
    to.managedMemory = 1;
    to.hostRegisterSupported = 1;
    to.cooperativeLaunch = 1;
    fill_old_fields(to, from);
    return status;
  });
}

// CUDA 12's headers map cudaGetDeviceProperties to this name.
extern decltype(cudaGetDeviceProperties) cudaGetDeviceProperties_v2
    __attribute__((alias("cudaGetDeviceProperties")));

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api("cudaDeviceGetAttribute", Mode::Host, [&](Runtime& runtime) {
    if (value == nullptr || attribute < cudaDevAttrMaxThreadsPerBlock || attribute > cudaDevAttrMax) {
      return invalid_value(msg::unknown_attribute("device attribute"));
    }
    Status status = device_exists(runtime, device);
    if (status.ok()) *value = attribute_value(runtime.device(), attribute, device);
    return status;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return api("cudaDeviceSynchronize", Mode::Sync, [](Runtime& runtime) {
    Status status = device_asked_in_capture();
    if (status.ok() && follows_streams()) status = StreamOrder::get().wait_for_all(runtime);
    return status.ok() ? synchronize(runtime, protocol::SyncDevice{}) : status;
  });
}

/// Resets the current device. The program's own memory stays allocated until the program ends: a pointer from
/// before the reset is the program's error. The entry's arrays are gone, and the device process reports that
/// to the grader.
cudaError_t cudaDeviceReset() {
  const cudaError_t error = api("cudaDeviceReset", Mode::Sync,
                                [](Runtime& runtime) { return runtime.exchange(protocol::ResetDevice{}); });
  limits.here() = {};
  return error;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return api("cudaDeviceSetLimit", Mode::Host, [&](Runtime& runtime) {
    std::uint64_t* place = limit_of(limit, runtime.device());
    if (place == nullptr) return no_limit(limit);
    if ((limit == cudaLimitMallocHeapSize && limits.here().heap_used) ||
        (limit == cudaLimitPrintfFifoSize && limits.here().printf_used))
      return invalid_value(msg::limit_in_use());
    if (limit == cudaLimitPersistingL2CacheSize && value > most_persisting_l2(runtime.device()))
      return invalid_value(msg::too_much_persisting_l2());
    if (limit == cudaLimitMaxL2FetchGranularity && value > kMaxL2Fetch)
      return invalid_value(msg::too_large_l2_fetch(kMaxL2Fetch));
    if (limit == cudaLimitDevRuntimePendingLaunchCount)
      value = std::min<std::size_t>(value, protocol::kMaxChildren);
    if (limit == cudaLimitDevRuntimeSyncDepth) value = std::min<std::size_t>(value, protocol::kMaxSyncDepth);
    *place = value;
    return Status{};
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return api("cudaDeviceGetLimit", Mode::Host, [&](Runtime& runtime) {
    const std::uint64_t* place = limit_of(limit, runtime.device());
    if (value == nullptr) return invalid_value(msg::no_place_for("limit"));
    if (place == nullptr) return no_limit(limit);
    *value = *place;
    return Status{};
  });
}

// Preferences between shared memory and cache are hints that change no result.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return api("cudaDeviceSetCacheConfig", Mode::Host, [](Runtime&) { return Status{}; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api("cudaDeviceGetCacheConfig", Mode::Host, [&](Runtime&) {
    if (config == nullptr) return invalid_value(msg::no_place_for("configuration"));
    *config = cudaFuncCachePreferNone;
    return Status{};
  });
}

// The banks of most cards are 4 bytes wide, whatever is set.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return api("cudaDeviceSetSharedMemConfig", Mode::Host, [&](Runtime&) {
    limits.here().of_kernels.bank_bytes = bank_bytes_of(config);
    return Status{};
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api("cudaDeviceGetSharedMemConfig", Mode::Host, [&](Runtime& runtime) {
    if (config == nullptr) return invalid_value(msg::no_place_for("configuration"));
    const std::uint64_t set = limits.here().of_kernels.bank_bytes;
    const std::uint64_t bytes = set == 0 ? runtime.device().bank_mode_bytes : set;
    *config = bytes == 8 && runtime.device().bank_bytes == 8 ? cudaSharedMemBankSizeEightByte
                                                             : cudaSharedMemBankSizeFourByte;
    return Status{};
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api("cudaSetDeviceFlags", Mode::Host, [&](Runtime&) {
    device_flags.here() = flags;
    return Status{};
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return api("cudaGetDeviceFlags", Mode::Host, [&](Runtime&) {
    if (flags == nullptr) return invalid_value(msg::no_place_for("flags"));
    *flags = device_flags.here();
    return Status{};
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return last_error = cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return last_error = cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart() {
  return api("cudaProfilerStart", Mode::Host, [](Runtime&) { return Status{}; });
}

cudaError_t cudaProfilerStop() {
  return api("cudaProfilerStop", Mode::Host, [](Runtime&) { return Status{}; });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
}
