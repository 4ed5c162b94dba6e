#include "grader/device/server/device.h"

#include "tests/device/server/fake_device.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

// launch_limits_test.cpp tests the rejected launches; this tests the CUDA error of each.
TEST_CASE("a launch that the card does not allow has CUDA's error, and the words for it", "[device]") {
  sim::KernelInfo kernel;
  kernel.name = kernel.demangled = "k";
  test::FakeModule module;
  module.kernel_list.push_back(kernel);
  LaunchRequest request;
  request.module = &module;
  const auto answer = [&](sim::LaunchConfig config) {
    request.config = config;
    return check_launch(DeviceProperties{}, request);
  };
  CHECK(answer({{1, 1, 1}, {256, 1, 1}, 0, false}).ok());

  const Status too_large = answer({{1, 65536, 1}, {1, 1, 1}, 0, false});
  CHECK(too_large.error == CudaError::InvalidValue);
  CHECK(too_large.detail.english() ==
        "kernel k: a grid of (1, 65536, 1) blocks exceeds the limit of (2147483647, 65535, 65535)");

  const Status at_a_time = answer({{108 * 8 + 1, 1, 1}, {256, 1, 1}, 0, true});
  CHECK(at_a_time.error == CudaError::CooperativeLaunchTooLarge);
  CHECK(at_a_time.detail.english() ==
        "kernel k: a cooperative launch of 865 blocks exceeds the 864 that fit on the device at a time");

  // The limit from cudaFuncSetAttribute is used.
  CHECK(answer({{1, 1, 1}, {32, 1, 1}, 100'000, false}).error == CudaError::InvalidValue);
  request.dynamic_shared_limit = 100'000;
  CHECK(answer({{1, 1, 1}, {32, 1, 1}, 100'000, false}).ok());
}
