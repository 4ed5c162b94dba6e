// The grader's handle with the real process behind it.

#include "grader/device/handle/device_process.h"

#include <array>

#include "tests/harness/catch.h"
#include "tests/harness/device_process.h"

using namespace cudalabs;

TEST_CASE("a device process is what the options say", "[handle]") {
  DeviceOptions options;
  options.memory_bytes = 1 << 20;
  const auto device = DeviceProcess::start(options);
  REQUIRE(device);
  CHECK((*device)->facts().name == "cuda-labs simulator (sm_80)");
  CHECK((*device)->allocate(512 << 10).ok());
  CHECK_FALSE((*device)->allocate(2 << 20).ok());
}

TEST_CASE("the grader's memory is its own, range by range", "[handle]") {
  const auto device = DeviceProcess::start({});
  REQUIRE(device);
  const auto from = (*device)->allocate(4), to = (*device)->allocate(4);
  REQUIRE(from);
  REQUIRE(to);
  const std::array<std::byte, 4> sent{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  std::array<std::byte, 4> got{};
  CHECK((*device)->write(*from, sent).ok());
  CHECK((*device)->copy(*to, *from, 4).ok());
  CHECK((*device)->read(*to, got).ok());
  CHECK(got == sent);
  CHECK_FALSE((*device)->read(*to + 1, got).ok());
  CHECK((*device)->free(*from).ok());
  CHECK_FALSE((*device)->free(*from).ok());
}

TEST_CASE("a device that there is not is an error with its reason", "[handle]") {
  DeviceOptions options;
  options.kind = static_cast<DeviceKind>(7);
  const auto device = DeviceProcess::start(options);
  REQUIRE_FALSE(device);
  CHECK(device.problem().message.find("the grader asked for a device that there is not") !=
        std::string::npos);
}

TEST_CASE("asked for the simulator, nobody looks for a GPU", "[handle]") {
  const auto device =
      start_gpu(DeviceChoice::Simulator, {}, [](std::string_view) { FAIL("nothing to say"); });
  REQUIRE(device);
  CHECK(*device == nullptr);
}
