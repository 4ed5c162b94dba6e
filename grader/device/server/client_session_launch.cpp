// The part of ClientSession that loads modules and launches their kernels.

#include "grader/device/server/client_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "grader/base/log/log.h"
#include "grader/device/server/current_work.h"
#include "grader/device/trace/wire_text.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/launch_limits.h"

namespace cudalabs {
namespace {

using namespace protocol;

// Limits for one client: far above what a program needs.
constexpr std::size_t kMaxModules = 256;
constexpr std::size_t kMaxLaunches = 50'000;
constexpr std::size_t kMaxLines = 200'000;
constexpr std::size_t kMaxPrinted = kStagingBytes;
constexpr std::size_t kMaxNotes = 16;

/// For the log.
std::string line_of(const PendingLaunch& launch, std::chrono::nanoseconds time) {
  const Answer<LaunchRun>& run = launch.run;
  const sim::LaunchConfig& config = launch.request.config;
  const std::string& kernel = launch.module->kernels()[launch.request.kernel].name;
  std::string end(run.ok() ? "done" : error_name(run.error));
  if (run.ok() && run.value.fault.kind != sim::FaultKind::None)
    end = fmt::format("fault: {}", run.value.fault.statement().english());
  return fmt::format("launched {} grid={}x{}x{} block={}x{}x{}, {}, {}", kernel, config.grid.x, config.grid.y,
                     config.grid.z, config.block.x, config.block.y, config.block.z, end,
                     milliseconds_text(time));
}

}  // namespace

Answer<Handle> ClientSession::on_load(const LoadModule& message) {
  if (!health().ok()) return failure<Handle>(health());
  if (modules_.size() >= kMaxModules)
    return failure<Handle>(CudaError::MemoryAllocation, msg::too_many_modules());
  const Doing loading(DeviceWork::Loading);
  // A private copy: the client can change the staging buffer while the image is being read.
  const std::vector<std::byte> image(staging_.begin(),
                                     staging_.begin() + static_cast<std::ptrdiff_t>(message.bytes));
  auto loaded =
      group_ != nullptr ? group_->load(image, message.managed, nullptr) : device_.modules().load(image);
  if (!loaded.ok()) return failure<Handle>(loaded);
  for (const sim::VariableInfo& variable : loaded.value->variables()) {
    if (variable.size != 0) ranges_[variable.address] = {variable.size, Owner::Module};
  }
  LoadedModule& module =
      modules_.emplace(next_module_, LoadedModule{loaded.value, kernel_codes_of_image(image)}).first->second;
  if (group_ != nullptr) {
    module.by_device[chosen_] = std::move(loaded.value);
    module.image = image;
    module.managed = message.managed;
  }
  return answer(Handle{next_module_++});
}

ClientSession::LoadedModule* ClientSession::find_module(std::uint32_t handle) {
  const auto found = modules_.find(handle);
  return found == modules_.end() ? nullptr : &found->second;
}

Answer<KernelReply> ClientSession::on_get_kernel(const GetKernel& message) {
  LoadedModule* module = find_module(message.module);
  if (module == nullptr) return failure<KernelReply>(CudaError::InvalidResourceHandle, msg::module_unknown());
  const auto& kernels = module->module->kernels();
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const sim::KernelInfo& kernel) { return kernel.name == message.name; });
  if (found == kernels.end()) {
    return failure<KernelReply>(CudaError::InvalidDeviceFunction,
                                msg::module_without_kernel(clean(message.name)));
  }
  const auto index = static_cast<std::uint32_t>(found - kernels.begin());
  KernelReply info;
  info.kernel = index;
  info.parameter_bytes = found->parameter_bytes;
  info.static_shared_bytes = found->static_shared_bytes;
  info.local_bytes = found->local_bytes;
  info.registers = found->registers;
  info.max_threads = found->max_threads;
  info.uses_heap = found->uses_heap;
  info.uses_printf = found->uses_printf;
  const auto limit = module->dynamic_shared_limits.find({chosen_, index});
  info.max_dynamic_shared_bytes = limit != module->dynamic_shared_limits.end()
                                      ? limit->second
                                      : sim::most_dynamic_shared(device_.properties().limits, *found);
  info.parameter_sizes = found->parameter_sizes;
  info.parameter_offsets = found->parameter_offsets;
  return answer(std::move(info));
}

Answer<protocol::Range> ClientSession::on_get_variable(const GetVariable& message) {
  LoadedModule* module = find_module(message.module);
  if (module == nullptr)
    return failure<protocol::Range>(CudaError::InvalidResourceHandle, msg::module_unknown());
  const auto there = on_chosen_device(*module);
  if (!there.ok()) return failure<protocol::Range>(there);
  for (const sim::VariableInfo& variable : there.value->variables()) {
    if (variable.name == message.name) return answer(protocol::Range{variable.address, variable.size});
  }
  return failure<protocol::Range>(CudaError::InvalidSymbol,
                                  msg::module_without_variable(clean(message.name)));
}

