#pragma once
// What the device process saw a submission do: values that travel from it to the grader.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/cost/bounds.h"
#include "grader/simulator/observers/access_lines.h"
#include "grader/simulator/observers/finding.h"
#include "grader/simulator/observers/origins.h"

namespace cudalabs {

/// One operation that the submission put on the device during a call, in the order executed.
struct LaunchRecord {
  std::string kernel;       ///< demangled, without parameters
  std::string kernel_full;  ///< demangled with parameters
  sim::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0, static_shared_bytes = 0;
  std::uint64_t code = 0;            ///< of the kernel's PTX, whatever its name is; 0: not known
  bool uses_dynamic_shared = false;  ///< the code reaches the dynamic shared memory
  bool occupancy_asked = false;      ///< the program had asked how many blocks of the kernel fit the card
  /// of what it was passed: numbers, and places in arrays without the arrays' addresses
  std::uint64_t arguments = 0;
  std::uint64_t printed_bytes = 0;  ///< by the kernel's printf
  std::uint32_t device = 0;         ///< that it ran on, as the program counts them
  sim::Counters counters;
  std::vector<sim::LineCounters> lines;
  std::vector<sim::LineAccesses> accesses;  ///< only with DeviceSetup::access_map
  sim::CostBounds bounds;                   ///< of the cost model; 0 where the device has none
  [[nodiscard]] double estimated_ns() const { return bounds.total(); }
};

/// A CUDA call of the submission that returned an error (kept in order, at most 64).
struct ApiError {
  std::string call;   ///< "cudaLaunchKernel"
  std::string error;  ///< "cudaErrorInvalidValue"
  /// for a person: "kernel row_max_kernel: 69632 bytes of shared memory asked, limit 49152"
  Message detail;
  std::vector<std::uint64_t> frames{};  ///< as sim::Finding::frames
  std::string file{};                   ///< where the call stands, if that is known
  std::uint32_t line = 0;
  [[nodiscard]] bool is_launch() const { return call.find("Launch") != std::string::npos; }
  /// The failure is an answer and no bug.
  [[nodiscard]] bool is_answer() const {
    return error == "cudaErrorNotReady" || error == "cudaErrorNotSupported";
  }
};

/// From a fault on every call returns such an error.
bool follows_fault(const ApiError& error);

/// A copy or a set of the submission that touches an array which its entry was given, or goes to a variable
/// of its device code. Of copies that are alike one is kept.
struct CopyRecord {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::string variable;  ///< that it goes to; empty: it goes elsewhere
  std::uint64_t bytes = 0;
  std::uint32_t from = kNone, to = kNone;  ///< the arguments in whose arrays they lie
  std::uint64_t offset = 0;                ///< where it begins in that array: in that of `from`, if both
  bool set = false;                        ///< no copy: cudaMemset or its like
  bool operator==(const CopyRecord&) const = default;
};

enum class CallEnd : std::uint8_t {
  Returned,        ///< the entry returned and the device is idle
  SubmissionGone,  ///< its socket closed before the entry returned: exit, crash, kill. The parent knows the
                   ///< status.
  ProtocolViolation,  ///< the submission sent what our cudart never sends; it has been cut off
  TimedOut,           ///< the deadline passed
  DeviceLost,         ///< the device process died or stopped answering
  MemoryLimit,        ///< it ended itself, since what the submission made it do needed too much memory
};

/// The device did not serve it to its end; CallOutcome::detail says why.
constexpr bool lost_or_cut(CallEnd end) {
  return end == CallEnd::DeviceLost || end == CallEnd::MemoryLimit || end == CallEnd::ProtocolViolation;
}

/// What is done besides with a call of an entry.
enum class CallMode : std::uint8_t {
  Plain,
  Watched,   ///< by the checkers that the device has
  Sampled,   ///< by the same, which see a few blocks of each launch
  Recorded,  ///< its operations are kept for replays
  Timed,     ///< from cold caches, with the host's part
};

/// Where a call of an entry leaves its results, and what is asked about them. Only a simulator answers.
struct CallResults {
  std::vector<sim::DevicePtr> inputs, outputs;  ///< among the arguments
  sim::DevicePtr table = 0;                     ///< the argument that constant memory should hold; 0: none
  std::uint64_t draw = 0;  ///< of the blocks that the estimate looks at beside the usual ones; 0: none
  double parts = 0;        ///< sim::OriginSlices; 0: what the results are made of is not followed
  /// Nobody asks how long its launches take: they are estimated only where the program may see it, by events.
  bool untimed = false;
  /// sim::LaunchOptions: no card promises any order.
  bool reversed = false;
  /// One block after the other, by one worker: what then is right rests on that order.
  bool in_order = false;
  /// Its operations are kept for a replay with other data, also where the host reads some:
  /// RecordingDevice::begin.
  bool repeatable = false;
};

/// What one call of one entry did.
struct CallOutcome {
  CallEnd end = CallEnd::Returned;
  Messages detail;                     ///< for ProtocolViolation, DeviceLost and MemoryLimit
  sim::Fault fault;                    ///< the first device fault, kind None if there was none
  std::string destroyed_by;            ///< the call that took the entry's arrays away: "cudaDeviceReset()"
  std::vector<sim::Finding> findings;  ///< of the checkers that were on, by place
  sim::Origins origins;                ///< if CallResults asked for it
  std::vector<LaunchRecord> launches;
  /// beyond the most that is kept (50 000, and their lines up to 200 000)
  std::uint64_t launches_not_recorded = 0;
  std::vector<ApiError> api_errors;
  std::vector<std::string> unsupported_calls;
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< copied by the submission during the call
  std::uint64_t argument_bytes = 0;                      ///< of all launches
  double copies_ns = 0;                                  ///< estimated, of copies and sets
  std::vector<CopyRecord> copies;                        ///< at most 64
  /// That the program has allocated and not freed, in this call and before.
  std::uint64_t allocations_left = 0, bytes_left = 0;
  /// Of the outputs, by copies, since the last launch that stored half as much as they hold.
  std::uint64_t bytes_put_last = 0;
  // Of a call that was to be recorded or timed (CallMode).
  std::uint32_t recording = 0;  ///< its number for replays; 0: there is none
  Messages live_reason;      ///< why it cannot be replayed
  double call_ns = 0, clock_mhz = 0;
  // Known to the handle alone.
  double seconds = 0;            ///< that it took, less what a busy machine kept it waiting for a processor
  double processor_seconds = 0;  ///< of the device and the submission
  /// The machine is to blame and nobody else: it had too little memory.
  /// What to say; mostly empty.
  Messages machine_failed;
  /// It ran into its limit without having had the processors for that long: how long it had them. Empty
  /// otherwise. A program can bring that about itself: whether the machine is busy shows once it is gone.
  std::string starved;

  /// The entry returned and left results that can be looked at.
  [[nodiscard]] bool sound() const {
    return end == CallEnd::Returned && fault.kind == sim::FaultKind::None && destroyed_by.empty();
  }
};

/// How long the operations of one call took on the device's own clock.
struct ReplayTimes {
  double call_ns = 0;             ///< from before the first operation until every stream is idle
  std::vector<double> launch_ns;  ///< of each launch; empty unless it was asked for
  double clock_mhz = 0;           ///< of the multiprocessors, measured right behind; 0: not known
};

/// What measuring needs to know of a card.
struct DeviceFacts {
  std::string name;
  std::uint32_t memory_clock_khz = 0, memory_bus_bits = 0;
  std::uint32_t multiprocessors = 0;
};

}  // namespace cudalabs
