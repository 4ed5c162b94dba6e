#pragma once
// One stretch of a program as AVX-512 code.

#include <asmjit/x86.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "grader/simulator/native/known.h"
#include "grader/simulator/native/native_code.h"
#include "grader/simulator/native/register_cache.h"

namespace cudalabs::sim {

/// Registers that hold the same from the entry to the exit.
namespace fixed {
inline const asmjit::x86::Gp context = asmjit::x86::rbx, frame = asmjit::x86::r12, shapes = asmjit::x86::r13,
                             global = asmjit::x86::r14, shared = asmjit::x86::r15, runs = asmjit::x86::rbp;
}

/// Called by machine code: runs the instruction's own handler. Not 0: it left a fault.
std::uint32_t call_handler(NativeContext* context, std::uint32_t pc);
/// The same: tells of the loads that nobody has heard of.
void call_tell_untold(NativeContext* context);

/// Loads and stores of a stretch whose addresses are as far from each other in every execution: those of
/// `members` stand `distance` from those of the leader.
struct AccessGroup {
  struct Member {
    std::uint32_t at = 0;
    std::int32_t distance = 0;
    Shape::Pattern pattern{};  ///< that the machine code is made for
  };
  std::uint32_t leader = 0;
  std::vector<Member> members;
};
/// Called by machine code: looks whether the group is as it was, and for which bases it will be.
void call_look_at_group(NativeContext* context, const AccessGroup* group);

class Translator {
 public:
  /// `label_of`: where the stretch at an instruction stands, if it is translated along with this one.
  Translator(asmjit::x86::Assembler& a, const Program& program, const Liveness& liveness,
             const std::vector<Shape>& shapes, std::function<const asmjit::Label*(std::uint32_t)> label_of,
             const asmjit::Label& leave, std::vector<std::unique_ptr<AccessGroup>>& groups);

  void translate(const Stretch& stretch);

 private:
  using Vec = asmjit::x86::Zmm;

  void instruction(std::uint32_t at);
  bool arithmetic(const Inst& i, Arith op);
  bool same(const Inst& i, std::uint32_t parts, asmjit::x86::Inst::Id id, bool raw = false);
  bool copy(const Inst& i, std::uint32_t parts);
  bool one(const Inst& i, std::uint32_t parts, asmjit::x86::Inst::Id id);
  bool fused(const Inst& i, std::uint32_t parts, asmjit::x86::Inst::Id id);
  bool product(const Inst& i, std::uint32_t parts, asmjit::x86::Inst::Id multiply, asmjit::x86::Inst::Id add);
  bool wide(const Inst& i, asmjit::x86::Inst::Id multiply, bool adds);
  bool compare(const Inst& i, std::uint32_t parts, asmjit::x86::Inst::Id id, std::uint32_t code);
  bool extend(const Inst& i, asmjit::x86::Inst::Id id);
  bool narrow(const Inst& i);
  bool shift64(const Inst& i, asmjit::x86::Inst::Id id);
  bool select(const Inst& i, std::uint32_t parts);
  bool lop3(const Inst& i);
  bool memory(const Inst& i, std::uint32_t at, const Known& k);
  void move_scattered(const Vec& data, std::uint32_t p, std::uint32_t parts, std::uint32_t at, bool is_shared,
                      bool is_store);
  bool parameter(const Inst& i, const Known& k);
  void handler(std::uint32_t at);
  void call(std::uint32_t at, const asmjit::Label& fault);
  /// Where code goes that leaves for the interpreter at `pc`; or because of the fault that `at` left.
  asmjit::Label leaving(std::uint32_t pc);
  asmjit::Label leaving_by_fault(std::uint32_t at);
  void branch(std::uint32_t at);
  void go(std::uint32_t to);
  void find_groups(const Stretch& stretch);
  /// The expected pattern of an access that is done in place; none for one that its handler does.
  [[nodiscard]] std::optional<Shape::Pattern> in_place(std::uint32_t at) const;
  void begin_group(std::size_t number);
  void count(const asmjit::x86::Gp& array, std::uint32_t at, bool up);
  [[nodiscard]] asmjit::x86::Mem in_frame(std::uint32_t offset, std::uint32_t size) const;
  [[nodiscard]] asmjit::x86::Mem in_context(std::size_t offset, std::uint32_t size) const;
  void flush_wanted(std::uint32_t next);
  /// Half `part` (16 lanes of 32 bits each become 8 of 64) of a 32-bit slot, extended by `id`.
  void widened(const Vec& to, std::uint32_t slot, std::uint32_t part, asmjit::x86::Inst::Id id);

  /// Code out of the way, of which few executions take notice.
  struct Aside {
    asmjit::Label begin, back;
    std::function<void()> emit;
  };

  asmjit::x86::Assembler& a_;
  const Program& program_;
  const Liveness& liveness_;
  const std::vector<Shape>& shapes_;
  std::function<const asmjit::Label*(std::uint32_t)> label_of_;
  const asmjit::Label& leave_;
  RegisterCache cache_;
  std::vector<Aside> asides_;
  std::vector<std::unique_ptr<AccessGroup>>& kept_groups_;
  std::vector<const AccessGroup*> groups_;  ///< of the stretch
};

}  // namespace cudalabs::sim