Status ClientSession::on_set_kernel_shared(const SetKernelShared& message) {
  if (!health().ok()) return health();
  LoadedModule* module = find_module(message.module);
  if (module == nullptr || message.kernel >= module->module->kernels().size()) {
    return {CudaError::InvalidResourceHandle, msg::kernel_handle_unknown()};
  }
  const sim::KernelInfo& kernel = module->module->kernels()[message.kernel];
  if (const auto why = sim::refuse_dynamic_shared(device_.properties().limits, kernel, message.bytes))
    return {CudaError::InvalidValue, clean(msg::launch_refused(kernel.demangled, *why))};
  module->dynamic_shared_limits[{chosen_, message.kernel}] = message.bytes;
  return {};
}

Answer<Handle> ClientSession::on_occupancy(const Occupancy& message) {
  if (!health().ok()) return failure<Handle>(health());
  LoadedModule* module = find_module(message.module);
  if (module == nullptr || message.kernel >= module->module->kernels().size()) {
    return failure<Handle>(CudaError::InvalidResourceHandle, msg::kernel_handle_unknown());
  }
  module->occupancy_asked.insert(message.kernel);
  const auto blocks = device_.modules().occupancy(*module->module, message.kernel, message.threads,
                                                  message.dynamic_shared_bytes);
  return blocks.ok() ? answer(Handle{blocks.value}) : failure<Handle>(blocks);
}

Step ClientSession::on_launch(Launch& message) {
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok()) return reply(status);
  LoadedModule* module = find_module(message.module);
  if (module == nullptr || message.kernel >= module->module->kernels().size()) {
    return reply(Status{CudaError::InvalidDeviceFunction, msg::kernel_handle_unknown()});
  }
  const sim::KernelInfo& kernel = module->module->kernels()[message.kernel];
  if (message.parameters.size() != kernel.parameter_bytes) return cut(msg::launch_parameters_wrong());
  if (message.most_children > kMaxChildren || message.sync_depth > kMaxSyncDepth)
    return cut(msg::launch_children_too_many());
  if (message.dynamic_shared_bytes > UINT32_MAX) {
    return reply(Status{CudaError::InvalidValue, msg::shared_memory_beyond_4_gib()});
  }
  if (stream != nullptr && stream_devices_[message.stream] != chosen_) {
    return reply(Status{CudaError::InvalidResourceHandle,
                        msg::stream_of_other_device(stream_devices_[message.stream], chosen_)});
  }
  auto there = on_chosen_device(*module);
  if (!there.ok()) return reply(Status{there.error, there.detail});
  PendingLaunch& launch = launch_.emplace();
  launch.module = std::move(there.value);
  if (stream != nullptr) launch.stream = streams_.at(message.stream);
  launch.parameters = std::move(message.parameters);
  LaunchRequest& request = launch.request;
  request.module = launch.module.get();
  request.kernel = message.kernel;
  request.config.grid = {message.grid_x, message.grid_y, message.grid_z};
  request.config.block = {message.block_x, message.block_y, message.block_z};
  request.config.dynamic_shared_bytes = static_cast<std::uint32_t>(message.dynamic_shared_bytes);
  request.config.cooperative = message.cooperative;
  request.config.limits = {message.most_children, message.stack_bytes, message.heap_bytes,
                           message.printf_bytes,  message.sync_depth,  message.bank_bytes};
  const auto limit = module->dynamic_shared_limits.find({chosen_, message.kernel});
  if (limit != module->dynamic_shared_limits.end()) request.dynamic_shared_limit = limit->second;
  request.parameters = launch.parameters;
  request.stream = stream;
  if (message.only_checked) {
    const Status allowed = check_launch(device_.properties(), request);
    launch_.reset();
    return reply(allowed);
  }
  const auto code = module->codes.find(kernel.name);
  if (code != module->codes.end()) launch.code = code->second;
  launch.occupancy_asked = module->occupancy_asked.contains(message.kernel);
  launch.arguments = fingerprint(kernel, launch.parameters);
  return {Action::Launch, {}, {}};
}

