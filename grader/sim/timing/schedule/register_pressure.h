#pragma once
// Tracks the registers with live values while the instructions of a piece are scheduled.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace cudalabs::sim {

class RegisterPressure {
 public:
  explicit RegisterPressure(std::size_t instructions) : reads_(instructions), writes_(instructions) {}

  // Call order: first the values live before, then the instructions in program order, each with its reads
  // before its writes, then the values live after. A second write to a register creates another value.
  void add_before(std::uint32_t reg, std::size_t words);
  void add_read(std::uint32_t instruction, std::uint32_t reg);
  void add_write(std::uint32_t instruction, std::uint32_t reg, std::size_t words);
  void keep(std::uint32_t reg);

  /// True if at most `limit` words are live once it has started, or no more than before.
  [[nodiscard]] bool fits(std::uint32_t instruction, std::size_t limit) const;
  /// Starts the instruction. Returns whether fewer words are live now.
  bool start(std::uint32_t instruction);

 private:
  struct Value {
    std::size_t words = 0;
    std::uint32_t readers = 0;  ///< pending readers; a value live after the piece has one more
  };
  std::uint32_t add_value(std::size_t words);

  std::vector<Value> values_;
  std::map<std::uint32_t, std::uint32_t> now_;              // register -> its value
  std::vector<std::vector<std::uint32_t>> reads_, writes_;  // by instruction
  std::size_t alive_ = 0;                                   // live words
};

}  // namespace cudalabs::sim
