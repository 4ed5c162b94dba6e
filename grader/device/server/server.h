#pragma once
// The device process's loop: one trusted control socket, at most one untrusted client.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "grader/base/result.h"
#include "grader/device/protocol/control.h"
#include "grader/device/protocol/protocol.h"
#include "grader/device/server/client_session.h"
#include "grader/device/server/device.h"
#include "grader/device/server/launch_worker.h"
#include "grader/device/server/recording_device.h"

namespace cudalabs {

/// Makes the device that the grader asked for. On error the grader gets the text.
using DeviceFactory = std::function<Result<std::unique_ptr<Device>>(const DeviceSetup&)>;

class Server {
 public:
  /// Takes the control socket.
  Server(int control, DeviceFactory make_device);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Serves until the control socket closes, and returns 0; returns 1 if the grader's first message was not
  /// Configure.
  int run();

 private:
  struct Client {
    int socket = -1;
    protocol::Staging staging;
    std::unique_ptr<ClientSession> session;
  };
  enum class Waiting : std::uint8_t { ForReady, ForEntry, ForEnd };
  struct Pending {
    std::uint32_t sequence = 0;
    Waiting waiting{};
  };

  bool handle_control(std::span<const std::byte> message, int descriptor);
  void on_configure(const protocol::Configure& message);
  void on_new_client(std::uint32_t sequence, int descriptor);
  void on_wait_ready(std::uint32_t sequence);
  void on_call(protocol::CallEntry& message);
  void on_serve(std::uint32_t sequence);
  void on_cancel();
  protocol::ControlReply on_allocate(const protocol::GraderAllocate& message);
  protocol::ControlReply on_free(const protocol::GraderFree& message);
  protocol::ControlReply on_write(const protocol::GraderWrite& message);
  protocol::ControlReply on_read(const protocol::GraderRead& message);
  protocol::ControlReply on_copy(const protocol::GraderCopy& message);
  protocol::ControlReply on_replay(const protocol::Replay& message);
  protocol::ControlReply on_forget(const protocol::Forget& message);
  [[nodiscard]] sim::DeviceRange allocation_of(DevicePtr pointer) const;
  [[nodiscard]] bool owns(DevicePtr pointer, std::uint64_t bytes) const;

  void serve_client();
  void on_launch_done();
  void answer_client(std::span<const std::byte> message, bool with_staging);
  /// The client is gone: it left, or it broke the protocol (`violation` not empty).
  void end_client(const Message& violation);
  /// Forgets the client and its objects, and stops a launch that still runs.
  void drop_client();
  /// Logs a message of the client, and what is sent back.
  void trace_request(std::span<const std::byte> message);
  void trace_answer(std::span<const std::byte> message) const;

  void answer_ready();
  /// The entry returned: answers with its outcome, and with its recording or timing.
  void answer_entry();
  void answer_outcome(CallOutcome outcome);
  void answer(protocol::ControlReply reply, int descriptor = -1);

  int control_;
  DeviceFactory make_device_;
  std::unique_ptr<RecordingDevice> device_;
  protocol::Staging staging_;
  std::map<DevicePtr, std::uint64_t> memory_;  ///< the grader's allocations
  LaunchWorker worker_;
  std::optional<Client> client_;
  std::optional<Pending> pending_;
  protocol::Kind asked_{};  ///< the client's last message, if the wire is logged
  std::chrono::steady_clock::time_point asked_at_;
  std::optional<CallOutcome> last_words_;  ///< of a client that ended while no request waited
};

}  // namespace cudalabs
