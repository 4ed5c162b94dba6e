#include "grader/device/client/device_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>
#include <utility>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/base/process/processor_use.h"
#include "grader/device/client/memory_group.h"
#include "grader/device/client/process_memory.h"
#include "grader/device/driver/driver_library.h"
#include "grader/device/protocol/control.h"
#include "grader/device/protocol/work.h"
#include "grader/device/trace/device_log.h"
#include "grader/device/trace/wire_text.h"
#include "grader/diagnostics/messages/device.h"

extern char** environ;

namespace cudalabs {
namespace {

using namespace protocol;
using Clock = std::chrono::steady_clock;
using logging::Metric;
using logging::Stage;
using logging::Timed;
using std::chrono::milliseconds;

constexpr milliseconds kAnswer{60'000};    ///< for requests that end by themselves
constexpr milliseconds kGrace{5'000};      ///< for a cancelled launch to stop
constexpr int kMaxPatience = 10;           ///< factor on a call's timeout, on a busy machine
constexpr milliseconds kMinWait{20};       ///< between two measurements of processor use
constexpr milliseconds kBetweenLooks{50};  ///< between two looks at the running launch
/// Bytes of an array written or read at a time: few enough to stay in a processor's cache on their way
/// through the staging buffer, whose other pages nobody touches.
constexpr std::size_t kAtOnce = std::size_t{1} << 20;
constexpr int kMaxOutdated = 16;              ///< replies to requests that have already timed out
constexpr milliseconds kToolReport{300'000};  ///< for a tool to write its report

Diagnostic lost(Message why) {
  return error(msg::device_process_gone(std::move(why)), msg::device_process_gone_hint());
}

/// Reads a whole outcome from a memfd. It uses pread, not a mapping: nobody can then truncate the file under
/// us.
bool unpack(int descriptor, std::uint64_t size, CallOutcome& outcome) {
  if (size > kMaxOutcome) return false;
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  Reader reader(bytes);
  reader(outcome);
  const auto sound = [](const LaunchRecord& launch) {
    return std::all_of(launch.accesses.begin(), launch.accesses.end(), [](const sim::LineAccesses& line) {
      return line.worst.kind <= sim::AccessKind::Atomic && std::has_single_bit(line.worst.width) &&
             line.worst.width <= 16;
    });
  };
  for (const sim::Finding& finding : outcome.findings) {
    if (!sim::is_checker(finding.checker) || finding.severity > sim::Severity::Warning) return false;
  }
  return reader.finished() && outcome.end <= CallEnd::DeviceLost &&
         outcome.fault.kind <= sim::FaultKind::Unsupported &&
         std::all_of(outcome.launches.begin(), outcome.launches.end(), sound);
}

std::string seconds(std::chrono::nanoseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g s", std::chrono::duration<double>(time).count());
  return text.data();
}

/// Logs requests and their replies at the stage `wire`.
class WireTrace {
 public:
  void sent(std::uint32_t sequence, std::span<const std::byte> message) {
    if (!logging::wants(Stage::Wire, logging::Level::Trace)) return;
    requests_[sequence] = {kind_of(message), Clock::now()};
    logging::trace(Stage::Wire, [&] { return "grader -> device  " + request_text(message); });
  }
  void received(std::uint32_t sequence, std::span<const std::byte> message) {
    const auto request = requests_.find(sequence);
    if (request == requests_.end()) return;
    logging::trace(Stage::Wire, [&] {
      return "grader <- device  " + reply_text(request->second.kind, message) + ", " +
             milliseconds_text(Clock::now() - request->second.at);
    });
    requests_.erase(request);
  }

 private:
  struct Request {
    Kind kind{};
    Clock::time_point at;
  };
  std::map<std::uint32_t, Request> requests_;  ///< without a reply so far
};

class SpawnedDevice final : public DeviceProcess {
 public:
  SpawnedDevice(pid_t pid, int control, DeviceKind kind, std::unique_ptr<DeviceLog> log)
      : pid_(pid), control_(control), kind_(kind), log_(std::move(log)) {}
  ~SpawnedDevice() override {
    kill_it();
    if (control_ >= 0) close(control_);
  }
  SpawnedDevice(const SpawnedDevice&) = delete;
  SpawnedDevice& operator=(const SpawnedDevice&) = delete;

  Result<void> configure(const DeviceOptions& options) {
    Configure message;
    message.setup = options;
    message.setup.watched_by_tool = !options.tool.empty();
    if (options.process_bytes == 0) message.setup.process_bytes = process_memory(options, short_of_memory_);
    process_bytes_ = message.setup.process_bytes;
    // A second bound, above the process's own limit: the process's own check also knows what it was working
    // on.
    if (options.tool.empty()) group_ = MemoryGroup::around(pid_, process_bytes_ + process_bytes_ / 8);
    int staging = -1;
    auto reply = request(message, -1, kAnswer, &staging);
    if (!reply) return reply.problem();
    staging_ = protocol::Staging::adopt(staging);
    if (!staging_ || !from_bytes(reply->bytes, facts_)) return lost(msg::device_says_nothing());
    return {};
  }

  [[nodiscard]] DeviceKind kind() const override { return kind_; }
  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }

  Result<int> new_client() override {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      return error(msg::submission_socket_missing(std::strerror(errno)));
    }
    auto reply = request(NewClient{}, ends[1], kAnswer);
    close(ends[1]);
    client_pid_ = -1;
    if (reply) return ends[0];
    close(ends[0]);
    return reply.problem();
  }

  void client_is(int pid) override { client_pid_ = pid; }

  Result<std::vector<bool>> wait_ready(milliseconds timeout) override {
    auto reply = request(WaitReady{}, -1, timeout);
    if (!reply) return reply.problem();
    std::vector<bool> defined;
    for (const std::uint8_t entry : reply->bytes) defined.push_back(entry != 0);
    return defined;
  }

  Result<sim::DevicePtr> allocate(std::uint64_t bytes) override {
    GraderAllocate message;
    message.bytes = bytes;
    auto reply = request(message, -1, kAnswer);
    if (!reply) return reply.problem();
    return sim::DevicePtr{reply->value};
  }

  Result<void> free(sim::DevicePtr pointer) override {
    GraderFree message;
    message.pointer = pointer;
    auto reply = request(message, -1, kAnswer);
    if (!reply) return reply.problem();
    return {};
  }

  Result<void> write(sim::DevicePtr pointer, std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::span<const std::byte> part = bytes.first(std::min(bytes.size(), kAtOnce));
      std::memcpy(staging_.bytes().data(), part.data(), part.size());
      GraderWrite message;
      message.pointer = pointer;
      message.bytes = part.size();
      auto reply = request(message, -1, kAnswer);
      if (!reply) return reply.problem();
      pointer += part.size();
      bytes = bytes.subspan(part.size());
    }
    return {};
  }

  Result<void> read(sim::DevicePtr pointer, std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::span<std::byte> part = bytes.first(std::min(bytes.size(), kAtOnce));
      GraderRead message;
      message.pointer = pointer;
      message.bytes = part.size();
      auto reply = request(message, -1, kAnswer);
      if (!reply) return reply.problem();
      std::memcpy(part.data(), staging_.bytes().data(), part.size());
      pointer += part.size();
      bytes = bytes.subspan(part.size());
    }
    return {};
  }

