#pragma once
// The state of lowering one function. The code is in lower.cpp (frame, whole-function passes),
// lower_memory.cpp, lower_control.cpp and other files lower_*.cpp, select.cpp (arithmetic), select_half.cpp,
// select_compare.cpp and select_convert.cpp.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/analysis/waiting_loops.h"
#include "grader/sim/lower/lower.h"
#include "grader/sim/lower/register_slots.h"
#include "grader/sim/ops/arithmetic.h"
#include "grader/sim/ops/memory/async_copy.h"
#include "grader/sim/ops/memory/bulk_copy.h"
#include "grader/sim/ops/memory/memory_ops.h"
#include "grader/sim/ops/warp/warp_ops.h"

namespace cudalabs::sim {

/// Offsets of the shared-memory variables of all functions of the module.
struct SharedLayout {
  std::vector<std::uint32_t> module_offsets;                 ///< by module variable
  std::vector<std::vector<std::uint32_t>> function_offsets;  ///< by function, by its variable
  std::uint32_t common_bytes = 0;    ///< reserved part, module-scope and device functions' variables
  std::uint32_t reserved_bytes = 0;  ///< size of the part that lower/reserved_shared.h describes
  std::vector<SharedVariable> common;
};

Result<SharedLayout> lay_out_shared(const ptx::Module& module);  // lower_frame.cpp

/// Thrown while lowering one instruction and converted to a Diagnostic by the caller, so that the selection
/// code can consist of expressions. Never leaves lower().
struct Refusal {
  Message why;
  Messages hint{};
};

class Lowering {
 public:
  Lowering(const ptx::Module& module, const ptx::Function& function, const LowerContext& context,
           const SharedLayout& layout, std::size_t function_index,
           const std::vector<std::unique_ptr<Program>>& programs, Program& program);

  Result<void> run();

 private:
  // ---- frame (lower_frame.cpp)
  std::uint32_t new_room(std::uint64_t bytes);
  ParamArea new_area(std::uint64_t size);
  std::uint32_t new_slot(bool wide);
  std::uint32_t new_predicate();
  std::uint32_t reg(std::uint32_t index);
  [[nodiscard]] bool is_wide(std::uint32_t reg_index) const;
  std::uint32_t constant(bool wide, SlotSource source, std::uint64_t value, ptx::Special special = {});
  std::uint32_t value32(std::uint64_t bits) { return constant(false, SlotSource::Value, bits & 0xFFFFFFFFu); }
  std::uint32_t value64(std::uint64_t bits) { return constant(true, SlotSource::Value, bits); }

  // ---- operands (lower.cpp)
  /// Refuses an instruction without such an operand.
  static const ptx::Operand& operand(const ptx::Instruction& in, std::size_t place);
  /// Slot of the register operand; refuses other operands.
  std::uint32_t reg(const ptx::Operand& operand);
  /// Slot that holds the operand as a value of `type` (with its lane width; narrower registers are
  /// zero-extended).
  std::uint32_t read(const ptx::Operand& operand, ptx::Type type);
  std::uint32_t read_predicate(const ptx::Operand& operand);  ///< a slot; handles negation
  std::uint32_t symbol_value(const ptx::Operand& operand, bool& wide);
  /// Slot of an address's base in the form that an instruction on `space` needs; the caller handles its
  /// constant offset.
  std::uint32_t base_address(const ptx::Operand& address, ptx::Space space, bool& wide);
  /// Slot for a result of `type`; finish_write() then moves it into a wider register if necessary.
  struct Target {
    std::uint32_t slot = kNone;
    std::uint32_t final_slot = kNone;
    Arith widen{};
  };
  Target write(const ptx::Operand& operand, ptx::Type type);
  void finish_write(const Target& target);

  // ---- emission (lower.cpp)
  Inst& emit(HandlerPair handlers, Flow flow = Flow::Plain);
  Inst& emit(Arith op, std::uint32_t d, std::uint32_t a = kNone, std::uint32_t b = kNone,
             std::uint32_t c = kNone);
  Inst& emit(WarpOp op, Flow flow = Flow::Plain);
  std::uint32_t extras(std::vector<std::uint32_t> slots);

