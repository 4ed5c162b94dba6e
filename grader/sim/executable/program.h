#pragma once
// A kernel lowered for execution. Every operand is a slot in the warp's register frame. This includes
// constants, special registers and addresses of variables, which are written once when the frame is created,
// so that instructions have a single kind of operand. A slot holds the values of 32 lanes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/sim/analysis/atomic_forms.h"
#include "grader/sim/analysis/wide_accesses.h"
#include "grader/sim/base/types.h"
#include "grader/sim/executable/matrix.h"
#include "grader/sim/executable/texture_op.h"
#include "grader/sim/ptx/ir.h"
#include "grader/sim/ptx/parse/builtins.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFFu;
inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct Exec;
struct Inst;
struct Program;

/// Executes one warp instruction for the lanes in `mask` (never 0).
using Handler = void (*)(Exec&, const Inst&, std::uint32_t mask);

/// How the warp's loop executes an instruction.
enum class Flow : std::uint8_t {
  Plain,    ///< cannot fault, falls through
  Checked,  ///< can fault, falls through
  Branch,   ///< target
  Exit,
  Barrier,   ///< imm: BarrierKind; a = slot of the barrier's number, or kNone with it in extra;
             ///< b = slot of the thread count or kNone; c, d: slots of red
  Poll,      ///< like Checked; if it sets Exec::waits, the warp's turn ends
  GiveWay,   ///< ends the warp's turn
  Yield,     ///< likewise, for the first few warps that reach it, in launches that search for errors
  WarpSync,  ///< waits for the lanes of its mask (slot in `target`) before its handler runs
  Call,
  Return,
  BranchTable,
};

struct alignas(64) Inst {
  Handler full = nullptr;  ///< all 32 lanes active
  Handler masked = nullptr;
  std::uint32_t d = kNone, a = kNone, b = kNone, c = kNone;  ///< byte offsets of slots in the frame
  std::int64_t imm = 0;         ///< address offset; otherwise specific to the instruction
  std::uint32_t guard = kNone;  ///< slot of the guard predicate
  std::uint32_t target = 0;     ///< branch: index into code; call: index into Program::callees
  Flow flow = Flow::Plain;
  bool guard_negated : 1 = false;
  bool counted : 1 = true;  ///< the last of the instructions for one PTX instruction
  bool shaped : 1 = false;  ///< a load or store with a Shape
  bool listed : 1 = false;  ///< a load of shared memory that may be reported in a list
  std::uint8_t width = 0;   ///< memory: bytes of each lane
  std::uint8_t count = 1;   ///< memory: vector elements
  /// Number of consecutive instructions from this one on without a guard or a branch, including itself.
  std::uint16_t run = 0;
  std::uint32_t extra = kNone;   ///< another slot, or an index into Program::extras
  std::uint32_t leader = kNone;  ///< an earlier instruction with the same distances (lower/address_groups.h)
};

/// The number of a cluster's barrier, above those of the block.
inline constexpr std::uint32_t kClusterBarrier = 16;
enum class BarrierKind : std::uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr };

/// The initial content of a constant slot in a new frame.
enum class SlotSource : std::uint8_t { Value, Special, LocalAddress, DynamicShared };
struct ConstantSlot {
  std::uint32_t slot = 0;
  bool wide = false;  ///< 64-bit lanes
  SlotSource source = SlotSource::Value;
  /// Value: bits; LocalAddress: offset in the function's depot; DynamicShared: offset
  std::uint64_t value = 0;
  ptx::Special special{};
};

/// The hardware issues instructions [begin, end) whenever it issues `branch`, even if no lane takes them,
/// because its compiler predicates them (analysis/predication.h). The simulator only runs them if a lane
/// does.
struct Hammock {
  std::uint32_t branch = 0, begin = 0, end = 0;
};

/// An area for a parameter or return value at `offset` in the frame: `bytes` for each lane, one lane after
/// the other.
struct ParamArea {
  std::uint32_t offset = 0, bytes = 0;
};

