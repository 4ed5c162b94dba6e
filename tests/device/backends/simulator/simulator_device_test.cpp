// When a launch is estimated: if its time counts, or if its program could see the time.

#include "grader/device/server/backends.h"

#include <cstring>
#include <string>
#include <vector>

#include "grader/device/server/recording_device.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

const std::string kEmpty =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\nret;\n}\n";
/// Stores 7 to the byte at the given address.
const std::string kStore =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .u64 %a;\n"
    "ld.param.u64 %a, [p];\nst.global.u8 [%a], 7;\nret;\n}\n";

/// Loops 10,000 times, which takes a while to estimate.
const std::string kLoop =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .u32 %i;\n"
    ".reg .pred %q;\nmov.u32 %i, 0;\nagain:\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 10000;\n"
    "@%q bra again;\nret;\n}\n";

/// A fat binary as in fatbin.h, with one text.
std::vector<std::byte> fat_binary_of(const std::string& ptx) {
  std::vector<std::byte> bytes(80 + ptx.size());
  const auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  put(0, std::uint32_t{0xBA55ED50});
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{16});
  put(8, std::uint64_t{64 + ptx.size()});
  put(16, std::uint16_t{1});
  put(20, std::uint32_t{64});
  put(24, std::uint64_t{ptx.size()});
  put(44, std::uint32_t{80});
  std::memcpy(bytes.data() + 80, ptx.data(), ptx.size());
  return bytes;
}

struct Card {
  std::unique_ptr<Device> device = std::move(*make_simulator_device({}));
  std::shared_ptr<DeviceModule> module = device->modules().load(fat_binary_of(kEmpty)).value;
  std::shared_ptr<DeviceEvent> first = device->streams().create_event(0).value,
                               second = device->streams().create_event(0).value;

  void begin_call(bool untimed) {
    WatchedCall call;
    call.untimed = untimed;
    device->instrumentation().begin_call(std::move(call));
  }
  /// The estimated time of a launch.
  double launch() {
    const std::uint64_t parameter = 0;
    LaunchRequest request;
    request.module = module.get();
    request.config.block = {32, 1, 1};
    request.parameters = std::as_bytes(std::span(&parameter, 1));
    const auto run = device->operations().launch(request, nullptr);
    REQUIRE(run.ok());
    return run.value.record.estimated_ns();
  }
};

LaunchRequest one_thread(const DeviceModule& module, const std::uint64_t& pointer) {
  LaunchRequest request;
  request.module = &module;
  request.parameters = std::as_bytes(std::span(&pointer, 1));
  return request;
}

}  // namespace

TEST_CASE("what a text may use goes by its own target, whatever its image says", "[device]") {
  const auto device = std::move(*make_simulator_device({}));
  std::string text = kEmpty;
  text.replace(text.find("sm_80"), 5, "sm_90");
  const auto loaded = device->modules().load(fat_binary_of(text));
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.detail.english() == "the program's GPU code is for sm_90, but the device is sm_80");
}

TEST_CASE("memory that was freed faults while a recording holds it, and is there for replays",
          "[recording]") {
  RecordingDevice device(std::move(*make_simulator_device({})));
  const auto module = device.modules().load(fat_binary_of(kStore)).value;
  const DevicePtr pointer = device.memory().allocate(1).value;
  const LaunchRequest store = one_thread(*module, pointer);
  device.begin();
  REQUIRE(device.operations().launch(store, nullptr).value.fault.kind == sim::FaultKind::None);
  REQUIRE(device.memory().free(pointer).ok());
  const auto recorded = device.end();
  REQUIRE(recorded.number != 0);
  REQUIRE(device.replay(recorded.number, false).ok());
  const sim::Fault fault = device.operations().launch(store, nullptr).value.fault;
  CHECK(fault.kind == sim::FaultKind::OutOfBounds);
  CHECK(fault.message.english().find("is inside memory that was freed") != std::string::npos);
  device.forget(recorded.number);
  CHECK_FALSE(device.memory().free(pointer).ok());
}

TEST_CASE("a launch that nobody times is not estimated, and one that is timed is", "[estimates]") {
  Card card;
  card.begin_call(true);
  CHECK(card.launch() == 0);
  card.begin_call(false);
  CHECK(card.launch() > 1000);
}

TEST_CASE("a program's events do not tell who is timed", "[estimates]") {
  float seen[2];
  for (const bool untimed : {false, true}) {
    Card card;
    card.begin_call(untimed);
    card.launch();  // before the first event, so no time difference includes it
    REQUIRE(card.device->operations().record(*card.first, nullptr).ok());
    card.launch();
    card.launch();
    REQUIRE(card.device->operations().record(*card.second, nullptr).ok());
    seen[untimed ? 1 : 0] = card.device->streams().elapsed(*card.first, *card.second).value;
  }
  CHECK(seen[0] > 0);
  CHECK(seen[0] == seen[1]);
}

TEST_CASE("a time that is still estimated comes to whoever asks for it", "[estimates]") {
  struct Seen {
    double bounds = 0;
    float once = 0, thrice = 0, other_stream = 0;
  };
  std::vector<Seen> seen;
  for (const std::uint32_t threads : {1, 2}) {
    DeviceSetup setup;
    setup.threads = threads;
    const auto device = std::move(*make_simulator_device(setup));
    const auto module = device->modules().load(fat_binary_of(kLoop)).value;
    const std::uint64_t parameter = 0;
    LaunchRequest request = one_thread(*module, parameter);
    request.config.block = {256, 1, 1};
    const auto stream = device->streams().create_stream(0, 0).value;
    std::vector<std::shared_ptr<DeviceEvent>> events;
    for (int i = 0; i < 4; ++i) events.push_back(device->streams().create_event(0).value);
    REQUIRE(device->operations().record(*events[0], nullptr).ok());
    const auto first = device->operations().launch(request, nullptr);
    CHECK(first.value.estimate.valid() == (threads > 1));
    REQUIRE(device->operations().record(*events[1], nullptr).ok());
    REQUIRE(device->operations().wait(stream.get(), *events[1]).ok());
    REQUIRE(device->operations().record(*events[2], stream.get()).ok());
    REQUIRE(device->operations().record(*events[1], nullptr).ok());  // a wait applies to the earlier record
    REQUIRE(device->operations().launch(request, nullptr).ok());
    REQUIRE(device->operations().launch(request, nullptr).ok());
    REQUIRE(device->operations().synchronize().ok());
    REQUIRE(device->operations().record(*events[3], nullptr).ok());
    const auto elapsed = [&](int to) { return device->streams().elapsed(*events[0], *events[to]).value; };
    Seen& now = seen.emplace_back();
    now.thrice = elapsed(3);
    now.once = elapsed(1);
    now.other_stream = elapsed(2);
    now.bounds = threads > 1 ? first.value.estimate.get().bounds.total() : first.value.record.estimated_ns();
  }
  CHECK(seen[0].bounds > 10'000);
  CHECK(seen[0].bounds == seen[1].bounds);
  CHECK(seen[0].once > 0.01F);
  CHECK(seen[0].once == seen[1].once);
  CHECK(seen[0].other_stream == seen[1].other_stream);
  CHECK(seen[0].thrice > 2 * seen[0].once);
  CHECK(seen[0].thrice == seen[1].thrice);
}

}  // namespace cudalabs
