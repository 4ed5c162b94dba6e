#pragma once
// One stretch of a program as machine code.

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "grader/simulator/native/known.h"
#include "grader/simulator/native/native_code.h"
#include "grader/simulator/native/vector_forms.h"

namespace cudalabs::sim {

/// Called by machine code: runs the instruction's own handler. Not 0: it left a fault.
std::uint32_t call_handler(NativeContext* context, std::uint32_t pc);
/// The same for the lanes of the context's mask.
std::uint32_t call_masked_handler(NativeContext* context, std::uint32_t pc);
/// The same: tells of the loads that nobody has heard of.
void call_tell_untold(NativeContext* context);

/// Loads and stores of a stretch whose addresses are as far from each other in every execution: those of
/// `members` stand `distance` from those of the leader.
struct AccessGroup {
  struct Member : GroupMember {
    Shape::Pattern pattern{};  ///< that the machine code is made for
  };
  std::uint32_t leader = 0;
  std::vector<Member> members;
  std::vector<GroupMember> together;  ///< those of them in the stretch's Together, without `pattern`
};
/// Called by machine code: looks whether the group is as it was, and for which bases it will be.
void call_look_at_group(NativeContext* context, const AccessGroup* group);

class Translator {
 public:
  static constexpr std::size_t kBases = 4;  ///< groups whose bases are in registers meanwhile, r8 to r11

  /// `label_of`: where the stretch at an instruction stands, if it is translated along with this one.
  Translator(asmjit::x86::Assembler& a, VectorWidth width, const Program& program, const Liveness& liveness,
             const std::vector<Shape>& shapes, std::function<const asmjit::Label*(std::uint32_t)> label_of,
             const asmjit::Label& leave, std::vector<std::unique_ptr<AccessGroup>>& groups);

  void translate(const Stretch& stretch, Lanes lanes);

 private:
  void straight(const Stretch& stretch);
  void leave_at_limit(std::uint32_t pc);
  void emit_asides();
  [[nodiscard]] bool has_short_side(std::uint32_t branch) const;
  void short_side(std::uint32_t branch, const asmjit::Label& begin);
  void count_idle(std::uint32_t at, bool begins);
  void instruction(std::uint32_t at);
  bool divide(const Inst& i, std::uint32_t at, Arith op);
  bool memory(const Inst& i, std::uint32_t at, const Known& k);
  bool memory_by_some(const Inst& i, std::uint32_t at, const Known& k);
  bool parameter(const Inst& i, const Known& k);
  void handler(std::uint32_t at, bool all_lanes);
  void call(std::uint32_t at, const asmjit::Label& fault, bool all_lanes = true);
  /// Where the handler does an instruction out of the way: what is held when the way there parts, and when it
  /// comes back.
  struct Detour {
    asmjit::Label begin, back;
    std::vector<RegisterCache::Entry> before, after;
  };
  void by_handler(std::uint32_t at, const Detour& way, bool all_lanes = true);
  /// Where code goes that leaves for the interpreter at `pc`; or because of the fault that `at` left.
  asmjit::Label leaving(std::uint32_t pc);
  asmjit::Label leaving_by_fault(std::uint32_t at);
  /// `apart`: where code goes if the warp divides.
  void branch(std::uint32_t at, const asmjit::Label& apart);
  void pass_exit(std::uint32_t at);
  void lanes_that_take(const Inst& i);
  void run_by_lanes();
  void no_lane(std::uint32_t at);
  void go(std::uint32_t to);
  void find_groups(const Stretch& stretch);
  void find_together(const Stretch& stretch);
  void do_together();
  void load_bases();
  void count_word(std::uint32_t at, const asmjit::x86::Gp& base, std::size_t counters);
  void prefetch(std::uint32_t at, const InPlace& access);
  [[nodiscard]] bool read_by_product(std::uint32_t at) const;
  [[nodiscard]] const GroupMember* member(std::uint32_t at, std::size_t& group) const;
  /// None for an access that its handler does.
  [[nodiscard]] std::optional<InPlace> in_place(std::uint32_t at) const;
  void begin_group(std::size_t number);
  void count(const asmjit::x86::Gp& array, std::uint32_t at, bool up);

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
  std::unique_ptr<VectorForms> forms_;
  std::vector<Aside> asides_;
  std::vector<std::unique_ptr<AccessGroup>>& kept_groups_;
  std::vector<AccessGroup*> groups_;  ///< of the stretch
  /// A part of the stretch of which there are two forms: one for when all of its accesses are as they were,
  /// and nobody wants to hear of them, looks at that once and counts once a group.
  struct Together {
    std::uint32_t begin = 0, end = 0;
    std::array<bool, kBases> groups{};  ///< that have members there
    bool loads_shared = false;
  };
  std::optional<Together> together_;
  bool looked_ = false;  ///< the form is emitted that need not look
  bool some_ = false;    ///< what is emitted is for some lanes of a warp
};

}  // namespace cudalabs::sim
