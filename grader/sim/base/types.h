#pragma once
// The types that all layers of the simulator share: launch requests and results, limits, faults and counters.
// It includes no other header of the simulator, so that all can include it.

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

#include "grader/base/message.h"
#include "grader/sim/base/kernel_limits.h"
#include "grader/sim/base/shared_banks.h"

namespace cudalabs::sim {

using DevicePtr = std::uint64_t;

/// A range of bytes of a device's memory.
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

/// The limits of the simulated device (compute capability 8.0 by default).
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

/// Limits of a device with compute capability 8.0 (80; the A100) or 9.0 (90; the H100): CUDA C++ Programming
/// Guide, technical specifications by compute capability.
Limits limits_of(int capability);

/// The outputs that show a counter (base/counters.def).
enum class CounterShown : std::uint8_t { Everywhere, Results, Hidden };

inline constexpr std::uint64_t kSectorBytes = 32;   ///< access granularity of global memory
inline constexpr std::uint64_t kSectorsOfLine = 4;  ///< a line is what L1 looks up

/// The work of one launch, counted by warp instruction: base/counters.def explains each counter.
struct Counters {
#define CUDALABS_COUNTER(field, shown) std::uint64_t field = 0;
#include "grader/sim/base/counters.def"
#undef CUDALABS_COUNTER

  /// Calls visit(name, value) for each counter shown at `where`, in the order of the list.
  template <class Visit>
  void each(CounterShown where, const Visit& visit) const {
#define CUDALABS_COUNTER(field, shown) \
  if (CounterShown::shown <= where) visit(#field, field);
#include "grader/sim/base/counters.def"
#undef CUDALABS_COUNTER
  }

  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// One line of the student's source with the costs of its instructions in a launch.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  Counters counters;
};

/// The accesses of shared memory with one layout (counters/shared_layouts.h).
struct LayoutCount {
  std::uint64_t layout = 0, accesses = 0;
  bool operator==(const LayoutCount&) const = default;
};

/// Loads by the threads of some of a launch's blocks, and how many of them load again what the same thread
/// has just loaded (counters/repeated_loads.h).
struct RepeatedLoads {
  std::uint64_t shared_bytes = 0, shared_bytes_again = 0;
  std::uint64_t global_bytes = 0, global_bytes_again = 0;
  std::uint64_t global = 0;  ///< loads of global memory, whatever their width
  bool operator==(const RepeatedLoads&) const = default;
};

enum class FaultKind : std::uint8_t {
  None,
  OutOfBounds,       ///< -> cudaErrorIllegalAddress
  Misaligned,        ///< -> cudaErrorMisalignedAddress
  DivergentBarrier,  ///< a barrier that part of the block never reaches
  Deadlock,          ///< no thread can continue
  InstructionLimit,  ///< an endless loop, or a launch over its budget -> cudaErrorLaunchTimeout
  Trap,              ///< trap, or a failed assert -> cudaErrorLaunchFailure / cudaErrorAssert
  Assert,
  InvalidPc,  ///< indirect call or branch to an invalid address
  StackOverflow,
  Unsupported,  ///< only detected at run time
};

/// Why a launch stopped. Faults are values; memory keeps what was written before.
struct Fault {
  FaultKind kind = FaultKind::None;
  Message message;     ///< what happened, with addresses, sizes and the nearest allocation
  Messages advice;     ///< what to do
  std::string kernel;  ///< demangled
  std::string file;    ///< "" when the PTX has no .loc
  std::uint32_t line = 0;
  std::array<std::uint32_t, 3> block{}, thread{};
  bool placed = true;  ///< false: a real device, which only names the kernel
  /// The message and whose it is: "message; kernel row_max(...), block (0, 0, 0), thread (3, 0, 0)"
  [[nodiscard]] Messages statement() const;
  /// "row_max.cu:14: STATEMENT" in English, for tests and tools.
  [[nodiscard]] std::string text() const;
};

/// Costs of warp instructions, for an estimated time (timing/schedule/issue.h).
struct IssueCounts {
  /// machine instructions: a division counts several, merged loads count as one
  std::uint64_t slots = 0;
  std::uint64_t merged = 0;  ///< shared loads merged into a wider one

