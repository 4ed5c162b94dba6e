// Memory of all devices: managed, page-locked, mapped. What each sees of the others' work.
#include <cstdio>
#include <cstdlib>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }
struct Node {
  int value;
  Node* next;
};
__global__ void walk(Node* node) {
  for (; node != nullptr; node = node->next) node->value += 1;
}

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  int *data, *pinned, *mapped;
  cudaSetDevice(1);
  cudaMallocManaged(&data, 64 * sizeof(int));
  cudaMallocHost(&pinned, 64 * sizeof(int));
  cudaHostAlloc(&mapped, 64 * sizeof(int), cudaHostAllocMapped);
  int* registered = static_cast<int*>(std::malloc(64 * sizeof(int)));
  cudaHostRegister(registered, 64 * sizeof(int), cudaHostRegisterDefault);
  Node* nodes;
  cudaMallocManaged(&nodes, 2 * sizeof(Node));
  nodes[0] = {0, &nodes[1]};
  nodes[1] = {10, nullptr};
  for (int i = 0; i < 64; ++i) data[i] = pinned[i] = mapped[i] = registered[i] = i;
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    for (int* memory : {data, pinned, mapped, registered}) add<<<1, 64>>>(memory, device + 1);
    walk<<<1, 1>>>(nodes);
    cudaDeviceSynchronize();
  }
  const int sum = devices * (devices + 1) / 2;
  check("managed", data[5] == 5 + sum);
  check("page-locked", pinned[5] == 5 + sum);
  check("mapped", mapped[5] == 5 + sum);
  check("registered", registered[5] == 5 + sum);
  check("a list", nodes[0].value == devices && nodes[1].value == 10 + devices);
  cudaPointerAttributes of_managed, of_pinned;
  cudaSetDevice(0);
  cudaPointerGetAttributes(&of_managed, data);
  cudaPointerGetAttributes(&of_pinned, pinned);
  check("attributes", of_managed.device == 1 && of_managed.type == cudaMemoryTypeManaged && of_pinned.device == 1 &&
                          of_pinned.type == cudaMemoryTypeHost);
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  place.id = 1;
  check("prefetch", cudaMemPrefetchAsync(data, 64 * sizeof(int), place, 0, 0) == cudaSuccess);
  check("advise", cudaMemAdvise(data, 64 * sizeof(int), cudaMemAdviseSetPreferredLocation, place) == cudaSuccess);
  place.id = devices;
  check("prefetch to none", cudaMemPrefetchAsync(data, 64 * sizeof(int), place, 0, 0) == cudaErrorInvalidDevice);
  check("advise of none", cudaMemAdvise(data, 64 * sizeof(int), cudaMemAdviseSetAccessedBy, place) == cudaErrorInvalidValue);
  cudaGetLastError();
  std::size_t free_before = 0, free_after = 0, total = 0;
  int* much;
  cudaMemGetInfo(&free_before, &total);
  cudaSetDevice(1);
  cudaMalloc(&much, 256 << 20);
  cudaSetDevice(0);
  cudaMemGetInfo(&free_after, &total);
  check("free on device 0", free_before == free_after);
  cudaSetDevice(1);
  cudaMemGetInfo(&free_after, &total);
  cudaFree(much);
  check("and on device 1", free_after + (256 << 20) <= total);
  cudaHostUnregister(registered);
  std::free(registered);
  cudaFreeHost(pinned);
  cudaFreeHost(mapped);
  cudaFree(data);
  cudaFree(nodes);
  check("nothing went wrong", cudaGetLastError() == cudaSuccess);
  return wrong;
}
