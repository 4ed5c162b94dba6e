#include "grader/device/process/device.h"

#include "tests/device/process/fake_device.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// One kernel under 4 KiB of static shared memory and __launch_bounds__(256), asked of the usual card.
struct Asked {
  test::FakeModule module;
  DeviceProperties properties;
  LaunchRequest request;

  Asked() {
    sim::KernelInfo kernel;
    kernel.name = kernel.demangled = "k";
    kernel.static_shared_bytes = 4096;
    kernel.max_threads = 256;
    module.kernel_list.push_back(kernel);
    request.module = &module;
  }
  Status answer() const { return check_launch(properties, request); }
  Status of(sim::Dim3 grid, sim::Dim3 block, std::uint32_t shared, std::uint64_t shared_limit = 0) {
    request.config = {grid, block, shared, false};
    request.dynamic_shared_limit = shared_limit;
    return answer();
  }
};

}  // namespace

TEST_CASE("a launch that the card allows is allowed, to the last byte and thread", "[launch_limits]") {
  Asked a;
  CHECK(a.of({1, 1, 1}, {1, 1, 1}, 0).ok());
  CHECK(a.of({2147483647u, 65535, 65535}, {256, 1, 1}, 0).ok());
  CHECK(a.of({1, 1, 1}, {2, 2, 64}, 0).ok());
  CHECK(a.of({1, 1, 1}, {32, 1, 1}, 44 * 1024).ok());
  CHECK(a.of({1, 1, 1}, {32, 1, 1}, 100'000, 100'000).ok());
  CHECK(a.of({1, 1, 1}, {32, 1, 1}, 159 * 1024, 159 * 1024).ok());
}

TEST_CASE("sizes that the card does not allow are invalid values, with what was asked", "[launch_limits]") {
  Asked a;
  const auto refusal = [&](const Status& status) {
    CHECK(status.error == CudaError::InvalidValue);
    return status.detail;
  };
  CHECK(refusal(a.of({0, 1, 1}, {1, 1, 1}, 0)) == "kernel k: a grid of (0, 1, 1) blocks is empty");
  CHECK(refusal(a.of({1, 65536, 1}, {1, 1, 1}, 0)) ==
        "kernel k: a grid of (1, 65536, 1) blocks, the most is (2147483647, 65535, 65535)");
  CHECK(refusal(a.of({1, 1, 1}, {1, 0, 1}, 0)) == "kernel k: a block of (1, 0, 1) threads is empty");
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 65}, 0)) ==
        "kernel k: a block of (1, 1, 65) threads, the most is 1024 threads in all");
  CHECK(refusal(a.of({1, 1, 1}, {1025, 1, 1}, 0)) ==
        "kernel k: a block of (1025, 1, 1) threads, the most is 1024 threads in all");
  CHECK(refusal(a.of({1, 1, 1}, {257, 1, 1}, 0)) ==
        "kernel k: a block of 257 threads, its __launch_bounds__ allows 256");
  CHECK(
      refusal(a.of({1, 1, 1}, {1, 1, 1}, 44 * 1024 + 1)) ==
      "kernel k: 49153 bytes of shared memory asked, limit 49152 (cudaFuncSetAttribute raises it to 166912)");
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 1}, 100'001, 100'000)) ==
        "kernel k: 104097 bytes of shared memory asked, limit 104096 (cudaFuncSetAttribute raises it to "
        "166912)");
  // Nothing raises it further.
  CHECK(refusal(a.of({1, 1, 1}, {1, 1, 1}, 159 * 1024 + 1, 200'000)) ==
        "kernel k: 166913 bytes of shared memory asked, limit 166912");
}

TEST_CASE("a cooperative launch fits the card at a time, or has an error of its own", "[launch_limits]") {
  Asked a;
  a.request.config = {{108 * 8, 1, 1}, {256, 1, 1}, 0, true};
  CHECK(a.answer().ok());
  a.request.config.grid.x += 1;
  const Status status = a.answer();
  CHECK(status.error == CudaError::CooperativeLaunchTooLarge);
  CHECK(status.detail == "kernel k: 865 blocks in a cooperative launch, 864 fit the device at a time");
  a.request.config.cooperative = false;
  CHECK(a.answer().ok());
}
