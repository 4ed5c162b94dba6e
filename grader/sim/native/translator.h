#pragma once
// Translates one stretch of a program to machine code.

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "grader/sim/native/known.h"
#include "grader/sim/native/native_code.h"
#include "grader/sim/native/vector_forms.h"

namespace cudalabs::sim {

/// Called by machine code: runs the instruction's handler. Returns nonzero after a fault.
std::uint32_t call_handler(NativeContext* context, std::uint32_t pc);
/// The same for the lanes of the context's mask.
std::uint32_t call_masked_handler(NativeContext* context, std::uint32_t pc);
/// Likewise: reports the deferred loads.
void call_report_unflushed(NativeContext* context);

/// Loads and stores of a stretch whose addresses keep their relative positions in every execution: those of
/// `members` are `distance` from those of the leader.
struct AccessGroup {
  struct Member : GroupMember {
    Shape::Pattern pattern{};  ///< pattern that the machine code was generated for
  };
  std::uint32_t leader = 0;
  std::vector<Member> members;
  std::vector<GroupMember> together;  ///< those in the stretch's Together, without `pattern`
};
/// Called by machine code: checks whether the group keeps its shapes, and for which bases.
void call_look_at_group(NativeContext* context, const AccessGroup* group);

class Translator {
 public:
  static constexpr std::size_t kBases = 4;  ///< groups whose bases are kept in registers, r8 to r11

  /// `label_of`: the label of the stretch at an instruction, if it is translated together with this one.
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
  /// Adds the instruction's offset to the address in rax; may overwrite rcx.
  void add_offset(const Inst& i, bool is_shared);
  /// Leaves the first lane's address in rax and goes to `slow` unless the shape holds there.
  void check_place(const Inst& i, bool wide, const InPlace& access, const RegisterCache::Entry& address,
                   const asmjit::Label& slow);
  /// Keeps a load of shared memory for the observers that want each of them.
  void keep_unflushed(std::uint32_t at, std::uint32_t width, const std::vector<RegisterCache::Entry>& before);
  bool parameter(const Inst& i, const Known& k);
  void handler(std::uint32_t at, bool all_lanes);
  void call(std::uint32_t at, const asmjit::Label& fault, bool all_lanes = true);
  /// An instruction that the handler executes out of line: the register contents at the jump there and at the
  /// return.
  struct Detour {
    asmjit::Label begin, back;
    std::vector<RegisterCache::Entry> before, after;
  };
  void by_handler(std::uint32_t at, const Detour& way, bool all_lanes = true);
  /// Target for leaving to the interpreter at `pc`, or because of a fault of `at`.
  asmjit::Label leaving(std::uint32_t pc);
  asmjit::Label leaving_by_fault(std::uint32_t at);
  /// `apart`: target if the warp diverges.
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

  /// Out-of-line code for rare cases.
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
  std::vector<AccessGroup*> groups_;  ///< groups of the stretch
  /// A part of the stretch with two forms. The fast one is for the case that all accesses keep their shapes
  /// and have no observers: it checks this once, and counts once for each group.
  struct Together {
    std::uint32_t begin = 0, end = 0;
    std::array<bool, kBases> groups{};  ///< groups with members there
    bool loads_shared = false;
  };
  std::optional<Together> together_;
  bool looked_ = false;  ///< the emitted form needs no checks
  bool some_ = false;    ///< the emitted code is for some lanes of a warp
};

}  // namespace cudalabs::sim
