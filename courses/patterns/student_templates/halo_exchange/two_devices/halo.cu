// halo_exchange two_devices: steps of a stencil on two devices. Read handout.md first.
//
// from and to lie on device 0 and have rows x cols elements, row by row.
#include "contract.cuh"

#include <cstddef>

// ---------------------------------------------------------------------------------------------------------------
// 1. Halo rows are copied.

// TODO: write a kernel that makes one step of the rows of one device.
//   - Which elements keep their values?
//   - Where does the row lie that the first of them needs from above?

void halo_copies(const float* from, float* to, int rows, int cols, int steps) {
  // TODO: give each device its rows and a row of halo on both sides (cudaSetDevice, cudaMalloc, cudaMemcpyPeer); after
  // each step copy the rows at the boundary to the other device; in the end put all rows into `to`. Device 0 must be the
  // current one again.
  (void)from, (void)to, (void)rows, (void)cols, (void)steps;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. By peer access.

// TODO: write a kernel that gets the address of the row above its first and of the row below its last one.

void halo_peer(const float* from, float* to, int rows, int cols, int steps) {
  // TODO: cudaDeviceEnablePeerAccess on both devices, and cudaDeviceDisablePeerAccess in the end.
  // TODO: no step may begin before the other device has finished the last one: cudaEventRecord, cudaStreamWaitEvent.
  (void)from, (void)to, (void)rows, (void)cols, (void)steps;
}
