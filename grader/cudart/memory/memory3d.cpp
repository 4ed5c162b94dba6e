#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/arrays.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

namespace {

cudaError_t copy_volume(const char* call, Mode mode, const cudaMemcpy3DParms* parms, cudaStream_t stream) {
  return api(call, mode, [&](Runtime& runtime) -> Status {
    if (parms == nullptr) return invalid_value(msg::no_parameters());
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    cudaMemcpy3DParms resolved = *parms;
    if (status.ok()) status = resolve_arrays(resolved);
    return status.ok() ? submit(runtime, number, CopyOperation{*parms}) : status;
  });
}

cudaError_t set_volume(const char* call, cudaPitchedPtr volume, int value, cudaExtent extent,
                       cudaStream_t stream) {
  return api(call, Mode::Async, [&](Runtime& runtime) {
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    for (std::size_t plane = 0; plane < extent.depth && status.ok(); ++plane) {
      auto* const start = static_cast<std::byte*>(volume.ptr) + plane * volume.ysize * volume.pitch;
      status = submit(runtime, number,
                      SetOperation{{start, volume.pitch, static_cast<std::uint8_t>(value), 1, extent.width,
                                    extent.height}});
    }
    return status;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parms) {
  return copy_volume("cudaMemcpy3D", Mode::Sync, parms, nullptr);
}
CUDALABS_PTDS(cudaMemcpy3D);

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parms, cudaStream_t stream) {
  return copy_volume("cudaMemcpy3DAsync", Mode::Async, parms, stream);
}
CUDALABS_PTSZ(cudaMemcpy3DAsync);

cudaError_t cudaMemset3D(cudaPitchedPtr volume, int value, cudaExtent extent) {
  return set_volume("cudaMemset3D", volume, value, extent, nullptr);
}
CUDALABS_PTDS(cudaMemset3D);

cudaError_t cudaMemset3DAsync(cudaPitchedPtr volume, int value, cudaExtent extent, cudaStream_t stream) {
  return set_volume("cudaMemset3DAsync", volume, value, extent, stream);
}
CUDALABS_PTSZ(cudaMemset3DAsync);
}
