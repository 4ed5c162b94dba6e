// A session with several simulated devices: requests of a program that does not use our cudart, and the
// devices' clocks.

#include <cstring>

#include "grader/device/backends/simulator/card_clocks.h"
#include "grader/device/server/backends.h"
#include "grader/device/server/client_session.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

using namespace protocol;

struct TwoDevices {
  std::unique_ptr<Device> device;
  std::vector<std::byte> staging = std::vector<std::byte>(kStagingBytes);
  std::unique_ptr<ClientSession> session;
  ReplyHead head;

  TwoDevices() {
    DeviceSetup setup;
    setup.memory_bytes = std::uint64_t{1} << 30;
    setup.devices = {3, 5};
    device = std::move(*make_simulator_device(setup));
    session = std::make_unique<ClientSession>(*device, staging);
  }
  template <class Payload = Nothing, class M>
  Answer<Payload> ask(M message) {
    const Step step = session->handle(encode(std::move(message)));
    REQUIRE(step.action != Action::Cut);
    auto kind = Kind{};
    Answer<Payload> result;
    Reader reader(step.reply);
    reader(kind, head);
    if (head.error == 0) reader(result.value);
    REQUIRE(reader.finished());
    result.error = static_cast<CudaError>(head.error);
    result.detail = head.detail;
    return result;
  }
  Welcome hello() { return ask<Welcome>(Hello{}).value; }
  std::uint64_t allocate(std::uint64_t bytes) { return ask<Range>(Allocate{bytes}).value.address; }
};

}  // namespace

TEST_CASE("what is asked belongs to the chosen device", "[devices]") {
  TwoDevices two;
  CHECK(two.hello().devices == std::vector<std::uint32_t>{3, 5});
  const std::uint64_t first = two.allocate(std::uint64_t{256} << 20);
  CHECK(two.ask(ChooseDevice{1}).ok());
  CHECK(two.ask<Range>(protocol::MemoryInfo{}).value.address == std::uint64_t{1} << 30);
  const std::uint64_t second = two.allocate(100);
  CHECK(two.ask<Placed>(PointerInfo{first + 5}).value.device == 0);
  CHECK(two.ask<Placed>(PointerInfo{second}).value.device == 1);
  // Each has its own memory: this one has 800 MiB, and the other no longer does.
  CHECK(two.ask<Range>(Allocate{std::uint64_t{800} << 20}).ok());
  CHECK(two.ask(ChooseDevice{0}).ok());
  CHECK(two.ask<Range>(Allocate{std::uint64_t{800} << 20}).error == CudaError::MemoryAllocation);
  CHECK(two.ask(ChooseDevice{2}).error == CudaError::InvalidDevice);
  CHECK(two.ask(ChooseDevice{UINT32_MAX}).error == CudaError::InvalidDevice);
  CHECK(two.ask(SetPeerAccess{2, true}).error == CudaError::InvalidDevice);
  CHECK(two.ask(SetPeerAccess{UINT32_MAX, false}).error == CudaError::InvalidDevice);
  CHECK(two.ask(Grant{second + 1, 3}).error == CudaError::InvalidValue);
  CHECK(two.ask(Grant{second, UINT32_MAX}).ok());
}

TEST_CASE("the next program begins with device 0, and without peer access", "[devices]") {
  TwoDevices two;
  two.hello();
  CHECK(two.ask(ChooseDevice{1}).ok());
  CHECK(two.ask(SetPeerAccess{0, true}).ok());
  CHECK(two.ask(SetPeerAccess{0, true}).error == CudaError::PeerAccessAlreadyEnabled);
  two.session = std::make_unique<ClientSession>(*two.device, two.staging);
  two.hello();
  const std::uint64_t here = two.allocate(64);
  CHECK(two.ask<Placed>(PointerInfo{here}).value.device == 0);
  CHECK(two.ask(ChooseDevice{1}).ok());
  CHECK(two.ask(Set{here, 0, 64, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(two.ask(SetPeerAccess{0, true}).ok());
  CHECK(two.ask(Set{here, 0, 64, 1, 0, 0}).ok());
}

TEST_CASE("a stream's work is that of its device, whichever is chosen", "[devices]") {
  TwoDevices two;
  two.hello();
  CHECK(two.ask(ChooseDevice{1}).ok());
  const auto stream = two.ask<Handle>(CreateStream{}).value.value;
  const std::uint64_t there = two.allocate(1 << 20);
  CHECK(two.ask(ChooseDevice{0}).ok());
  CHECK(two.head.busy_ns == 0);
  CHECK(two.ask(Set{there, 0, 1 << 20, 1, 0, stream}).ok());
  CHECK(two.head.device == 1);
  CHECK(two.head.busy_ns > 0);
  CHECK(two.ask(SyncDevice{}).ok());
  CHECK(two.head.device == 0);
  CHECK(two.head.busy_ns == 0);
}

TEST_CASE("one device knows no other", "[devices]") {
  const auto device = std::move(*make_simulator_device({}));
  CHECK(device->group() == nullptr);
  std::vector<std::byte> staging(kStagingBytes);
  ClientSession session(*device, staging);
  REQUIRE(session.handle(encode(Hello{})).action == Action::Welcome);
  for (const auto& message : {encode(ChooseDevice{1}), encode(SetPeerAccess{1, true})}) {
    const Step step = session.handle(message);
    ReplyHead head;
    auto kind = Kind{};
    Reader reader(step.reply);
    reader(kind, head);
    CHECK(static_cast<CudaError>(head.error) == CudaError::InvalidDevice);
  }
}

TEST_CASE("cards work side by side until one waits for another", "[devices]") {
  CardClocks clocks(2);
  clocks.pass(0, 100);
  clocks.pass(1, 30);
  CHECK(clocks.now_ns(0) == 100);
  CHECK(clocks.now_ns(1) == 30);
  clocks.wait_until(1, clocks.now_ns(0));
  clocks.pass(1, 10);
  CHECK(clocks.now_ns(1) == 110);
  CHECK(clocks.busy_ns(1) == 40);
  // The host waits for device 1 and then gives work to device 0.
  clocks.host_waits_until(clocks.now_ns(1));
  clocks.pass(0, 5);
  CHECK(clocks.now_ns(0) == 115);
  CHECK(clocks.busy_ns(0) == 105);
  clocks.host_waits_until(0);
  CHECK(clocks.now_ns(0) == 115);
}

}  // namespace cudalabs
