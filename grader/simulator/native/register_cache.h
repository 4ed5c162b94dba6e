#pragma once
// Which slots of the frame lie in vector registers while a stretch is translated.

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/simulator/native/liveness.h"
#include "grader/simulator/native/places.h"

namespace cudalabs::sim {

class RegisterCache {
 public:
  /// So many hold slots, from the first on; the others are for what is in between.
  static constexpr std::uint32_t registers(VectorWidth width) {
    return width == VectorWidth::Avx512 ? 28 : 12;
  }

  static constexpr std::uint32_t kMostParts = 4;  ///< what takes more registers stays in the frame

  struct Entry {
    std::uint32_t slot = kNone, parts = 0;
    std::array<std::uint8_t, kMostParts> registers{};
    bool uniform = false;  ///< all lanes the same: one register is all parts
    bool dirty = false;    ///< the frame holds an older value
    bool fresh = false;    ///< of the running instruction
    bool raw = false;      ///< floats whose NaNs are not yet the one that the card has
    bool absent = false;   ///< it has no registers: the value is in the frame
    bool twin = false;     ///< all parts are the same: the first one's register is filled alone
    std::uint64_t used = 0;
    bool operator==(const Entry&) const = default;
  };

  RegisterCache(asmjit::x86::Assembler& a, VectorWidth width, const Program& program,
                const Liveness& liveness);

  /// What is held where, for code that is made twice of the same instructions.
  struct State {
    std::uint32_t at = 0, free = 0;
    std::uint64_t clock = 0;
    std::vector<Entry> entries, retired;
    bool operator==(const State&) const = default;
  };
  [[nodiscard]] State state() const { return {at_, free_, clock_, entries_, retired_}; }
  void restore(State state);

  /// True if what some lanes compute need not be what the frame gets in the others.
  [[nodiscard]] bool stores_some_lanes() const { return width_ == VectorWidth::Avx512; }

  /// All lanes of a register are computed in any case; the frame gets those of others than `lanes` where it
  /// does not preserve() them. `others_at_end`: the others stand at the stretch's end already.
  void begin(const Stretch& stretch, Lanes lanes, bool others_at_end = false);
  /// Of a stretch that some lanes run: others may read the slot where they stand, so what they have in it
  /// must stay.
  [[nodiscard]] bool preserves(std::uint32_t slot) const {
    return lanes_ == Lanes::Some && (!others_at_end_ || liveness_.wanted(stretch_.end, slot));
  }
  /// What is asked for from here on belongs to `at`, and stays until the next call.
  void next(std::uint32_t at);
  /// The slot's registers, loaded if need be. None: it is held with another width.
  std::optional<Entry> use(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// Registers for a new value of the slot. The old one, if it is held, stays readable until
  /// next() and is then forgotten.
  Entry define(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// The new value of `to` takes the place of `from`, whose value nobody wants after this
  /// instruction. None if it is wanted.
  std::optional<Entry> take_over(std::uint32_t from, std::uint32_t to, std::uint32_t parts, bool raw);
  [[nodiscard]] std::optional<Entry> find(std::uint32_t slot);
  /// What the slot was given is in its first register alone, for all parts; and what ends that.
  void set_twin(std::uint32_t slot);
  void part_twins();
  /// An instruction's, of a slot. Registers of the program share slots: what is written anew before it
  /// is read again is not wanted.
  struct Use {
    std::uint32_t at = 0;
    bool reads = false;  ///< before it writes, if it does both
  };
  /// The first one of the stretch from `at` on; null: there is none.
  [[nodiscard]] const Use* next_use(std::uint32_t slot, std::uint32_t at) const;
  /// True if nobody reads the slot's present value from `at` on.
  [[nodiscard]] bool dead_from(std::uint32_t at, std::uint32_t slot) const;
  /// As use(), but the value stays in the frame where it is not held and loading it does not pay: nobody
  /// reads it again, this instruction has two slots in registers, or it has more than kMostParts.
  std::optional<Entry> use_if_it_pays(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// The new value of the slot will be in the frame. The old one stays readable as after define().
  Entry define_in_frame(std::uint32_t slot, std::uint32_t parts);
  /// What the slot held before this instruction: in a register or in the frame.
  [[nodiscard]] asmjit::Operand operand(std::uint32_t slot, std::uint32_t p) const;
  /// Emits stores of what the frame lacks, and loads of what the registers lost.
  void store(const std::vector<Entry>& entries);
  void load(const std::vector<Entry>& entries);
  /// The predicate's bits, a lane each, to the frame. Changes `bits`, which is not ecx, and ecx.
  void store_predicate(std::uint32_t slot, const asmjit::x86::Gp& bits);
  /// Those that are dirty and may be read by what follows the stretch.
  [[nodiscard]] std::vector<Entry> wanted_after(std::uint32_t next) const;
  void forget_all() {
    entries_.clear();
    free_ = all_;
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Those and what was held before this instruction defined it anew.
  [[nodiscard]] std::vector<Entry> entries_before() const;
  [[nodiscard]] bool uniform(std::uint32_t slot) const { return uniform_.contains(slot); }
  [[nodiscard]] asmjit::x86::Vec part(const Entry& e, std::uint32_t p) const {
    return vector(e.registers[e.uniform || e.twin ? 0 : p]);
  }
  /// The register of that number, in the width that the code is made for.
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
  /// The instruction of the stretch from `at` on that reads the slot's present value first; kNone: none does.
  [[nodiscard]] std::uint32_t next_read(std::uint32_t slot, std::uint32_t at) const;
  void store(const Entry& e);
  void load(const Entry& e);
  void put_nans_right(const Entry& e);
  void part_twin(Entry& e);

  asmjit::x86::Assembler& a_;
  VectorWidth width_;
  asmjit::x86::Inst::Id move_;  ///< between a register and an aligned place
  const Program& program_;
  const Liveness& liveness_;
  std::unordered_set<std::uint32_t> uniform_;
  Stretch stretch_;
  Lanes lanes_ = Lanes::All;
  bool others_at_end_ = false;
  std::uint32_t at_ = 0;
  std::uint64_t clock_ = 1;
  std::vector<Entry> entries_, retired_;  ///< retired: their values are read by this instruction alone
  std::uint32_t all_ = 0, free_ = 0;      ///< registers, a bit each
  std::vector<std::uint32_t> unknown_;    ///< instructions that may read any slot
  std::unordered_map<std::uint32_t, std::vector<Use>> uses_;  ///< by slot, in order
};

}  // namespace cudalabs::sim
