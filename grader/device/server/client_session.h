#pragma once
// One connection of a submission: the device objects that it owns, and the answer to each of its messages.
// The bytes come from a hostile program; every field is checked here before the device sees it. There are no
// sockets here: server.cpp moves the bytes, tests and the fuzzer call handle() directly.
//
// client_session.cpp takes messages apart and answers those about streams, events and the program itself.
// client_session_memory.cpp, client_session_launch.cpp and client_session_devices.cpp answer the others.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/device/protocol/protocol.h"
#include "grader/device/server/device.h"
#include "grader/device/server/device_group.h"
#include "grader/device/server/kernel_code.h"

namespace cudalabs {

/// The next step after a message was handled.
enum class Action : std::uint8_t {
  Reply,      ///< send `reply`
  Welcome,    ///< send `reply` with the staging buffer's descriptor attached
  Launch,     ///< call run_launch (it may take long), then send finish_launch()
  Ready,      ///< the runner announced its entries and waits for RunEntry
  EntryDone,  ///< the entry returned; the runner waits for the next RunEntry
  Cut,        ///< the message broke the protocol: cut the client off; `reason` says how
};

struct Step {
  Action action = Action::Reply;
  std::vector<std::byte> reply;
  Message reason;
};

/// A launch between its message and its end.
struct PendingLaunch {
  std::shared_ptr<DeviceModule> module;
  std::shared_ptr<DeviceStream> stream;
  std::vector<std::byte> parameters;
  LaunchRequest request;
  KernelCode code;
  bool occupancy_asked = false;
  std::uint64_t arguments = 0;  ///< LaunchRecord::arguments
  Answer<LaunchRun> run;
};

class ClientSession {
 public:
  /// `staging` must outlive the session; the client can write to it at any time.
  ClientSession(Device& device, std::span<std::byte> staging);
  /// Frees everything that the client owned on the device.
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  /// `file`: the descriptor that came with the message; the caller owns it. -1: there was none.
  Step handle(std::span<const std::byte> message, int file = -1);

  /// Runs the launch that handle() accepted. The only member that may run on another thread.
  void run_launch(const std::atomic<bool>* cancel);
  std::vector<std::byte> finish_launch();

  /// The RunEntry message for the client; only when it waits for one.
  std::vector<std::byte> begin_entry(std::uint32_t entry, std::vector<std::uint64_t> arguments);
  [[nodiscard]] bool waiting() const { return state_ == State::Waiting; }
  /// The entries that the submission defines, once it has announced them.
  [[nodiscard]] const std::optional<std::vector<std::uint8_t>>& defined() const { return defined_; }

  /// Lets the client access a range of the grader's memory, until revoke().
  void grant(DevicePtr base, std::uint64_t bytes);
  void revoke(DevicePtr base);

  /// The program has ended: looks for memory that it did not free.
  void end();
  /// The outcome since the last call of this function, without its `end`.
  CallOutcome take_outcome();

 private:
  static constexpr std::size_t kMaxApiErrors = 64;  ///< number of errors that are kept
  enum class State : std::uint8_t {
    Connected,  ///< nothing but Hello is legal
    Running,    ///< the program runs: before Ready, during an entry, or all the time for a program without a
                ///< runner
    Waiting,    ///< the runner waits for RunEntry; it must be silent
  };
  enum class Owner : std::uint8_t { Client, Module, Grader };
  struct Range {
    std::uint64_t bytes = 0;
    Owner owner = Owner::Client;
    bool aside = false;                   ///< the client's, and quarantined
    std::vector<std::uint64_t> frames{};  ///< the client's call that allocated it
  };
  struct LoadedModule {
    /// of the device that loaded it first; all devices have the same kernels
    std::shared_ptr<DeviceModule> module;
    KernelCodes codes;
    std::set<std::uint32_t> occupancy_asked{};  ///< kernels
    /// by device and kernel
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> dynamic_shared_limits{};
    // Used if there are several devices:
    std::map<std::uint32_t, std::shared_ptr<DeviceModule>> by_device{};
    std::vector<std::byte> image{};
    std::vector<std::string> managed{};
  };
  template <class M, class Handler>
  Step on(std::span<const std::byte> message, Handler handler);
  template <class Payload>
  Step reply(const Answer<Payload>& result);
  Step reply(const Status& status);
  static Step cut(Message reason);
  /// Text of a hostile program, made fit for a report: printable ASCII, bounded.
  static std::string clean(std::string text);
  /// The texts among its arguments, and those of the messages in it.
  static Message clean(const Message& message);

