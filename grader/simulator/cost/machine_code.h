#pragma once
// PTX in the order in which a card executes it. ptxas moves what takes long to the front of each piece of
// code between branches and barriers, and lets what needs it wait at the end; a warp then executes that
// order without overtaking. So the same PTX can wait for its loads one after the other, or for all of them
// at once: this says which.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grader/simulator/hardware/units.h"
#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// What whoever reads an instruction's result waits for.
enum class Wait : std::uint8_t { Unit, Shared, Memory };

/// What an instruction does to the warp that a result and a unit do not say.
enum class Step : std::uint8_t { Plain, Branch, Barrier, AsyncCopy, AsyncCommit, AsyncWait };

struct MachineOp {
  std::uint32_t instruction = 0;  ///< index into the function's body
  Unit unit = Unit::Issue;
  Wait wait = Wait::Unit;
  std::uint16_t slots = 0;    ///< instructions; 0: another takes it in, and it costs nothing
  std::uint16_t counted = 0;  ///< slots that LaunchResult::issue counts for it
  /// Its instructions wait for each other, and nothing else of the warp runs meanwhile.
  bool routine = false;
  bool uncached = false;   ///< a load that passes by L1
  bool parameter = false;  ///< loads one of the kernel's
  Step step = Step::Plain;
  std::uint8_t groups = 0;  ///< AsyncWait: of copies, that may be under way still
  std::uint8_t turn = 0;    ///< of an unrolled loop
  std::uint32_t place = 0;  ///< in the function's machine code, in instructions
  std::uint16_t reads = 0, writes = 0;
  std::uint32_t registers = 0;  ///< index into MachineCode::registers: first those read, then those written
};

/// Instructions that run one after the other. A barrier, a branch, a call is the last of its piece.
struct MachinePiece {
  std::uint32_t first = 0, end = 0;  ///< of MachineCode::ops
  /// So many turns of a small loop that counts them, written one after the other and ordered
  /// together: ops too. 1: none.
  std::uint32_t turns = 1, unrolled_first = 0, unrolled_end = 0;
};

struct MachineCode {
  std::vector<MachineOp> ops;
  std::vector<MachinePiece> pieces;
  std::vector<std::uint32_t> registers;
  std::vector<std::uint32_t> piece_of;  ///< by index into the function's body
  std::uint32_t register_count = 0;    ///< the function's, and those that turns of a loop have for themselves
  std::uint32_t length = 0;            ///< instructions
  std::uint32_t registers_needed = 0;  ///< by a thread, as predicted from what lives at a time
  std::uint32_t registers_used = 0;    ///< by a thread: ptxas's number where it is known, else what is needed

  [[nodiscard]] std::span<const std::uint32_t> reads(const MachineOp& op) const {
    return {registers.data() + op.registers, op.reads};
  }
  [[nodiscard]] std::span<const std::uint32_t> writes(const MachineOp& op) const {
    return {registers.data() + op.registers + op.reads, op.writes};
  }
};

/// `joins`: the card has instructions that are several of PTX's: LEA, IMAD, LOP3. Those without L2 have not.
MachineCode machine_code(const Program& program, bool joins = true);

/// Of a module's functions, each made when it is first asked for. They must live as long.
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
