#pragma once
// The values that every layer of the simulator speaks in: what a launch is asked to do and
// what it did, limits, faults and counters. Includes nothing, so that all can include it.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/message.h"

namespace cudalabs::sim {

using DevicePtr = std::uint64_t;

/// Bytes of a card's memory.
struct DeviceRange {
  DevicePtr begin = 0;
  std::uint64_t bytes = 0;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  [[nodiscard]] std::string text() const;  ///< "(64, 1, 1)"
  bool operator==(const Dim3&) const = default;
};

/// The limits of the simulated card (compute capability 8.0 unless told otherwise).
struct Limits {
  int compute_major = 8, compute_minor = 0;
  std::uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647u, 65535u, 65535u};
  std::uint32_t static_shared_bytes = 48 * 1024;  ///< without the opt-in
  std::uint32_t max_shared_bytes = 163 * 1024;    ///< with cudaFuncAttributeMaxDynamicSharedMemorySize
  std::uint64_t global_bytes = std::uint64_t{8} << 30;
  std::uint32_t constant_bytes = 64 * 1024;
  std::uint32_t multiprocessors = 108;
  std::uint32_t max_threads_per_multiprocessor = 2048;
  std::uint32_t max_blocks_per_multiprocessor = 32;
  std::uint32_t shared_bytes_per_multiprocessor = 164 * 1024;
  std::uint32_t reserved_shared_bytes_per_block = 1024;
  std::uint32_t registers_per_block = 65536, registers_per_multiprocessor = 65536;  ///< of 32 bits
};

/// Of a card of compute capability 8.0 (80; the A100) or 9.0 (90; the H100): CUDA C++ Programming Guide,
/// technical specifications by compute capability.
Limits limits_of(int capability);

/// Who shows a counter (base/counters.def).
enum class CounterShown : std::uint8_t { Everywhere, Results, Hidden };

inline constexpr std::uint64_t kSectorBytes = 32;  ///< what global memory is read and written by

/// What one launch did, counted by warp instruction: base/counters.def says what each is.
struct Counters {
#define CUDALABS_COUNTER(field, shown) std::uint64_t field = 0;
#include "grader/simulator/base/counters.def"
#undef CUDALABS_COUNTER

  /// Calls visit(name, value) for each that is shown at `where`, in the order of the list.
  template <class Visit>
  void each(CounterShown where, const Visit& visit) const {
#define CUDALABS_COUNTER(field, shown) \
  if (CounterShown::shown <= where) visit(#field, field);
#include "grader/simulator/base/counters.def"
#undef CUDALABS_COUNTER
  }

  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// One line of the student's source with what its instructions cost in a launch.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  Counters counters;
};

enum class FaultKind : std::uint8_t {
  None,
  OutOfBounds,       ///< -> cudaErrorIllegalAddress
  Misaligned,        ///< -> cudaErrorMisalignedAddress
  DivergentBarrier,  ///< a barrier that part of the block never reaches
  Deadlock,          ///< nobody can go on
  InstructionLimit,  ///< an endless loop, or a launch over its budget -> cudaErrorLaunchTimeout
  Trap,              ///< trap, or a failed assert -> cudaErrorLaunchFailure / cudaErrorAssert
  Assert,
  InvalidPc,  ///< indirect call or branch to nowhere
  StackOverflow,
  Unsupported,  ///< met only at run time
};

/// Why a launch stopped. Faults are values; the memory keeps what was written before it.
struct Fault {
  FaultKind kind = FaultKind::None;
  Messages message;     ///< one sentence: what happened, with addresses, sizes and the nearest allocation
  Messages advice;      ///< one sentence: what to do
  std::string kernel;   ///< demangled
  std::string file;     ///< "" when the PTX has no .loc
  std::uint32_t line = 0;
  std::array<std::uint32_t, 3> block{}, thread{};
  bool placed = true;  ///< false: a real card, which names the kernel and no more
  /// "row_max.cu:14: message; kernel row_max(...), block (0,0,0), thread (3,0,0)"
  [[nodiscard]] std::string text() const;
};

/// What warp instructions cost, for an estimated time (cost/issue.h).
struct IssueCounts {
  /// machine instructions: a division counts as so many, loads that are merged as one
  std::uint64_t slots = 0;
  std::uint64_t merged = 0;  ///< shared loads that are part of a wider one

