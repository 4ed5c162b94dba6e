// Copies that name the devices of their two sides. The addresses determine the devices; the devices that the
// program names must only exist: measured on an H100, CUDA 13.0.

#include "grader/cudart/devices.h"
#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/arrays.h"
#include "grader/cudart/memory/copies.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

namespace {

Status check_sides(Runtime& runtime, const void* to, int to_device, const void* from, int from_device) {
  Status status = device_exists(runtime, to_device);
  if (status.ok()) status = device_exists(runtime, from_device);
  if (!status.ok()) return status;
  for (const void* pointer : {to, from}) {
    if (!is_device(runtime, pointer) && !Managed::get().contains(pointer))
      return invalid_value(msg::not_device_memory());
  }
  return status;
}

cudaError_t copy_peer(const char* call, Mode mode, void* to, int to_device, const void* from, int from_device,
                      std::size_t bytes, cudaStream_t stream) {
  return api(call, mode, [&](Runtime& runtime) {
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    if (status.ok()) status = check_sides(runtime, to, to_device, from, from_device);
    if (!status.ok()) return status;
    return submit(runtime, number, copy_of_rows(to, bytes, from, bytes, bytes, 1, cudaMemcpyDefault));
  });
}

cudaError_t copy_volume_peer(const char* call, Mode mode, const cudaMemcpy3DPeerParms* parms,
                             cudaStream_t stream) {
  return api(call, mode, [&](Runtime& runtime) {
    if (parms == nullptr) return invalid_value(msg::no_parameters());
    CopyOperation volume{{parms->srcArray, parms->srcPos, parms->srcPtr, parms->dstArray, parms->dstPos,
                          parms->dstPtr, parms->extent, cudaMemcpyDefault}};
    cudaMemcpy3DParms resolved = volume.parms;
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    if (status.ok()) status = resolve_arrays(resolved);
    if (status.ok()) {
      status =
          check_sides(runtime, resolved.dstPtr.ptr, parms->dstDevice, resolved.srcPtr.ptr, parms->srcDevice);
    }
    return status.ok() ? submit(runtime, number, volume) : status;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  return copy_peer("cudaMemcpyPeer", Mode::Sync, to, to_device, from, from_device, bytes, nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  return copy_peer("cudaMemcpyPeerAsync", Mode::Async, to, to_device, from, from_device, bytes, stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parms) {
  return copy_volume_peer("cudaMemcpy3DPeer", Mode::Sync, parms, nullptr);
}
CUDALABS_PTDS(cudaMemcpy3DPeer);

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parms, cudaStream_t stream) {
  return copy_volume_peer("cudaMemcpy3DPeerAsync", Mode::Async, parms, stream);
}
CUDALABS_PTSZ(cudaMemcpy3DPeerAsync);
}
