#pragma once
// A client session over the fake device, without sockets.

#include <cstring>
#include <string_view>

#include "grader/device/server/client_session.h"
#include "tests/device/server/fake_device.h"

namespace cudalabs::test {

struct SessionFixture {
  FakeDevice device;
  std::vector<std::byte> staging = std::vector<std::byte>(protocol::kStagingBytes);
  int file = -1;  ///< that comes along with each message
  std::unique_ptr<ClientSession> session = std::make_unique<ClientSession>(device, staging);

  template <class M>
  Step send(M message) {
    return session->handle(protocol::encode(std::move(message)), file);
  }
  /// Sends a request, running it if it is a launch, and reads the reply.
  template <class Payload = protocol::Nothing, class M>
  Answer<Payload> ask(M message) {
    Step step = send(std::move(message));
    if (step.action == Action::Launch) {
      const std::atomic<bool> cancel{true};
      session->run_launch(&cancel);
      step.reply = session->finish_launch();
    }
    if (step.action == Action::Cut) return failure<Payload>(CudaError::Unknown, step.reason);
    auto kind = protocol::Kind{};
    protocol::ReplyHead head;
    Answer<Payload> result;
    protocol::Reader reader(step.reply);
    reader(kind, head);
    if (head.error == 0) reader(result.value);
    if (!reader.finished()) throw std::runtime_error("a reply that cannot be read");
    result.error = static_cast<CudaError>(head.error);
    result.detail = head.detail;
    return result;
  }
  void hello() {
    if (send(protocol::Hello{}).action != Action::Welcome) throw std::runtime_error("no welcome");
  }
  std::uint32_t load(std::string_view kernels) {
    std::memcpy(staging.data(), kernels.data(), kernels.size());
    return ask<protocol::Handle>(protocol::LoadModule{kernels.size()}).value.value;
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    return ask<protocol::Range>(protocol::Allocate{bytes}).value.address;
  }
};

inline protocol::Launch launch_of(std::uint32_t module, std::uint32_t kernel) {
  protocol::Launch launch;
  launch.module = module;
  launch.kernel = kernel;
  launch.parameters.resize(8);
  return launch;
}

}  // namespace cudalabs::test