  /// Adds `times` executions of what `other` costs.
  void add(const IssueCounts& other, std::uint64_t times) {
    slots += other.slots * times;
    merged += other.merged * times;
  }
};

/// How long a launch's blocks were, in warp instructions of their loops.
struct Lengths {
  std::uint64_t all = 0;      ///< summed over the blocks
  std::uint64_t longest = 0;  ///< of the block that had most, the first of several
  std::uint64_t block = 0;    ///< which
};

struct LaunchConfig {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  /// launches by its kernel that may wait (cudaLimitDevRuntimePendingLaunchCount)
  std::uint32_t most_children = 2048;
};

/// What a kernel asks of the device (dynamic parallelism). It is done when the kernel's grid has ended, which
/// is one of the orders that CUDA allows.
struct ChildWork {
  enum class Kind : std::uint8_t { Launch, Copy, Set } kind = Kind::Launch;
  bool tail = false;         ///< when all else has been done that the grid has asked for
  std::uint32_t kernel = 0;  ///< index into the module's kernels()
  LaunchConfig config;
  std::vector<std::byte> parameters;  ///< packed
  DevicePtr to = 0, from = 0;
  std::uint64_t bytes = 0;
  std::byte value{};
};

/// A launch by a kernel that was refused.
struct RefusedLaunch {
  std::uint32_t error = 0;  ///< CUDA's number
  std::string why;
};

struct LaunchResult {
  Counters counters;
  IssueCounts issue;
  std::vector<LineCounters> lines;  ///< filled when LaunchOptions::by_line
  Lengths lengths;
  Fault fault;                                  ///< kind None: it ran clean
  std::vector<ChildWork> children;              ///< in the order asked
  std::vector<RefusedLaunch> refused_children;  ///< the first few
  [[nodiscard]] bool ok() const { return fault.kind == FaultKind::None; }
};

class Observer;  // program/observer.h

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// What executes instructions. Results, counters, faults and findings are the same.
enum class Engine : std::uint8_t {
  Auto,         ///< machine code for what is hot, where this machine can run it
  Interpreter,  ///< always
  Native,       ///< machine code from the first time on; for tests
};
/// By its name on the command line; none if it is no engine's.
std::optional<Engine> engine_named(std::string_view name);

/// What a kernel that reads the clock is shown of its loads. Clocks; all 0: it counts instructions alone.
struct LoadLatencies {
  std::uint32_t shared = 0, l1 = 0, l2 = 0, memory = 0;
  std::uint64_t l1_bytes = 0, l2_bytes = 0;
};

struct LaunchOptions {
  std::uint64_t max_warp_instructions = 0;  ///< 0: no limit
  /// set from another thread to stop the launch (InstructionLimit)
  const std::atomic<bool>* cancel = nullptr;
  unsigned threads = 0;  ///< worker threads; 0: one a core. Results do not depend on it.
  bool by_line = false;
  Engine engine = Engine::Auto;
  /// Blocks, and the warps of each, begin from the last to the first, as long as none seems to wait for
  /// another one. Before what a thread stores so that others see it, or puts in the place of something by
  /// atomicCAS() or atomicExch(), others have a turn.
  bool reversed = false;
  LoadLatencies latencies;
  std::optional<std::uint64_t> only_block;  ///< of the grid; the others are not run
  std::uint32_t depth = 0;  ///< how many kernels stand above this one, each launched by the one before
  std::vector<Observer*> observers;  ///< called for every block; must be thread-safe or keep per-block state
  /// what the kernel's printf wrote, after the launch; empty: stdout
  std::function<void(std::string_view)> print;
};

struct KernelInfo {
  std::string name;  ///< mangled
  std::string demangled;
  std::vector<std::uint32_t> parameter_sizes, parameter_offsets;  ///< bytes, in the packed parameter buffer
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     ///< per thread
  std::uint32_t registers = 0;       ///< of a thread: ptxas's, or an estimate, as PTX's are virtual
  bool registers_known = false;      ///< they are ptxas's
  std::uint32_t max_threads = 1024;  ///< from .maxntid / .reqntid
  std::uint32_t cluster_blocks = 1;  ///< from .reqnctapercluster (__cluster_dims__)
};

/// By a kernel's mangled name: the registers that ptxas gave a thread.
using RegisterCounts = std::map<std::string, std::uint32_t, std::less<>>;

struct VariableInfo {
  std::string name;
  DevicePtr address = 0;
  std::uint64_t size = 0;
  bool is_constant = false;
};

}  // namespace cudalabs::sim