struct CallSite {
  const Program* callee = nullptr;  ///< null: indirect, through slot `pointer`
  std::uint32_t pointer = kNone;
  std::vector<ParamArea> arguments, results;  ///< areas in the caller's frame
  ptx::Builtin builtin = ptx::Builtin::None;
};

/// A __shared__ variable in the block's memory, for messages.
struct SharedVariable {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;
};

/// Addresses of functions in kernels.
inline constexpr std::uint64_t kFunctionBase = 0x3000'0000'0000;
inline std::uint64_t function_address(std::size_t index) { return kFunctionBase + (index + 1) * 16; }

struct Program {
  std::string name;    ///< mangled
  std::string kernel;  ///< demangled
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::vector<Inst> code;
  std::vector<std::uint32_t> source;  ///< by index into code: index into function->body
  std::vector<ConstantSlot> constants;
  std::vector<std::vector<std::uint32_t>> extras;
  std::vector<CallSite> calls;
  std::vector<Hammock> hammocks;
  std::vector<AtomicForm> atomics;        ///< by index into function->body; empty if there are none
  std::vector<WideAccess> wide_accesses;  ///< the same
  /// Likewise: lanes in which a load's value is discarded (analysis/selected_loads.h); kNone: in none.
  struct LoadChoice {
    std::uint32_t slot = kNone;
    bool when = true, compares = false;
    std::uint32_t number = 0;
  };
  std::vector<LoadChoice> selected_loads;
  /// CUDA's own tables (analysis/cuda_tables.h): loads from them do not belong to the user's program.
  std::vector<DeviceRange> tables;
  std::vector<MatrixOp> matrices;
  std::vector<TextureOp> textures;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  /// By index into function->body: the loads and atomics that determine how long a loop waits for others
  /// (analysis/waiting_loops.h); empty if there are none.
  std::vector<bool> polls;
  /// instructions that write memory visible to others, except atomics and barriers
  std::vector<std::uint32_t> stores;
  std::vector<ParamArea> params, returns;  ///< of a device function, in its own frame
  std::uint32_t frame_bytes = 0;
  bool writes_first = false;      ///< except for constants, nothing in its frame is read before it is written
  std::uint32_t local_bytes = 0;  ///< depot, for each lane
  /// What a call takes of a card's stack, at least the depot: an estimate (executable/calls.h).
  std::uint32_t stack_bytes = 0;
  /// Local memory of this function and of those that it calls; none if the depth of its calls is not known.
  std::optional<std::uint32_t> deepest_stack;
  std::uint32_t static_shared_bytes = 0;  ///< including the reserved part
  std::uint32_t dynamic_shared_offset = 0;
  /// The part of shared memory, from 0 on, that CUDA reserves (lower/reserved_shared.h); zeroed for each
  /// block.
  std::uint32_t reserved_shared_bytes = 0;
  std::vector<SharedVariable> shared_variables;
  /// True if the result could depend on the time order of blocks (float or returning atomics on global
  /// memory, vectors that others watch, loads that watch others). Such a launch runs its blocks one after the
  /// other, so that its results are the same for any number of workers.
  bool needs_block_order = false;
  bool waits_for_children = false;  ///< it calls cudaDeviceSynchronize()
  /// It loads words that other blocks may store meanwhile, though nothing depends on that. In reverse order a
  /// block may yield between such a load and its store, and then another block must run: so all blocks are on
  /// one worker.
  bool looks_again = false;
  bool waits = false;  ///< it, or one of its callees, has such a loop
  bool is_entry = false;
  KernelInfo info;

  /// The wide access that the hardware uses for an instruction of function->body.
  [[nodiscard]] WideAccess wide_access(std::uint32_t instruction) const {
    return instruction < wide_accesses.size() ? wide_accesses[instruction] : WideAccess();
  }
};

}  // namespace cudalabs::sim
