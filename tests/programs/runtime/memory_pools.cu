// Memory pools: accounts, attributes, thresholds. With an argument memory is used after it was freed in stream order.
#include <cstdio>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

static void accounts(const char* what, cudaMemPool_t pool) {
  unsigned long long reserved = 0, reserved_high = 0, used = 0, used_high = 0;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &reserved_high);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used_high);
  std::printf("%s: %llu %llu %llu %llu\n", what, reserved, reserved_high, used, used_high);
}

int main(int argc, char**) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t pool, own, current;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  accounts("at first", pool);
  int *small, *large;
  cudaMallocAsync(&small, 100, stream);
  accounts("100", pool);
  cudaMallocAsync(&large, 40 << 20, stream);
  accounts("40 MiB", pool);
  fill<<<1, 32, 0, stream>>>(large);
  cudaFreeAsync(large, stream);
  accounts("freed", pool);
  if (argc > 1) fill<<<1, 32, 0, stream>>>(large);
  check("sync", cudaStreamSynchronize(stream) == cudaSuccess);
  accounts("waited", pool);
  unsigned long long threshold = 1 << 30;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMallocAsync(&large, 40 << 20, stream);
  cudaFreeAsync(large, stream);
  cudaStreamSynchronize(stream);
  accounts("below the threshold", pool);
  cudaMemPoolTrimTo(pool, 0);
  accounts("trimmed", pool);
  unsigned long long high = 5;
  check("high to 5", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high) == cudaErrorInvalidValue);
  high = 0;
  check("high to 0", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high) == cudaSuccess);
  check("current", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &high) == cudaErrorInvalidValue);
  check("default stays", cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
  int reuse = -1;
  check("reuse", cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse) == cudaSuccess && reuse == 1);
  reuse = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
  reuse = 1;
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
  check("no reuse", reuse == 0);

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  check("create", cudaMemPoolCreate(&own, &properties) == cudaSuccess && own != pool);
  check("from it", cudaMallocFromPoolAsync(&large, 1000, own, stream) == cudaSuccess);
  accounts("own", own);
  fill<<<1, 32, 0, stream>>>(large);
  check("cudaFree", cudaFree(large) == cudaSuccess);
  accounts("own, freed", own);
  check("of the device", cudaDeviceSetMemPool(0, own) == cudaSuccess && cudaDeviceGetMemPool(&current, 0) == cudaSuccess && current == own);
  cudaMallocAsync(&large, 7, stream);
  accounts("own again", own);
  cudaFreeAsync(large, stream);
  check("destroy", cudaMemPoolDestroy(own) == cudaSuccess && cudaMemPoolDestroy(own) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaFreeAsync(small, stream);
  check("end", cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
