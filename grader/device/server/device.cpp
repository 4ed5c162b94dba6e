#include "grader/device/server/device.h"

#include <utility>

#include "grader/diagnostics/messages/device.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/base/launch_limits.h"

namespace cudalabs {

Status DeviceMemory::free(DevicePtr pointer) {
  if (!keeps_freed_) return do_free(pointer);
  do_quarantine(pointer, true);
  kept_.push_back(pointer);
  return {};
}

void DeviceMemory::quarantine(DevicePtr pointer, bool aside) {
  if (!aside || !keeps_freed_) do_quarantine(pointer, aside);
}

void DeviceMemory::quarantine_kept(bool aside) {
  for (const DevicePtr pointer : kept_) do_quarantine(pointer, aside);
}

void DeviceMemory::free_kept() {
  quarantine_kept(false);
  for (const DevicePtr pointer : std::exchange(kept_, {})) static_cast<void>(do_free(pointer));
}

CudaError error_of(sim::FaultKind fault) {
  switch (fault) {
    case sim::FaultKind::None: return CudaError::Success;
    case sim::FaultKind::OutOfBounds:
    case sim::FaultKind::StackOverflow:  // a card has no error of its own for it
      return CudaError::IllegalAddress;
    case sim::FaultKind::Misaligned: return CudaError::MisalignedAddress;
    case sim::FaultKind::Deadlock:
    case sim::FaultKind::InstructionLimit: return CudaError::LaunchTimeout;
    case sim::FaultKind::Assert: return CudaError::Assert;
    case sim::FaultKind::InvalidPc: return CudaError::InvalidPc;
    case sim::FaultKind::DivergentBarrier:
    case sim::FaultKind::Trap:
    case sim::FaultKind::Unsupported: return CudaError::LaunchFailure;
  }
  return CudaError::LaunchFailure;
}

Message in_full(const Diagnostic& problem) {
  return msg::problem_in_full(place_of(problem.where), problem.message, problem.hint);
}

LaunchRecord record_of(const LaunchRequest& request) {
  const sim::KernelInfo& kernel = request.module->kernels()[request.kernel];
  LaunchRecord record;
  record.kernel = sim::demangle(kernel.name, true);
  record.kernel_full = kernel.demangled;
  record.grid = request.config.grid;
  record.block = request.config.block;
  record.dynamic_shared_bytes = request.config.dynamic_shared_bytes;
  record.static_shared_bytes = kernel.static_shared_bytes;
  record.cooperative = request.config.cooperative;
  return record;
}

namespace {

CudaError error_of(sim::Refused what) {
  switch (what) {
    case sim::Refused::AtATime: return CudaError::CooperativeLaunchTooLarge;
    case sim::Refused::Cluster: return CudaError::NotSupported;
    case sim::Refused::Registers: return CudaError::LaunchOutOfResources;
    case sim::Refused::Sizes: break;
  }
  return CudaError::InvalidValue;
}

}  // namespace

Status check_launch(const DeviceProperties& properties, const LaunchRequest& request) {
  const sim::KernelInfo& kernel = request.module->kernels()[request.kernel];
  auto refused = sim::refuse_launch(properties.limits, kernel, request.config, request.dynamic_shared_limit);
  if (!refused) return {};
  return {error_of(refused->what), std::move(refused->why)};
}

}  // namespace cudalabs
