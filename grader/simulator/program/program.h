#pragma once
// A kernel lowered for execution. Every operand is a slot in the warp's register frame (constants, special
// registers and addresses of variables too: they are written there once when the frame is made), so that the
// instructions have one operand kind only. A slot holds 32 lanes side by side.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/hardware/atomic_forms.h"
#include "grader/simulator/hardware/wide_accesses.h"
#include "grader/simulator/program/matrix.h"
#include "grader/simulator/program/texture_op.h"
#include "grader/simulator/ptx/builtins.h"
#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFFu;
inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct Exec;
struct Inst;
struct Program;

/// Executes one warp instruction for the lanes in `mask` (never 0).
using Handler = void (*)(Exec&, const Inst&, std::uint32_t mask);

/// How the warp's loop treats an instruction.
enum class Flow : std::uint8_t {
  Plain,    ///< cannot fault, falls through
  Checked,  ///< can fault, falls through
  Branch,   ///< target
  Exit,
  Barrier,   ///< imm: BarrierKind; a = slot of the barrier's number, or kNone and the number in extra;
             ///< b = of the thread count or kNone, c, d: of red
  Poll,      ///< like Checked; where it sets Exec::waits, the warp's turn is over
  GiveWay,   ///< the warp's turn is over
  Hesitate,  ///< likewise, for the first few that come to it, in launches that look for trouble
  WarpSync,  ///< waits for the lanes of its mask (slot in `target`) before its handler runs
  Call,
  Return,
  BranchTable,
};

struct alignas(64) Inst {
  Handler full = nullptr;  ///< all 32 lanes active
  Handler masked = nullptr;
  std::uint32_t d = kNone, a = kNone, b = kNone, c = kNone;  ///< byte offsets of slots in the frame
  std::int64_t imm = 0;                                      ///< address offset; otherwise per instruction
  std::uint32_t guard = kNone;                               ///< slot of the guard predicate
  std::uint32_t target = 0;  ///< branch: index into code; call: index into Program::callees
  Flow flow = Flow::Plain;
  bool guard_negated : 1 = false;
  bool counted : 1 = true;  ///< the last of the group that one PTX instruction became
  bool shaped : 1 = false;  ///< a load or store that keeps a Shape
  bool listed : 1 = false;  ///< a load of shared memory that observers may hear of in a list
  std::uint8_t width = 0;   ///< memory: bytes a lane
  std::uint8_t count = 1;   ///< memory: vector elements
  /// Instructions from this one on, itself included, that follow each other without a guard or a choice.
  std::uint16_t run = 0;
  std::uint32_t extra = kNone;   ///< a further slot, or an index into Program::extras
  std::uint32_t leader = kNone;  ///< an earlier one with the same distances (lower/address_groups.h)
};

/// The number of a cluster's barrier, behind those of the block.
inline constexpr std::uint32_t kClusterBarrier = 16;
enum class BarrierKind : std::uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr };

/// What a constant slot is filled with when a frame is made.
enum class SlotSource : std::uint8_t { Value, Special, LocalAddress, DynamicShared };
struct ConstantSlot {
  std::uint32_t slot = 0;
  bool wide = false;  ///< 64-bit lanes
  SlotSource source = SlotSource::Value;
  /// Value: bits; LocalAddress: offset in the function's depot; DynamicShared: offset
  std::uint64_t value = 0;
  ptx::Special special{};
};

/// The hardware issues instructions [begin, end) whenever it issues `branch`, also when no lane takes them:
/// its compiler predicates them (hardware/predication.h). Here they run only if a lane does.
struct Hammock {
  std::uint32_t branch = 0, begin = 0, end = 0;
};

/// A parameter (or return value) area: `bytes` a lane, lanes one after the other, at `offset` in the frame.
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

/// Function pointers as a kernel sees them.
inline constexpr std::uint64_t kFunctionBase = 0x3000'0000'0000;
inline std::uint64_t function_address(std::size_t index) { return kFunctionBase + (index + 1) * 16; }

struct Program {
  std::string name;    ///< mangled
  std::string kernel;  ///< demangled
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::vector<Inst> code;
  std::vector<std::uint32_t> source;  ///< for each of code: index into function->body
  std::vector<ConstantSlot> constants;
  std::vector<std::vector<std::uint32_t>> extras;
  std::vector<CallSite> calls;
  std::vector<Hammock> hammocks;
  std::vector<AtomicForm> atomics;        ///< by index into function->body; empty if there are none
  std::vector<WideAccess> wide_accesses;  ///< the same
  /// The same: lanes in which a load's value is thrown away (hardware/selected_loads.h); kNone: in none.
  struct LoadChoice {
    std::uint32_t slot = kNone;
    bool when = true, compares = false;
    std::uint32_t number = 0;
  };
  std::vector<LoadChoice> selected_loads;
  /// CUDA's own tables (hardware/cuda_tables.h): what is loaded there is not the programmer's doing.
  std::vector<DeviceRange> tables;
  std::vector<MatrixOp> matrices;
  std::vector<TextureOp> textures;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  /// By index into function->body: what decides how long a loop waits for others (lower/waiting_loops.h);
  /// empty if nothing does.
  std::vector<bool> polls;
  /// what writes memory that others may see, but for atomics and barriers
  std::vector<std::uint32_t> stores;
  std::vector<ParamArea> params, returns;  ///< of a device function, in its own frame
  std::uint32_t frame_bytes = 0;
  bool writes_first = false;      ///< nothing in its frame but the constants is read before it is written
  std::uint32_t local_bytes = 0;  ///< depot, a lane
  std::uint32_t static_shared_bytes = 0;  ///< with what is reserved
  std::uint32_t dynamic_shared_offset = 0;
  /// Of shared memory, from 0 on: what CUDA keeps for itself (lower/reserved_shared.h), zeroed for a block.
  std::uint32_t reserved_shared_bytes = 0;
  std::vector<SharedVariable> shared_variables;
  /// True where the result could depend on the order of blocks in time (float or returning atomics on global
  /// memory, vectors that others watch, loads that watch others): such a launch runs its blocks one after the
  /// other, so that it is the same for any number of workers.
  bool needs_block_order = false;
  /// It loads what other blocks may store meanwhile, though nothing hangs on that. In reverse order, where a
  /// block hesitates between such a load and its store, another is to have its turn: all of one worker.
  bool looks_again = false;
  bool waits = false;  ///< it, or what it calls, has such a loop
  bool is_entry = false;
  KernelInfo info;

  /// What the hardware makes of an instruction of function->body.
  [[nodiscard]] WideAccess wide_access(std::uint32_t instruction) const {
    return instruction < wide_accesses.size() ? wide_accesses[instruction] : WideAccess();
  }
};

}  // namespace cudalabs::sim
