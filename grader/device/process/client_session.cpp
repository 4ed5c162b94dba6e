#include "grader/device/process/client_session.h"

#include <algorithm>
#include <utility>

namespace cudalabs {
namespace {

using namespace protocol;

// Most that one client may hold; far above what a program
// needs, far below what would hurt the device process.
constexpr std::size_t kMaxModules = 256;
constexpr std::size_t kMaxStreams = 4096;
constexpr std::size_t kMaxEvents = 65536;
constexpr std::size_t kMaxAllocations = 65536;
constexpr std::size_t kMaxApiErrors = 64;
constexpr std::size_t kMaxUnsupported = 64;
constexpr std::size_t kMaxFindings = 1000;
constexpr std::size_t kMaxEntries = 1024;
constexpr std::size_t kMaxLaunches = 50'000;
constexpr std::size_t kMaxLines = 200'000;
constexpr std::size_t kMaxPrinted = std::size_t{4} << 20;
static_assert(kMaxPrinted < kStagingBytes);

/// Text of a hostile program, fit for a report: printable ASCII, bounded.
std::string clean(std::string text) {
  if (text.size() > kMaxText) text.resize(kMaxText);
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return text;
}

std::string hex(std::uint64_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

template <class T>
Answer<T> refuse(const Status& status) {
  return failure<T>(status.error, status.detail);
}

}  // namespace

ClientSession::ClientSession(Device& device, std::span<std::byte> staging)
    : device_(device), staging_(staging) {}

ClientSession::~ClientSession() {
  for (const auto& [base, range] : ranges_) {
    if (range.owner == Owner::Client) static_cast<void>(device_.free(base));
  }
}

Step ClientSession::cut(std::string reason) { return {Action::Cut, {}, std::move(reason)}; }

template <class Payload>
Step ClientSession::reply(const Answer<Payload>& result) {
  ReplyHead head;
  head.error = static_cast<std::int32_t>(result.error);
  head.pending = static_cast<std::int32_t>(sticky_);
  head.printed_bytes = static_cast<std::uint32_t>(printed_.size());
  head.detail = result.detail.substr(0, kMaxText);
  std::vector<std::byte> bytes =
      result.ok() ? encode_reply(head, result.value) : encode_reply(head, Nothing{});
  if (bytes.size() > kMaxMessage) {
    return reply(failure<Payload>(CudaError::NotSupported, "the answer is too long for one message"));
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
  if (!decode(message, request)) return cut("a message is cut short or too long");
  if constexpr (std::is_same_v<decltype(handler(request)), Step>) {
    return handler(request);
  } else {
    return reply(handler(request));
  }
}

Step ClientSession::handle(std::span<const std::byte> message) {
  const Kind kind = kind_of(message);
  switch (state_) {
    case State::Connected:
      if (kind != Kind::Hello) return cut("the first message is not Hello");
      return on<Hello>(message, [this](const Hello& hello) {
        if (hello.version != kVersion)
          return cut("the program was linked with another version of the library");
        Step step = reply(on_hello());
        step.action = Action::Welcome;
        state_ = State::Running;
        return step;
      });
    case State::Waiting: return cut("a message while no entry was running");
    case State::Running: break;
  }
  if (launch_) return cut("a message while a launch had no answer yet");
  return handle_running(kind, message);
}

Step ClientSession::handle_running(Kind kind, std::span<const std::byte> message) {
  switch (kind) {
    case Kind::LoadModule:
      return on<LoadModule>(message, [this](const LoadModule& m) {
        return m.bytes > staging_.size() ? cut("a module larger than the staging buffer") : reply(on_load(m));
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
    case Kind::Allocate: return on<Allocate>(message, [this](const Allocate& m) { return on_allocate(m); });
    case Kind::Free: return on<Free>(message, [this](const Free& m) { return on_free(m); });
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
        const MemoryUse info = device_.memory();
        return answer(protocol::Range{info.free_bytes, info.total_bytes});
      });
    case Kind::PointerInfo:
      return on<PointerInfo>(message, [this](const PointerInfo& m) { return on_pointer_info(m); });
    case Kind::ReportError:
      return on<ReportError>(message, [this](const ReportError& m) { return on_report_error(m); });
    case Kind::ReportUnsupported:
      return on<ReportUnsupported>(message,
                                   [this](const ReportUnsupported& m) { return on_report_unsupported(m); });
    case Kind::Ready: return on<Ready>(message, [this](Ready& m) { return on_ready(m); });
    case Kind::EntryDone:
      return on<EntryDone>(message, [this](const EntryDone&) {
        if (!entry_running_) return cut("an entry ended that was never called");
        entry_running_ = false;
        state_ = State::Waiting;
        return Step{Action::EntryDone, {}, {}};
      });
    default: return handle_stream_or_event(kind, message);
  }
}

Step ClientSession::handle_stream_or_event(Kind kind, std::span<const std::byte> message) {
  // Everything here may wait for the device, which a lost context never does.
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
    case Kind::CreateStream:
      return on<CreateStream>(message, [this](const CreateStream& m) {
        if (!health().ok()) return refuse<Handle>(health());
        if (streams_.size() >= kMaxStreams)
          return failure<Handle>(CudaError::MemoryAllocation, "too many streams");
        auto stream = device_.create_stream(m.flags, m.priority);
        if (!stream.ok()) return refuse<Handle>(stream);
        streams_.emplace(next_stream_, std::move(stream.value));
        return answer(Handle{next_stream_++});
      });
    case Kind::CreateEvent:
      return on<CreateEvent>(message, [this](const CreateEvent& m) {
        if (!health().ok()) return refuse<Handle>(health());
        if (events_.size() >= kMaxEvents)
          return failure<Handle>(CudaError::MemoryAllocation, "too many events");
        auto event = device_.create_event(m.flags);
        if (!event.ok()) return refuse<Handle>(event);
        events_.emplace(next_event_, std::move(event.value));
        return answer(Handle{next_event_++});
      });
    case Kind::DestroyStream:
      return on<DestroyStream>(message, [this](const DestroyStream& m) {
        return streams_.erase(m.handle) != 0 ? health()
                                             : Status{CudaError::InvalidResourceHandle, "no such stream"};
      });
    case Kind::DestroyEvent:
      return on<DestroyEvent>(message, [this](const DestroyEvent& m) {
        return events_.erase(m.handle) != 0 ? health()
                                            : Status{CudaError::InvalidResourceHandle, "no such event"};
      });
    case Kind::RecordEvent:
      return on<RecordEvent>(message, [&](const RecordEvent& m) {
        return with_stream(m.stream, [&](DeviceStream* stream) {
          return with_event(m.event, [&](DeviceEvent& event) { return device_.record(event, stream); });
        });
      });
    case Kind::WaitEvent:
      return on<WaitEvent>(message, [&](const WaitEvent& m) {
        return with_stream(m.stream, [&](DeviceStream* stream) {
          return with_event(m.event, [&](DeviceEvent& event) { return device_.wait(stream, event); });
        });
      });
    case Kind::QueryStream:
      return on<QueryStream>(message, [&](const QueryStream& m) {
        return with_stream(m.handle, [&](DeviceStream* stream) { return device_.query(stream); });
      });
    case Kind::QueryEvent:
      return on<QueryEvent>(message, [&](const QueryEvent& m) {
        return with_event(m.handle, [&](DeviceEvent& event) { return device_.query(event); });
      });
    case Kind::SyncDevice:
      return on<SyncDevice>(
          message, [this](const SyncDevice&) { return health().ok() ? device_.synchronize() : health(); });
    case Kind::SyncStream:
      return on<SyncStream>(message, [&](const SyncStream& m) {
        return with_stream(m.handle, [&](DeviceStream* stream) { return device_.synchronize(stream); });
      });
    case Kind::SyncEvent:
      return on<SyncEvent>(message, [&](const SyncEvent& m) {
        return with_event(m.handle, [&](DeviceEvent& event) { return device_.synchronize(event); });
      });
    case Kind::Elapsed:
      return on<Elapsed>(message, [this](const Elapsed& m) {
        Status status = health();
        DeviceEvent* start = status.ok() ? find_event(m.start, status) : nullptr;
        DeviceEvent* end = status.ok() ? find_event(m.end, status) : nullptr;
        if (!status.ok()) return refuse<Milliseconds>(status);
        const Answer<float> elapsed = device_.elapsed(*start, *end);
        return elapsed.ok() ? answer(Milliseconds{elapsed.value}) : refuse<Milliseconds>(elapsed);
      });
    default: return cut("a message of an unknown kind");
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
  to.registers_per_block = from.registers_per_block;
  to.registers_per_multiprocessor = from.registers_per_multiprocessor;
  to.l2_bytes = from.l2_bytes;
  to.clock_khz = from.clock_khz;
  to.memory_clock_khz = from.memory_clock_khz;
  to.memory_bus_bits = from.memory_bus_bits;
  return answer(std::move(to));
}

Answer<Handle> ClientSession::on_load(const LoadModule& message) {
  if (!health().ok()) return refuse<Handle>(health());
  if (modules_.size() >= kMaxModules) return failure<Handle>(CudaError::MemoryAllocation, "too many modules");
  // A private copy: the client can change the staging buffer while the image is being read.
  const std::vector<std::byte> image(staging_.begin(),
                                     staging_.begin() + static_cast<std::ptrdiff_t>(message.bytes));
  auto loaded = device_.load(image);
  if (!loaded.ok()) return refuse<Handle>(loaded);
  for (const sim::VariableInfo& variable : loaded.value->variables()) {
    if (variable.size != 0) ranges_[variable.address] = {variable.size, Owner::Module};
  }
  modules_.emplace(next_module_, LoadedModule{std::move(loaded.value), {}});
  return answer(Handle{next_module_++});
}

ClientSession::LoadedModule* ClientSession::find_module(std::uint32_t handle) {
  const auto found = modules_.find(handle);
  return found == modules_.end() ? nullptr : &found->second;
}

Answer<KernelReply> ClientSession::on_get_kernel(const GetKernel& message) {
  LoadedModule* module = find_module(message.module);
  if (module == nullptr) return failure<KernelReply>(CudaError::InvalidResourceHandle, "no such module");
  const auto& kernels = module->module->kernels();
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const sim::KernelInfo& kernel) { return kernel.name == message.name; });
  if (found == kernels.end()) {
    return failure<KernelReply>(CudaError::InvalidDeviceFunction,
                                "the module has no kernel " + clean(message.name));
  }
  const auto index = static_cast<std::uint32_t>(found - kernels.begin());
  KernelReply info;
  info.kernel = index;
  info.parameter_bytes = found->parameter_bytes;
  info.static_shared_bytes = found->static_shared_bytes;
  info.local_bytes = found->local_bytes;
  info.registers = found->registers;
  info.max_threads = found->max_threads;
  const auto limit = module->dynamic_shared_limits.find(index);
  const std::uint64_t plain = device_.properties().limits.static_shared_bytes;
  info.max_dynamic_shared_bytes = limit != module->dynamic_shared_limits.end() ? limit->second
                                  : found->static_shared_bytes < plain ? plain - found->static_shared_bytes
                                                                       : 0;
  info.parameter_sizes = found->parameter_sizes;
  info.parameter_offsets = found->parameter_offsets;
  return answer(std::move(info));
}

Answer<protocol::Range> ClientSession::on_get_variable(const GetVariable& message) {
  LoadedModule* module = find_module(message.module);
  if (module == nullptr) return failure<protocol::Range>(CudaError::InvalidResourceHandle, "no such module");
  for (const sim::VariableInfo& variable : module->module->variables()) {
    if (variable.name == message.name) return answer(protocol::Range{variable.address, variable.size});
  }
  return failure<protocol::Range>(CudaError::InvalidSymbol,
                                  "the module has no variable " + clean(message.name));
}

Status ClientSession::on_set_kernel_shared(const SetKernelShared& message) {
  if (!health().ok()) return health();
  LoadedModule* module = find_module(message.module);
  if (module == nullptr || message.kernel >= module->module->kernels().size()) {
    return {CudaError::InvalidResourceHandle, "no such kernel"};
  }
  const sim::KernelInfo& kernel = module->module->kernels()[message.kernel];
  const std::uint64_t most = device_.properties().limits.max_shared_bytes;
  if (message.bytes > most || message.bytes + kernel.static_shared_bytes > most) {
    return {CudaError::InvalidValue,
            "kernel " + clean(kernel.demangled) + ": " + std::to_string(message.bytes) +
                " bytes of dynamic shared memory asked beside " + std::to_string(kernel.static_shared_bytes) +
                " static ones, the most is " + std::to_string(most) + " together"};
  }
  module->dynamic_shared_limits[message.kernel] = message.bytes;
  return {};
}

Answer<Handle> ClientSession::on_occupancy(const Occupancy& message) {
  if (!health().ok()) return refuse<Handle>(health());
  LoadedModule* module = find_module(message.module);
  if (module == nullptr || message.kernel >= module->module->kernels().size()) {
    return failure<Handle>(CudaError::InvalidResourceHandle, "no such kernel");
  }
  const auto blocks =
      device_.occupancy(*module->module, message.kernel, message.threads, message.dynamic_shared_bytes);
  return blocks.ok() ? answer(Handle{blocks.value}) : refuse<Handle>(blocks);
}

Answer<protocol::Range> ClientSession::on_allocate(const Allocate& message) {
  if (!health().ok()) return refuse<protocol::Range>(health());
  if (message.bytes == 0)
    return failure<protocol::Range>(CudaError::InvalidValue, "an allocation of 0 bytes");
  const MemoryUse memory = device_.memory();
  if (message.bytes > memory.free_bytes || allocations_ >= kMaxAllocations) {
    return failure<protocol::Range>(CudaError::MemoryAllocation,
                                    std::to_string(message.bytes) + " bytes asked, " +
                                        std::to_string(memory.free_bytes) + " are free on the device");
  }
  const Answer<DevicePtr> pointer = device_.allocate(message.bytes);
  if (!pointer.ok()) return refuse<protocol::Range>(pointer);
  ranges_[pointer.value] = {message.bytes, Owner::Client};
  ++allocations_;
  return answer(protocol::Range{pointer.value, message.bytes});
}

Status ClientSession::on_free(const Free& message) {
  if (!health().ok()) return health();
  const auto found = ranges_.find(message.pointer);
  if (found == ranges_.end() || found->second.owner != Owner::Client) {
    return {CudaError::InvalidValue,
            hex(message.pointer) + " was not allocated by cudaMalloc, or was freed before"};
  }
  const Status freed = device_.free(message.pointer);
  ranges_.erase(found);
  --allocations_;
  return freed;
}

const std::pair<const DevicePtr, ClientSession::Range>* ClientSession::find_range(DevicePtr pointer,
                                                                                  std::uint64_t bytes) const {
  auto after = ranges_.upper_bound(pointer);
  if (after == ranges_.begin()) return nullptr;
  const auto& range = *std::prev(after);
  const std::uint64_t offset = pointer - range.first;
  if (offset > range.second.bytes || bytes > range.second.bytes - offset) return nullptr;
  return &range;
}

Status ClientSession::check_range(Pitched range, Extent extent, const char* what) const {
  std::uint64_t bytes = 0;
  if (extent.rows > 1 && range.pitch < extent.width)
    return {CudaError::InvalidPitchValue, "pitch below the width"};
  if (__builtin_mul_overflow(extent.rows - 1, range.pitch, &bytes) ||
      __builtin_add_overflow(bytes, extent.width, &bytes) || find_range(range.address, bytes) == nullptr) {
    return {CudaError::InvalidValue, std::string("the ") + what + " (" + hex(range.address) + ", " +
                                         std::to_string(bytes) +
                                         " bytes) is not inside one device allocation"};
  }
  return {};
}

bool ClientSession::in_staging(std::uint64_t offset, std::uint64_t width, std::uint64_t rows) const {
  std::uint64_t bytes = 0;
  return !__builtin_mul_overflow(width, rows, &bytes) && offset <= staging_.size() &&
         bytes <= staging_.size() - offset;
}

Step ClientSession::on_copy_in(const CopyIn& message) {
  if (!in_staging(message.offset, message.width, message.rows))
    return cut("a copy from outside the staging buffer");
  const Pitched to{message.to, message.pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return reply(status);
  status = check_range(to, extent, "destination");
  if (status.ok()) status = device_.copy_to_device(to, staging_.data() + message.offset, extent, stream);
  if (status.ok()) outcome_.bytes_to_device += extent.width * extent.rows;
  return reply(status);
}

Step ClientSession::on_copy_out(const CopyOut& message) {
  if (!in_staging(message.offset, message.width, message.rows))
    return cut("a copy to outside the staging buffer");
  const Pitched from{message.from, message.pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return reply(status);
  status = check_range(from, extent, "source");
  if (status.ok()) status = device_.copy_to_host(staging_.data() + message.offset, from, extent, stream);
  if (status.ok()) outcome_.bytes_to_host += extent.width * extent.rows;
  return reply(status);
}

Status ClientSession::on_copy_on_device(const CopyOnDevice& message) {
  const Pitched to{message.to, message.to_pitch}, from{message.from, message.from_pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return status;
  status = check_range(to, extent, "destination");
  if (status.ok()) status = check_range(from, extent, "source");
  return status.ok() ? device_.copy_on_device(to, from, extent, stream) : status;
}

Status ClientSession::on_set(const Set& message) {
  const Pitched to{message.to, message.pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return status;
  status = check_range(to, extent, "destination");
  return status.ok() ? device_.set(to, std::byte{message.value}, extent, stream) : status;
}

Step ClientSession::on_launch(Launch& message) {
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok()) return reply(status);
  LoadedModule* module = find_module(message.module);
  if (module == nullptr || message.kernel >= module->module->kernels().size()) {
    return reply(Status{CudaError::InvalidDeviceFunction, "no such kernel"});
  }
  const sim::KernelInfo& kernel = module->module->kernels()[message.kernel];
  if (message.parameters.size() != kernel.parameter_bytes)
    return cut("a launch with parameters of a wrong size");
  if (message.dynamic_shared_bytes > UINT32_MAX) {
    return reply(Status{CudaError::InvalidValue, "more than 4 GiB of shared memory asked"});
  }
  PendingLaunch& launch = launch_.emplace();
  launch.module = module->module;
  if (stream != nullptr) launch.stream = streams_.at(message.stream);
  launch.parameters = std::move(message.parameters);
  LaunchRequest& request = launch.request;
  request.module = launch.module.get();
  request.kernel = message.kernel;
  request.config.grid = {message.grid_x, message.grid_y, message.grid_z};
  request.config.block = {message.block_x, message.block_y, message.block_z};
  request.config.dynamic_shared_bytes = static_cast<std::uint32_t>(message.dynamic_shared_bytes);
  request.config.cooperative = message.cooperative;
  const auto limit = module->dynamic_shared_limits.find(message.kernel);
  if (limit != module->dynamic_shared_limits.end()) request.dynamic_shared_limit = limit->second;
  request.parameters = launch.parameters;
  request.stream = stream;
  return {Action::Launch, {}, {}};
}

void ClientSession::run_launch(const std::atomic<bool>* cancel) {
  launch_->run = device_.launch(launch_->request, cancel);
}

std::vector<std::byte> ClientSession::finish_launch() {
  Answer<LaunchRun> run = std::move(launch_->run);
  launch_.reset();
  if (run.ok()) {
    keep(std::move(run.value.record));
    const std::size_t room = kMaxPrinted - std::min(kMaxPrinted, printed_.size());
    if (run.value.printed.size() > room) {
      static const std::string note = "\n[cuda-labs: more kernel printf output was dropped]\n";
      run.value.printed.resize(room > note.size() ? room - note.size() : 0);
      if (room > note.size()) run.value.printed += note;
    }
    printed_ += run.value.printed;
    if (run.value.fault.kind != sim::FaultKind::None) {
      sticky_ = error_of(run.value.fault.kind);
      if (outcome_.fault.kind == sim::FaultKind::None) outcome_.fault = std::move(run.value.fault);
    }
  }
  return reply(Status{run.error, run.detail}).reply;
}

void ClientSession::keep(LaunchRecord record) {
  if (outcome_.launches.size() >= kMaxLaunches) {
    ++outcome_.launches_not_recorded;
    return;
  }
  if (lines_kept_ + record.lines.size() + record.accesses.size() > kMaxLines) {
    record.lines.clear();
    record.accesses.clear();
  }
  lines_kept_ += record.lines.size() + record.accesses.size();
  outcome_.launches.push_back(std::move(record));
}

Answer<Size> ClientSession::on_take_printed() {
  std::copy_n(reinterpret_cast<const std::byte*>(printed_.data()), printed_.size(), staging_.begin());
  const Size size{printed_.size()};
  printed_.clear();
  return answer(size);
}

Answer<protocol::Range> ClientSession::on_pointer_info(const PointerInfo& message) const {
  const auto* range = find_range(message.pointer, 1);
  if (range == nullptr) return failure<protocol::Range>(CudaError::InvalidValue, "no device memory there");
  return answer(protocol::Range{range->first, range->second.bytes});
}

Step ClientSession::on_report_error(const ReportError& message) {
  if (outcome_.api_errors.size() < kMaxApiErrors) {
    outcome_.api_errors.push_back(
        {clean(message.call), error_name(static_cast<CudaError>(message.error)), clean(message.detail)});
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

Step ClientSession::on_ready(Ready& message) {
  if (defined_) return cut("the entries were announced twice");
  if (message.defined.size() > kMaxEntries) return cut("too many entries announced");
  for (const std::uint8_t defined : message.defined) {
    if (defined > 1) return cut("an entry announced as neither there nor missing");
  }
  defined_ = std::move(message.defined);
  state_ = State::Waiting;
  return {Action::Ready, {}, {}};
}

DeviceStream* ClientSession::find_stream(std::uint32_t handle, Status& status) {
  if (handle == 0) return nullptr;
  const auto found = streams_.find(handle);
  if (found != streams_.end()) return found->second.get();
  status = {CudaError::InvalidResourceHandle, "no such stream"};
  return nullptr;
}

DeviceEvent* ClientSession::find_event(std::uint32_t handle, Status& status) {
  const auto found = events_.find(handle);
  if (found != events_.end()) return found->second.get();
  status = {CudaError::InvalidResourceHandle, "no such event"};
  return nullptr;
}

std::vector<std::byte> ClientSession::begin_entry(std::uint32_t entry, std::vector<std::uint64_t> arguments) {
  state_ = State::Running;
  entry_running_ = true;
  return encode(RunEntry{entry, std::move(arguments)});
}

void ClientSession::grant(DevicePtr base, std::uint64_t bytes) {
  ranges_.try_emplace(base, Range{bytes, Owner::Grader});
}

void ClientSession::revoke(DevicePtr base) {
  const auto found = ranges_.find(base);
  if (found != ranges_.end() && found->second.owner == Owner::Grader) ranges_.erase(found);
}

void ClientSession::end() {
  if (sticky_ != CudaError::Success)
    return;  // after a fault cudaFree fails too: that is not the program's leak
  std::vector<std::uint64_t> left;
  for (const auto& [base, range] : ranges_) {
    if (range.owner == Owner::Client) left.push_back(range.bytes);
  }
  device_.left_behind(left);
}

CallOutcome ClientSession::take_outcome() {
  lines_kept_ = 0;
  outcome_.findings = device_.take_findings();
  if (outcome_.findings.size() > kMaxFindings) outcome_.findings.resize(kMaxFindings);
  return std::exchange(outcome_, {});
}

}  // namespace cudalabs