  Result<void> copy(sim::DevicePtr to, sim::DevicePtr from, std::uint64_t bytes) override {
    GraderCopy message;
    message.to = to;
    message.from = from;
    message.bytes = bytes;
    auto reply = request(message, -1, kAnswer);
    if (!reply) return reply.problem();
    return {};
  }

  Result<ReplayTimes> replay(std::uint32_t recording, bool by_launch, milliseconds timeout) override {
    Replay message;
    message.recording = recording;
    message.by_launch = by_launch;
    auto reply = request(message, -1, timeout);
    if (!reply) {
      // Only killing the process stops a replay that does not end.
      if (timed_out_) lose(msg::device_replays_endlessly());
      return reply.problem();
    }
    ReplayTimes times;
    if (!from_bytes(reply->bytes, times)) return lost(msg::device_sent_no_times());
    return times;
  }

  Result<void> forget(std::uint32_t recording) override {
    Forget message;
    message.recording = recording;
    auto reply = request(message, -1, kAnswer);
    if (!reply) return reply.problem();
    return {};
  }

  CallOutcome call(std::uint32_t entry, std::span<const std::uint64_t> arguments, milliseconds timeout,
                   CallMode mode, const CallResults& results) override {
    CallEntry message;
    message.entry = entry;
    message.mode = mode;
    message.results = results;
    message.arguments.assign(arguments.begin(), arguments.end());
    const Timed timed(Metric::Call);
    if (!send(message, -1)) return device_lost();
    int descriptor = -1;
    const ProcessorUse before = processor_use();
    const auto begin = Clock::now();
    const auto spent = [&] { return between(before, processor_use(), Clock::now() - begin); };
    auto reply = receive(sequence_, begin + timeout, &descriptor);
    // On a busy machine the simulator gets only a part of the processor, and a submission must not pay for
    // that. While the simulator works, its timeout counts processor time used, not wall time.
    for (ProcessorShare so_far; timed_out_ && simulates(kind_);) {
      const ProcessorShare earlier = std::exchange(so_far, spent());
      const ProcessorShare recent{so_far.wall - earlier.wall, so_far.ran - earlier.ran,
                                  so_far.waited - earlier.waited};
      const auto left = std::chrono::ceil<milliseconds>(timeout - so_far.ran);
      if (left <= milliseconds{0} || so_far.wall > kMaxPatience * timeout || !recent.at_work()) break;
      reply = receive(sequence_, Clock::now() + std::max(left, kMinWait), &descriptor);
    }
    const ProcessorShare all = spent();
    CallOutcome outcome;
    if (timed_out_) {
      logging::info(Stage::Device, [&] { return "the call did not end within " + seconds(timeout); });
      const std::uint32_t waited = sequence_;
      if (!send(Cancel{}, -1)) return device_lost();
      reply = receive(waited, Clock::now() + kGrace, &descriptor);
    }
    if (timed_out_) {
      outcome.end = CallEnd::TimedOut;
      outcome.detail = msg::device_replaced();
      lose(msg::device_launches_endlessly());
    } else {
      outcome = outcome_of(reply, descriptor);
    }
    outcome.seconds = std::chrono::duration<double>(all.idle_wall()).count();
    outcome.processor_seconds = std::chrono::duration<double>(all.ran).count();
    if (simulates(kind_) && outcome.end == CallEnd::TimedOut && all.ran < timeout && all.starved())
      outcome.starved = msg::device_starved(seconds(all.wall), seconds(all.ran));
    return outcome;
  }

