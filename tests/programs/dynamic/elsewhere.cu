// A kernel that another file's kernels launch.
__global__ void elsewhere(int* log, double x, char c) {
  log[atomicAdd(log, 1) + 1] = c == 'x' ? static_cast<int>(x) : -1;
}