  /// Adds `times` executions with the costs of `other`.
  void add(const IssueCounts& other, std::uint64_t times) {
    slots += other.slots * times;
    merged += other.merged * times;
  }
};

/// Lengths of a launch's blocks, in warp instructions of their loops.
struct Lengths {
  std::uint64_t all = 0;      ///< summed over the blocks
  std::uint64_t longest = 0;  ///< of the longest block, the first of several
  std::uint64_t block = 0;    ///< index of that block
};

struct LaunchConfig {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  KernelLimits limits{};
};

/// A kernel's request to the device (dynamic parallelism). It is performed when the kernel's grid has ended,
/// which CUDA allows, or when its block waits for it.
struct ChildWork {
  enum class Kind : std::uint8_t { Launch, Copy, Set } kind = Kind::Launch;
  bool tail = false;         ///< performed after all other requests of the grid
  std::uint32_t kernel = 0;  ///< index into the module's kernels()
  LaunchConfig config;
  std::vector<std::byte> parameters;  ///< packed
  DevicePtr to = 0, from = 0;
  std::uint64_t bytes = 0;
  std::byte value{};
};

/// A kernel's launch that was refused.
struct RefusedLaunch {
  std::uint32_t error = 0;  ///< CUDA's error number
  Message why;
};

/// What a launch lost at one of its limits without a fault.
struct LaunchNote {
  Message message, advice;
  std::string file{};  ///< "" if it has no place in the source
  std::uint32_t line = 0;
};

struct LaunchResult {
  Counters counters;
  IssueCounts issue;
  std::vector<LineCounters> lines;  ///< filled when LaunchOptions::by_line
  std::vector<LayoutCount> shared_layouts;
  Lengths lengths;
  Fault fault;                                  ///< kind None: there was no fault
  std::vector<ChildWork> children;              ///< in the order of requests
  std::vector<RefusedLaunch> refused_children;  ///< the first few
  std::vector<LaunchNote> notes;
  [[nodiscard]] bool ok() const { return fault.kind == FaultKind::None; }
};

class Observer;  // executable/observer.h

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// The engine that executes instructions. Results, counters, faults and findings do not depend on it.
enum class Engine : std::uint8_t {
  Auto,         ///< machine code for hot code, if this machine supports it
  Interpreter,  ///< always
  Native,       ///< machine code from the first execution; for tests
};
/// The engine with this name on the command line, if any.
std::optional<Engine> engine_named(std::string_view name);

/// Load latencies that are visible in the clock of a kernel, in clocks; all 0: the clock only counts
/// instructions.
struct LoadLatencies {
  std::uint32_t shared = 0, l1 = 0, l2 = 0, memory = 0;
  std::uint64_t l1_bytes = 0, l2_bytes = 0;
};

struct LaunchOptions {
  std::uint64_t max_warp_instructions = 0;  ///< 0: no limit
  /// set from another thread to stop the launch (InstructionLimit)
  const std::atomic<bool>* cancel = nullptr;
  unsigned threads = 0;  ///< worker threads; 0: one for each core. Results do not depend on it.
  bool by_line = false;
  Engine engine = Engine::Auto;
  /// Blocks, and the warps of each, start from the last to the first, as long as none seems to wait for
  /// another one. Before a thread's store that others see, or its atomicCAS() or atomicExch(), other warps
  /// run.
  bool reversed = false;
  LoadLatencies latencies;
  SharedBanks banks;
  std::optional<std::uint64_t> only_block;  ///< index in the grid; the others are not run
  std::uint32_t depth = 0;                  ///< nesting depth of launches by kernels above this one
  std::vector<Observer*> observers;  ///< called for every block; must be thread-safe or keep per-block state
  /// Receives the kernel's printf output after the launch, and before each call of `run_children`; empty:
  /// stdout.
  std::function<void(std::string_view)> print;
  /// Performs what a block asked for and waits for, with all that this asks for. The fault, if there was one,
  /// is the launch's too. Empty: it is performed after the launch.
  std::function<Fault(std::vector<ChildWork>)> run_children;
};

struct KernelInfo {
  std::string name;  ///< mangled
  std::string demangled;
  std::vector<std::uint32_t> parameter_sizes, parameter_offsets;  ///< bytes, in the packed parameter buffer
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     ///< per thread
  std::uint32_t registers = 0;       ///< of a thread: ptxas's, or an estimate, as PTX's are virtual
  bool registers_known = false;      ///< `registers` is ptxas's number
  std::uint32_t max_threads = 1024;  ///< from .maxntid / .reqntid
  std::uint32_t cluster_blocks = 1;  ///< from .reqnctapercluster (__cluster_dims__)
  bool uses_heap = false;            ///< it, or a function that it calls, calls malloc() or free()
  bool uses_printf = false;
};

/// By a kernel's mangled name: the registers of each thread according to ptxas.
using RegisterCounts = std::map<std::string, std::uint32_t, std::less<>>;

struct VariableInfo {
  std::string name;
  DevicePtr address = 0;
  std::uint64_t size = 0;
  bool is_constant = false;
};

}  // namespace cudalabs::sim
