// Where managed memory should lie: legal to ignore, but for devices that there are not. A program of CUDA 12
// calls these names with a device's number alone, which stands where the kind of place stands here: what is
// not said to be a device is let through.

#include "grader/cudart/devices.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

namespace {

Status place_exists(const Runtime& runtime, cudaMemLocation place) {
  return place.type == cudaMemLocationTypeDevice ? device_exists(runtime, place.id) : Status{};
}

}  // namespace

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation place, unsigned, cudaStream_t) {
  return api("cudaMemPrefetchAsync", Mode::Host,
             [&](Runtime& runtime) { return place_exists(runtime, place); });
}
CUDALABS_PTSZ(cudaMemPrefetchAsync);
extern decltype(cudaMemPrefetchAsync) cudaMemPrefetchAsync_v2 __attribute__((alias("cudaMemPrefetchAsync")));
extern decltype(cudaMemPrefetchAsync) cudaMemPrefetchAsync_v2_ptsz
    __attribute__((alias("cudaMemPrefetchAsync")));

cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise advice, cudaMemLocation place) {
  return api("cudaMemAdvise", Mode::Host, [&](Runtime& runtime) -> Status {
    if (advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly) return {};
    Status status = place_exists(runtime, place);
    if (!status.ok()) status.error = CudaError::InvalidValue;
    return status;
  });
}
extern decltype(cudaMemAdvise) cudaMemAdvise_v2 __attribute__((alias("cudaMemAdvise")));
}
