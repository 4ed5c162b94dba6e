#include "grader/device/server/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "grader/base/fd.h"
#include "grader/base/log/log.h"
#include "grader/device/server/current_work.h"
#include "grader/device/trace/wire_text.h"
#include "grader/diagnostics/messages/device.h"

namespace cudalabs {
namespace {

using namespace protocol;
using logging::Level;
using logging::Stage;

/// A memfd that holds the outcome; -1 if the system has no memory for it.
int pack(CallOutcome outcome, std::uint64_t& size) {
  Writer writer;
  writer(outcome);
  const std::vector<std::byte> bytes = writer.take();
  if (bytes.size() > kMaxOutcome) throw std::bad_alloc();  // the grader would not read it
  size = bytes.size();
  const int descriptor = memfd_create("cudalabs-outcome", MFD_CLOEXEC);
  std::size_t done = 0;
  while (descriptor >= 0 && done < bytes.size()) {
    const ssize_t written = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written <= 0) {
      close(descriptor);
      return -1;
    }
    done += static_cast<std::size_t>(written);
  }
  return descriptor;
}

ControlReply refused(Messages problem) {
  ControlReply reply;
  reply.ok = false;
  reply.problem = std::move(problem);
  return reply;
}

ControlReply reply_to(const Status& status) {
  return status.ok()
             ? ControlReply{}
             : refused(status.detail.empty() ? Messages(verbatim(error_text(status.error))) : status.detail);
}

}  // namespace

Server::Server(int control, DeviceFactory make_device)
    : control_(control), make_device_(std::move(make_device)) {}

Server::~Server() {
  drop_client();
  close(control_);
}

int Server::run() {
  std::vector<std::byte> message;
  while (true) {
    const bool busy = worker_.busy();
    // A client with a launch in flight waits for its answer. Only its end matters then, and poll always
    // reports that.
    std::array<pollfd, 3> sources{
        pollfd{control_, POLLIN, 0}, pollfd{worker_.done_descriptor(), POLLIN, 0},
        pollfd{client_ ? client_->socket : -1, static_cast<short>(busy ? 0 : POLLIN), 0}};
    if (poll(sources.data(), sources.size(), -1) < 0) continue;
    if (sources[0].revents != 0) {
      int descriptor = -1;
      const Receive received = receive_message(control_, message, true, &descriptor);
      if (received != Receive::Message) return device_ ? 0 : 1;
      if (!handle_control(message, descriptor)) return 1;
      continue;  // the control message may have replaced the client
    }
    if (busy && sources[1].revents != 0) {
      on_launch_done();
    } else if (client_ && sources[2].revents != 0) {
      if (busy) {
        end_client({});
      } else {
        serve_client();
      }
    }
  }
}

// ---- the client ------------------------------------------------------------------------------------------

void Server::serve_client() {
  std::vector<std::byte> message;
  int received = -1;
  const Receive end = receive_message(client_->socket, message, false, &received);
  const UniqueFd file(received);
  switch (end) {
    case Receive::WouldBlock: return;
    case Receive::Closed: return end_client({});
    case Receive::TooLong: return end_client(msg::message_too_long());
    case Receive::Message: break;
  }
  trace_request(message);
  Step step = client_->session->handle(message, file.get());
  switch (step.action) {
    case Action::Reply: return answer_client(step.reply, false);
    case Action::Welcome: return answer_client(step.reply, true);
    case Action::Launch: return worker_.start(*client_->session);
    case Action::Ready:
      if (pending_ && pending_->waiting == Waiting::ForReady) answer_ready();
      return;
    case Action::EntryDone: return answer_entry();
    case Action::Cut: return end_client(step.reason);
  }
}

void Server::on_launch_done() {
  worker_.collect();
  answer_client(client_->session->finish_launch(), false);
}

void Server::trace_request(std::span<const std::byte> message) {
  if (!logging::wants(Stage::Wire, Level::Trace)) return;
  asked_ = kind_of(message);
  asked_at_ = std::chrono::steady_clock::now();
  logging::trace(Stage::Wire, [&] { return "client -> device  " + request_text(message); });
}

void Server::trace_answer(std::span<const std::byte> message) const {
  logging::trace(Stage::Wire, [&] {
    if (kind_of(message) != Kind::Reply) return "client <- device  " + request_text(message);
    return "client <- device  " + reply_text(asked_, message) + ", " +
           milliseconds_text(std::chrono::steady_clock::now() - asked_at_);
  });
}

