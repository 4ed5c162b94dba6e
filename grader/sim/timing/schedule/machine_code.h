#pragma once
// PTX in the order in which a device executes it. Between branches and barriers, ptxas moves long-latency
// instructions to the front and dependent ones to the end; a warp then executes that order strictly. So the
// same PTX can wait for its loads one after the other, or for all of them at once. This code determines
// which.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grader/sim/analysis/units.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// The source of an instruction's result, for which its readers wait.
enum class Wait : std::uint8_t { Unit, Shared, Memory };

/// An instruction's effects on the warp other than its result and unit.
enum class Step : std::uint8_t { Plain, Branch, Barrier, AsyncCopy, AsyncCommit, AsyncWait };

struct MachineOp {
  std::uint32_t instruction = 0;  ///< index into the function's body
  Unit unit = Unit::Issue;
  Wait wait = Wait::Unit;
  std::uint16_t slots = 0;    ///< instructions; 0: merged into another one, without cost
  std::uint16_t counted = 0;  ///< slots that LaunchResult::issue counts for it
  /// The instructions of a routine depend on each other, and the warp executes nothing else meanwhile.
  bool routine = false;
  bool uncached = false;   ///< a load that bypasses L1
  bool parameter = false;  ///< loads a kernel parameter
  Step step = Step::Plain;
  std::uint8_t groups = 0;  ///< AsyncWait: number of copy groups that may still be pending
  std::uint8_t turn = 0;    ///< turn of an unrolled loop
  std::uint32_t place = 0;  ///< index in the function's machine code, in instructions
  std::uint16_t reads = 0, writes = 0;
  std::uint32_t registers = 0;  ///< index into MachineCode::registers: first those read, then those written
};

/// Straight-line instructions. A barrier, a branch or a call ends a piece.
struct MachinePiece {
  std::uint32_t first = 0, end = 0;  ///< of MachineCode::ops
  /// For a small counted loop: this many turns, unrolled and scheduled together; these are ops, too. 1: not
  /// unrolled.
  std::uint32_t turns = 1, unrolled_first = 0, unrolled_end = 0;
};

struct MachineCode {
  std::vector<MachineOp> ops;
  std::vector<MachinePiece> pieces;
  std::vector<std::uint32_t> registers;
  std::vector<std::uint32_t> piece_of;  ///< by index into the function's body
  std::uint32_t register_count = 0;     ///< the function's, and those private to unrolled turns
  std::uint32_t length = 0;             ///< instructions
  std::uint32_t registers_needed = 0;   ///< for each thread, predicted from live values
  std::uint32_t registers_used = 0;  ///< by each thread: ptxas's number if known, or else the predicted one

  [[nodiscard]] std::span<const std::uint32_t> reads(const MachineOp& op) const {
    return {registers.data() + op.registers, op.reads};
  }
  [[nodiscard]] std::span<const std::uint32_t> writes(const MachineOp& op) const {
    return {registers.data() + op.registers + op.reads, op.writes};
  }
};

/// `joins`: the device has instructions that combine several PTX instructions: LEA, IMAD, LOP3. Devices
/// without L2 do not.
MachineCode machine_code(const Program& program, bool joins = true);

/// The machine code of a module's functions, created on first use. The functions must outlive it.
class MachineCodes {
 public:
  explicit MachineCodes(bool joins) : joins_(joins) {}
  const MachineCode& of(const Program& program) {
    auto [it, is_new] = codes_.try_emplace(&program);
    if (is_new) it->second = machine_code(program, joins_);
    return it->second;
  }

 private:
  bool joins_;
  std::unordered_map<const Program*, MachineCode> codes_;
};

}  // namespace cudalabs::sim