  // ---- instructions
  void instruction(const ptx::Instruction& in);
  void arithmetic(const ptx::Instruction& in);  // select.cpp
  void simple_arithmetic(Arith op, const ptx::Instruction& in);
  void extremum(const ptx::Instruction& in);         // select.cpp: min, max
  void float_pair(const ptx::Instruction& in);       // select.cpp: f32x2
  void half_arithmetic(const ptx::Instruction& in);  // select_half.cpp: f16, bf16 and their pairs
  void convert(const ptx::Instruction& in);          // select_convert.cpp
  void compare(const ptx::Instruction& in);          // select_compare.cpp: setp and set
  void compare_pair(const ptx::Instruction& in, ptx::Mod relation, ptx::Mod combine);
  void select(const ptx::Instruction& in);  // select_compare.cpp: selp, slct
  void bits(const ptx::Instruction& in);    // select.cpp: logic on predicates, lop3, bfi
  void carry(const ptx::Instruction& in);   // select.cpp
  void video(const ptx::Instruction& in);   // select_video.cpp
  std::uint32_t video_part(std::uint32_t whole, ptx::Type type, int bytes, unsigned place);
  std::uint32_t video_operation(const ptx::Instruction& in, std::uint32_t a, std::uint32_t b);
  std::uint32_t clamped(std::uint32_t value, bool is_signed, int bits);
  void video_product(const ptx::Instruction& in);
  void move(const ptx::Instruction& in);
  void address_conversion(const ptx::Instruction& in);
  void space_test(const ptx::Instruction& in);
  void load_store(const ptx::Instruction& in);
  struct AccessPlace;
  struct AccessData;
  AccessPlace access_place(const ptx::Instruction& in, const ptx::Operand& address, bool store);
  AccessData access_data(const ptx::Instruction& in, const ptx::Operand& data, bool store);
  [[nodiscard]] Element memory_element(const ptx::Operand& operand, ptx::Type type, bool store) const;
  void stack(const ptx::Instruction& in);
  void find_clocked();
  void time_load(const ptx::Instruction& in);
  /// A place in a parameter of this device function.
  struct ParameterPlace {
    std::uint32_t parameter = 0;
    std::int64_t offset = 0;
  };
  [[nodiscard]] std::optional<ParameterPlace> parameter_place(std::uint32_t reg, int depth = 0) const;
  [[nodiscard]] bool names_parameter(std::uint32_t instruction, int depth = 0) const;
  [[nodiscard]] bool only_for_loads(std::uint32_t reg) const;
  std::uint32_t copied_parameter(std::uint32_t parameter);
  void atomic(const ptx::Instruction& in);
  void cache_policy(const ptx::Instruction& in);
  void texture(const ptx::Instruction& in);  // lower_texture.cpp
  void copies(const ptx::Instruction& in);
  void async_copy(const ptx::Instruction& in);
  void await_copies(std::int64_t left);
  void bulk_copy(const ptx::Instruction& in);   // lower_bulk.cpp
  void await_bulk(const ptx::Instruction& in);  // lower_bulk.cpp
  void of_cluster(const ptx::Instruction& in);  // lower_bulk.cpp
  void hesitate(ptx::Space space);
  bool may_watch();  ///< loads of words that other blocks store
  void branch(const ptx::Instruction& in);
  void call(const ptx::Instruction& in);
  void barrier(const ptx::Instruction& in);
  void warp(const ptx::Instruction& in);
  void mbarrier(const ptx::Instruction& in);        // lower_mbarrier.cpp
  void matrix_product(const ptx::Instruction& in);  // lower_matrix.cpp: wmma.mma, mma
  void matrix_move(const ptx::Instruction& in);     // lower_matrix.cpp: wmma.load, wmma.store
  void matrix_rows(const ptx::Instruction& in);     // lower_matrix.cpp: ldmatrix, stmatrix, movmatrix
  void registers(Fragment& fragment, const ptx::Operand& operand, bool written);
  void emit_matrix(Handler handler, MatrixOp op, std::uint32_t base, std::uint32_t stride,
                   std::int64_t offset);

