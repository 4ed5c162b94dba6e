#pragma once
// What instructions are on AVX2. Of 16 registers of 32 bytes a slot takes four, so few slots are held: three
// at most, and none of 64-bit lanes but those whose lanes are the same. The rest is worked on where it is, in
// the frame, register by register.

#include "grader/simulator/native/vector_forms.h"

namespace cudalabs::sim {

class Avx2Forms final : public VectorForms {
 public:
  Avx2Forms(asmjit::x86::Assembler& a, RegisterCache& cache) : VectorForms(VectorWidth::Avx2, a, cache) {}

  void broadcast(std::uint32_t slot, bool eight_bytes, const asmjit::x86::Mem& from) override;
  std::optional<RegisterCache::Entry> source(std::uint32_t slot, bool eight_bytes) override;
  RegisterCache::Entry destination(std::uint32_t slot, const InPlace& access) override;
  void first_lane(const RegisterCache::Entry& address, bool wide) override;
  void compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                         const asmjit::Label& unlike) override;
  void move(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) override;

 private:
  using Vec = asmjit::x86::Vec;

  bool same(const Inst& i, std::uint32_t parts, Id id, bool raw) override;
  bool one(const Inst& i, std::uint32_t parts, Id id) override;
  bool fused(const Inst& i, std::uint32_t parts, Id id) override;
  bool product(const Inst& i, std::uint32_t parts, Id multiply, Id add) override;
  bool wide(const Inst& i, Id multiply, bool adds) override;
  bool compare(const Inst& i, std::uint32_t parts, Id id, std::uint32_t code) override;
  bool extend(const Inst& i, Id id) override;
  bool narrow(const Inst& i) override;
  bool shift64(const Inst& i, Id id) override;
  bool select(const Inst& i, std::uint32_t parts) override;
  bool extreme(const Inst& i, bool greatest) override;

  /// Whether the slots can be read by this instruction; those for which it pays are in registers then.
  bool can_read(std::initializer_list<std::uint32_t> slots, std::uint32_t parts, bool raw = false);
  /// Where a result goes: held, or in the frame if its lanes have 64 bits.
  RegisterCache::Entry result(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// The register in which part `p` of the result is made, and what takes it to its place if that is another.
  [[nodiscard]] Vec made_in(const RegisterCache::Entry& result, std::uint32_t p) const;
  void put(const RegisterCache::Entry& result, std::uint32_t p);
  /// Part `p` of the slot in a register: in its own, or loaded to `spare`.
  Vec in_register(std::uint32_t slot, std::uint32_t p, const Vec& spare);
  /// Four lanes of 32 bits of the slot as lanes of 64 bits, extended by `id`.
  void widened(const Vec& to, std::uint32_t slot, std::uint32_t p, Id id);
};

}  // namespace cudalabs::sim
