// An instruction that no device before the newest has; the message names it and its line.
#include "good.cuh"

__global__ void kernel(float* out) {
  asm volatile("tex.level.2d.v4.f32.f32 {%0, %0, %0, %0}, [0, {%0, %0}], %0;" : "+f"(out[0]));  // <-- here
}
ENTRY(global) { kernel<<<1, 1>>>(out); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
