#pragma once
// The arrays of one test case on a device, and whether a call left in them what it should.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/check/inputs.h"
#include "grader/check/poison.h"
#include "grader/device/handle/device_process.h"
#include "grader/score/result.h"

namespace cudalabs {

/// What a call left behind.
struct CaseAnswer {
  Verdict verdict = Verdict::Accepted;
  Messages message, advice;             ///< of the first thing that is wrong
  Message guess;                        ///< what wrong values suggest, one of the messages; none if nothing
  bool guess_is_usual = false;          ///< it is one of the lab's usual mistakes
  std::vector<Message> fitting;         ///< Mismatch
  double factor = 0, factor_error = 0;  ///< Mismatch
  bool guess_is_seen = false;           ///< it was not guessed from them, but seen in what happened
  std::string short_call, short_word;   ///< it was seen in a copy or a set: ShortCopy
  bool stored = false;                  ///< a value was written to the output that is wrong
  bool left_out = false;                ///< all wrong ones were never written
  bool untouched = false;               ///< no element of any output was written
  std::uint64_t fingerprint = 0;        ///< of the outputs' bits, if it is wanted
};

/// Advice where nothing is known of a wrong answer.
inline constexpr const char* kNoReason =
    "Compare the index that each thread computes with the sizes of this case.";

/// Where an output was added to and never set.
inline constexpr const char* kSetFirst =
    "Set the output before kernels add to it, with cudaMemset or in a kernel of its own.";

/// The bytes of each output, in the order of the contract.
using CaseOutputs = std::vector<std::vector<std::byte>>;

/// One device buffer a parameter that is an array, in the order of the contract; sizes have none. Freed with
/// the object, which must not outlive the device.
class CaseBuffers {
 public:
  /// Allocates, and writes the inputs and the poisoned outputs. On a GPU the arrays stand between guards; the
  /// simulator faults on the first byte outside an allocation, and guards would hide that from it.
  static Result<CaseBuffers> make(DeviceProcess& device, DeviceKind kind, const Lab& lab,
                                  const TestCase& test, const CaseData& data, std::uint64_t seed);
  CaseBuffers(CaseBuffers&& other) noexcept = default;
  CaseBuffers& operator=(CaseBuffers&&) = delete;
  ~CaseBuffers();

  /// For DeviceProcess::call.
  [[nodiscard]] const std::vector<std::uint64_t>& arguments() const { return arguments_; }

  /// Writes the inputs and poisoned outputs of another case of the same sizes.
  Result<void> fill(const Lab& lab, const CaseData& data);

  /// Makes these hold what `other` holds, buffers of the same test case.
  Result<void> copy_from(const CaseBuffers& other);

  /// After a call that returned without a fault: are the outputs right, the inputs and the guards untouched?
  /// `fingerprint`: that of the answer is wanted, too.
  Result<CaseAnswer> check(const Lab& lab, const TestCase& test, const CaseData& data,
                           bool fingerprint = false) const;

  /// What the outputs hold.
  [[nodiscard]] Result<CaseOutputs> outputs(const Lab& lab) const;

  /// The device is gone, and the memory with it.
  void abandon() { buffers_.clear(); }

 private:
  struct Buffer {
    std::size_t parameter = 0;
    GuardedLayout layout;
    sim::DevicePtr allocation = 0;  ///< 0: no bytes at all
    std::uint64_t guard_key = 0;
  };

  explicit CaseBuffers(DeviceProcess& device) : device_(&device) {}

  DeviceProcess* device_;
  std::vector<Buffer> buffers_;
  std::vector<std::uint64_t> arguments_;
};

}  // namespace cudalabs
