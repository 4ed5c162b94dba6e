#include <cstdlib>
#include <cstring>
#include <map>

#include "grader/cudart/devices.h"
#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/copies.h"
#include "grader/cudart/memory/pools.h"
#include "grader/cudart/streams/stream_order.h"

namespace cudalabs::cudart {

Status release(Runtime& runtime, void* pointer) {
  if (pointer == nullptr) return {};
  if (GraphMemory* memory = GraphMemory::find(pointer)) return memory->end(runtime);
  Managed::get().forget(pointer);
  freed_from_pool(pointer);
  return runtime.exchange(protocol::Free{reinterpret_cast<std::uint64_t>(pointer)});
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

namespace {

constexpr std::size_t kPitchAlignment = 512;
constexpr std::size_t kHostPage = 4096;

/// Watched memory takes whole pages, so that nothing else is in them.
std::size_t whole_pages(std::size_t bytes) { return (bytes + kHostPage - 1) / kHostPage * kHostPage; }
constexpr unsigned kRegistered = Managed::kRegistered;

Status allocate(Runtime& runtime, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return invalid_value(msg::no_place_for("pointer"));
  *pointer = nullptr;
  if (bytes == 0) return {};
  protocol::Range range;
  Status status = runtime.exchange(protocol::Allocate{bytes, call_frames()}, range);
  if (status.ok()) *pointer = reinterpret_cast<void*>(range.address);
  return status;
}

cudaError_t memcpy_rows(const char* call, Mode mode, void* to, std::size_t to_pitch, const void* from,
                        std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind,
                        cudaStream_t stream) {
  return api(call, mode, [&](Runtime& runtime) {
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    if (!status.ok()) return status;
    // If there is a next row, a card returns a specific error (copies.cpp).
    if (rows == 1 && (to_pitch < width || from_pitch < width)) return invalid_value(msg::pitch_below_width());
    return submit(runtime, number, copy_of_rows(to, to_pitch, from, from_pitch, width, rows, kind));
  });
}

cudaError_t memset_rows(const char* call, void* to, std::size_t pitch, int value, std::size_t width,
                        std::size_t rows, cudaStream_t stream) {
  return api(call, Mode::Async, [&](Runtime& runtime) {
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    if (!status.ok()) return status;
    return submit(runtime, number,
                  SetOperation{{to, pitch, static_cast<std::uint8_t>(value), 1, width, rows}});
  });
}

cudaError_t memcpy_symbol(const char* call, Mode mode, const void* symbol, void* to, const void* from,
                          std::size_t count, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return api(call, mode, [&](Runtime& runtime) -> Status {
    protocol::Range range;
    std::uint32_t number = 0;
    Status status = resolve_symbol(runtime, symbol, range);
    if (status.ok()) status = stream_number(stream, number);
    if (!status.ok()) return status;
    if (offset > range.bytes || count > range.bytes - offset)
      return invalid_value(msg::copy_leaves_variable());
    auto* place = reinterpret_cast<std::byte*>(range.address) + offset;
    const bool to_symbol = to == nullptr;
    const cudaMemcpyKind wrong = to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (kind == wrong || kind == cudaMemcpyHostToHost) {
      return {CudaError::InvalidMemcpyDirection, msg::copy_kind_not_for_variable()};
    }
    void* const destination = to_symbol ? place : to;
    const void* const source = to_symbol ? from : place;
    return submit(runtime, number, copy_of_rows(destination, count, source, count, count, 1, kind));
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return api("cudaMalloc", Mode::Sync, [&](Runtime& runtime) {
    Status status = unsafe_in_capture();
    return status.ok() ? allocate(runtime, pointer, bytes) : status;
  });
}

cudaError_t cudaFree(void* pointer) {
  return api("cudaFree", Mode::Sync, [&](Runtime& runtime) {
    Status status = unsafe_in_capture();
    // Cards wait for their work before they free memory.
    if (status.ok() && pointer != nullptr && follows_streams())
      status = StreamOrder::get().wait_for_all(runtime);
    return status.ok() ? release(runtime, pointer) : status;
  });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return api("cudaMallocManaged", Mode::Sync, [&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0) return invalid_value(msg::empty_managed_allocation());
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
      return invalid_value(msg::unknown_flag("flag"));
    Status status = unsafe_in_capture();
    return status.ok() ? Managed::get().allocate(runtime, bytes, *pointer) : status;
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return api("cudaMallocPitch", Mode::Sync, [&](Runtime& runtime) {
    if (pitch == nullptr) return invalid_value(msg::no_place_for("pitch"));
    std::size_t bytes = 0;
    if (__builtin_add_overflow(width, kPitchAlignment - 1, pitch))
      return invalid_value(msg::width_too_large());
    *pitch = *pitch / kPitchAlignment * kPitchAlignment;
    if (__builtin_mul_overflow(*pitch, height, &bytes)) return Status{CudaError::MemoryAllocation, {}};
    Status status = unsafe_in_capture();
    return status.ok() ? allocate(runtime, pointer, bytes) : status;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  if (pitched == nullptr) {
    return api("cudaMalloc3D", Mode::Sync,
               [](Runtime&) { return invalid_value(msg::no_place_for("pointer")); });
  }
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
    return api("cudaMalloc3D", Mode::Sync, [](Runtime&) { return Status{CudaError::MemoryAllocation, {}}; });
  }
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, rows);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return memcpy_rows("cudaMemcpy", Mode::Sync, to, bytes, from, bytes, bytes, 1, kind, nullptr);
}
CUDALABS_PTDS(cudaMemcpy);

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return memcpy_rows("cudaMemcpyAsync", Mode::Async, to, bytes, from, bytes, bytes, 1, kind, stream);
}
CUDALABS_PTSZ(cudaMemcpyAsync);

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return memcpy_rows("cudaMemcpy2D", Mode::Sync, to, to_pitch, from, from_pitch, width, height, kind,
                     nullptr);
}
CUDALABS_PTDS(cudaMemcpy2D);

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return memcpy_rows("cudaMemcpy2DAsync", Mode::Async, to, to_pitch, from, from_pitch, width, height, kind,
                     stream);
}
CUDALABS_PTSZ(cudaMemcpy2DAsync);

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t count, std::size_t offset,
                               cudaMemcpyKind kind) {
  return memcpy_symbol("cudaMemcpyToSymbol", Mode::Sync, symbol, nullptr, from, count, offset, kind, nullptr);
}
CUDALABS_PTDS(cudaMemcpyToSymbol);

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t count,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return memcpy_symbol("cudaMemcpyToSymbolAsync", Mode::Async, symbol, nullptr, from, count, offset, kind,
                       stream);
}
CUDALABS_PTSZ(cudaMemcpyToSymbolAsync);

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return memcpy_symbol("cudaMemcpyFromSymbol", Mode::Sync, symbol, to, nullptr, count, offset, kind, nullptr);
}
CUDALABS_PTDS(cudaMemcpyFromSymbol);

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return memcpy_symbol("cudaMemcpyFromSymbolAsync", Mode::Async, symbol, to, nullptr, count, offset, kind,
                       stream);
}
CUDALABS_PTSZ(cudaMemcpyFromSymbolAsync);

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api("cudaGetSymbolAddress", Mode::Host, [&](Runtime& runtime) {
    if (pointer == nullptr) return invalid_value(msg::no_place_for("address"));
    protocol::Range range;
    Status status = resolve_symbol(runtime, symbol, range);
    if (status.ok()) *pointer = reinterpret_cast<void*>(range.address);
    return status;
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  return api("cudaGetSymbolSize", Mode::Host, [&](Runtime& runtime) {
    if (size == nullptr) return invalid_value(msg::no_place_for("size"));
    protocol::Range range;
    Status status = resolve_symbol(runtime, symbol, range);
    if (status.ok()) *size = range.bytes;
    return status;
  });
}

cudaError_t cudaMemset(void* to, int value, std::size_t count) {
  return memset_rows("cudaMemset", to, count, value, count, 1, nullptr);
}
CUDALABS_PTDS(cudaMemset);

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t count, cudaStream_t stream) {
  return memset_rows("cudaMemsetAsync", to, count, value, count, 1, stream);
}
CUDALABS_PTSZ(cudaMemsetAsync);

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return memset_rows("cudaMemset2D", to, pitch, value, width, height, nullptr);
}
CUDALABS_PTDS(cudaMemset2D);

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return memset_rows("cudaMemset2DAsync", to, pitch, value, width, height, stream);
}
CUDALABS_PTSZ(cudaMemset2DAsync);

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return api("cudaMemGetInfo", Mode::Host, [&](Runtime& runtime) {
    if (free_bytes == nullptr || total_bytes == nullptr) return invalid_value(msg::no_place_for("sizes"));
    protocol::Range sizes;
    Status status = runtime.exchange(protocol::MemoryInfo{}, sizes);
    if (status.ok()) {
      *free_bytes = sizes.address;
      *total_bytes = sizes.bytes;
    }
    return status;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api("cudaPointerGetAttributes", Mode::Host, [&](Runtime& runtime) {
    if (attributes == nullptr) return invalid_value(msg::no_place_for("attributes"));
    *attributes = {};
    auto* plain = const_cast<void*>(pointer);
    const bool pinned = Managed::get().pinned_flags(pointer) != nullptr;
    if (pinned) {
      attributes->device = Managed::get().pinned_device(pointer);
      attributes->type = cudaMemoryTypeHost;
      attributes->devicePointer = attributes->hostPointer = plain;
    } else if (Managed::get().contains(pointer)) {
      attributes->type = cudaMemoryTypeManaged;
      attributes->devicePointer = attributes->hostPointer = plain;
    } else if (is_device(runtime, pointer)) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = plain;
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = plain;
    }
    if (attributes->type == cudaMemoryTypeManaged || attributes->type == cudaMemoryTypeDevice)
      return device_of(runtime, pointer, attributes->device);
    return Status{};
  });
}

