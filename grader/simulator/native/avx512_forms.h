#pragma once
// What instructions are on AVX-512.

#include "grader/simulator/native/vector_forms.h"

namespace cudalabs::sim {

class Avx512Forms final : public VectorForms {
 public:
  Avx512Forms(asmjit::x86::Assembler& a, RegisterCache& cache) : a_(a), cache_(cache) {}

  bool arithmetic(const Inst& i, Arith op) override;
  void broadcast(std::uint32_t slot, bool eight_bytes, const asmjit::x86::Mem& from) override;
  [[nodiscard]] bool moves(const InPlace& access) const override;
  std::optional<RegisterCache::Entry> source(std::uint32_t slot, bool eight_bytes) override;
  RegisterCache::Entry destination(std::uint32_t slot, const InPlace& access) override;
  void first_lane(const RegisterCache::Entry& address, bool wide) override;
  void compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                         const asmjit::Label& unlike) override;
  void move(const RegisterCache::Entry& data, const InPlace& access) override;

 private:
  using Vec = asmjit::x86::Zmm;
  using Id = asmjit::x86::Inst::Id;

  bool same(const Inst& i, std::uint32_t parts, Id id, bool raw = false);
  bool copy(const Inst& i, std::uint32_t parts);
  bool one(const Inst& i, std::uint32_t parts, Id id);
  bool fused(const Inst& i, std::uint32_t parts, Id id);
  bool product(const Inst& i, std::uint32_t parts, Id multiply, Id add);
  bool wide(const Inst& i, Id multiply, bool adds);
  bool compare(const Inst& i, std::uint32_t parts, Id id, std::uint32_t code);
  bool extend(const Inst& i, Id id);
  bool narrow(const Inst& i);
  bool shift64(const Inst& i, Id id);
  bool select(const Inst& i, std::uint32_t parts);
  bool lop3(const Inst& i);
  bool extreme(const Inst& i, bool greatest);
  void move_scattered(const Vec& data, std::uint32_t p, const InPlace& access);
  /// Half `part` (16 lanes of 32 bits each become 8 of 64) of a 32-bit slot, extended by `id`.
  void widened(const asmjit::x86::Vec& to, std::uint32_t slot, std::uint32_t part, Id id);

  asmjit::x86::Assembler& a_;
  RegisterCache& cache_;
};

}  // namespace cudalabs::sim
