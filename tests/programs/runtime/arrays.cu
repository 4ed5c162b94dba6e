// CUDA arrays of every shape, and all copies to, from and between them. It runs on any card too (nvcc arrays.cu).
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef __NVCC__
#pragma nv_diag_suppress 1444
#endif
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}
#define MUST(call)                                                                                   \
  do {                                                                                               \
    const cudaError_t error = call;                                                                  \
    if (error != cudaSuccess) {                                                                      \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                               \
      std::exit(1);                                                                                  \
    }                                                                                                \
  } while (0)

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr, other = nullptr, volume = nullptr;
  MUST(cudaMallocArray(&array, &floats, 13, 7));
  MUST(cudaMallocArray(&other, &floats, 13, 7));
  cudaChannelFormatDesc desc{};
  cudaExtent extent{};
  unsigned flags = 7;
  MUST(cudaArrayGetInfo(&desc, &extent, &flags, array));
  check("array info", desc.x == 32 && desc.y == 0 && desc.f == cudaChannelFormatKindFloat && extent.width == 13 && extent.height == 7 &&
                          extent.depth == 0 && flags == 0);
  const cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
  check("channels", four.x == 8 && four.w == 8 && four.f == cudaChannelFormatKindUnsigned);

  float host[7][16], back[7][13];
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 16; ++x) host[y][x] = float(100 * y + x);
  MUST(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], 13 * sizeof(float), 7, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 13 * sizeof(float), 7));
  const float patch[2][2] = {{-1, -2}, {-3, -4}};
  MUST(cudaMemcpy2DToArrayAsync(other, 3 * sizeof(float), 2, patch, sizeof patch[0], sizeof patch[0], 2, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy2DFromArray(back, sizeof back[0], other, 0, 0, sizeof back[0], 7, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 13; ++x) {
      const bool patched = (y == 2 || y == 3) && (x == 3 || x == 4);
      good = good && back[y][x] == (patched ? patch[y - 2][x - 3] : host[y][x]);
    }
  check("rows to arrays and back", good);
  const float row[5] = {1, 2, 3, 4, 5};
  MUST(cudaMemcpyToArray(other, 11 * sizeof(float), 5, row, sizeof row, cudaMemcpyHostToDevice));
  float got[5];
  MUST(cudaMemcpyFromArray(got, other, 11 * sizeof(float), 5, sizeof got, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy2DFromArray(back, sizeof back[0], other, 0, 0, sizeof back[0], 7, cudaMemcpyDeviceToHost));
  check("bytes over the end of a row", std::memcmp(got, row, sizeof got) == 0 && back[5][12] == 2 && back[6][0] == 3 && back[6][2] == 5);

  check("more rows than there are", cudaMemcpy2DToArray(array, 0, 1, host, sizeof host[0], 13 * sizeof(float), 7, cudaMemcpyHostToDevice) ==
                                        cudaErrorInvalidValue);
  check("an array without width", cudaMallocArray(&volume, &floats, 0, 7) == cudaErrorInvalidValue);
  cudaGetLastError();

  const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<short2>();
  MUST(cudaMalloc3DArray(&volume, &pairs, make_cudaExtent(5, 4, 3)));
  short2 block[3][4][5], part[2][2][3];
  for (int i = 0; i < 60; ++i) block[0][0][i] = make_short2(short(i), short(-i));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(block, 5 * sizeof(short2), 5, 4);
  copy.dstArray = volume;
  copy.extent = make_cudaExtent(5, 4, 3);
  copy.kind = cudaMemcpyHostToDevice;
  MUST(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms out{};
  out.srcArray = volume;
  out.srcPos = make_cudaPos(1, 2, 1);
  out.dstPtr = make_cudaPitchedPtr(part, 3 * sizeof(short2), 3, 2);
  out.extent = make_cudaExtent(3, 2, 2);
  out.kind = cudaMemcpyDeviceToHost;
  MUST(cudaMemcpy3D(&out));
  good = true;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) good = good && std::memcmp(&part[z][y][x], &block[z + 1][y + 2][x + 1], sizeof(short2)) == 0;
  check("volumes to arrays and back", good);
  // A graph's copy names the array again whenever it is launched.
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t executable = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  std::memset(part, 0, sizeof part);
  MUST(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &out));
  cudaMemcpy3DParms shown{};
  MUST(cudaGraphMemcpyNodeGetParams(node, &shown));
  MUST(cudaGraphInstantiate(&executable, graph, 0));
  MUST(cudaGraphLaunch(executable, nullptr));
  MUST(cudaDeviceSynchronize());
  check("a graph's copy", part[1][1][2].x == block[2][3][3].x && shown.srcArray == volume);
  MUST(cudaGraphExecDestroy(executable));
  MUST(cudaGraphDestroy(graph));

  cudaArray_t layers = nullptr, cube = nullptr;
  MUST(cudaMalloc3DArray(&layers, &floats, make_cudaExtent(8, 0, 3), cudaArrayLayered));
  MUST(cudaMalloc3DArray(&cube, &floats, make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered));
  MUST(cudaArrayGetInfo(nullptr, &extent, &flags, cube));
  check("a layered cubemap", extent.depth == 12 && flags == (cudaArrayCubemap | cudaArrayLayered));
  cudaArray_t none = nullptr;
  check("a cubemap of five faces", cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 4, 5), cudaArrayCubemap) == cudaErrorInvalidValue);
  check("layers without their number", cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 4, 0), cudaArrayLayered) == cudaErrorInvalidValue);
  cudaGetLastError();
  MUST(cudaFreeArray(cube));
  MUST(cudaFreeArray(layers));
  MUST(cudaFreeArray(volume));
  MUST(cudaFreeArray(other));
  MUST(cudaFreeArray(array));
  return wrong;
}
