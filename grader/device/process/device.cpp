#include "grader/device/process/device.h"

namespace cudalabs {

CudaError error_of(sim::FaultKind fault) {
  switch (fault) {
    case sim::FaultKind::None: return CudaError::Success;
    case sim::FaultKind::OutOfBounds: return CudaError::IllegalAddress;
    case sim::FaultKind::Misaligned: return CudaError::MisalignedAddress;
    case sim::FaultKind::Deadlock:
    case sim::FaultKind::InstructionLimit: return CudaError::LaunchTimeout;
    case sim::FaultKind::Assert: return CudaError::Assert;
    case sim::FaultKind::InvalidPc: return CudaError::InvalidPc;
    case sim::FaultKind::StackOverflow: return CudaError::HardwareStackError;
    case sim::FaultKind::DivergentBarrier:
    case sim::FaultKind::Trap:
    case sim::FaultKind::Unsupported: return CudaError::LaunchFailure;
  }
  return CudaError::LaunchFailure;
}

}  // namespace cudalabs
