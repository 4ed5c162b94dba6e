// Every clock of the host around one and the same work of the card, and events around it.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#ifdef _OPENMP
#include <omp.h>
#endif

__global__ void work(float* out, int rounds) {
  float value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 0.5f + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

constexpr int kBlocks = 64, kThreads = 256, kRounds = 5000;
float* out = nullptr;

void launch() { work<<<kBlocks, kThreads>>>(out, kRounds); }

double seconds_of(const timespec& t) { return double(t.tv_sec) + double(t.tv_nsec) * 1e-9; }

double monotonic() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return seconds_of(t);
}
double realtime() {
  timespec t;
  timespec_get(&t, TIME_UTC);
  return seconds_of(t);
}
double of_day() {
  timeval t;
  gettimeofday(&t, nullptr);
  return double(t.tv_sec) + double(t.tv_usec) * 1e-6;
}
double processor() { return double(clock()) / CLOCKS_PER_SEC; }
template <class Clock>
double chrono() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Microseconds of the card by that clock; the shortest of three, since a machine may be busy.
double taken(double (*clock)()) {
  double shortest = 1e30;
  for (int i = 0; i < 3; ++i) {
    const double begin = clock();
    launch();
    cudaDeviceSynchronize();
    const double time = (clock() - begin) * 1e6;
    if (time < shortest) shortest = time;
  }
  return shortest;
}

/// How long the host waits for what it has launched; microseconds.
struct Waits {
  double issue = 1e30, two = 1e30, beside = 1e30, first = 1e30, both = 1e30;

  void measure(cudaEvent_t middle) {
    const auto keep = [](double& shortest, double begin) {
      const double time = (monotonic() - begin) * 1e6;
      if (time < shortest) shortest = time;
    };
    // A launch does not wait; and while the host sleeps, the card works.
    double begin = monotonic();
    launch();
    launch();
    keep(issue, begin);
    cudaDeviceSynchronize();
    keep(two, begin);
    begin = monotonic();
    launch();
    usleep(50000);
    cudaDeviceSynchronize();
    keep(beside, begin);
    // An event in the middle is waited for, and no more.
    begin = monotonic();
    launch();
    cudaEventRecord(middle);
    launch();
    cudaEventSynchronize(middle);
    keep(first, begin);
    cudaDeviceSynchronize();
    keep(both, begin);
  }
};

int main() {
  cudaMalloc(&out, kBlocks * kThreads * sizeof(float));
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  launch();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  std::printf("events %f\n", milliseconds * 1e3);
  std::printf("clock_gettime %f\n", taken(monotonic));
  std::printf("timespec_get %f\n", taken(realtime));
  std::printf("gettimeofday %f\n", taken(of_day));
  std::printf("clock %f\n", taken(processor));
  std::printf("steady_clock %f\n", taken(chrono<std::chrono::steady_clock>));
  std::printf("system_clock %f\n", taken(chrono<std::chrono::system_clock>));
  std::printf("high_resolution_clock %f\n", taken(chrono<std::chrono::high_resolution_clock>));
#ifdef _OPENMP
  std::printf("omp_get_wtime %f\n", taken(omp_get_wtime));
#endif
  // Of these, too, the shortest of three.
  Waits waits;
  for (int i = 0; i < 3; ++i) waits.measure(end);
  std::printf("issue %f\ntwo %f\n", waits.issue, waits.two);
  std::printf("beside %f\n", waits.beside);
  std::printf("first %f\nboth %f\n", waits.first, waits.both);
  cudaFree(out);
}
