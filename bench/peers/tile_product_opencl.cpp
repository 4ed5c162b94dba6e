// bench/tile_product.cu in OpenCL, the same algorithm line by line, for running it on PoCL and Oclgrind.
// Prints the seconds from enqueueing the kernel until it has finished, the second time (the first compiles),
// and a checksum. Argument: N, a multiple of 32; a second argument `once` leaves the warm-up out.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const char* const kSource = R"(
__kernel void tile_product(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float as[32][32], bs[32][32];
  const int tx = get_local_id(0), ty = get_local_id(1);
  const int row = get_group_id(1) * 32 + ty, col = get_group_id(0) * 32 + tx;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    as[ty][tx] = a[(size_t)row * n + t + tx];
    bs[ty][tx] = b[(size_t)(t + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; ++k) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[(size_t)row * n + col] = sum;
}
)";

static void must(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 256;
  const bool warm_up = argc < 3;
  std::vector<float> a(size_t(n) * n), b(a.size()), c(a.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 7) - 3, b[i] = float(i % 5) - 2;
  const size_t bytes = a.size() * sizeof(float);

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  must(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  must(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  must(status, "clCreateCommandQueue");
  const char* source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  must(status, "clCreateProgramWithSource");
  must(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "tile_product", &status);
  must(status, "clCreateKernel");
  cl_mem da = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a.data(), &status);
  must(status, "clCreateBuffer");
  cl_mem db = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b.data(), &status);
  must(status, "clCreateBuffer");
  cl_mem dc = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, nullptr, &status);
  must(status, "clCreateBuffer");
  clSetKernelArg(kernel, 0, sizeof da, &da), clSetKernelArg(kernel, 1, sizeof db, &db);
  clSetKernelArg(kernel, 2, sizeof dc, &dc), clSetKernelArg(kernel, 3, sizeof n, &n);
  const size_t global[] = {size_t(n), size_t(n)}, local[] = {32, 32};

  double seconds = 0;
  for (int run = warm_up ? 0 : 1; run < 2; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    must(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
         "clEnqueueNDRangeKernel");
    must(clFinish(queue), "clFinish");
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  must(clEnqueueReadBuffer(queue, dc, CL_TRUE, 0, bytes, c.data(), 0, nullptr, nullptr),
       "clEnqueueReadBuffer");
  double sum = 0;
  for (float v : c) sum += v;
  std::printf("n %d: %.4f s, checksum %.0f\n", n, seconds, sum);
}
