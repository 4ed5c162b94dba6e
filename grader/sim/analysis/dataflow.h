#pragma once
// The writers and readers of each register of a function, and the values that are the same for all threads of
// a block.

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/sim/ptx/ir.h"

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
  /// By register: the instructions that write it and those that read it, in program order.
  std::vector<std::vector<std::uint32_t>> writers;
  std::vector<std::vector<Reader>> readers;
  /// By instruction: the registers that it writes, and those that it reads (including its guard).
  std::vector<std::vector<std::uint32_t>> written, read;

  /// The only instruction that writes the operand's register; kNone if it is no register or has several
  /// writers.
  [[nodiscard]] std::uint32_t only_writer(const ptx::Operand& operand) const;
  /// The only instruction that reads the result of `instruction`; kNone if there are none or several.
  [[nodiscard]] std::uint32_t only_reader(std::uint32_t instruction) const;
  [[nodiscard]] bool is_read(std::uint32_t instruction) const;
  /// The variable that its address is derived from; kNone: unknown, or several.
  [[nodiscard]] std::uint32_t variable(std::uint32_t instruction) const;
  /// True for an immediate, the address of a variable, or a register that only ever holds such a value.
  [[nodiscard]] bool is_constant(const ptx::Operand& operand) const;
  /// The bits of an immediate, or of a register that only ever holds one.
  [[nodiscard]] std::optional<std::uint64_t> constant(const ptx::Operand& operand) const;

 private:
  /// The operand itself, or the source of the only move to it.
  [[nodiscard]] const ptx::Operand& source(const ptx::Operand& operand) const;

  const ptx::Function& function_;
};

/// Instructions [first, end) that run under a condition: a register that is also written elsewhere differs
/// between threads where `predicate` does.
struct ConditionalRange {
  std::uint32_t predicate = 0, first = 0, end = 0;
};

/// By register: is its value the same for all threads of a block by construction, that is, computed from
/// %ctaid, %ntid, %nctaid, parameters and constants? Loop counters may be.
std::vector<bool> block_uniform(const ptx::Function& function, const Dataflow& flow,
                                const std::vector<ConditionalRange>& conditions);

}  // namespace cudalabs::sim
