#pragma once
// The arrays of one test case on a device.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/device/client/device_process.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/cases/poison.h"
#include "grader/grading/observation/observation.h"

namespace cudalabs {

/// One device buffer for each array parameter, in the order of the contract; sizes and scalars have none. The
/// buffers are freed with this object, which must not outlive the device.
class CaseBuffers {
 public:
  /// Allocates the buffers and writes the inputs and the poisoned outputs. On a GPU, guards surround the
  /// arrays. The simulator faults on the first byte outside an allocation, and guards would hide that.
  static Result<CaseBuffers> make(DeviceProcess& device, DeviceKind kind, const Lab& lab,
                                  const TestCase& test, const CaseData& data, std::uint64_t seed);
  CaseBuffers(CaseBuffers&& other) noexcept = default;
  CaseBuffers& operator=(CaseBuffers&&) = delete;
  ~CaseBuffers();

  /// The arguments for DeviceProcess::call.
  [[nodiscard]] const std::vector<std::uint64_t>& arguments() const { return arguments_; }

  /// Writes the inputs and the initial outputs of another case with the same sizes.
  Result<void> fill(const Lab& lab, const CaseData& data);

  /// Copies the contents of `other`, which holds buffers of the same test case.
  Result<void> copy_from(const CaseBuffers& other);

  /// Reads what a call left, after it returned without a fault.
  [[nodiscard]] Result<std::vector<ArrayAfterCall>> read(const Lab& lab, const TestCase& test,
                                                         const CaseData& data) const;

  /// Forgets the buffers without freeing them: the device is gone, and its memory with it.
  void abandon() { buffers_.clear(); }

 private:
  struct Buffer {
    std::size_t parameter = 0;
    GuardedLayout layout;
    sim::DevicePtr allocation = 0;  ///< 0 if the buffer has no bytes
    std::uint64_t guard_key = 0;
  };

  explicit CaseBuffers(DeviceProcess& device) : device_(&device) {}

  DeviceProcess* device_;
  std::vector<Buffer> buffers_;
  std::vector<std::uint64_t> arguments_;
};

}  // namespace cudalabs
