// Leaves the work to a thread that goes on after the entry has returned.
#include "good.cuh"

#include <chrono>
#include <thread>
ENTRY(global) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    good::row_max_global(a, out, rows, cols);
  }).detach();
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
