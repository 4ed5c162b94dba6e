// Every way of moving memory, each checked on the host. Prints one line a check.
#include <cstdio>
#include <cstring>
#include <vector>

static void check(const char* what, bool good) { printf("%s: %s\n", what, good ? "ok" : "WRONG"); }

__constant__ float coefficients[4];
__device__ int counter = 41;
__device__ double table[8];
__managed__ int shared_number = 5;

__global__ void twice(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void use_symbols(float* out) {
  out[threadIdx.x] = coefficients[threadIdx.x] + static_cast<float>(counter);
  if (threadIdx.x == 0) counter += 1;
  table[threadIdx.x] = threadIdx.x * 0.5;
}
__global__ void add_managed(int* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] += shared_number;
  if (threadIdx.x == 0) shared_number = 100;
}

int main() {
  const int n = 1000;
  std::vector<int> host(n), back(n, -1);
  for (int i = 0; i < n; ++i) host[i] = i * i - 7;
  int *a = nullptr, *b = nullptr;
  check("malloc", cudaMalloc(&a, n * sizeof(int)) == cudaSuccess && cudaMalloc(&b, n * sizeof(int)) == cudaSuccess);
  check("to device", cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  twice<<<(n + 127) / 128, 128>>>(a, b, n);
  check("launch", cudaGetLastError() == cudaSuccess);
  check("to host", cudaMemcpy(back.data(), b, n * sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && back[i] == 2 * host[i];
  check("kernel", good);
  check("on device", cudaMemcpyAsync(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice, 0) == cudaSuccess &&
                         cudaMemcpy(back.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && back == host);
  check("host to host", cudaMemcpy(back.data(), host.data(), 40, cudaMemcpyHostToHost) == cudaSuccess);
  check("memset", cudaMemset(a, 0xff, n * sizeof(int)) == cudaSuccess &&
                      cudaMemcpy(back.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && back[n - 1] == -1);

  // More than one staging buffer, and a width of its own.
  const size_t large = (40u << 20) + 12345;
  std::vector<unsigned char> many(large), again(large);
  for (size_t i = 0; i < large; ++i) many[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  unsigned char* big = nullptr;
  check("large", cudaMalloc(&big, large) == cudaSuccess && cudaMemcpy(big, many.data(), large, cudaMemcpyHostToDevice) == cudaSuccess &&
                     cudaMemcpy(again.data(), big, large, cudaMemcpyDeviceToHost) == cudaSuccess && many == again);
  cudaFree(big);

  const int width = 30, height = 50;
  float* pitched = nullptr;
  size_t pitch = 0;
  check("malloc pitch", cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height) == cudaSuccess && pitch >= width * sizeof(float) &&
                            pitch % 32 == 0);
  std::vector<float> image(width * height), copy(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = i * 0.25f;
  check("memcpy 2D", cudaMemcpy2D(pitched, pitch, image.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice) == cudaSuccess &&
                         cudaMemcpy2DAsync(copy.data(), width * 4, pitched, pitch, width * 4, height, cudaMemcpyDeviceToHost, 0) == cudaSuccess &&
                         copy == image);
  check("memset 2D", cudaMemset2D(pitched, pitch, 0, 4, height) == cudaSuccess &&
                         cudaMemcpy2D(copy.data(), width * 4, pitched, pitch, width * 4, height, cudaMemcpyDeviceToHost) == cudaSuccess &&
                         copy[width] == 0 && copy[width + 1] == image[width + 1]);
  check("free", cudaFree(pitched) == cudaSuccess && cudaFree(nullptr) == cudaSuccess);

  const float values[4] = {1, 2, 3, 4};
  float *out = nullptr, result[4] = {};
  cudaMalloc(&out, sizeof result);
  check("to symbol", cudaMemcpyToSymbol(coefficients, values, sizeof values) == cudaSuccess);
  use_symbols<<<1, 4>>>(out);
  check("from kernel", cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost) == cudaSuccess && result[0] == 42 && result[3] == 45);
  int count = 0;
  check("from symbol", cudaMemcpyFromSymbol(&count, counter, sizeof count) == cudaSuccess && count == 42);
  double half[3];
  check("symbol offset", cudaMemcpyFromSymbol(half, table, sizeof half, sizeof(double)) == cudaSuccess && half[0] == 0.5 && half[2] == 1.5);
  void* address = nullptr;
  size_t size = 0;
  check("symbol address", cudaGetSymbolAddress(&address, table) == cudaSuccess && cudaGetSymbolSize(&size, table) == cudaSuccess && size == 64);
  check("symbol by address", cudaMemcpy(half, static_cast<double*>(address) + 3, 8, cudaMemcpyDeviceToHost) == cudaSuccess && half[0] == 1.5);
  check("symbol overrun", cudaMemcpyToSymbol(coefficients, values, sizeof values, 4) == cudaErrorInvalidValue);
  check("no symbol", cudaMemcpyFromSymbol(&count, &count, 4) == cudaErrorInvalidSymbol);

  int* managed = nullptr;
  check("managed", cudaMallocManaged(&managed, 4 * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < 4; ++i) managed[i] = i;
  shared_number = 10;
  add_managed<<<1, 32>>>(managed, 4);
  check("managed kernel", cudaDeviceSynchronize() == cudaSuccess && managed[0] == 10 && managed[3] == 13 && shared_number == 100);
  struct {
    cudaMemRangeAttribute name;
    int whole, half;
  } const wanted[] = {{cudaMemRangeAttributeReadMostly, 0, 1},
                      {cudaMemRangeAttributePreferredLocation, 0, 0},
                      {cudaMemRangeAttributeLastPrefetchLocation, cudaInvalidDeviceId, cudaCpuDeviceId},
                      {cudaMemRangeAttributePreferredLocationType, cudaMemLocationTypeDevice, cudaMemLocationTypeDevice},
                      {cudaMemRangeAttributeLastPrefetchLocationType, cudaMemLocationTypeInvalid, cudaMemLocationTypeHost}};
  const cudaMemLocation card{cudaMemLocationTypeDevice, 0}, processor{cudaMemLocationTypeHost, 0};
  check("advise", cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, card) == cudaSuccess &&
                      cudaMemAdvise(managed + 2, 8, cudaMemAdviseSetReadMostly, card) == cudaSuccess &&
                      cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, card) == cudaSuccess &&
                      cudaMemAdvise(managed, 16, cudaMemAdviseSetAccessedBy, processor) == cudaSuccess &&
                      cudaMemAdvise(managed, 8, cudaMemAdviseUnsetAccessedBy, processor) == cudaSuccess &&
                      cudaMemPrefetchAsync(managed + 2, 8, processor, 0) == cudaSuccess);
  for (const auto& attribute : wanted) {
    int whole = -7, upper = -7;
    check("range attribute", cudaMemRangeGetAttribute(&whole, 4, attribute.name, managed, 16) == cudaSuccess && whole == attribute.whole &&
                                 cudaMemRangeGetAttribute(&upper, 4, attribute.name, managed + 2, 8) == cudaSuccess && upper == attribute.half);
  }
  int read_mostly = -7, devices[3] = {};
  void* places[] = {&read_mostly, devices};
  size_t sizes[] = {sizeof read_mostly, sizeof devices};
  cudaMemRangeAttribute names[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
  check("range attributes", cudaMemRangeGetAttributes(places, sizes, names, 2, managed, 16) == cudaSuccess && read_mostly == 0 && devices[0] == 0 &&
                                devices[1] == cudaInvalidDeviceId && devices[2] == cudaInvalidDeviceId);
  check("range attribute of no managed memory", cudaMemRangeGetAttribute(&read_mostly, 4, names[0], a, 16) == cudaErrorInvalidValue &&
                                                    cudaMemRangeGetAttribute(&read_mostly, 8, names[0], managed, 16) == cudaErrorInvalidValue &&
                                                    cudaMemRangeGetAttribute(&read_mostly, 4, names[0], managed, 1 << 20) == cudaErrorInvalidValue &&
                                                    cudaGetLastError() == cudaErrorInvalidValue);

  size_t offset = 0, bytes = 0, available = 0;
  cudaFunction_t function = nullptr;
  check("function", cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(twice)) == cudaSuccess &&
                        cudaFuncGetParamInfo(reinterpret_cast<const void*>(function), 2, &offset, &bytes) == cudaSuccess && offset == 16 && bytes == 4 &&
                        cudaFuncGetParamInfo(reinterpret_cast<const void*>(twice), 3, &offset, nullptr) == cudaErrorInvalidValue);
  int resident = 0;
  const auto resident_with = [&](size_t shared) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, twice, 128, shared);
    return resident;
  };
  check("available shared memory", cudaOccupancyAvailableDynamicSMemPerBlock(&available, twice, 3, 128) == cudaSuccess && resident_with(available) == 3 &&
                                       resident_with(available + 1) == 2);
  check("no shared memory", cudaOccupancyAvailableDynamicSMemPerBlock(&available, twice, 33, 1024) == cudaErrorInvalidValue &&
                                cudaGetLastError() == cudaErrorInvalidValue);
  check("managed free", cudaFree(managed) == cudaSuccess);

  int* pinned = nullptr;
  check("pinned", cudaMallocHost(&pinned, 400) == cudaSuccess && (pinned[99] = 3) == 3 && cudaFreeHost(pinned) == cudaSuccess);
  cudaPointerAttributes attributes;
  check("attributes", cudaPointerGetAttributes(&attributes, a + 3) == cudaSuccess && attributes.type == cudaMemoryTypeDevice &&
                          cudaPointerGetAttributes(&attributes, &count) == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered);
  size_t free_bytes = 0, total = 0;
  check("info", cudaMemGetInfo(&free_bytes, &total) == cudaSuccess && free_bytes < total);
  check("errors", cudaMemcpyFromSymbol(&count, &count, 4) == cudaErrorInvalidSymbol && cudaGetLastError() == cudaErrorInvalidSymbol && cudaGetLastError() == cudaSuccess);
}
