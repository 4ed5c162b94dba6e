#pragma once
// What a warp's instructions are in the vector registers of one instruction set.

#include <asmjit/x86.h>

#include <cstdint>
#include <memory>

#include "grader/simulator/native/register_cache.h"
#include "grader/simulator/ops/arithmetic.h"

namespace cudalabs::sim {

/// The address of lane 0, which was looked at.
struct LaneZero {
  asmjit::x86::Gp base = asmjit::x86::rax;
  std::int32_t distance = 0;
  bool sure = false;  ///< this code runs for no other pattern than the access's
};

/// A load or store that is done in place.
struct InPlace {
  std::uint32_t at = 0;
  Shape::Pattern pattern{};
  bool is_shared = false, is_store = false;
  bool eight_bytes = false;  ///< an element; else four
};

/// `size` bytes at `byte` bytes behind what lane 0 accesses.
inline asmjit::x86::Mem place_of(const InPlace& access, const LaneZero& lane, std::uint32_t byte,
                                 std::uint32_t size) {
  const asmjit::x86::Gp& memory = access.is_shared ? fixed::shared : fixed::global;
  return {memory, lane.base, 0, lane.distance + static_cast<std::int32_t>(byte), size};
}

class VectorForms {
 public:
  /// The forms of that width, whose values lie in `cache`. Both outlive them.
  static std::unique_ptr<VectorForms> of(VectorWidth width, asmjit::x86::Assembler& a, RegisterCache& cache);
  virtual ~VectorForms() = default;

  /// False: it is none of those that have a form here, and nothing was emitted that the handler would not do.
  bool arithmetic(const Inst& i, Arith op);
  /// The slot's value in all lanes is what stands in memory.
  virtual void broadcast(std::uint32_t slot, bool eight_bytes, const asmjit::x86::Mem& from) = 0;

  /// Where the addresses are, or the data that are to be stored; none: as RegisterCache::use().
  virtual std::optional<RegisterCache::Entry> source(std::uint32_t slot, bool eight_bytes) = 0;
  /// Where the data go that are loaded.
  virtual RegisterCache::Entry destination(std::uint32_t slot, const InPlace& access) = 0;
  /// The address of lane 0 to rax, or to eax where it has four bytes.
  virtual void first_lane(const RegisterCache::Entry& address, bool wide) = 0;
  /// Leads to `unlike` where lanes are not as far from lane 0 as the shape of the access says.
  virtual void compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                                 const asmjit::Label& unlike) = 0;
  /// Changes rax, rcx and rdx alone.
  virtual void move(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) = 0;
  /// Whether there are the next three, for some lanes of a warp (NativeContext::lanes).
  [[nodiscard]] virtual bool moves_some_lanes() const { return false; }
  /// As compare_distances(), from the first of the lanes, whose address it leaves in rax; the PartialShape's
  /// address is in rdx. Changes rcx.
  virtual void compare_some_distances(const RegisterCache::Entry& /*address*/, bool /*wide*/,
                                      const asmjit::Label& /*unlike*/) {}
  /// Moves what lies side by side, from rax on for the first of the lanes. Changes rax and rcx.
  virtual void move_some(const RegisterCache::Entry& /*data*/, const InPlace& /*access*/) {}
  /// The same, where they lie as the PartialShape in rdx says.
  virtual void move_some_scattered(const RegisterCache::Entry& /*data*/, const InPlace& /*access*/) {}
  /// i.a divided by i.b, or what is left, if i.b is one power of two in all lanes; else leads to `unlike`,
  /// with nothing done. False: there is no such form. Changes rax and rcx.
  virtual bool divide(const Inst& /*i*/, bool /*remainder*/, const asmjit::Label& /*unlike*/) {
    return false;
  }
  /// Instead of move() where FUSED alone reads what is loaded, before anything is stored: it may read it in
  /// memory.
  virtual void leave(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) {
    move(data, access, lane);
  }
  /// Before a handler, when the frame holds all else: what was left in memory goes to the frame.
  virtual void fetch() {}
  /// Nothing is left in memory.
  [[nodiscard]] virtual bool all_read() const { return true; }

 protected:
  using Id = asmjit::x86::Inst::Id;

  VectorForms(VectorWidth width, asmjit::x86::Assembler& a, RegisterCache& cache)
      : a_(a), cache_(cache), width_(width) {}

  asmjit::x86::Assembler& a_;
  RegisterCache& cache_;

 private:
  // The shapes of forms.def, and what has no row there. `parts`: the registers of a slot; `raw`: NaNs may
  // stay as they are.
  virtual bool same(const Inst& i, std::uint32_t parts, Id id, bool raw) = 0;
  virtual bool one(const Inst& i, std::uint32_t parts, Id id) = 0;
  virtual bool fused(const Inst& i, std::uint32_t parts, Id id) = 0;
  virtual bool product(const Inst& i, std::uint32_t parts, Id multiply, Id add) = 0;
  virtual bool wide(const Inst& i, Id multiply, bool adds) = 0;
  virtual bool compare(const Inst& i, std::uint32_t parts, Id id, std::uint32_t code) = 0;
  virtual bool extend(const Inst& i, Id id) = 0;
  virtual bool narrow(const Inst& i) = 0;
  virtual bool shift64(const Inst& i, Id id) = 0;
  virtual bool select(const Inst& i, std::uint32_t parts) = 0;
  virtual bool extreme(const Inst& i, bool greatest) = 0;
  virtual bool lop3(const Inst&) { return false; }

  VectorWidth width_;
};

}  // namespace cudalabs::sim