void Server::answer_client(std::span<const std::byte> message, bool with_staging) {
  trace_answer(message);
  // The socket does not block: a client that sends without reading must not block the device process.
  if (send_message(client_->socket, message, with_staging ? client_->staging.descriptor() : -1)) return;
  const bool full = errno == EAGAIN || errno == EWOULDBLOCK;
  // Otherwise the client has gone meanwhile, which is no violation.
  end_client(full ? msg::answers_unread() : Message());
}

void Server::answer_entry() {
  const Doing summing(DeviceWork::Summing);
  CallOutcome outcome = client_->session->take_outcome();
  CallFacts facts = device_->instrumentation().end_call();
  outcome.origins = std::move(facts.origins);
  outcome.copies_ns = facts.copies_ns;
  outcome.bytes_put_last = facts.bytes_put_last;
  if (device_->timing()) {
    const Answer<ReplayTimes> times = device_->end_timing();
    outcome.call_ns = times.value.call_ns;
    outcome.clock_mhz = times.value.clock_mhz;
  } else if (device_->recording()) {
    RecordingDevice::Recorded recorded = device_->end();
    outcome.recording = recorded.number;
    outcome.live_reason = std::move(recorded.live_reason);
  }
  answer_outcome(std::move(outcome));
}

void Server::end_client(const Message& violation) {
  logging::debug(Stage::Device, [&] {
    return violation.empty() ? "the client has gone"
                             : fmt::format("cut the client off: {}", violation.english());
  });
  worker_.stop();
  client_->session->end();
  CallOutcome outcome = client_->session->take_outcome();
  outcome.end = violation.empty() ? CallEnd::SubmissionGone : CallEnd::ProtocolViolation;
  outcome.detail = violation;
  drop_client();
  if (!pending_) {
    last_words_ = std::move(outcome);
  } else if (pending_->waiting == Waiting::ForReady) {
    ControlReply reply = refused(outcome.detail.empty() ? msg::ended_before_announcing()
                                                        : msg::protocol_broken(outcome.detail));
    last_words_ = std::move(outcome);
    reply.sequence = std::exchange(pending_, {})->sequence;
    answer(std::move(reply));
  } else {
    if (pending_->waiting == Waiting::ForEnd && outcome.end == CallEnd::SubmissionGone)
      outcome.end = CallEnd::Returned;
    answer_outcome(std::move(outcome));
  }
}

void Server::drop_client() {
  worker_.stop();
  if (device_) device_->abandon();  // an entry that did not return is neither replayed nor timed
  if (!client_) return;
  close(client_->socket);
  client_.reset();
}

// ---- the grader ------------------------------------------------------------------------------------------

bool Server::handle_control(std::span<const std::byte> message, int descriptor) {
  const auto as = [&]<class M>(M request, auto handler) {
    if (!decode(message, request)) return false;
    handler(request);
    return true;
  };
  const auto replying = [&]<class M>(M request, auto handler) {
    if (!decode(message, request)) return false;
    worker_.stop();
    ControlReply reply = (this->*handler)(request);
    reply.sequence = request.sequence;
    answer(std::move(reply));
    return true;
  };
  const Kind kind = kind_of(message);
  if (kind == Kind::NewClient && device_) {
    return as(NewClient{}, [&](const NewClient& m) { on_new_client(m.sequence, descriptor); });
  }
  if (descriptor >= 0) close(descriptor);
  if (!device_) {
    return as(Configure{}, [&](const Configure& m) { on_configure(m); });
  }
  switch (kind) {
    case Kind::WaitReady: return as(WaitReady{}, [&](const WaitReady& m) { on_wait_ready(m.sequence); });
    case Kind::Serve: return as(Serve{}, [&](const Serve& m) { on_serve(m.sequence); });
    case Kind::Cancel: return as(Cancel{}, [&](const Cancel&) { on_cancel(); });
    case Kind::CallEntry: return as(CallEntry{}, [&](CallEntry& m) { on_call(m); });
    case Kind::GraderAllocate: return replying(GraderAllocate{}, &Server::on_allocate);
    case Kind::GraderFree: return replying(GraderFree{}, &Server::on_free);
    case Kind::GraderWrite: return replying(GraderWrite{}, &Server::on_write);
    case Kind::GraderRead: return replying(GraderRead{}, &Server::on_read);
    case Kind::GraderCopy: return replying(GraderCopy{}, &Server::on_copy);
    case Kind::Replay: return replying(Replay{}, &Server::on_replay);
    case Kind::Forget: return replying(Forget{}, &Server::on_forget);
    default: return false;
  }
}

