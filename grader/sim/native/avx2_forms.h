#pragma once
// The AVX2 forms of instructions. A slot takes four of the 16 registers of 32 bytes, so only three slots at
// most are held, and those with 64-bit lanes only if they are uniform. Everything else stays in the frame and
// is processed register by register.

#include "grader/sim/native/vector_forms.h"

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

  /// True if this instruction can read the slots; slots that are worth loading are in registers then.
  bool can_read(std::initializer_list<std::uint32_t> slots, std::uint32_t parts, bool raw = false);
  /// The destination of a result: held, or in the frame if its lanes have 64 bits.
  RegisterCache::Entry result(std::uint32_t slot, std::uint32_t parts, bool raw = false);
  /// The register in which part `p` of the result is computed; put() moves it to its destination if that
  /// differs.
  [[nodiscard]] Vec made_in(const RegisterCache::Entry& result, std::uint32_t p) const;
  void put(const RegisterCache::Entry& result, std::uint32_t p);
  /// Part `p` of the slot in a register: its own, or `spare` after a load.
  Vec in_register(std::uint32_t slot, std::uint32_t p, const Vec& spare);
  /// Extends four 32-bit lanes of the slot to 64-bit lanes by `id`.
  void widened(const Vec& to, std::uint32_t slot, std::uint32_t p, Id id);
};

}  // namespace cudalabs::sim