  // ---- select.cpp and its parts
  std::uint32_t to_float(std::uint32_t half, ptx::Type type);
  std::uint32_t flushed(std::uint32_t value, ptx::Type type);  ///< F32, F16 or BF16
  std::uint32_t compare_slots(ptx::Mod relation, ptx::Type type, std::uint32_t a, std::uint32_t b);
  std::uint32_t integer_to_64(std::uint32_t slot, ptx::Type type);
  void int_to_int(const ptx::Instruction& in, ptx::Type to, ptx::Type from);
  void to_half_pair(const ptx::Instruction& in, ptx::Type to);
  std::uint32_t rounded(const ptx::Instruction& in, std::uint32_t value, ptx::Type type);
  void float_to_int(const ptx::Instruction& in, ptx::Type to, std::uint32_t value, ptx::Type have);
  void int_to_float(const ptx::Instruction& in, ptx::Type to, ptx::Type from, std::uint32_t value);
  void float_to_float(const ptx::Instruction& in, ptx::Type to, std::uint32_t value, ptx::Type have);
  void rounding(const ptx::Instruction& in, bool begin);
  void to_narrow(const ptx::Instruction& in, ptx::Type to, std::uint32_t d, std::uint32_t value,
                 bool from_double);
  void pack_saturated(const ptx::Instruction& in);
  void convert_float8(const ptx::Instruction& in);

  // ---- whole-function passes (lower.cpp)
  void find_hammocks();
  void find_stores();
  void find_runs();
  void find_selected_loads();  // lower_memory.cpp
  void layout_variables();     // lower_frame.cpp
  void layout_parameters();    // lower_frame.cpp
  void fix_labels();

  const ptx::Module& module_;
  const ptx::Function& function_;
  const LowerContext& context_;
  const SharedLayout& layout_;
  std::size_t function_index_;
  const std::vector<std::unique_ptr<Program>>& programs_;
  Program& program_;
  const Dataflow flow_;
  const WaitingLoops waiting_loops_;
  std::optional<bool> loads_decide_;  ///< set on first use

  std::uint32_t current_ = 0;  // index into function_.body
  const ptx::Instruction* in_ = nullptr;
  std::vector<std::uint32_t> reg_slots_;
  RegisterSlots slots_;
  std::map<std::pair<bool, std::uint32_t>, std::uint32_t> shared_slots_;  ///< by width and number
  /// Function variables: shared/local offset or param area offset.
  std::vector<std::uint32_t> variable_offsets_;
  /// By parameter of a device function: offset of its copy in local memory; kNone if it needs none.
  std::vector<std::uint32_t> copy_offsets_;
  /// For alloca(): the offset of its memory, and the slot of the allocated size; kNone if there is none.
  std::uint32_t stack_offset_ = 0, stack_taken_ = kNone;
  /// By register, in a function that reads the clock: does its value come from a load? Otherwise empty.
  std::vector<bool> loaded_;
  /// First code index of each body instruction (and one past the end).
  std::vector<std::uint32_t> code_of_body_;
  std::map<std::tuple<bool, int, std::uint64_t, int>, std::uint32_t> constants_;
  std::uint32_t next_slot_ = 0, next_predicate_ = 0, predicate_end_ = 0, carry_flag_ = kNone;
};

/// Memory for alloca(), for each lane of a function, and its maximum alignment.
inline constexpr std::uint64_t kStackOfFunction = 16 * 1024, kStackAlign = 64;

/// Represents "no form": arithmetic never has .weak.
inline constexpr ptx::Mod kPlain = ptx::Mod::Weak;

/// The plain operation of `op` for this type; `form`: the modifier that selects it, or kPlain.
std::optional<Arith> find_row(ptx::Op op, ptx::Type type, ptx::Mod form);

/// The next multiple of `to`.
inline std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// Bytes of one lane in the area of a parameter or .param variable of `size` bytes: builtins write up to 16
/// there.
inline std::uint32_t area_bytes(std::uint64_t size) {
  return static_cast<std::uint32_t>(round_up(std::max<std::uint64_t>(size, 4), 16));
}

/// Bytes of a register lane that holds `type`: 4 or 8.
inline bool wide_type(ptx::Type type) { return ptx::size_of(type) == 8; }

}  // namespace cudalabs::sim