/// The same on every device if the program passes the same arguments: an address counts as its array and its
/// offset in that array. A value that may be an address of another kind does not count. Nor does a parameter
/// that has neither 4 nor 8 bytes: the gaps in a struct, and the one byte of an empty struct, hold anything.
std::uint64_t ClientSession::fingerprint(const sim::KernelInfo& kernel,
                                         std::span<const std::byte> parameters) const {
  std::uint64_t hash = 0;
  const auto add = [&hash](std::uint64_t number) { hash = (hash ^ number) * 0x9E3779B97F4A7C15u + 1; };
  for (std::size_t p = 0; p < kernel.parameter_sizes.size(); ++p) {
    const std::size_t size = kernel.parameter_sizes[p], offset = kernel.parameter_offsets[p];
    std::uint64_t value = 0;
    if ((size != 4 && size != sizeof value) || offset + size > parameters.size()) continue;
    std::memcpy(&value, parameters.data() + offset, size);
    const auto* range = size == sizeof value ? find_range(value, 0) : nullptr;
    if (range == nullptr) {
      if (value >> 32 == 0) add(value);  // no array is in the lowest 4 GiB
      continue;
    }
    const auto given = std::ranges::find_if(arguments_, [&](std::uint64_t argument) {
      return range->second.owner == Owner::Grader && find_range(argument, 0) == range;
    });
    // Some devices put guards around the grader's arrays.
    const std::uint64_t begin = given != arguments_.end() ? *given : range->first;
    if (value < begin) continue;
    add(given != arguments_.end() ? static_cast<std::uint64_t>(given - arguments_.begin())
                                  : range->second.bytes);
    add(value - begin);
  }
  return hash;
}

void ClientSession::run_launch(const std::atomic<bool>* cancel) {
  const Doing launching(DeviceWork::Launching);
  const auto start = std::chrono::steady_clock::now();
  launch_->run = device_.operations().launch(launch_->request, cancel);
  logging::debug(logging::Stage::Device,
                 [&] { return line_of(*launch_, std::chrono::steady_clock::now() - start); });
}

std::vector<std::byte> ClientSession::finish_launch() {
  Answer<LaunchRun> run = std::move(launch_->run);
  run.value.record.code = launch_->code.hash;
  run.value.record.uses_dynamic_shared = launch_->code.dynamic_shared;
  run.value.record.uses_tensor_cores = launch_->code.tensor_cores;
  run.value.record.uses_cooperative_groups = launch_->code.cooperative_groups;
  run.value.record.occupancy_asked = launch_->occupancy_asked;
  run.value.record.arguments = launch_->arguments;
  const std::size_t argument_bytes = launch_->parameters.size();
  launch_.reset();
  if (run.ok()) {
    outcome_.argument_bytes += argument_bytes;
    keep(std::move(run.value.record), std::move(run.value.estimate));
    for (LaunchRecord& child : run.value.children) keep(std::move(child));
    outcome_.launches_not_recorded += run.value.children_not_recorded;
    for (const sim::RefusedLaunch& refused : run.value.refused_children) {
      if (outcome_.api_errors.size() >= kMaxApiErrors) break;
      outcome_.api_errors.push_back(
          {"cudaLaunchDevice", error_name(static_cast<CudaError>(refused.error)), clean(refused.why)});
    }
    for (sim::LaunchNote& note : run.value.notes) {
      const bool told = std::ranges::any_of(
          outcome_.notes, [&](const sim::LaunchNote& one) { return one.message == note.message; });
      if (!told && outcome_.notes.size() < kMaxNotes) outcome_.notes.push_back(std::move(note));
    }
    const std::size_t room = kMaxPrinted - std::min(kMaxPrinted, printed_.size());
    if (run.value.printed.size() > room) {
      static const std::string note = "\n[cuda-labs: more kernel printf output was dropped]\n";
      run.value.printed.resize(room > note.size() ? room - note.size() : 0);
      if (room > note.size()) run.value.printed += note;
    }
    printed_ += run.value.printed;
    // a program that reads its own output could read these bytes too
    outcome_.bytes_to_host += run.value.printed.size();
    if (run.value.fault.kind != sim::FaultKind::None) {
      sticky_ = error_of(run.value.fault.kind);
      // A card could run a kernel of another stream beside it.
      if (run.value.fault.kind == sim::FaultKind::InstructionLimit && !streams_.empty())
        run.value.fault.advice = msg::kernel_endless_advice();
      if (outcome_.fault.kind == sim::FaultKind::None) outcome_.fault = std::move(run.value.fault);
    }
  }
  return reply(Status{run.error, run.detail}).reply;
}

void ClientSession::settle_estimate() {
  if (!estimate_.valid()) return;
  outcome_.launches[estimate_of_].keep(estimate_.get());
  estimate_ = {};
}

void ClientSession::keep(LaunchRecord record, std::shared_future<sim::Estimate> estimate) {
  if (outcome_.launches.size() >= kMaxLaunches) {
    ++outcome_.launches_not_recorded;
    return;
  }
  if (lines_kept_ + record.lines.size() + record.accesses.size() > kMaxLines) {
    record.lines.clear();
    record.accesses.clear();
    record.line_times.clear();
  }
  lines_kept_ += record.lines.size() + record.accesses.size();
  if (estimate.valid()) {
    settle_estimate();
    estimate_ = std::move(estimate);
    estimate_of_ = outcome_.launches.size();
  }
  outcome_.launches.push_back(std::move(record));
}

Answer<Size> ClientSession::on_take_printed() {
  std::copy_n(reinterpret_cast<const std::byte*>(printed_.data()), printed_.size(), staging_.begin());
  const Size size{printed_.size()};
  printed_.clear();
  return answer(size);
}

}  // namespace cudalabs