// ---- page-locked host memory: ordinary memory, since every copy goes through the staging buffer anyway

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return api("cudaHostAlloc", Mode::Host, [&](Runtime& runtime) {
    if (pointer == nullptr) return invalid_value(msg::no_place_for("pointer"));
    *pointer = nullptr;
    if (bytes == 0) return Status{};
    Status status = unsafe_in_capture();
    if (!status.ok()) return status;
    constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~kKnown) != 0) return invalid_value(msg::unknown_flag("flag"));
    // Mapped memory has one address on both sides, also if a kernel finds a pointer to it in memory.
    if ((flags & cudaHostAllocMapped) != 0)
      status = Managed::get().allocate(runtime, bytes, *pointer);
    else if (posix_memalign(pointer, kHostPage, follows_streams() ? whole_pages(bytes) : bytes) != 0)
      status = {CudaError::MemoryAllocation, msg::host_out_of_memory()};
    if (status.ok())
      Managed::get().pin(*pointer, bytes, flags);
    else
      *pointer = nullptr;
    return status;
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) { return cudaHostAlloc(pointer, bytes, 0); }

cudaError_t cudaFreeHost(void* pointer) {
  return api("cudaFreeHost", Mode::Sync, [&](Runtime& runtime) {
    if (pointer == nullptr) return Status{};
    Status status = unsafe_in_capture();
    if (!status.ok()) return status;
    if (follows_streams()) status = StreamOrder::get().wait_for_all(runtime);
    if (!status.ok()) return status;
    const bool mapped = Managed::get().contains(pointer);
    const unsigned* flags = Managed::get().pinned_flags(pointer);
    if (flags == nullptr || (*flags & kRegistered) != 0 || !Managed::get().unpin(runtime, pointer))
      return invalid_value(msg::not_from_malloc_host());
    if (mapped) return release(runtime, pointer);
    std::free(pointer);
    return status;
  });
}

