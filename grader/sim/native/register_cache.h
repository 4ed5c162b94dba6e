#pragma once
// Tracks which slots of the frame are in vector registers while a stretch is translated.

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/sim/native/liveness.h"
#include "grader/sim/native/places.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kUnordered = 3, kOrderedEqual = 0;  ///< predicates of vcmpps

class RegisterCache {
 public:
  /// Number of registers that hold slots, the first ones; the others are scratch registers.
  static constexpr std::uint32_t registers(VectorWidth width) {
    return width == VectorWidth::Avx512 ? 28 : 12;
  }

  static constexpr std::uint32_t kMaxParts = 4;  ///< a slot that takes more registers stays in the frame

  struct Entry {
    std::uint32_t slot = kNone, parts = 0;
    std::array<std::uint8_t, kMaxParts> registers{};
    bool uniform = false;  ///< all lanes are equal: one register serves all parts
    bool dirty = false;    ///< the frame holds an older value
    bool fresh = false;    ///< defined by the current instruction
    bool raw = false;      ///< floats whose NaNs do not yet have the device's bits
    bool absent = false;   ///< without registers: the value is in the frame
    bool twin = false;     ///< all parts are equal: only the first register is set
    std::uint64_t used = 0;
    bool operator==(const Entry&) const = default;
  };

  RegisterCache(asmjit::x86::Assembler& a, VectorWidth width, const Program& program,
                const Liveness& liveness);

  /// A snapshot, for code that is emitted twice for the same instructions.
  struct State {
    std::uint32_t at = 0, free = 0;
    std::uint64_t clock = 0;
    std::vector<Entry> entries, retired;
    bool operator==(const State&) const = default;
  };
  [[nodiscard]] State state() const { return {at_, free_, clock_, entries_, retired_}; }
  void restore(State state);

  /// True if a result can be stored for some lanes only, which keeps the frame's values in the others.
  [[nodiscard]] bool stores_some_lanes() const { return width_ == VectorWidth::Avx512; }

  /// Starts a stretch. All lanes of a register are computed in any case; the frame also gets those outside of
  /// `lanes`, unless it must preserve() them. `others_at_end`: the others are already at the stretch's end.
  void begin(const Stretch& stretch, Lanes lanes, bool others_at_end = false);
  /// In a stretch that some lanes run: the other lanes may read the slot, so their values must be preserved.
  [[nodiscard]] bool preserves(std::uint32_t slot) const {
    return lanes_ == Lanes::Some && (!others_at_end_ || liveness_.wanted(stretch_.end, slot));
  }
  /// Later requests belong to instruction `at`, and stay valid until the next call.
  void next(std::uint32_t at);
  /// The slot's registers, loaded if necessary. None: it is held with another width.
  std::optional<Entry> use(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// Allocates registers for a new value of the slot. A held old value stays readable until next() and is
  /// then dropped.
  Entry define(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// Lets the new value of `to` reuse the registers of `from`, if that value is dead after this instruction.
  /// Otherwise none.
  std::optional<Entry> take_over(std::uint32_t from, std::uint32_t to, std::uint32_t parts, bool raw);
  [[nodiscard]] std::optional<Entry> find(std::uint32_t slot);
  /// set_twin(): only the slot's first register is set, for all parts. part_twins(): sets the others.
  void set_twin(std::uint32_t slot);
  void part_twins();
  /// An instruction's use of a slot. The program's registers share slots: a value that is overwritten before
  /// it is read is dead.
  struct Use {
    std::uint32_t at = 0;
    bool reads = false;  ///< reads before it writes, if it does both
  };
  /// The first use in the stretch from `at` on; null: there is none.
  [[nodiscard]] const Use* next_use(std::uint32_t slot, std::uint32_t at) const;
  /// True if the slot's current value is dead from `at` on.
  [[nodiscard]] bool dead_from(std::uint32_t at, std::uint32_t slot) const;
  /// Like use(), but the value stays in the frame if it is not held and loading it is not worthwhile: it is
  /// not read again, this instruction already has two slots in registers, or it has more than kMaxParts.
  std::optional<Entry> use_if_it_pays(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// The new value of the slot will be in the frame. The old one stays readable as with define().
  Entry define_in_frame(std::uint32_t slot, std::uint32_t parts);
  /// The slot's value before this instruction: in a register or in the frame.
  [[nodiscard]] asmjit::Operand operand(std::uint32_t slot, std::uint32_t p) const;
  /// Emits stores of values that are newer than the frame's, and loads of values that the registers lost.
  void store(const std::vector<Entry>& entries);
  void load(const std::vector<Entry>& entries);
  /// Stores the predicate's bits, one for each lane, to the frame. Changes ecx and `bits`, which must be
  /// another register.
  void store_predicate(std::uint32_t slot, const asmjit::x86::Gp& bits);
  /// The dirty entries that are live after the stretch.
  [[nodiscard]] std::vector<Entry> wanted_after(std::uint32_t next) const;
  void forget_all() {
    entries_.clear();
    free_ = all_;
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// The entries, including values that this instruction has redefined.
  [[nodiscard]] std::vector<Entry> entries_before() const;
  [[nodiscard]] bool uniform(std::uint32_t slot) const { return uniform_.contains(slot); }
  [[nodiscard]] asmjit::x86::Vec part(const Entry& e, std::uint32_t p) const {
    return vector(e.registers[e.uniform || e.twin ? 0 : p]);
  }
  /// The register with that number, in the width of the code.
  [[nodiscard]] asmjit::x86::Vec vector(std::uint32_t number) const {
    if (width_ == VectorWidth::Avx512) return asmjit::x86::Zmm(number);
    return asmjit::x86::Ymm(number);
  }

 private:
  std::uint8_t take_register();
  void release(const Entry& e);
  void retire(std::uint32_t slot);
  static Entry absent(std::uint32_t slot, std::uint32_t parts);
  [[nodiscard]] asmjit::x86::Mem place(const Entry& e, std::uint32_t p) const {
    return in_frame(e.slot + p * bytes(width_), bytes(width_));
  }
  /// The first instruction of the stretch from `at` on that reads the slot's current value; kNone: none.
  [[nodiscard]] std::uint32_t next_read(std::uint32_t slot, std::uint32_t at) const;
  void store(const Entry& e);
  void load(const Entry& e);
  void put_nans_right(const Entry& e);
  void part_twin(Entry& e);

  asmjit::x86::Assembler& a_;
  VectorWidth width_;
  asmjit::x86::Inst::Id move_;  ///< moves between a register and an aligned address
  const Program& program_;
  const Liveness& liveness_;
  std::unordered_set<std::uint32_t> uniform_;
  Stretch stretch_;
  Lanes lanes_ = Lanes::All;
  bool others_at_end_ = false;
  std::uint32_t at_ = 0;
  std::uint64_t clock_ = 1;
  std::vector<Entry> entries_, retired_;  ///< retired: only the current instruction reads their values
  std::uint32_t all_ = 0, free_ = 0;      ///< bit sets of registers
  std::vector<std::uint32_t> unknown_;    ///< instructions that may read any slot
  std::unordered_map<std::uint32_t, std::vector<Use>> uses_;  ///< by slot, in order
};

}  // namespace cudalabs::sim
