#pragma once
// How many registers hold what is still to be read, while the instructions of a piece are put in order.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace cudalabs::sim {

class RegisterPressure {
 public:
  explicit RegisterPressure(std::size_t instructions) : reads_(instructions), writes_(instructions) {}

  // First what is alive before, then the instructions in the text's order, each with its reads before its
  // writes, and at last what stays alive. A register that is written again is another value.
  void add_before(std::uint32_t reg, std::size_t words);
  void add_read(std::uint32_t instruction, std::uint32_t reg);
  void add_write(std::uint32_t instruction, std::uint32_t reg, std::size_t words);
  void keep(std::uint32_t reg);

  /// Whether no more than `limit` words are alive once it is started, or no more than before.
  [[nodiscard]] bool fits(std::uint32_t instruction, std::size_t limit) const;
  /// It is the next one. Whether there is more room now.
  bool start(std::uint32_t instruction);

 private:
  struct Value {
    std::size_t words = 0;
    std::uint32_t readers = 0;  ///< still to come; what stays alive has one more
  };
  std::uint32_t add_value(std::size_t words);

  std::vector<Value> values_;
  std::map<std::uint32_t, std::uint32_t> now_;              // register -> its value
  std::vector<std::vector<std::uint32_t>> reads_, writes_;  // by instruction
  std::size_t alive_ = 0;                                   // words
};

}  // namespace cudalabs::sim
