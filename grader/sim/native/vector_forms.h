#pragma once
// The forms of a warp's instructions in the vector registers of one instruction set.

#include <asmjit/x86.h>

#include <cstdint>
#include <memory>

#include "grader/sim/native/register_cache.h"
#include "grader/sim/ops/arithmetic.h"

namespace cudalabs::sim {

/// The address of lane 0, after its check.
struct LaneZero {
  asmjit::x86::Gp base = asmjit::x86::rax;
  std::int32_t distance = 0;
  bool sure = false;  ///< this code only runs for the access's pattern
};

/// A load or store that is executed inline.
struct InPlace {
  std::uint32_t at = 0;
  Shape::Pattern pattern{};
  bool is_shared = false, is_store = false;
  bool eight_bytes = false;  ///< size of an element; otherwise four
};

/// Address of `size` bytes, `byte` bytes behind lane 0's access.
inline asmjit::x86::Mem place_of(const InPlace& access, const LaneZero& lane, std::uint32_t byte,
                                 std::uint32_t size) {
  const asmjit::x86::Gp& memory = access.is_shared ? fixed::shared : fixed::global;
  return {memory, lane.base, 0, lane.distance + static_cast<std::int32_t>(byte), size};
}

class VectorForms {
 public:
  /// The forms for that width, with values in `cache`. The assembler and the cache must outlive them.
  static std::unique_ptr<VectorForms> of(VectorWidth width, asmjit::x86::Assembler& a, RegisterCache& cache);
  virtual ~VectorForms() = default;

  /// False: there is no form for it, and no code was emitted that conflicts with the handler.
  bool arithmetic(const Inst& i, Arith op);
  /// Sets the slot in all lanes to the value in memory.
  virtual void broadcast(std::uint32_t slot, bool eight_bytes, const asmjit::x86::Mem& from) = 0;

  /// The registers of the addresses, or of the data to store; none: see RegisterCache::use().
  virtual std::optional<RegisterCache::Entry> source(std::uint32_t slot, bool eight_bytes) = 0;
  /// The registers for loaded data.
  virtual RegisterCache::Entry destination(std::uint32_t slot, const InPlace& access) = 0;
  /// Moves the address of lane 0 to rax, or to eax if it has four bytes.
  virtual void first_lane(const RegisterCache::Entry& address, bool wide) = 0;
  /// Jumps to `unlike` if the lanes' distances from lane 0 differ from the access's shape.
  virtual void compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                                 const asmjit::Label& unlike) = 0;
  /// Only changes rax, rcx and rdx.
  virtual void move(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) = 0;
  /// True if the next three functions, for some lanes of a warp (NativeContext::lanes), are available.
  [[nodiscard]] virtual bool moves_some_lanes() const { return false; }
  /// Like compare_distances(), but relative to the first active lane, whose address it leaves in rax; the
  /// PartialShape's address is in rdx. Changes rcx.
  virtual void compare_some_distances(const RegisterCache::Entry& /*address*/, bool /*wide*/,
                                      const asmjit::Label& /*unlike*/) {}
  /// Moves adjacent data; rax is the address for the first active lane. Changes rax and rcx.
  virtual void move_some(const RegisterCache::Entry& /*data*/, const InPlace& /*access*/) {}
  /// The same for data at the distances of the PartialShape in rdx.
  virtual void move_some_scattered(const RegisterCache::Entry& /*data*/, const InPlace& /*access*/) {}
  /// Divides i.a by i.b, or computes the remainder, if i.b is one power of two in all lanes; otherwise jumps
  /// to `unlike` without an effect. False: there is no such form. Changes rax and rcx.
  virtual bool divide(const Inst& /*i*/, bool /*remainder*/, const asmjit::Label& /*unlike*/) {
    return false;
  }
  /// Replaces move() if only FUSED reads the loaded value, before any store: FUSED may then read it from
  /// memory.
  virtual void leave(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) {
    move(data, access, lane);
  }
  /// Before a handler, when the frame has everything else: loads values left in memory into the frame.
  virtual void fetch() {}
  /// True if no value is left in memory.
  [[nodiscard]] virtual bool all_read() const { return true; }

 protected:
  using Id = asmjit::x86::Inst::Id;

  VectorForms(VectorWidth width, asmjit::x86::Assembler& a, RegisterCache& cache)
      : a_(a), cache_(cache), width_(width) {}

  asmjit::x86::Assembler& a_;
  RegisterCache& cache_;

 private:
  // The forms of forms.def, and the operations without a row there. `parts`: the number of registers of a
  // slot; `raw`: NaNs may keep the host's bits.
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
