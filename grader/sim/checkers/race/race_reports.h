#pragma once
// The races of a launch by pair of instructions, and their findings.

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "grader/sim/checkers/base/checker_worker.h"
#include "grader/sim/executable/source_place.h"

namespace cudalabs::sim {

class RaceReports : public CheckerWorker {
 public:
  using CheckerWorker::CheckerWorker;

  void finish(FindingList& found);

 protected:
  /// The relation of an earlier access to the current one.
  enum class Relation : std::uint8_t { Ordered, SameWarp, OtherWarp, OtherBlock };
  enum class Conflict : std::uint8_t {
    ReadWrite,
    WriteWrite,
    ReadAtomic,
    WriteAtomic,
    Overwritten,
    ReadOnly,    ///< read, in any order, by a load that requires read-only memory
    BlockScope,  ///< atomics of several blocks, one of which is only atomic within its block
    OneInstruction
  };

  struct Example {
    std::uint64_t address = 0;  ///< or offset
    std::uint32_t width = 0;
    std::uint32_t thread = 0, other_block = 0, other_thread = 0;
    bool crowded = false;  ///< several lanes write it in one instruction: updates are lost even in lockstep
  };
  /// An instruction and its access.
  struct Party {
    std::uint32_t site;
    AccessKind kind;
    auto operator<=>(const Party&) const = default;
  };
  struct Key {
    Conflict conflict;
    Relation relation;
    bool shared;
    Party here, other;
    auto operator<=>(const Key&) const = default;
  };

  /// Is this pair of unordered accesses allowed all the same?
  [[nodiscard]] bool is_meant(const Key& key) const;

  std::map<Key, Seen<Example>> seen_;

 private:
  /// As the messages name who races: "lanes", "warps" or "blocks".
  static const char* between(const Key& key);
  static std::string kind(const Key& key, bool in_next_round);  ///< Finding::kind
  static Message message(const Key& key, const Message& place);
  [[nodiscard]] Message advice(const Key& key, bool is_volatile) const;
  [[nodiscard]] Message advice_between_blocks(Conflict conflict, bool is_volatile) const;
  /// The later of two accesses, if a warp-wide call that orders no memory lies between: its line. 0: this is
  /// not the case.
  [[nodiscard]] std::uint32_t line_behind_exchange(const Key& key) const;
  /// Does the statement run more than once a thread: in a loop, possibly unrolled?
  [[nodiscard]] bool has_rounds(const Key& key) const;
  [[nodiscard]] SourcePlace suspect_of(const Party& party) const;
  /// Stores of the party's line of source.
  [[nodiscard]] std::size_t stores_in_line_of(const Party& party) const;
  /// For a write before a loop and a read in it, in a statement that also writes: its line. One barrier in
  /// each round orders both. 0: this is not the case.
  [[nodiscard]] std::uint32_t line_of_rounds(const Key& key) const;
  /// The advice if both accesses are in one line; `usual` otherwise.
  Messages advice_at_one_place(const Key& key, const Example& example, const Message& usual,
                               std::uint32_t line) const;
  static void tell_of_next_round(const Key& key, const Party& first, const Message& place, Finding& f);
  [[nodiscard]] bool other_first(const Key& key, const Finding& f) const;
  [[nodiscard]] bool talks() const;
  [[nodiscard]] Finding finding(const Key& key, const Seen<Example>& seen) const;
  [[nodiscard]] const Party* before_next_round(const Key& key) const;
};

}  // namespace cudalabs::sim
