#include "grader/sim/interpreter/device_launches.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/launch_limits.h"
#include "grader/sim/interpreter/kernel_output.h"

namespace cudalabs::sim {
namespace {

using enum ptx::Builtin;

constexpr std::size_t kMaxRefused = 64;       // number of refused launches that are reported
constexpr std::uint64_t kTailLaunch = 3;      // cudaStreamTailLaunch
constexpr std::uint32_t kShortestBuffer = 8;  // bytes; for a kernel without parameters

/// An argument of up to 12 bytes; missing bytes are 0.
template <class T>
T argument(const Exec& x, const CallSite& site, std::size_t number, std::uint32_t lane) {
  const ParamArea& area = site.arguments[number];
  T value{};
  std::memcpy(&value, x.frame + area.offset + std::size_t{lane} * area.bytes,
              std::min<std::size_t>(area.bytes, sizeof value));
  return value;
}

template <class T>
void give_back(const Exec& x, const CallSite& site, std::uint32_t lane, T value) {
  const ParamArea& area = site.results[0];
  std::memcpy(x.frame + area.offset + std::size_t{lane} * area.bytes, &value,
              std::min<std::size_t>(area.bytes, sizeof value));
}

std::size_t arguments_of(ptx::Builtin builtin) {
  switch (builtin) {
    case LaunchBuffer:
    case DeviceSet: return 4;
    case LaunchDevice: return 2;
    case DeviceCopy: return 5;
    default: return 0;
  }
}

}  // namespace

DeviceLaunches::~DeviceLaunches() {
  for (const std::uint64_t buffer : buffers_) launch_.global->release(buffer);
}

bool DeviceLaunches::call(Exec& x, const CallSite& site, std::uint32_t lane) {
  if (site.results.size() != 1 || site.arguments.size() != arguments_of(site.builtin)) return false;
  const std::pair thread{x.block, x.warp * kLanes + lane};
  Error error = Error::None;
  switch (site.builtin) {
    case LaunchBuffer: {
      const std::uint64_t address = buffer(x, site, lane);
      if (address == 0) errors_[thread] = refused_error_;
      give_back(x, site, lane, address);
      return true;
    }
    case LaunchDevice:
      error = launch(x, argument<std::uint64_t>(x, site, 0, lane), argument<std::uint64_t>(x, site, 1, lane));
      break;
    case DeviceWait: error = wait(x, lane); break;
    case DeviceCopy:
    case DeviceSet: {
      const bool copies = site.builtin == DeviceCopy;
      ChildWork work;
      work.kind = copies ? ChildWork::Kind::Copy : ChildWork::Kind::Set;
      work.to = argument<std::uint64_t>(x, site, 0, lane);
      if (copies) work.from = argument<std::uint64_t>(x, site, 1, lane);
      if (!copies) work.value = static_cast<std::byte>(argument<std::uint32_t>(x, site, 1, lane));
      work.bytes = argument<std::uint64_t>(x, site, 2, lane);
      work.tail = argument<std::uint64_t>(x, site, copies ? 4 : 3, lane) == kTailLaunch;
      const char* const call = copies ? "cudaMemcpyAsync()" : "cudaMemsetAsync()";
      error = admit([call] { return msg::child_call(call); });
      const bool there = launch_.global->find(work.to).holds(work.to, work.bytes) &&
                         (!copies || launch_.global->find(work.from).holds(work.from, work.bytes));
      if (error == Error::None && !there) {
        error = refuse(Error::InvalidValue, msg::child_range_outside(call, work.bytes));
      }
      if (error == Error::None && work.bytes > 0) work_.push_back({x.block, std::move(work)});
      break;
    }
    case LastError:
    case PeekError: {
      const auto known = errors_.find(thread);
      if (known != errors_.end()) error = known->second;
      if (site.builtin == LastError && known != errors_.end()) errors_.erase(known);
      give_back(x, site, lane, static_cast<std::uint32_t>(error));
      return true;
    }
    default: return false;
  }
  if (error != Error::None) errors_[thread] = error;
  give_back(x, site, lane, static_cast<std::uint32_t>(error));
  return true;
}

std::uint64_t DeviceLaunches::buffer(Exec& x, const CallSite& site, std::uint32_t lane) {
  const auto function = argument<std::uint64_t>(x, site, 0, lane);
  const std::uint64_t number = (function - kFunctionBase) / 16;
  const auto& programs = *launch_.programs;
  const bool known = function > kFunctionBase && (function - kFunctionBase) % 16 == 0 &&
                     number <= programs.size() && programs[number - 1] != nullptr &&
                     programs[number - 1]->is_entry;
  if (!known) {
    refuse(Error::InvalidDeviceFunction, msg::child_no_kernel());
    return 0;
  }
  const Program& program = *programs[number - 1];
  ChildWork work;
  const auto numbers = [&](std::size_t argument_number) {
    const auto v = argument<std::array<std::uint32_t, 3>>(x, site, argument_number, lane);
    return Dim3{v[0], v[1], v[2]};
  };
  work.config.limits = launch_.config.limits;
  work.config.grid = numbers(1);
  work.config.block = numbers(2);
  work.config.dynamic_shared_bytes = argument<std::uint32_t>(x, site, 3, lane);
  for (std::size_t i = 0; i + 1 < number; ++i)
    work.kernel += programs[i] != nullptr && programs[i]->is_entry ? 1 : 0;
  if (const auto why =
          refuse_launch(*launch_.limits, program.info, work.config, launch_.limits->max_shared_bytes)) {
    refuse(Error::InvalidConfiguration, why->why);
    return 0;
  }
  if (admit([&program] { return msg::child_kernel(program.kernel); }) != Error::None) return 0;
  const std::uint32_t bytes = std::max(program.info.parameter_bytes, kShortestBuffer);
  const auto address = x.global->allocate(bytes, msg::child_parameters(program.kernel));
  if (!address) {
    refuse(Error::MemoryAllocation, address.problem().message[0]);
    return 0;
  }
  work.parameters.resize(program.info.parameter_bytes);
  buffers_.push_back(*address);
  begun_.emplace(*address, std::move(work));
  return *address;
}

DeviceLaunches::Error DeviceLaunches::launch(Exec& x, std::uint64_t buffer, std::uint64_t stream) {
  const auto begun = begun_.find(buffer);
  if (begun == begun_.end()) return refuse(Error::InvalidValue, msg::child_without_parameters());
  ChildWork work = std::move(begun->second);
  begun_.erase(begun);
  std::memcpy(work.parameters.data(), x.global->host(buffer), work.parameters.size());
  work.tail = stream == kTailLaunch;
  work_.push_back({x.block, std::move(work)});
  return Error::None;
}

// Blocks are independent, so the work may as well be performed here, in the middle of the block: its warps
// see what the work wrote as soon as they go on.
DeviceLaunches::Error DeviceLaunches::wait(Exec& x, std::uint32_t lane) {
  if (options_.depth >= launch_.config.limits.sync_depth) {
    x.output->refuse_wait(options_.depth);
    return Error::SyncDepthExceeded;
  }
  if (!options_.run_children) return Error::None;
  const auto mine = [&](const Requested& one) { return one.block == x.block && !one.work.tail; };
  std::vector<ChildWork> work;
  for (Requested& one : work_) {
    if (mine(one)) work.push_back(std::move(one.work));
  }
  if (work.empty()) return Error::None;
  std::erase_if(work_, mine);
  if (std::string printed = x.output->take_printed(); !printed.empty()) options_.print(printed);
  Fault fault = options_.run_children(std::move(work));
  if (fault.kind != FaultKind::None)
    x.fail(fault.kind, lane, std::move(fault.message), std::move(fault.advice));
  x.heap_freed = true;  // they may have freed memory, too
  ++x.changes;
  return Error::None;
}

std::vector<ChildWork> DeviceLaunches::take_work() {
  std::vector<ChildWork> all;
  for (Requested& one : std::exchange(work_, {})) all.push_back(std::move(one.work));
  return all;
}

DeviceLaunches::Error DeviceLaunches::admit(const std::function<Message()>& what) {
  // The limit counts grids that wait for their child launches: an H100 nests them 2048 deep (2026-11-27).
  const std::uint64_t limit = launch_.config.limits.most_children;
  if (options_.depth + 1 > limit)
    return refuse(Error::PendingCount, msg::child_too_deep(what(), options_.depth + 1, limit));
  const std::uint64_t most = std::max<std::uint64_t>(limit, kMaxWaiting);
  if (work_.size() + begun_.size() >= most)
    return refuse(Error::PendingCount, msg::child_too_many_pending(what(), most));
  return Error::None;
}

DeviceLaunches::Error DeviceLaunches::refuse(Error error, Message why) {
  refused_error_ = error;
  const bool told = std::ranges::any_of(refused_, [&](const RefusedLaunch& one) { return one.why == why; });
  if (!told && refused_.size() < kMaxRefused)
    refused_.push_back({static_cast<std::uint32_t>(error), std::move(why)});
  return error;
}

}  // namespace cudalabs::sim
