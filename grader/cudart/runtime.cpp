#include "grader/cudart/runtime.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

namespace cudalabs::cudart {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int current_device = 0;

namespace {
constexpr int kMaxReports = 64;
constexpr const char* kSocketVariable = "CUDALABS_DEVICE_FD";

/// The connection whose descriptor the grader has put into the environment; -1: none. Programs that this one
/// starts do not inherit it.
int take_connection() {
  const char* text = std::getenv(kSocketVariable);
  char* end = nullptr;
  const long number = text != nullptr ? std::strtol(text, &end, 10) : -1;
  if (text == nullptr || end == text || *end != '\0' || number < 0 || number > 1 << 20) return -1;
  unsetenv(kSocketVariable);
  fcntl(static_cast<int>(number), F_SETFD, FD_CLOEXEC);
  return static_cast<int>(number);
}

int connection = -1;
/// Runs before main: a program may start others without ever calling CUDA itself.
[[gnu::constructor]] void take_connection_early() { connection = take_connection(); }
}  // namespace

void print_error(const Message& message) {
  std::fprintf(stderr, "cuda-labs: %s\n", message.english().c_str());
}

bool wants_notes() {
  static const bool wanted = std::getenv("CUDALABS_NOTES") != nullptr;
  return wanted;
}

Runtime& Runtime::get() {
  static Runtime* const runtime = new Runtime;
  return *runtime;
}

Status Runtime::connect() {
  if (tried_) {
    if (unusable_.ok() && getpid() != owner_) {
      return {CudaError::InitializationError, msg::forked_process()};
    }
    return unusable_;
  }
  tried_ = true;
  owner_ = getpid();
  if (connection < 0) connection = take_connection();
  if (connection < 0) {
    print_error(msg::program_without_device());
    unusable_ = {CudaError::NoDevice, msg::not_started_by_grader()};
    return unusable_;
  }
  socket_ = std::exchange(connection, -1);
  std::vector<std::byte> reply;
  int staging = -1;
  if (!protocol::send_message(socket_, protocol::encode(protocol::Hello{})) ||
      protocol::receive_message(socket_, reply, true, &staging) != protocol::Receive::Message) {
    return lost();
  }
  staging_ = protocol::Staging::adopt(staging);
  protocol::Reader reader(reply);
  auto kind = protocol::Kind{};
  protocol::ReplyHead head;
  reader(kind, head, device_);
  if (!reader.finished() || !staging_) return unreadable();
  return {};
}

Status Runtime::choose(int device) {
  if (device == chosen_) return {};
  Status status = exchange(protocol::ChooseDevice{static_cast<std::uint32_t>(device)});
  if (status.ok()) chosen_ = device;
  return status;
}

bool Runtime::transact(const std::vector<std::byte>& request, std::vector<std::byte>& reply) {
  return request.size() <= protocol::kMaxMessage && protocol::send_message(socket_, request, file_) &&
         protocol::receive_message(socket_, reply, true) == protocol::Receive::Message;
}

Status Runtime::lost() {
  if (unusable_.ok()) {
    // If there was a connection, the grader had to end a running kernel.
    unusable_ = {staging_ ? CudaError::LaunchTimeout : CudaError::DevicesUnavailable, msg::connection_lost()};
  }
  return unusable_;
}

/// The reply is malformed: our own bug, not a kernel that was ended, so nobody else would report it.
Status Runtime::unreadable() {
  if (unusable_.ok()) {
    unusable_ = {CudaError::Unknown, msg::device_answer_unreadable()};
    print_error(msg::no_call_works_any_more(unusable_.detail));
  }
  return unusable_;
}

void Runtime::write_printed() {
  if (printed_ == 0) return;
  protocol::Size size;
  if (!exchange(protocol::TakePrinted{}, size).ok() || size.value > staging().size()) return;
  std::fwrite(staging().data(), 1, size.value, stdout);
}

cudaError_t Runtime::finish(const char* call, Mode mode, Status status) {
  const bool connected = tried_ && unusable_.ok() && getpid() == owner_;
  const bool waits = mode == Mode::Sync || mode == Mode::Event;
  if (connected && waits) write_printed();
  report_clock();
  if (HostClock::wanted() && mode == Mode::Sync) HostClock::get().wait_for_card(worked_);
  if (sticky_ == CudaError::Success && pending_ != CudaError::Success) {
    if (mode == Mode::Async && status.error == pending_) {
      status = {};
    } else if (waits || status.error == pending_) {
      sticky_ = pending_;
      status = {sticky_, msg::earlier_launch_failed()};
    }
  }
  if (status.ok()) return cudaSuccess;
  const auto error = static_cast<cudaError_t>(status.error);
  last_error = error;
  if (connected && reports_ < kMaxReports) {
    ++reports_;
    static_cast<void>(
        exchange(protocol::ReportError{call, error, std::move(status.detail), failed_call_frames()}));
    not_asked_.insert(status.error);
  }
  return error;
}

void Runtime::report_clock() {
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!wants_notes() || !lock || !tried_ || !unusable_.ok() || getpid() != owner_) return;
  if (ClockUse::get().is_news()) static_cast<void>(exchange(protocol::ReportClock{}));
}

namespace {
/// A program that reads its clock may end without another call.
[[gnu::destructor]] void report_clock_at_end() {
  if (wants_notes()) Runtime::get().report_clock();
}
}  // namespace

void Runtime::asked(CudaError error) {
  if (!wants_notes()) return;
  const std::lock_guard lock(mutex);
  const auto found = error == CudaError::Success ? not_asked_.begin() : not_asked_.find(error);
  if (found == not_asked_.end() || !unusable_.ok() || getpid() != owner_) return;
  if (error == CudaError::Success)
    not_asked_.clear();
  else
    not_asked_.erase(found);
  static_cast<void>(exchange(protocol::ReportAsked{static_cast<std::int32_t>(error)}));
}

Status Runtime::unsupported(const char* call) {
  static std::set<std::string> named;
  if (named.insert(call).second) {
    print_error(msg::call_unsupported_here(call));
    static_cast<void>(exchange(protocol::ReportUnsupported{call}));
  }
  return {CudaError::NotSupported, msg::unsupported_by_runtime()};
}

}  // namespace cudalabs::cudart
