#pragma once
// Who writes and reads each register of a function, and which values are the same for all threads of a block.

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

class Dataflow {
 public:
  explicit Dataflow(const ptx::Function& function);

  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  enum class Role : std::uint8_t { Value, Address };  ///< Address: the base of [register + offset]
  struct Reader {
    std::uint32_t instruction = 0;
    Role role = Role::Value;
  };
  /// By register: the instructions that write it and those that read it, in text order.
  std::vector<std::vector<std::uint32_t>> writers;
  std::vector<std::vector<Reader>> readers;
  /// By instruction: the registers that it writes, and those that it reads (its guard among them).
  std::vector<std::vector<std::uint32_t>> written, read;

  /// The instruction that alone writes the operand's register;
  /// kNone if it is no register or has several writers.
  [[nodiscard]] std::uint32_t only_writer(const ptx::Operand& operand) const;
  /// The instruction that alone reads what `instruction` writes; kNone if there are none or several.
  [[nodiscard]] std::uint32_t only_reader(std::uint32_t instruction) const;
  [[nodiscard]] bool is_read(std::uint32_t instruction) const;
  /// The variable that its address is made of; kNone: not known, or several.
  [[nodiscard]] std::uint32_t variable(std::uint32_t instruction) const;
  /// An immediate, the address of a variable, or a register that never holds anything else than that one.
  [[nodiscard]] bool is_constant(const ptx::Operand& operand) const;
  /// The bits of an immediate, or of a register that never holds anything else.
  [[nodiscard]] std::optional<std::uint64_t> constant(const ptx::Operand& operand) const;

 private:
  /// What the operand is by construction: itself, or the source of the only move to it.
  [[nodiscard]] const ptx::Operand& source(const ptx::Operand& operand) const;

  const ptx::Function& function_;
};

/// Instructions [first, end) that run under a condition: what
/// has other writers too differs where `predicate` does.
struct ConditionalRange {
  std::uint32_t predicate = 0, first = 0, end = 0;
};

/// By register: whether its value is the same for all threads of a block by construction: made of %ctaid,
/// %ntid, %nctaid, parameters and constants. Loop counters may be.
std::vector<bool> block_uniform(const ptx::Function& function, const Dataflow& flow,
                                const std::vector<ConditionalRange>& conditions);

}  // namespace cudalabs::sim