  CallOutcome serve_program(const std::function<void(LaunchBoard&)>& look) override {
    int descriptor = -1;
    if (!send(Serve{}, -1)) return device_lost();
    const std::uint32_t sequence = sequence_;
    if (!look) {
      const auto reply = receive(sequence, Clock::time_point::max(), &descriptor);
      return outcome_of(reply, descriptor);
    }
    auto& board = *reinterpret_cast<LaunchBoard*>(staging_.bytes().data());
    auto reply = receive(sequence, Clock::now() + kBetweenLooks, &descriptor);
    while (timed_out_) {
      look(board);
      reply = receive(sequence, Clock::now() + kBetweenLooks, &descriptor);
    }
    look(board);
    return outcome_of(reply, descriptor);
  }

  [[nodiscard]] const Message& memory_limit() const override { return memory_limit_; }

  Result<int> finish() override {
    close(std::exchange(control_, -1));
    const auto deadline = Clock::now() + kToolReport;
    for (int status = 0; pid_ > 0 && Clock::now() < deadline; std::this_thread::sleep_for(milliseconds(5))) {
      const pid_t ended = waitpid(pid_, &status, WNOHANG);
      if (ended == 0 || (ended < 0 && errno == EINTR)) continue;
      pid_ = -1;
      if (ended > 0 && WIFEXITED(status)) return WEXITSTATUS(status);
    }
    return lost(msg::device_does_not_end());
  }

 private:
  /// The processor time that the device process and its client have used so far.
  [[nodiscard]] ProcessorUse processor_use() const {
    const std::array both{pid_, client_pid_};
    return cudalabs::processor_use(both);
  }

  template <class M>
  bool send(M message, int descriptor) {
    if (lost_) return false;
    message.sequence = ++sequence_;
    const std::vector<std::byte> bytes = encode(std::move(message));
    trace_.sent(sequence_, bytes);
    if (send_message(control_, bytes, descriptor)) return true;
    lose(msg::device_takes_no_messages());
    return false;
  }

