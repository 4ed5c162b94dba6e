#pragma once
// The AVX-512 forms of instructions.

#include "grader/sim/native/vector_forms.h"

namespace cudalabs::sim {

class Avx512Forms final : public VectorForms {
 public:
  Avx512Forms(asmjit::x86::Assembler& a, RegisterCache& cache) : VectorForms(VectorWidth::Avx512, a, cache) {}

  void broadcast(std::uint32_t slot, bool eight_bytes, const asmjit::x86::Mem& from) override;
  std::optional<RegisterCache::Entry> source(std::uint32_t slot, bool eight_bytes) override;
  RegisterCache::Entry destination(std::uint32_t slot, const InPlace& access) override;
  void first_lane(const RegisterCache::Entry& address, bool wide) override;
  void compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                         const asmjit::Label& unlike) override;
  void move(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) override;
  [[nodiscard]] bool moves_some_lanes() const override { return true; }
  void compare_some_distances(const RegisterCache::Entry& address, bool wide,
                              const asmjit::Label& unlike) override;
  bool divide(const Inst& i, bool remainder, const asmjit::Label& unlike) override;
  void move_some(const RegisterCache::Entry& data, const InPlace& access) override;
  void move_some_scattered(const RegisterCache::Entry& data, const InPlace& access) override;
  void leave(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) override;
  void fetch() override;
  [[nodiscard]] bool all_read() const override { return left_.empty(); }

 private:
  using Vec = asmjit::x86::Zmm;

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
  bool lop3(const Inst& i) override;
  bool extreme(const Inst& i, bool greatest) override;
  struct Left {
    std::uint32_t slot = 0;
    InPlace access;
    LaneZero lane;
  };
  [[nodiscard]] bool is_left(std::uint32_t slot) const;
  void load_left(const RegisterCache::Entry& data);
  /// Part `p` of the slot: in memory if it was left there, otherwise its register.
  [[nodiscard]] asmjit::Operand left_or_held(const RegisterCache::Entry& e, std::uint32_t p) const;
  std::vector<Left> left_;

  void move_scattered(const Vec& data, std::uint32_t p, const InPlace& access, bool some);
  /// Extends half `part` (16 lanes of 32 bits each become 8 of 64) of a 32-bit slot by `id`.
  void widened(const asmjit::x86::Vec& to, std::uint32_t slot, std::uint32_t part, Id id);
};

}  // namespace cudalabs::sim