  Answer<protocol::Welcome> on_hello() const;
  Answer<protocol::Handle> on_load(const protocol::LoadModule& message);
  Answer<protocol::KernelReply> on_get_kernel(const protocol::GetKernel& message);
  Answer<protocol::Range> on_get_variable(const protocol::GetVariable& message);
  Status on_set_kernel_shared(const protocol::SetKernelShared& message);
  Answer<protocol::Handle> on_occupancy(const protocol::Occupancy& message);
  Answer<protocol::Range> on_allocate(const protocol::Allocate& message);
  Status on_free(const protocol::Free& message);
  Status on_set_aside(const protocol::SetAside& message);
  Answer<protocol::Size> on_create_texture(const protocol::CreateTexture& message);
  Status on_destroy_texture(const protocol::DestroyTexture& message);
  Status on_reset();
  Step on_copy_in(const protocol::CopyIn& message);
  Step on_copy_out(const protocol::CopyOut& message);
  Status on_copy_on_device(const protocol::CopyOnDevice& message);
  Status on_set(const protocol::Set& message);
  Step on_launch(protocol::Launch& message);
  Answer<protocol::Size> on_take_printed();
  Answer<protocol::Placed> on_pointer_info(const protocol::PointerInfo& message) const;
  Status on_choose_device(const protocol::ChooseDevice& message);
  Status on_set_peer_access(const protocol::SetPeerAccess& message);
  Status on_grant(const protocol::Grant& message);
  /// The module on the chosen device. Errors: as Device::load().
  Answer<std::shared_ptr<DeviceModule>> on_chosen_device(LoadedModule& module);
  void forget_peer_access(std::uint32_t device);
  Step on_report_error(const protocol::ReportError& message);
  Step on_report_unsupported(const protocol::ReportUnsupported& message);
  Step on_report_asked(const protocol::ReportAsked& message);
  Step on_stream_operation(protocol::StreamOperation& message);
  Step on_ready(protocol::Ready& message);
  Step handle_stream_or_event(protocol::Kind kind, std::span<const std::byte> message);
  Step handle_stream_object(protocol::Kind kind, std::span<const std::byte> message);
  Step handle_running(protocol::Kind kind, std::span<const std::byte> message);

  /// The sticky error after a kernel fault. Device work is then refused with it.
  [[nodiscard]] Status health() const { return {sticky_, {}}; }
  [[nodiscard]] LoadedModule* find_module(std::uint32_t handle);
  /// Null with `status` set if the handle is wrong. Handle 0 is the default stream (null, ok).
  DeviceStream* find_stream(std::uint32_t handle, Status& status);
  DeviceEvent* find_event(std::uint32_t handle, Status& status);
  [[nodiscard]] const std::pair<const DevicePtr, Range>* find_range(DevicePtr pointer,
                                                                    std::uint64_t bytes) const;
  /// Ok iff all rows lie inside one range that the client may access.
  [[nodiscard]] Status check_range(Pitched range, Extent extent, const char* what) const;
  /// Records a copy or a set in CopyRecord's terms, if it belongs there. A null address is the host's.
  void keep_copy(Pitched from, Pitched to, Extent extent, bool set);
  [[nodiscard]] bool in_staging(std::uint64_t offset, std::uint64_t width, std::uint64_t rows) const;
  [[nodiscard]] std::uint64_t fingerprint(const sim::KernelInfo& kernel,
                                          std::span<const std::byte> parameters) const;
  /// `estimate`: see LaunchRun::estimate.
  void keep(LaunchRecord record, std::shared_future<sim::Estimate> estimate = {});
  /// Waits for the pending estimate of the launch that was recorded last.
  void settle_estimate();

  Device& device_;
  DeviceGroup* const group_;                               ///< null: there is one device
  std::uint32_t chosen_ = 0;                               ///< device
  std::vector<sim::DeviceMask> peers_;                     ///< by device: the peers that it may access
  std::map<std::uint32_t, std::uint32_t> stream_devices_;  ///< by stream
  std::span<std::byte> staging_;
  int file_ = -1;  ///< the descriptor that came with the current message
  State state_ = State::Connected;
  bool entry_running_ = false;
  std::vector<std::uint64_t> arguments_;  ///< of the running entry
  std::optional<std::vector<std::uint8_t>> defined_;

  std::map<DevicePtr, Range> ranges_;
  std::uint64_t client_bytes_ = 0;  ///< of the ranges that the client owns
  std::map<std::uint32_t, LoadedModule> modules_;
  std::map<std::uint32_t, std::shared_ptr<DeviceStream>> streams_;
  std::map<std::uint32_t, std::shared_ptr<DeviceEvent>> events_;
  std::set<std::uint64_t> textures_;
  std::uint32_t next_module_ = 1, next_stream_ = 1, next_event_ = 1;
  std::size_t allocations_ = 0;

  std::optional<PendingLaunch> launch_;
  CudaError sticky_ = CudaError::Success;
  std::string printed_;
  CallOutcome outcome_;
  std::shared_future<sim::Estimate> estimate_;  ///< pending, of outcome_.launches[estimate_of_]
  std::size_t estimate_of_ = 0;
  std::size_t lines_kept_ = 0;
};

}  // namespace cudalabs