  template <class M>
  Result<ControlReply> request(M message, int descriptor, milliseconds timeout, int* received = nullptr) {
    const Timed timed(Metric::Request);
    if (!send(std::move(message), descriptor)) return lost(why_);
    return receive(sequence_, Clock::now() + timeout, received);
  }

  /// Waits for the reply with that number. Older replies, which missed their deadline, are dropped.
  Result<ControlReply> receive(std::uint32_t sequence, Clock::time_point deadline, int* descriptor) {
    std::vector<std::byte> message;
    timed_out_ = false;
    int outdated = 0;
    while (!lost_) {
      int milliseconds_left = -1;
      if (deadline != Clock::time_point::max()) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
        milliseconds_left = static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
      }
      pollfd source{control_, POLLIN, 0};
      const int ready = poll(&source, 1, milliseconds_left);
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) {
        timed_out_ = true;
        return error(msg::device_answers_late());
      }
      int attached = -1;
      if (receive_message(control_, message, true, &attached) != Receive::Message) {
        lose(msg::device_ended());
        break;
      }
      ControlReply reply;
      const bool decoded = decode(message, reply);
      if (decoded) trace_.received(reply.sequence, message);
      if (!decoded) {
        lose(msg::device_sent_no_reply());
      } else if (reply.sequence == sequence) {
        if (descriptor != nullptr) std::swap(*descriptor, attached);
        if (attached >= 0) close(attached);
        if (!reply.ok) return error(reply.problem);
        return reply;
      } else if (++outdated > kMaxOutdated) {
        lose(msg::device_sends_unasked());
      }
      if (attached >= 0) close(attached);
    }
    return lost(why_);
  }

  CallOutcome outcome_of(const Result<ControlReply>& reply, int descriptor) {
    CallOutcome outcome;
    if (!reply && lost_) {
      outcome = device_lost();
    } else if (!reply) {
      outcome.end = CallEnd::DeviceLost;
      outcome.detail = reply.problem().message;
    } else if (descriptor < 0 || !unpack(descriptor, reply->value, outcome)) {
      lose(msg::device_record_unreadable());
      outcome = device_lost();
    }
    if (descriptor >= 0) close(descriptor);
    return outcome;
  }

  CallOutcome device_lost() const {
    CallOutcome outcome;
    outcome.end = memory_limit_.empty() ? CallEnd::DeviceLost : CallEnd::MemoryLimit;
    outcome.detail = memory_limit_.empty() ? why_ : memory_limit_;
    if (!memory_limit_.empty() && short_of_memory_)
      outcome.machine_failed = msg::machine_short_of_memory(memory_limit_);
    return outcome;
  }

  void lose(Message why) {
    logging::warning(Stage::Device, [&] { return why.english(); });
    lost_ = true;
    why_ = std::move(why);
    kill_it();
  }

  void kill_it() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    logging::debug(Stage::Device, [&] { return "ended device process " + std::to_string(pid_); });
    pid_ = -1;
    const std::uint64_t mebibytes = process_bytes_ >> 20;
    if (WIFEXITED(status)) {  // a process that ended by itself kept its own status
      if (const auto work = out_of_memory_at(WEXITSTATUS(status)))
        memory_limit_ = msg::device_memory_overrun_at(mebibytes, name_of(*work));
    } else if (group_ && group_->overrun()) {
      memory_limit_ = msg::device_memory_overrun(mebibytes);
    }
  }

  pid_t pid_;
  int client_pid_ = -1;
  int control_;
  DeviceKind kind_;
  std::unique_ptr<DeviceLog> log_;
  WireTrace trace_;
  protocol::Staging staging_;
  DeviceFacts facts_;
  std::uint64_t process_bytes_ = 0;
  std::unique_ptr<MemoryGroup> group_;
  std::uint32_t sequence_ = 0;
  bool lost_ = false;
  bool timed_out_ = false;  ///< the last receive() met its deadline
  Message why_;
  Message memory_limit_;
  /// The process's limit is what the machine can spare, and less than a device may need.
  bool short_of_memory_ = false;
};

}  // namespace