/// Returns the host's address: kernels get the device's address instead.
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api("cudaHostGetDevicePointer", Mode::Host, [&](Runtime&) {
    if (device == nullptr || flags != 0) return invalid_value(msg::no_place_for_pointer_or_flags());
    if (Managed::get().pinned_flags(host) == nullptr) return invalid_value(msg::not_page_locked());
    *device = host;
    return Status{};
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return api("cudaHostGetFlags", Mode::Host, [&](Runtime&) {
    const unsigned* given = Managed::get().pinned_flags(host);
    if (flags == nullptr || given == nullptr) return invalid_value(msg::not_page_locked());
    *flags = (*given & cudaHostAllocWriteCombined) | cudaHostAllocMapped;  // as on an H100
    return Status{};
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return api("cudaHostRegister", Mode::Host, [&](Runtime& runtime) {
    constexpr unsigned kKnown = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    if (pointer == nullptr || bytes == 0) return invalid_value(msg::empty_range());
    if (flags == cudaHostRegisterIoMemory)
      return runtime.unsupported("cudaHostRegister with cudaHostRegisterIoMemory");
    if ((flags & ~kKnown) != 0) return invalid_value(msg::unknown_flag("flag"));
    Status status = unsafe_in_capture();
    if (status.ok() && !Managed::get().pin(pointer, bytes, kRegistered)) {
      return Status{CudaError::HostMemoryAlreadyRegistered, msg::already_page_locked()};
    }
    return status;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api("cudaHostUnregister", Mode::Host, [&](Runtime& runtime) {
    const unsigned* flags = Managed::get().pinned_flags(pointer);
    if (flags == nullptr) return Status{CudaError::HostMemoryNotRegistered, msg::not_registered()};
    if (follows_streams()) static_cast<void>(StreamOrder::get().wait_for_all(runtime));
    if ((*flags & kRegistered) == 0 || !Managed::get().unpin(runtime, pointer))
      return invalid_value(msg::not_start_of_registered());
    return Status{};
  });
}

/// Restricts managed memory to one stream's kernels. Here the host may access it while no kernel runs, in any
/// case.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t, unsigned flags) {
  return on_stream("cudaStreamAttachMemAsync", Mode::Async, stream, [&](Runtime&, std::uint32_t number) {
    if (!Managed::get().contains(pointer)) return invalid_value(msg::not_managed());
    const bool single = flags == cudaMemAttachSingle;
    if ((!single && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || (single && number == 0))
      return invalid_value(msg::bad_attach_flag());
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamAttachMemAsync);
}