void Server::on_configure(const Configure& message) {
  Result<std::unique_ptr<Device>> device = make_device_(message.setup);
  staging_ = Staging::create();
  const int no_staging = errno;
  ControlReply reply;
  if (!device) {
    reply = refused(in_full(device.problem()));
  } else if (!staging_) {
    reply = refused(msg::device_shared_memory_missing(std::strerror(no_staging)));
  } else {
    device_ = std::make_unique<RecordingDevice>(std::move(*device));
    static_assert(sizeof(LaunchBoard) <= kStagingBytes);
    if (message.setup.shows_progress)
      device_->instrumentation().report_progress(new (staging_.bytes().data()) LaunchBoard{});
    const DeviceProperties& properties = device_->properties();
    reply.bytes = to_bytes(DeviceFacts{properties.name, properties.memory_clock_khz,
                                       properties.memory_bus_bits, properties.limits.multiprocessors});
  }
  reply.sequence = message.sequence;
  answer(std::move(reply), staging_.descriptor());
}

void Server::on_new_client(std::uint32_t sequence, int descriptor) {
  drop_client();
  pending_.reset();
  last_words_.reset();
  Client client{descriptor, Staging::create(), nullptr};
  ControlReply reply;
  if (const Status health = device_->health(); !health.ok()) {
    if (descriptor >= 0) close(descriptor);
    reply = refused(msg::device_lost(health.detail));
  } else if (descriptor < 0 || !client.staging || fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) {
    if (descriptor >= 0) close(descriptor);
    reply = refused(msg::client_resources_missing());
  } else {
    client.session = std::make_unique<ClientSession>(*device_, client.staging.bytes());
    client_ = std::move(client);
  }
  reply.sequence = sequence;
  answer(std::move(reply));
}

void Server::on_wait_ready(std::uint32_t sequence) {
  pending_ = Pending{sequence, Waiting::ForReady};
  if (!client_) {
    ControlReply reply =
        refused(last_words_ && !last_words_->detail.empty() ? msg::protocol_broken(last_words_->detail)
                                                            : msg::ended_before_announcing());
    reply.sequence = sequence;
    pending_.reset();
    answer(std::move(reply));
  } else if (client_->session->defined()) {
    answer_ready();
  }
}

void Server::answer_ready() {
  ControlReply reply;
  reply.sequence = std::exchange(pending_, {})->sequence;
  reply.bytes = *client_->session->defined();
  answer(std::move(reply));
}

void Server::on_call(CallEntry& message) {
  pending_ = Pending{message.sequence, Waiting::ForEntry};
  if (!client_) {
    CallOutcome outcome = std::exchange(last_words_, {}).value_or(CallOutcome{});
    if (outcome.end != CallEnd::ProtocolViolation) outcome.end = CallEnd::SubmissionGone;
    return answer_outcome(std::move(outcome));
  }
  if (!client_->session->waiting()) {
    CallOutcome outcome;
    outcome.end = CallEnd::ProtocolViolation;
    outcome.detail = msg::called_before_announcing();
    return answer_outcome(std::move(outcome));
  }
  for (const std::uint64_t argument : message.arguments) {
    const sim::DeviceRange whole = allocation_of(argument);
    if (whole.bytes > 0) client_->session->grant(whole.begin, whole.bytes);
  }
  const auto rest_of = [&](DevicePtr argument) {
    const sim::DeviceRange whole = allocation_of(argument);
    return sim::DeviceRange{argument, whole.bytes - std::min(whole.bytes, argument - whole.begin)};
  };
  WatchedCall call{{},
                   {},
                   rest_of(message.results.table),
                   message.results.draw,
                   message.results.parts,
                   message.results.untimed,
                   message.results.compares_loads,
                   message.results.reversed,
                   message.results.in_order};
  for (const DevicePtr output : message.results.outputs) call.outputs.push_back(rest_of(output));
  for (const DevicePtr input : message.results.inputs) call.inputs.push_back(rest_of(input));
  device_->instrumentation().watch(message.mode == CallMode::Watched   ? Watch::Everything
                                   : message.mode == CallMode::Sampled ? Watch::Sample
                                                                       : Watch::Nothing);
  device_->instrumentation().begin_call(std::move(call));
  device_->abandon();
  if (message.mode == CallMode::Recorded) device_->begin();
  if (message.results.repeatable) device_->begin(true);
  if (message.mode == CallMode::Timed) static_cast<void>(device_->begin_timing());  // else call_ns stays 0
  answer_client(client_->session->begin_entry(message.entry, std::move(message.arguments)), false);
}