namespace {

/// The environment variables that a driver, the loader or a sanitizer reads. The process reads what hostile
/// programs send, so it does not get the others, which may hold passwords. A tool gets all of them.
std::vector<char*> environment_of_device(bool with_tool) {
  constexpr std::array<std::string_view, 9> kBeginnings = {"CUDA",  "NVIDIA", "LD_",     "ASAN_", "UBSAN_",
                                                           "LSAN_", "TSAN_",  "MALLOC_", "GLIBC_"};
  std::vector<char*> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool wanted =
        std::ranges::any_of(kBeginnings, [text](auto name) { return text.starts_with(name); });
    const bool of_log = text.starts_with("CUDA_LABS_LOG");  // DeviceLog has what the process needs
    if (with_tool || (wanted && !of_log)) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

/// If no engine was requested, the environment may choose one: a whole test suite then runs under it.
Result<DeviceOptions> with_engine_of_environment(DeviceOptions setup) {
  const char* const name = std::getenv("CUDA_LABS_ENGINE");
  if (name == nullptr || *name == '\0' || setup.engine != sim::Engine::Auto) return setup;
  const auto engine = sim::engine_named(name);
  if (!engine) return error(msg::engine_unknown(name), msg::engine_names());
  setup.engine = *engine;
  return setup;
}

}  // namespace

Result<std::unique_ptr<DeviceProcess>> DeviceProcess::start(const DeviceOptions& options) {
  const Timed timed(Metric::StartDevice);
  const auto setup = with_engine_of_environment(options);
  if (!setup) return setup.problem();
  std::unique_ptr<DeviceLog> log = DeviceLog::open();
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return error(msg::device_socket_missing(std::strerror(errno)));
  }
  // The control socket becomes descriptor 3 in the child. The child's stdout is our stderr, because our
  // stdout may carry a report.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 3);
  if (log) posix_spawn_file_actions_adddup2(&actions, log->write_end(), 4);
  // The child closes descriptors inherited from our parent. A tool may need them.
  if (options.tool.empty()) posix_spawn_file_actions_addclosefrom_np(&actions, log ? 5 : 4);
  std::error_code unreadable;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", unreadable).string();
  std::vector<std::string> words = options.tool;
  for (const char* word : {self.c_str(), "__device", "3"}) words.emplace_back(word);
  if (log) words.insert(words.end(), {"4", DeviceLog::levels()});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_of_device(!options.tool.empty());
  // /proc/self/exe, because our own file may have been replaced or removed since the start; a tool needs a
  // file name.
  const char* const program = options.tool.empty() ? "/proc/self/exe" : words.front().c_str();
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, program, &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (log) log->close_write_end();
  if (failed != 0) {
    close(ends[0]);
    return error(msg::device_not_started(std::strerror(failed)));
  }
  auto process = std::make_unique<SpawnedDevice>(pid, ends[0], options.kind, std::move(log));
  logging::debug(Stage::Device, [&] { return "started device process " + std::to_string(pid); });
  const Result<void> configured = process->configure(*setup);
  if (!configured) return configured.problem();
  return Result<std::unique_ptr<DeviceProcess>>(std::move(process));
}

Result<void> find_device(const DeviceKindInfo& kind) {
  return kind.needs_driver ? find_driver_library() : Result<void>();
}

bool may_measure(DeviceChoice choice) {
  const DeviceKindInfo* const chosen = device_chosen(choice);
  return std::ranges::any_of(kDeviceKinds, [&](const DeviceKindInfo& kind) {
    return !kind.simulates && (chosen == nullptr ? find_device(kind).ok() : chosen == &kind);
  });
}

Result<std::unique_ptr<DeviceProcess>> start_card(DeviceChoice choice, DeviceOptions options,
                                                  const std::function<void(const Message&)>& say) {
  using Started = std::unique_ptr<DeviceProcess>;
  const DeviceKindInfo* const chosen = device_chosen(choice);
  for (const DeviceKindInfo& kind : kDeviceKinds) {
    if (kind.simulates || (chosen != nullptr && chosen != &kind)) continue;
    if (auto found = find_device(kind); !found) {
      if (chosen != nullptr) return found.problem();
      continue;
    }
    options.kind = kind.kind;
    auto device = DeviceProcess::start(options);
    if (device || chosen != nullptr) return device;
    say(msg::on_simulator(device.problem().message));
  }
  return Started();
}

}  // namespace cudalabs
