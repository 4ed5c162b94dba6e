#include "grader/device/server/recording_device.h"

#include <cstring>

#include "tests/device/server/fake_device.h"
#include "tests/harness/catch.h"

namespace cudalabs::test {
namespace {

struct Fixture {
  FakeDevice* fake = new FakeDevice;
  RecordingDevice device{std::unique_ptr<Device>(fake)};
  std::shared_ptr<DeviceModule> module = load("bump");
  DevicePtr bytes = device.memory().allocate(4).value;

  std::shared_ptr<DeviceModule> load(std::string_view kernels) {
    return device.modules().load(std::as_bytes(std::span(kernels))).value;
  }
  void bump(DevicePtr target, DeviceStream* stream = nullptr) {
    LaunchRequest request;
    request.module = module.get();
    request.parameters = std::as_bytes(std::span(&target, 1));
    request.stream = stream;
    REQUIRE(device.operations().launch(request, nullptr).ok());
  }
  void set(DevicePtr target, int value) {
    REQUIRE(device.operations().set({target, 0}, std::byte(value), {1, 1}, nullptr).ok());
  }
  int value(DevicePtr target) { return std::to_integer<int>(*fake->at(target, 1)); }
  void replay(std::uint32_t number) { REQUIRE(device.replay(number, false).ok()); }
};

}  // namespace

TEST_CASE("a replay does sets, copies and launches again, in order", "[recording]") {
  Fixture f;
  f.device.begin();
  f.set(f.bytes, 5);
  f.bump(f.bytes);
  REQUIRE(f.device.operations().copy_on_device({f.bytes + 1, 0}, {f.bytes, 0}, {1, 1}, nullptr).ok());
  f.bump(f.bytes);
  const auto recorded = f.device.end();
  REQUIRE(recorded.number != 0);
  CHECK(recorded.live_reason.empty());
  f.set(f.bytes, 90);
  f.set(f.bytes + 1, 90);
  f.replay(recorded.number);
  CHECK(f.value(f.bytes) == 7);
  CHECK(f.value(f.bytes + 1) == 6);
}

TEST_CASE("a replay works on what the memory holds then", "[recording]") {
  Fixture f;
  f.device.begin();
  f.bump(f.bytes);
  const auto recorded = f.device.end();
  f.set(f.bytes, 40);
  f.replay(recorded.number);
  f.replay(recorded.number);
  CHECK(f.value(f.bytes) == 42);
}

TEST_CASE("what is done between recordings is not recorded", "[recording]") {
  Fixture f;
  f.bump(f.bytes);
  f.device.begin();
  f.bump(f.bytes);
  const auto recorded = f.device.end();
  f.bump(f.bytes);
  f.set(f.bytes, 0);
  f.replay(recorded.number);
  CHECK(f.value(f.bytes) == 1);
}

TEST_CASE("host data is that of the recording, whatever the host does to it later", "[recording]") {
  Fixture f;
  std::byte host{17};
  f.device.begin();
  REQUIRE(f.device.operations().copy_to_device({f.bytes, 0}, &host, {1, 1}, nullptr).ok());
  const auto recorded = f.device.end();
  host = std::byte{99};
  f.set(f.bytes, 0);
  f.replay(recorded.number);
  CHECK(f.value(f.bytes) == 17);
}

TEST_CASE("memory, modules and streams live as long as a recording that names them", "[recording]") {
  Fixture f;
  const DevicePtr scratch = f.device.memory().allocate(1).value;
  auto stream = f.device.streams().create_stream(0, 0).value;
  const std::weak_ptr<DeviceStream> watched = stream;
  const std::weak_ptr<DeviceModule> module = f.module;
  f.device.begin();
  f.bump(scratch, stream.get());
  CHECK(f.device.memory().free(scratch).ok());
  const auto recorded = f.device.end();
  stream.reset();
  f.module.reset();
  CHECK_FALSE(watched.expired());
  CHECK_FALSE(module.expired());
  f.replay(recorded.number);
  CHECK(f.fake->memory_map[scratch][0] == std::byte{2});
  CHECK(f.fake->aside.contains(scratch));
  f.device.forget(recorded.number);
  CHECK(watched.expired());
  CHECK(module.expired());
  CHECK(f.fake->memory_map.count(scratch) == 0);
  CHECK_FALSE(f.device.replay(recorded.number, false).ok());
}

TEST_CASE("a recording that is dropped gives back what it held", "[recording]") {
  Fixture f;
  const DevicePtr scratch = f.device.memory().allocate(1).value;
  f.device.begin();
  CHECK(f.device.memory().free(scratch).ok());
  CHECK(f.fake->memory_map.count(scratch) == 1);
  f.device.abandon();
  CHECK(f.fake->memory_map.count(scratch) == 0);
}

TEST_CASE("work after a copy to the host makes a call live", "[recording]") {
  Fixture f;
  std::byte host{};
  f.device.begin();
  f.bump(f.bytes);
  REQUIRE(f.device.operations().copy_to_host(&host, {f.bytes, 0}, {1, 1}, nullptr).ok());
  SECTION("a launch") { f.bump(f.bytes); }
  SECTION("a copy back") {
    REQUIRE(f.device.operations().copy_to_device({f.bytes, 0}, &host, {1, 1}, nullptr).ok());
  }
  SECTION("a set") { f.set(f.bytes, 1); }
  const auto recorded = f.device.end();
  CHECK(recorded.number == 0);
  CHECK(recorded.live_reason.english().find("copy to the host") != std::string::npos);
}

TEST_CASE("a copy to the host at the end can be replayed", "[recording]") {
  Fixture f;
  std::byte host{};
  f.device.begin();
  f.bump(f.bytes);
  REQUIRE(f.device.operations().copy_to_host(&host, {f.bytes, 0}, {1, 1}, nullptr).ok());
  REQUIRE(f.device.operations().synchronize().ok());
  const auto recorded = f.device.end();
  REQUIRE(recorded.number != 0);
  f.replay(recorded.number);
  CHECK(f.value(f.bytes) == 2);
  CHECK(host == std::byte{1});
}

TEST_CASE("streams start together, join where the host waited, and end together", "[recording]") {
  Fixture f;
  const auto one = f.device.streams().create_stream(0, 0).value,
             two = f.device.streams().create_stream(0, 0).value;
  const auto event = f.device.streams().create_event(0).value;  // event 1
  f.device.begin();
  f.bump(f.bytes, one.get());
  REQUIRE(f.device.operations().record(*event, one.get()).ok());
  REQUIRE(f.device.operations().wait(two.get(), *event).ok());
  f.bump(f.bytes, two.get());
  REQUIRE(f.device.operations().synchronize(one.get()).ok());
  f.bump(f.bytes);
  const auto recorded = f.device.end();
  f.fake->order.clear();
  f.replay(recorded.number);
  // Events of the replay itself: event 2 joins streams, 3 and 4 take the times.
  CHECK(f.fake->order ==
        std::vector<std::string>{"record 3@0", "record 2@0", "wait 2@1", "wait 2@2",  // the start, for both
                                 "bump@1", "record 1@1", "wait 1@2", "bump@2",        // as the program said
                                 "record 2@1", "wait 2@0", "wait 2@2",                // here the host waited
                                 "bump@0",                                            //
                                 "record 2@1", "wait 2@0", "record 2@2", "wait 2@0",  // the end of both
                                 "record 4@0"});
}

TEST_CASE("launches are timed one by one on request", "[recording]") {
  Fixture f;
  f.device.begin();
  f.bump(f.bytes);
  f.bump(f.bytes);
  const auto recorded = f.device.end();
  CHECK(f.device.replay(recorded.number, false).value.launch_ns.empty());
  CHECK(f.device.replay(recorded.number, true).value.launch_ns.size() == 2);
}

TEST_CASE("a fault in a replay is an error", "[recording]") {
  Fixture f;
  f.module = f.load("fault");
  f.device.begin();
  f.bump(f.bytes);
  const auto recorded = f.device.end();
  CHECK(f.device.replay(recorded.number, false).error == CudaError::IllegalAddress);
}

TEST_CASE("linked copies follow what a replay reads, and what the host has made stays", "[recording]") {
  constexpr std::uint64_t kBytes = 32;
  Fixture f;
  const DevicePtr input = f.device.memory().allocate(kBytes).value,
                  own = f.device.memory().allocate(kBytes).value;
  const auto fill = [&](int first) {
    for (std::uint64_t k = 0; k < kBytes; ++k)
      *f.fake->at(input + k, 1) = std::byte(first + static_cast<int>(k));
  };
  const auto record = [&](bool copies) {
    fill(1);
    f.device.begin(true);
    std::vector<std::byte> host(kBytes);
    REQUIRE(f.device.operations().copy_to_host(host.data(), {input, 0}, {kBytes, 1}, nullptr).ok());
    if (!copies) {
      for (std::byte& byte : host) byte = std::byte(std::to_integer<int>(byte) * 3);
    }
    REQUIRE(f.device.operations().copy_to_device({own, 0}, host.data(), {kBytes, 1}, nullptr).ok());
    f.bump(own);  // work that follows
    const auto recorded = f.device.end();
    CHECK(recorded.live_reason.empty());
    REQUIRE(recorded.number != 0);
    return recorded.number;
  };
  const std::uint32_t copies = record(true), made = record(false);
  fill(101);
  f.replay(copies);
  CHECK(f.value(own) == 102);
  CHECK(f.value(own + 7) == 108);
  f.replay(made);
  CHECK(f.value(own) == 1 * 3 + 1);
  CHECK(f.value(own + 7) == 8 * 3);
}

}  // namespace cudalabs::test