void Server::on_serve(std::uint32_t sequence) {
  pending_ = Pending{sequence, Waiting::ForEnd};
  if (client_) return;
  CallOutcome outcome = std::exchange(last_words_, {}).value_or(CallOutcome{});
  if (outcome.end == CallEnd::SubmissionGone) outcome.end = CallEnd::Returned;
  answer_outcome(std::move(outcome));
}

void Server::on_cancel() {
  if (!pending_ || pending_->waiting == Waiting::ForReady) return;  // the call had just ended
  CallOutcome outcome;
  if (client_) {
    if (worker_.busy()) {
      worker_.stop();
      // The stopped launch belongs in the record: its fault says which line was running.
      static_cast<void>(client_->session->finish_launch());
    }
    outcome = client_->session->take_outcome();
  }
  outcome.end = CallEnd::TimedOut;
  drop_client();
  answer_outcome(std::move(outcome));
}

/// The grader's allocation that contains `pointer`; no bytes if there is none.
sim::DeviceRange Server::allocation_of(DevicePtr pointer) const {
  auto after = memory_.upper_bound(pointer);
  if (after == memory_.begin()) return {};
  const auto& [base, bytes] = *std::prev(after);
  return pointer - base < bytes ? sim::DeviceRange{base, bytes} : sim::DeviceRange{};
}

bool Server::owns(DevicePtr pointer, std::uint64_t bytes) const {
  auto after = memory_.upper_bound(pointer);
  if (after == memory_.begin()) return false;
  const auto& [base, size] = *std::prev(after);
  return pointer - base <= size && bytes <= size - (pointer - base);
}

ControlReply Server::on_allocate(const GraderAllocate& message) {
  const Answer<DevicePtr> pointer = device_->memory().allocate(message.bytes);
  if (!pointer.ok()) return reply_to(pointer);
  memory_[pointer.value] = message.bytes;
  ControlReply reply;
  reply.value = pointer.value;
  return reply;
}

ControlReply Server::on_free(const GraderFree& message) {
  if (memory_.erase(message.pointer) == 0) return refused(msg::not_memory_of_grader());
  if (client_) client_->session->revoke(message.pointer);
  return reply_to(device_->memory().free(message.pointer));
}

ControlReply Server::on_write(const GraderWrite& message) {
  if (message.bytes > kStagingBytes || !owns(message.pointer, message.bytes))
    return refused(msg::not_memory_of_grader());
  return reply_to(device_->operations().copy_to_device({message.pointer, 0}, staging_.bytes().data(),
                                                       {message.bytes, 1}, nullptr));
}

ControlReply Server::on_read(const GraderRead& message) {
  if (message.bytes > kStagingBytes || !owns(message.pointer, message.bytes))
    return refused(msg::not_memory_of_grader());
  return reply_to(device_->operations().copy_to_host(staging_.bytes().data(), {message.pointer, 0},
                                                     {message.bytes, 1}, nullptr));
}

ControlReply Server::on_copy(const GraderCopy& message) {
  if (!owns(message.to, message.bytes) || !owns(message.from, message.bytes))
    return refused(msg::not_memory_of_grader());
  return reply_to(
      device_->operations().copy_on_device({message.to, 0}, {message.from, 0}, {message.bytes, 1}, nullptr));
}

ControlReply Server::on_replay(const Replay& message) {
  device_->instrumentation().watch(Watch::Nothing);  // the checkers have already seen this work
  Answer<ReplayTimes> times = device_->replay(message.recording, message.by_launch);
  ControlReply reply = reply_to(times);
  if (times.ok()) reply.bytes = to_bytes(std::move(times.value));
  return reply;
}

ControlReply Server::on_forget(const Forget& message) {
  device_->forget(message.recording);
  return {};
}

void Server::answer_outcome(CallOutcome outcome) {
  ControlReply reply;
  reply.sequence = std::exchange(pending_, {}).value_or(Pending{}).sequence;
  const int descriptor = pack(std::move(outcome), reply.value);
  if (descriptor < 0) {
    reply.ok = false;
    reply.problem = msg::record_memory_missing();
  }
  answer(std::move(reply), descriptor);
  if (descriptor >= 0) close(descriptor);
}

void Server::answer(ControlReply reply, int descriptor) {
  // If the grader is gone, the loop sees that its socket is closed.
  static_cast<void>(send_message(control_, encode(std::move(reply)), descriptor));
}

}  // namespace cudalabs
