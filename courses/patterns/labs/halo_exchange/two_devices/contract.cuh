#pragma once
// halo_exchange two_devices: the functions that halo.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `from` and `to` are addresses in the global memory of device 0. Both have rows x cols elements, row by row. In one step
// each element that has four neighbours becomes the mean of them: (above + below + left + right) / 4, all from before the
// step. The elements of the first and last row and column keep their values. `to` gets what `steps` steps make of `from`.
// rows, cols and steps may be 0.
//
// Two devices, 0 and 1, share the rows. Each function may return before the work is done, but the work of both devices
// must come before what the caller puts on device 0 afterwards, and device 0 must be the current one again. `from` must
// be left unchanged. What a function allocates, it frees.

/// After each step the rows at the boundary are copied to the other device.
void halo_copies(const float* from, float* to, int rows, int cols, int steps);

/// By peer access: the kernels read the other device's row where it lies.
void halo_peer(const float* from, float* to, int rows, int cols, int steps);
