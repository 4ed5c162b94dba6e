#pragma once
// The device process's observations of a submission: values that travel to the grader.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grader/sim/base/types.h"
#include "grader/sim/checkers/base/finding.h"
#include "grader/sim/counters/access_lines.h"
#include "grader/sim/provenance/provenance.h"
#include "grader/sim/timing/bounds.h"

namespace cudalabs {

/// One operation that the submission put on the device during a call, in the order executed.
struct LaunchRecord {
  std::string kernel;       ///< demangled, without parameters
  std::string kernel_full;  ///< demangled with parameters
  sim::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0, static_shared_bytes = 0;
  std::uint64_t code = 0;            ///< hash of the kernel's PTX, whatever its name; 0: not known
  bool uses_dynamic_shared = false;  ///< the code uses dynamic shared memory
  bool uses_tensor_cores = false, uses_cooperative_groups = false;  ///< the same
  bool occupancy_asked = false;  ///< the program asked for the kernel's occupancy
  bool cooperative = false;      ///< its blocks may wait for each other
  bool by_kernel = false;        ///< a kernel launched it
  /// hash of the arguments: numbers, and places in arrays without the arrays' addresses
  std::uint64_t arguments = 0;
  std::uint64_t printed_bytes = 0;  ///< by the kernel's printf
  std::uint32_t device = 0;         ///< the device that it ran on, in the program's numbering
  sim::Counters counters;
  std::vector<sim::LayoutCount> shared_layouts;  ///< empty on a card
  sim::RepeatedLoads repeated_loads;             ///< if CallResults::compares_loads
  std::vector<sim::LineCounters> lines;
  std::vector<sim::LineAccesses> accesses;  ///< only with DeviceSetup::access_map
  sim::CostBounds bounds;                   ///< from the cost model; 0 if the device has none
  sim::Utilization use;                     ///< the same
  std::uint32_t machine_code = 0;           ///< whose registers are used: 80 for sm_80; 0: there is none
  std::vector<sim::LineTime> line_times;    ///< its lines; only with DeviceSetup::access_map
  /// Without the times of lines if `lines` were left out: there may be very many launches.
  void keep(sim::Estimate estimate) {
    bounds = estimate.bounds;
    use = estimate.use;
    if (!lines.empty()) line_times = std::move(estimate.lines);
  }
  [[nodiscard]] double estimated_ns() const { return bounds.total(); }
};

/// A CUDA call of the submission that returned an error (kept in order, at most 64).
struct ApiError {
  std::string call;   ///< "cudaLaunchKernel"
  std::string error;  ///< "cudaErrorInvalidValue"
  /// for a person: "kernel row_max_kernel: 69632 bytes of shared memory asked, limit 49152"
  Message detail;
  std::vector<std::uint64_t> frames{};  ///< as sim::Finding::frames
  std::string file{};                   ///< the file of the call, if known
  std::uint32_t line = 0;
  /// The program asked for its error afterwards, or for the error's name. Known only of a program that
  /// `grader run` runs.
  bool asked = false;
  [[nodiscard]] bool is_launch() const { return call.find("Launch") != std::string::npos; }
  /// This error is a normal answer, not a bug.
  [[nodiscard]] bool is_answer() const {
    return error == "cudaErrorNotReady" || error == "cudaErrorNotSupported";
  }
};

/// True iff this is the error that every call returns after a fault.
bool follows_fault(const ApiError& error);

/// A copy or a set of the submission that touches an array which its entry was given, or that writes a
/// variable of its device code. Of equal copies one is kept.
struct CopyRecord {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::string variable;  ///< the destination variable; empty: the copy goes elsewhere
  std::uint64_t bytes = 0;
  std::uint32_t from = kNone, to = kNone;  ///< the arguments whose arrays contain source and destination
  std::uint64_t offset = 0;                ///< offset in that array; in the array of `from` if both are known
  bool set = false;                        ///< cudaMemset or a similar call, not a copy
  bool operator==(const CopyRecord&) const = default;
};

enum class CallEnd : std::uint8_t {
  Returned,  ///< the entry returned and the device is idle
  /// its socket closed before the entry returned: exit, crash or kill; the parent knows the status
  SubmissionGone,
  ProtocolViolation,  ///< the submission sent a message that our libcudart never sends; it has been cut off
  TimedOut,           ///< the deadline passed
  DeviceLost,         ///< the device process died or stopped answering
  MemoryLimit,        ///< it ended itself, because the submission's work needed too much memory
};

/// The device did not serve the call to its end; CallOutcome::detail says why.
constexpr bool lost_or_cut(CallEnd end) {
  return end == CallEnd::DeviceLost || end == CallEnd::MemoryLimit || end == CallEnd::ProtocolViolation;
}

/// Additional work during a call of an entry.
enum class CallMode : std::uint8_t {
  Plain,
  Watched,   ///< with all of the device's checkers
  Sampled,   ///< with the same checkers, which see a few blocks of each launch
  Recorded,  ///< its operations are recorded for replays
  Timed,     ///< from cold caches, including the host's work
};

/// Where an entry's call leaves its results, and which questions about them a simulator answers.
struct CallResults {
  std::vector<sim::DevicePtr> inputs, outputs;  ///< among the arguments
  /// the argument whose data constant memory should hold; 0: none
  sim::DevicePtr table = 0;
  std::uint64_t draw = 0;  ///< seed for the extra blocks that the estimate samples; 0: none
  double parts = 0;        ///< sim::ProvenanceSlices; 0: no data provenance is tracked
  /// Nobody needs the times of its launches: they are estimated only if the program may see them, through
  /// events.
  bool untimed = false;
  /// Finds repeated loads in some blocks of each launch, chosen by `draw`.
  bool compares_loads = false;
  /// sim::LaunchOptions. A card does not guarantee any order.
  bool reversed = false;
  /// Runs block after block on one worker: a result that is right only then depends on that order.
  bool in_order = false;
  /// Records its operations for a replay with other data, even if the host reads some:
  /// RecordingDevice::begin.
  bool repeatable = false;
};

/// The outcome of one call of one entry.
struct CallOutcome {
  CallEnd end = CallEnd::Returned;
  Messages detail;                     ///< for ProtocolViolation, DeviceLost and MemoryLimit
  sim::Fault fault;                    ///< the first device fault, kind None if there was none
  std::string destroyed_by;            ///< the call that freed the entry's arrays: "cudaDeviceReset()"
  std::vector<sim::Finding> findings;  ///< of the active checkers, by place
  sim::Provenance origins;             ///< if CallResults asked for them
  std::vector<LaunchRecord> launches;
  /// beyond the number that is kept (50 000, and their lines up to 200 000)
  std::uint64_t launches_not_recorded = 0;
  std::vector<ApiError> api_errors;
  std::vector<std::string> unsupported_calls;
  std::vector<sim::LaunchNote> notes;  ///< of different messages, at most 16
  bool host_clock = false;  ///< a program of `grader run` measured a launch by a clock of this machine
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< copied by the submission during the call
  std::uint64_t argument_bytes = 0;                      ///< of all launches together
  double copies_ns = 0;                                  ///< estimated, for copies and sets
  std::vector<CopyRecord> copies;                        ///< at most 64
  /// Memory that the program has allocated and not freed, in this call and before.
  std::uint64_t allocations_left = 0, bytes_left = 0;
  std::uint64_t peak_bytes = 0;  ///< the most that the program had allocated at once during the call
  /// Bytes of the outputs written by copies, since the last launch that stored at least half as much as the
  /// outputs hold.
  std::uint64_t bytes_put_last = 0;
  // For a call that was to be recorded or timed (CallMode).
  std::uint32_t recording = 0;  ///< its number for replays; 0: there is none
  Messages live_reason;         ///< why it cannot be replayed
  double call_ns = 0, clock_mhz = 0;
  // Known to the handle alone.
  double seconds = 0;            ///< that it took, less what a busy machine kept it waiting for a processor
  double processor_seconds = 0;  ///< of the device and the submission
  /// The machine is to blame and nobody else: it had too little memory.
  /// What to say; mostly empty.
  Messages machine_failed;
  /// It ran into its limit without having had the processors for that long: how long it had them. Empty
  /// otherwise. A program can bring that about itself: whether the machine is busy shows once it is gone.
  Message starved;

  /// The entry returned and left results that can be checked.
  [[nodiscard]] bool sound() const {
    return end == CallEnd::Returned && fault.kind == sim::FaultKind::None && destroyed_by.empty();
  }
};

/// Times of one call's operations on the device's own clock.
struct ReplayTimes {
  double call_ns = 0;             ///< from before the first operation until every stream is idle
  std::vector<double> launch_ns;  ///< of each launch; empty unless requested
  double clock_mhz = 0;           ///< of the multiprocessors, measured right afterwards; 0: not known
};

/// Properties of a card that measurements need.
struct DeviceFacts {
  std::string name;
  std::uint32_t memory_clock_khz = 0, memory_bus_bits = 0;
  std::uint32_t multiprocessors = 0;
};

}  // namespace cudalabs
