#include "grader/device/backends/gpu/clock_probe.h"

#include <array>

namespace cudalabs::gpu {
namespace {

// One thread compares its multiprocessor's cycles with the card's timer, from one tick of the timer to
// another at least 50 us later. A tick can be a microsecond long.
constexpr const char* kPtx = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry cudalabs_clock(.param .u64 result) {
  .reg .pred %p;
  .reg .u64 %out, %t0, %t1, %t2, %c1, %c2, %d;
  ld.param.u64 %out, [result];
  mov.u64 %t0, %globaltimer;
FIRST:
  mov.u64 %t1, %globaltimer;
  setp.eq.u64 %p, %t1, %t0;
  @%p bra FIRST;
  mov.u64 %c1, %clock64;
LAST:
  mov.u64 %t2, %globaltimer;
  sub.u64 %d, %t2, %t1;
  setp.lt.u64 %p, %d, 50000;
  @%p bra LAST;
  mov.u64 %t0, %t2;
TICK:
  mov.u64 %t2, %globaltimer;
  setp.eq.u64 %p, %t2, %t0;
  @%p bra TICK;
  mov.u64 %c2, %clock64;
  sub.u64 %d, %t2, %t1;
  st.global.u64 [%out], %d;
  sub.u64 %d, %c2, %c1;
  st.global.u64 [%out+8], %d;
  ret;
}
)";

}  // namespace

ClockProbe::~ClockProbe() {
  if (result_ != 0) static_cast<void>(context_->run([this] { return context_->driver.free(result_); }));
  if (module_ != nullptr)
    static_cast<void>(context_->run([this] { return context_->driver.unload_module(module_); }));
}

bool ClockProbe::load() {
  const Driver& driver = context_->driver;
  return context_->run([&] { return driver.load_module(&module_, kPtx, 0, nullptr, nullptr); }).ok() &&
         context_->run([&] { return driver.module_function(&function_, module_, "cudalabs_clock"); }).ok() &&
         context_->run([&] { return driver.allocate(&result_, 16); }).ok();
}

double ClockProbe::measure() {
  if (result_ == 0 && !load()) return 0;
  const Driver& driver = context_->driver;
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.hStream = CU_STREAM_LEGACY;
  std::array<void*, 1> parameters{&result_};
  std::array<std::uint64_t, 2> figures{};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = result_;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = figures.data();
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = sizeof figures;
  copy.Height = 1;
  const bool done =
      context_->run([&] { return driver.launch(&config, function_, parameters.data(), nullptr); }).ok() &&
      context_->run([&] { return driver.copy_2d(&copy, CU_STREAM_LEGACY); }).ok() &&
      context_->run([&] { return driver.synchronize_stream(CU_STREAM_LEGACY); }).ok();
  const auto [nanoseconds, cycles] = figures;
  return done && nanoseconds > 0 ? static_cast<double>(cycles) * 1e3 / static_cast<double>(nanoseconds) : 0;
}

}  // namespace cudalabs::gpu
