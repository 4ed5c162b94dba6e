#include "grader/device/server/client_session.h"

#include "grader/diagnostics/messages/device.h"

#include <algorithm>
#include <utility>

namespace cudalabs {
namespace {

using namespace protocol;

// Limits for one client: far above what a program needs, far below what would hurt the device process.
constexpr std::size_t kMaxStreams = 4096;
constexpr std::size_t kMaxEvents = 65536;
constexpr std::size_t kMaxUnsupported = 64;
constexpr std::size_t kMaxFindings = 1000;
constexpr std::size_t kMaxEntries = 1024;

}  // namespace

ClientSession::ClientSession(Device& device, std::span<std::byte> staging)
    : device_(device),
      group_(device.group()),
      peers_(group_ != nullptr ? group_->count() : 1),
      staging_(staging) {
  if (group_ != nullptr) group_->choose(0);
}

ClientSession::~ClientSession() {
  for (std::uint32_t device = 0; device < peers_.size(); ++device) forget_peer_access(device);
  for (const std::uint64_t object : textures_) device_.memory().destroy_texture(object);
  for (const auto& [base, range] : ranges_) {
    if (range.owner != Owner::Client) continue;
    if (range.aside) device_.memory().quarantine(base, false);
    static_cast<void>(device_.memory().free(base));
  }
}

std::string ClientSession::clean(std::string text) {
  if (text.size() > kMaxText) text.resize(kMaxText);
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return text;
}

Message ClientSession::clean(const Message& message) {
  if (message.empty()) return {};
  std::vector<Argument> arguments = message.arguments();
  for (Argument& argument : arguments) {
    if (auto* const text = std::get_if<std::string>(&argument)) *text = clean(std::move(*text));
    if (auto* const list = std::get_if<Messages>(&argument)) {
      Messages cleaned;
      for (const Message& one : *list) cleaned.add(clean(one));
      *list = std::move(cleaned);
    }
  }
  return {message.row(), std::move(arguments)};
}

Step ClientSession::cut(Message reason) { return {Action::Cut, {}, std::move(reason)}; }

template <class Payload>
Step ClientSession::reply(const Answer<Payload>& result) {
  ReplyHead head;
  head.error = static_cast<std::int32_t>(result.error);
  head.pending = static_cast<std::int32_t>(sticky_);
  head.printed_bytes = static_cast<std::uint32_t>(printed_.size());
  head.busy_ns = device_.instrumentation().busy_ns();
  head.device = group_ != nullptr ? group_->working() : 0;
  head.detail = result.detail;
  std::vector<std::byte> bytes =
      result.ok() ? encode_reply(head, result.value) : encode_reply(head, Nothing{});
  if (bytes.size() > kMaxMessage) {
    return reply(failure<Payload>(CudaError::NotSupported, msg::answer_too_long()));
  }
  return {Action::Reply, std::move(bytes), {}};
}

Step ClientSession::reply(const Status& status) {
  Answer<Nothing> result;
  static_cast<Status&>(result) = status;
  return reply(result);
}

template <class M, class Handler>
Step ClientSession::on(std::span<const std::byte> message, Handler handler) {
  M request;
  if (!decode(message, request)) return cut(msg::message_cut());
  if constexpr (std::is_same_v<decltype(handler(request)), Step>) {
    return handler(request);
  } else {
    return reply(handler(request));
  }
}

Step ClientSession::handle(std::span<const std::byte> message, int file) {
  file_ = file;
  const Kind kind = kind_of(message);
  switch (state_) {
    case State::Connected:
      if (kind != Kind::Hello) return cut(msg::message_before_hello());
      return on<Hello>(message, [this](const Hello& hello) {
        if (hello.version != kVersion) return cut(msg::message_of_other_version());
        Step step = reply(on_hello());
        step.action = Action::Welcome;
        state_ = State::Running;
        return step;
      });
    case State::Waiting: return cut(msg::message_between_entries());
    case State::Running: break;
  }
  if (launch_) return cut(msg::message_during_launch());
  return handle_running(kind, message);
}

Step ClientSession::handle_running(Kind kind, std::span<const std::byte> message) {
  switch (kind) {
    case Kind::LoadModule:
      return on<LoadModule>(message, [this](const LoadModule& m) {
        // Code that is loaded during a call could carry that call's results.
        if (defined_) return cut(msg::module_too_late());
        return m.bytes > staging_.size() ? cut(msg::module_beyond_staging()) : reply(on_load(m));
      });
    case Kind::GetKernel:
      return on<GetKernel>(message, [this](const GetKernel& m) { return on_get_kernel(m); });
    case Kind::GetVariable:
      return on<GetVariable>(message, [this](const GetVariable& m) { return on_get_variable(m); });
    case Kind::SetKernelShared:
      return on<SetKernelShared>(message,
                                 [this](const SetKernelShared& m) { return on_set_kernel_shared(m); });
    case Kind::Occupancy:
      return on<Occupancy>(message, [this](const Occupancy& m) { return on_occupancy(m); });
    case Kind::Allocate:
      return on<Allocate>(message, [this](const Allocate& m) {
        return m.frames.size() > kMaxFrames ? cut(msg::frames_too_many()) : reply(on_allocate(m));
      });
    case Kind::Free: return on<Free>(message, [this](const Free& m) { return on_free(m); });
    case Kind::SetAside: return on<SetAside>(message, [this](const SetAside& m) { return on_set_aside(m); });
    case Kind::CreateTexture:
      return on<CreateTexture>(message, [this](const CreateTexture& m) { return on_create_texture(m); });
    case Kind::DestroyTexture:
      return on<DestroyTexture>(message, [this](const DestroyTexture& m) { return on_destroy_texture(m); });
    case Kind::ChooseDevice:
      return on<ChooseDevice>(message, [this](const ChooseDevice& m) { return on_choose_device(m); });
    case Kind::SetPeerAccess:
      return on<SetPeerAccess>(message, [this](const SetPeerAccess& m) { return on_set_peer_access(m); });
    case Kind::Grant: return on<Grant>(message, [this](const Grant& m) { return on_grant(m); });
    case Kind::CopyIn: return on<CopyIn>(message, [this](const CopyIn& m) { return on_copy_in(m); });
    case Kind::CopyOut: return on<CopyOut>(message, [this](const CopyOut& m) { return on_copy_out(m); });
    case Kind::CopyOnDevice:
      return on<CopyOnDevice>(message, [this](const CopyOnDevice& m) { return on_copy_on_device(m); });
    case Kind::Set: return on<Set>(message, [this](const Set& m) { return on_set(m); });
    case Kind::Launch: return on<Launch>(message, [this](Launch& m) { return on_launch(m); });
    case Kind::TakePrinted:
      return on<TakePrinted>(message, [this](const TakePrinted&) { return on_take_printed(); });
    case Kind::MemoryInfo:
      return on<protocol::MemoryInfo>(message, [this](const protocol::MemoryInfo&) {
        const MemoryUse info = device_.memory().use();
        return answer(protocol::Range{info.free_bytes, info.total_bytes});
      });
    case Kind::PointerInfo:
      return on<PointerInfo>(message, [this](const PointerInfo& m) { return on_pointer_info(m); });
    case Kind::ReportError:
      return on<ReportError>(message, [this](const ReportError& m) { return on_report_error(m); });
    case Kind::ReportUnsupported:
      return on<ReportUnsupported>(message,
                                   [this](const ReportUnsupported& m) { return on_report_unsupported(m); });
    case Kind::ReportClock: outcome_.host_clock = true; return reply(Status{});
    case Kind::ReportAsked:
      return on<ReportAsked>(message, [this](const ReportAsked& m) { return on_report_asked(m); });
    case Kind::StreamOperation:
      return on<protocol::StreamOperation>(
          message, [this](protocol::StreamOperation& m) { return on_stream_operation(m); });
    case Kind::Ready: return on<Ready>(message, [this](Ready& m) { return on_ready(m); });
    case Kind::EntryDone:
      return on<EntryDone>(message, [this](const EntryDone&) {
        if (!entry_running_) return cut(msg::entry_ended_uncalled());
        entry_running_ = false;
        state_ = State::Waiting;
        return Step{Action::EntryDone, {}, {}};
      });
    default: return handle_stream_or_event(kind, message);
  }
}

Step ClientSession::handle_stream_or_event(Kind kind, std::span<const std::byte> message) {
  // Everything here may wait for the device. A lost context would never answer, so its health is checked
  // first.
  const auto with_stream = [this](std::uint32_t handle, auto operation) {
    Status status = health();
    if (!status.ok()) return status;
    DeviceStream* stream = find_stream(handle, status);
    return status.ok() ? operation(stream) : status;
  };
  const auto with_event = [this](std::uint32_t handle, auto operation) {
    Status status = health();
    if (!status.ok()) return status;
    DeviceEvent* event = find_event(handle, status);
    return status.ok() ? operation(*event) : status;
  };
  switch (kind) {
    case Kind::RecordEvent:
      return on<RecordEvent>(message, [&](const RecordEvent& m) {
        return with_stream(m.stream, [&](DeviceStream* stream) {
          return with_event(m.event,
                            [&](DeviceEvent& event) { return device_.operations().record(event, stream); });
        });
      });
    case Kind::WaitEvent:
      return on<WaitEvent>(message, [&](const WaitEvent& m) {
        return with_stream(m.stream, [&](DeviceStream* stream) {
          return with_event(m.event,
                            [&](DeviceEvent& event) { return device_.operations().wait(stream, event); });
        });
      });
    case Kind::QueryStream:
      return on<QueryStream>(message, [&](const QueryStream& m) {
        return with_stream(m.handle, [&](DeviceStream* stream) { return device_.streams().query(stream); });
      });
    case Kind::QueryEvent:
      return on<QueryEvent>(message, [&](const QueryEvent& m) {
        return with_event(m.handle, [&](DeviceEvent& event) { return device_.streams().query(event); });
      });
    case Kind::SyncDevice:
      return on<SyncDevice>(message, [this](const SyncDevice&) {
        return health().ok() ? device_.operations().synchronize() : health();
      });
    case Kind::ResetDevice:
      return on<ResetDevice>(message, [this](const ResetDevice&) { return on_reset(); });
    case Kind::SyncStream:
      return on<SyncStream>(message, [&](const SyncStream& m) {
        return with_stream(m.handle,
                           [&](DeviceStream* stream) { return device_.operations().synchronize(stream); });
      });
    case Kind::SyncEvent:
      return on<SyncEvent>(message, [&](const SyncEvent& m) {
        return with_event(m.handle,
                          [&](DeviceEvent& event) { return device_.operations().synchronize(event); });
      });
    case Kind::Elapsed:
      return on<Elapsed>(message, [this](const Elapsed& m) {
        Status status = health();
        DeviceEvent* start = status.ok() ? find_event(m.start, status) : nullptr;
        DeviceEvent* end = status.ok() ? find_event(m.end, status) : nullptr;
        if (!status.ok()) return failure<Milliseconds>(status);
        const Answer<float> elapsed = device_.streams().elapsed(*start, *end);
        return elapsed.ok() ? answer(Milliseconds{elapsed.value}) : failure<Milliseconds>(elapsed);
      });
    default: return handle_stream_object(kind, message);
  }
}

Step ClientSession::handle_stream_object(Kind kind, std::span<const std::byte> message) {
  switch (kind) {
    case Kind::CreateStream:
      return on<CreateStream>(message, [this](const CreateStream& m) {
        if (!health().ok()) return failure<Handle>(health());
        if (streams_.size() >= kMaxStreams)
          return failure<Handle>(CudaError::MemoryAllocation, msg::too_many_streams());
        auto stream = device_.streams().create_stream(m.flags, m.priority);
        if (!stream.ok()) return failure<Handle>(stream);
        streams_.emplace(next_stream_, std::move(stream.value));
        stream_devices_[next_stream_] = chosen_;
        return answer(Handle{next_stream_++});
      });
    case Kind::CreateEvent:
      return on<CreateEvent>(message, [this](const CreateEvent& m) {
        if (!health().ok()) return failure<Handle>(health());
        if (events_.size() >= kMaxEvents)
          return failure<Handle>(CudaError::MemoryAllocation, msg::too_many_events());
        auto event = device_.streams().create_event(m.flags);
        if (!event.ok()) return failure<Handle>(event);
        events_.emplace(next_event_, std::move(event.value));
        return answer(Handle{next_event_++});
      });
    case Kind::DestroyStream:
      return on<DestroyStream>(message, [this](const DestroyStream& m) {
        stream_devices_.erase(m.handle);
        return streams_.erase(m.handle) != 0
                   ? health()
                   : Status{CudaError::InvalidResourceHandle, msg::stream_unknown()};
      });
    case Kind::DestroyEvent:
      return on<DestroyEvent>(message, [this](const DestroyEvent& m) {
        return events_.erase(m.handle) != 0 ? health()
                                            : Status{CudaError::InvalidResourceHandle, msg::event_unknown()};
      });
    default: return cut(msg::message_unknown());
  }
}

Answer<Welcome> ClientSession::on_hello() const {
  const DeviceProperties& from = device_.properties();
  const sim::Limits& limits = from.limits;
  Welcome to;
  to.name = from.name;
  to.compute_major = static_cast<std::uint32_t>(limits.compute_major);
  to.compute_minor = static_cast<std::uint32_t>(limits.compute_minor);
  to.multiprocessors = limits.multiprocessors;
  to.max_threads_per_block = limits.max_threads_per_block;
  to.max_threads_per_multiprocessor = limits.max_threads_per_multiprocessor;
  to.max_blocks_per_multiprocessor = limits.max_blocks_per_multiprocessor;
  to.max_block_x = limits.max_block.x;
  to.max_block_y = limits.max_block.y;
  to.max_block_z = limits.max_block.z;
  to.max_grid_x = limits.max_grid.x;
  to.max_grid_y = limits.max_grid.y;
  to.max_grid_z = limits.max_grid.z;
  to.global_bytes = limits.global_bytes;
  to.constant_bytes = limits.constant_bytes;
  to.shared_bytes_per_block = limits.static_shared_bytes;
  to.shared_bytes_per_block_optin = limits.max_shared_bytes;
  to.shared_bytes_per_multiprocessor = limits.shared_bytes_per_multiprocessor;
  to.reserved_shared_bytes_per_block = limits.reserved_shared_bytes_per_block;
  to.registers_per_block = limits.registers_per_block;
  to.registers_per_multiprocessor = limits.registers_per_multiprocessor;
  to.l2_bytes = from.l2_bytes;
  to.clock_khz = from.clock_khz;
  to.memory_clock_khz = from.memory_clock_khz;
  to.memory_bus_bits = from.memory_bus_bits;
  to.bank_bytes = from.banks.bytes;
  to.bank_mode_bytes = from.banks.mode_bytes;
  to.devices = group_ != nullptr ? group_->numbers() : std::vector<std::uint32_t>{0};
  return answer(std::move(to));
}

Step ClientSession::on_report_error(const ReportError& message) {
  if (message.frames.size() > kMaxFrames) return cut(msg::frames_too_many());
  if (outcome_.api_errors.size() < kMaxApiErrors) {
    outcome_.api_errors.push_back({clean(message.call),
                                   error_name(static_cast<CudaError>(message.error)),
                                   clean(message.detail),
                                   message.frames,
                                   {},
                                   0});
  }
  return reply(Status{});
}

Step ClientSession::on_report_asked(const ReportAsked& message) {
  const std::string error = message.error == 0 ? "" : error_name(static_cast<CudaError>(message.error));
  for (auto failed = outcome_.api_errors.rbegin(); failed != outcome_.api_errors.rend(); ++failed) {
    if (!error.empty() && failed->error != error) continue;
    failed->asked = true;
    if (!error.empty()) break;
  }
  return reply(Status{});
}

Step ClientSession::on_report_unsupported(const ReportUnsupported& message) {
  std::string call = clean(message.call);
  auto& calls = outcome_.unsupported_calls;
  if (calls.size() < kMaxUnsupported && std::find(calls.begin(), calls.end(), call) == calls.end()) {
    calls.push_back(std::move(call));
  }
  return reply(Status{});
}

Step ClientSession::on_stream_operation(protocol::StreamOperation& message) {
  sim::StreamOperation& told = message.operation;
  if (told.work > sim::kLastStreamWork || told.frames.size() > kMaxFrames)
    return cut(msg::operation_of_unknown_kind());
  if (told.lane >= told.clock.size() || told.clock.size() > kMaxLanes ||
      told.clock[told.lane] != told.number || told.number == 0)
    return cut(msg::operation_without_place());
  std::uint64_t rows = 0;
  for (const sim::StreamTouch& touch : told.touches) {
    std::uint64_t end = 0;
    if (touch.rows == 0 || touch.rows > kMaxTouchedRows || (rows += touch.rows) > kMaxTouchedRows ||
        __builtin_mul_overflow(touch.rows - 1, touch.pitch, &end) ||
        __builtin_add_overflow(end, touch.address, &end) || __builtin_add_overflow(end, touch.width, &end))
      return cut(msg::operation_touches_too_much());
  }
  if (std::uint64_t end = 0; __builtin_add_overflow(told.asked, told.asked_bytes, &end))
    return cut(msg::question_beyond_memory());
  told.call = clean(told.call);
  return reply(answer(Handle{static_cast<std::uint32_t>(device_.instrumentation().stream_operation(told))}));
}

Step ClientSession::on_ready(Ready& message) {
  if (defined_) return cut(msg::entries_announced_twice());
  if (message.defined.size() > kMaxEntries) return cut(msg::entries_too_many());
  for (const std::uint8_t defined : message.defined) {
    if (defined > 1) return cut(msg::entry_announced_wrongly());
  }
  defined_ = std::move(message.defined);
  state_ = State::Waiting;
  return {Action::Ready, {}, {}};
}

DeviceStream* ClientSession::find_stream(std::uint32_t handle, Status& status) {
  if (handle == 0) return nullptr;
  const auto found = streams_.find(handle);
  if (found != streams_.end()) return found->second.get();
  status = {CudaError::InvalidResourceHandle, msg::stream_unknown()};
  return nullptr;
}

DeviceEvent* ClientSession::find_event(std::uint32_t handle, Status& status) {
  const auto found = events_.find(handle);
  if (found != events_.end()) return found->second.get();
  status = {CudaError::InvalidResourceHandle, msg::event_unknown()};
  return nullptr;
}

std::vector<std::byte> ClientSession::begin_entry(std::uint32_t entry, std::vector<std::uint64_t> arguments) {
  state_ = State::Running;
  entry_running_ = true;
  outcome_.peak_bytes = client_bytes_;
  arguments_ = arguments;
  return encode(RunEntry{entry, std::move(arguments)});
}

void ClientSession::end() {
  if (sticky_ != CudaError::Success)
    return;  // after a fault cudaFree fails too, so the leak is not the program's fault
  std::vector<sim::Leak> left;
  for (const auto& [base, range] : ranges_) {
    if (range.owner == Owner::Client && !range.aside) left.push_back({range.bytes, range.frames});
  }
  device_.instrumentation().left_behind(left);
}

CallOutcome ClientSession::take_outcome() {
  settle_estimate();
  lines_kept_ = 0;
  outcome_.findings = device_.instrumentation().take_findings();
  if (outcome_.findings.size() > kMaxFindings) outcome_.findings.resize(kMaxFindings);
  for (const auto& [base, range] : ranges_) {
    if (range.owner != Owner::Client) continue;
    ++outcome_.allocations_left;
    outcome_.bytes_left += range.bytes;
  }
  return std::exchange(outcome_, {});
}

}  // namespace cudalabs
