// The helpers of NVIDIA's samples, which never came with CUDA.
#include <cutil_inline.h>
#include <helper_math.h>

#include "cuPrintf.cu"

__global__ void step(float4* p, float4 v) {
  p[threadIdx.x] = p[threadIdx.x] + v * 2.0f;
  if (threadIdx.x == 1) cuPrintf("%g %g\n", p[1].x, dot(v, v));
}

int main(int argc, char** argv) {
  int n = 2;
  if (checkCmdLineFlag(argc, (const char**)argv, "n"))
    n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
  float4 host[8], *p;
  for (int i = 0; i < 8; ++i) host[i] = make_float4(make_float3(i), 1);
  cutilSafeCall(cudaMalloc((void**)&p, sizeof host));
  cutilSafeCall(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  unsigned timer = 0;
  cutilCheckError(cutCreateTimer(&timer));
  cutilCheckError(cutStartTimer(timer));
  cudaPrintfInit();
  step<<<1, n>>>(p, make_float4(1, 2, 3, 4));
  cutilCheckMsg("step");
  cudaPrintfDisplay(stdout, true);
  cudaPrintfEnd();
  cutilSafeCall(cutilDeviceSynchronize());
  cutilCheckError(cutStopTimer(timer));
  cutilSafeCall(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("%g %g %d\n", length(host[0]), clamp(host[1], 0.0f, 4.0f).w, cutGetTimerValue(timer) > 0);
  cutilExit(argc, argv);
}
