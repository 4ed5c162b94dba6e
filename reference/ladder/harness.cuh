#pragma once
// What the programs of all ladders share: errors, the clock, and one line of result.
//
//   RUNG [SIZE] [int|float|double] [REPETITIONS]
//
// prints "NAME TYPE SIZE: T ms, ok" and exits with 0 if the answer is right. The time is that between two
// events, the best of the repetitions: measured on a card, estimated under `grader run`. `grader ladder`
// reads this line, and counts what the program launches: a rung launches nothing outside of what is timed.
//
// Where the course's kernel has a mistake by today's rules, NAME_corrected.cu is its corrected twin: it
// defines LADDER_CORRECTED and includes NAME.cu.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>  // not <chrono>, which takes nvcc longer than all the rest of a rung

namespace ladder {

#ifdef LADDER_CORRECTED
inline constexpr bool kCorrected = true;
#else
inline constexpr bool kCorrected = false;
#endif

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

struct Options {
  int size = 0;
  const char* type = "float";
  int repetitions = 1;
};

inline Options read_options(int argc, char** argv, int size, const char* type) {
  Options options{size, type, 1};
  if (argc > 1) options.size = std::atoi(argv[1]);
  if (argc > 2) options.type = argv[2];
  if (argc > 3) options.repetitions = std::atoi(argv[3]);
  if (options.size < 1 || options.repetitions < 1) {
    std::fprintf(stderr, "usage: %s [SIZE] [int|float|double] [REPETITIONS]\n", argv[0]);
    std::exit(2);
  }
  return options;
}

/// run(T()) with the element type that the options name.
template <class Run>
int with_type(const Options& options, Run run) {
  if (std::strcmp(options.type, "int") == 0) return run(0);
  if (std::strcmp(options.type, "double") == 0) return run(0.0);
  return run(0.0f);
}

/// The shortest time of one call of `work`, in milliseconds. `before` runs untimed before each.
template <class Before, class Work>
float best_time(int repetitions, Before before, Work work) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
  float best = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    before();
    check(cudaEventRecord(start), "cudaEventRecord");
    work();
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaEventSynchronize(stop), "the kernel");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    if (repetition == 0 || ms < best) best = ms;
  }
  check(cudaEventDestroy(start), "cudaEventDestroy");
  check(cudaEventDestroy(stop), "cudaEventDestroy");
  return best;
}

/// The same for one thread of the CPU.
template <class Before, class Work>
float best_cpu_time(int repetitions, Before before, Work work) {
  float best = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    before();
    timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    work();
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds = double(end.tv_sec - start.tv_sec) + 1e-9 * double(end.tv_nsec - start.tv_nsec);
    const float ms = float(1e3 * seconds);
    if (repetition == 0 || ms < best) best = ms;
  }
  return best;
}

inline int report(const char* name, const Options& options, float ms, bool right) {
  std::printf("%s %s %d: %.6f ms, %s\n", name, options.type, options.size, ms, right ? "ok" : "WRONG");
  return right ? 0 : 1;
}

template <class T>
T* device_array(size_t count) {
  T* pointer = nullptr;
  check(cudaMalloc(&pointer, count * sizeof(T)), "cudaMalloc");
  return pointer;
}

}  // namespace ladder

#define LADDER_MAIN(run) \
  int main(int argc, char** argv) { return run(argc, argv); }
