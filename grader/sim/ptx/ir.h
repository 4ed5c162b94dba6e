#pragma once
// The PTX module as written: names are resolved, nothing is lowered. The parser produces it, then the
// validator checks it, then lower() uses it. Source of every form: PTX ISA 9.0 (NVIDIA).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs::ptx {

// clang-format off
/// Fundamental types. Columns: enumerator, spelling without the dot, size in bytes (0: not addressable).
#define CUDALABS_PTX_TYPES(X)                                                             \
  X(U8, "u8", 1) X(U16, "u16", 2) X(U32, "u32", 4) X(U64, "u64", 8)                       \
  X(S8, "s8", 1) X(S16, "s16", 2) X(S32, "s32", 4) X(S64, "s64", 8)                       \
  X(B8, "b8", 1) X(B16, "b16", 2) X(B32, "b32", 4) X(B64, "b64", 8) X(B128, "b128", 16)   \
  X(F16, "f16", 2) X(F16x2, "f16x2", 4) X(BF16, "bf16", 2) X(BF16x2, "bf16x2", 4)         \
  X(TF32, "tf32", 4) X(F32, "f32", 4) X(F64, "f64", 8) X(F32x2, "f32x2", 8) X(Pred, "pred", 0) \
  X(U16x2, "u16x2", 4) X(S16x2, "s16x2", 4) X(E4M3x2, "e4m3x2", 2) X(E5M2x2, "e5m2x2", 2)

/// State spaces. `Generic` is expressed by omitting the space.
#define CUDALABS_PTX_SPACES(X)                                                            \
  X(Generic, "") X(Reg, "reg") X(Sreg, "sreg") X(Param, "param") X(Global, "global")      \
  X(Shared, "shared") X(Const, "const") X(Local, "local")
// clang-format on

enum class Type : std::uint8_t {
  None,
#define X(e, s, n) e,
  CUDALABS_PTX_TYPES(X)
#undef X
};

enum class Space : std::uint8_t {
#define X(e, s) e,
  CUDALABS_PTX_SPACES(X)
#undef X
};

int size_of(Type type);                  ///< bytes; 0 for None and Pred
std::string_view spelling(Type type);    ///< "u32"
std::string dotted(Type type);           ///< ".u32"
std::string_view spelling(Space space);  ///< "shared"; "" for Generic
bool is_float(Type type);                ///< F16, F16x2, BF16, BF16x2, TF32, F32, F64, F32x2
bool is_signed(Type type);               ///< S8..S64, S16x2

// The instruction set and the modifiers are separate X-macro tables, each with its legend:
//   opcodes.def    CUDALABS_PTX_OPCODE(Enumerator, "mnemonic", ...)   a row for each instruction
//   modifiers.def  CUDALABS_PTX_MODIFIER(Enumerator, "spelling")      a row for each dotted suffix
//                  that is neither a type nor a space
enum class Op : std::uint8_t {
#define CUDALABS_PTX_OPCODE(e, ...) e,
#include "grader/sim/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
};

enum class Mod : std::uint8_t {
#define CUDALABS_PTX_MODIFIER(e, s) e,
#include "grader/sim/ptx/modifiers.def"
#undef CUDALABS_PTX_MODIFIER
};
inline constexpr std::size_t kMods = 0
#define CUDALABS_PTX_MODIFIER(e, s) +1
#include "grader/sim/ptx/modifiers.def"
#undef CUDALABS_PTX_MODIFIER
    ;

std::string_view spelling(Op op);
std::string_view spelling(Mod mod);

/// Special registers that can be read with mov. Each dimension is a separate enumerator.
// clang-format off
#define CUDALABS_PTX_SPECIALS(X)                                                              \
  X(TidX, "%tid.x") X(TidY, "%tid.y") X(TidZ, "%tid.z")                                       \
  X(NtidX, "%ntid.x") X(NtidY, "%ntid.y") X(NtidZ, "%ntid.z")                                 \
  X(CtaidX, "%ctaid.x") X(CtaidY, "%ctaid.y") X(CtaidZ, "%ctaid.z")                           \
  X(NctaidX, "%nctaid.x") X(NctaidY, "%nctaid.y") X(NctaidZ, "%nctaid.z")                     \
  X(LaneId, "%laneid") X(WarpId, "%warpid") X(NwarpId, "%nwarpid") X(SmId, "%smid") X(NsmId, "%nsmid") \
  X(GridId, "%gridid") X(LanemaskEq, "%lanemask_eq") X(LanemaskLe, "%lanemask_le")            \
  X(LanemaskLt, "%lanemask_lt") X(LanemaskGe, "%lanemask_ge") X(LanemaskGt, "%lanemask_gt")   \
  X(Clock, "%clock") X(ClockHi, "%clock_hi") X(Clock64, "%clock64") X(GlobalTimer, "%globaltimer") \
  X(GlobalTimerLo, "%globaltimer_lo") X(GlobalTimerHi, "%globaltimer_hi")                     \
  X(DynamicSmemSize, "%dynamic_smem_size") X(TotalSmemSize, "%total_smem_size")               \
  X(ReservedSmemBegin, "%reserved_smem_offset_begin") X(ReservedSmemEnd, "%reserved_smem_offset_end") \
  X(ReservedSmemCap, "%reserved_smem_offset_cap") X(ReservedSmem0, "%reserved_smem_offset_0") \
  X(ReservedSmem1, "%reserved_smem_offset_1")                                                 \
  X(ClusterIdX, "%clusterid.x") X(ClusterIdY, "%clusterid.y") X(ClusterIdZ, "%clusterid.z")    \
  X(NclusterIdX, "%nclusterid.x") X(NclusterIdY, "%nclusterid.y") X(NclusterIdZ, "%nclusterid.z") \
  X(ClusterCtaIdX, "%cluster_ctaid.x") X(ClusterCtaIdY, "%cluster_ctaid.y")                   \
  X(ClusterCtaIdZ, "%cluster_ctaid.z") X(ClusterNctaIdX, "%cluster_nctaid.x")                 \
  X(ClusterNctaIdY, "%cluster_nctaid.y") X(ClusterNctaIdZ, "%cluster_nctaid.z")               \
  X(ClusterCtaRank, "%cluster_ctarank") X(ClusterNctaRank, "%cluster_nctarank")               \
  X(IsExplicitCluster, "%is_explicit_cluster")                                                \
  X(EnvReg1, "%envreg1") X(EnvReg2, "%envreg2")
// clang-format on
enum class Special : std::uint8_t {
#define X(e, s) e,
  CUDALABS_PTX_SPECIALS(X)
#undef X
};
std::string_view spelling(Special special);

/// Index into Module::locations; 0 is "no source line known".
using LocId = std::uint32_t;

/// One `.loc`: a place in the student's source, and the place where that function was inlined (0: none).
struct SourceLoc {
  std::uint32_t file = 0;  ///< index into Module::files (not the PTX number)
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;  ///< mangled name of the inlined function; empty if PTX gives none
  LocId inlined_at = 0;
  /// `.loc` has line 0: the compiler has moved this code, or combined it from several lines. The fields
  /// contain the previous line.
  bool moved = false;
  bool of_toolchain = false;  ///< in a header of the toolkit, of a compiler or of the C++ library
};

enum class OperandKind : std::uint8_t {
  Register,   ///< reg; `negated` for !%p
  Immediate,  ///< bits (float literals as the bits of their own width: 0f -> 32 bits, 0d -> 64), is_float
  Special,    ///< special
  Symbol,     ///< variable or function used as a value (mov, call target): symbol, offset
  Address,    ///< [base+offset], base a register, a symbol or neither (absolute)
  Vector,     ///< {a, b, ...}: elements; also parameter lists of call
  Label,      ///< label: index of the labelled instruction
  Sink,       ///< _
};

enum class SymbolKind : std::uint8_t {
  None,
  ModuleVariable,    ///< Module::variables
  FunctionVariable,  ///< Function::variables
  Parameter,         ///< Function::params
  Return,            ///< Function::returns
  Function,          ///< Module::functions
  Prototype,         ///< Function::prototypes
  BranchTargets,     ///< Function::branch_targets
};

struct Operand {
  OperandKind kind = OperandKind::Sink;
  bool negated = false;   ///< !%p, or -%r of vmad
  bool is_float = false;  ///< Immediate only
  SymbolKind symbol_kind = SymbolKind::None;
  bool base_is_register = false;  ///< Address only
  Special special{};
  std::uint32_t reg = 0;     ///< index into Function::registers (Register, Address with a register base)
  std::uint32_t symbol = 0;  ///< index into the table of symbol_kind
  std::uint32_t label = 0;   ///< index into Function::body
  std::int64_t offset = 0;   ///< Address, Symbol: bytes
  /// Register of a video instruction: .b3, .h10, ... 1 or 2 bytes for each part (0: the whole), the number of
  /// named parts, and which, 4 bits each from the last one written.
  std::uint8_t part_bytes = 0, part_count = 0;
  std::uint16_t parts = 0;
  std::uint64_t bits = 0;         ///< Immediate; a 0f literal holds 32 bits, a 0d literal 64
  bool is_f64_literal = false;    ///< Immediate written as 0d... or with a decimal point
  std::vector<Operand> elements;  ///< Vector
  /// setp has "p|q": the second destination is in elements[0] of the first. shfl.sync "d|p" likewise.
};

struct Instruction {
  Op op{};
  /// ld, st, atom, red, cvta, isspacep, ...; `cvta.to.global` has Mod::To and Global
  Space space = Space::Generic;
  std::vector<Type> types;        ///< in the order written: cvt.rn.f32.s32 -> {F32, S32}
  std::vector<Mod> mods;          ///< everything else, in the order written
  std::vector<Operand> operands;  ///< in the order written; destination first if there is one
  bool has_guard = false;         ///< @%p or @!%p
  bool guard_negated = false;
  std::uint32_t guard = 0;  ///< register index
  LocId loc = 0;
  std::uint32_t ptx_line = 0;  ///< line in the PTX text, from 1

  [[nodiscard]] bool has(Mod mod) const;
  [[nodiscard]] Type type() const { return types.empty() ? Type::None : types.front(); }
  /// 1, 2, 4 or 8, from .v2/.v4/.v8.
  [[nodiscard]] int vector_width() const;
};

struct Register {
  std::string name;  ///< "%r12"
  Type type = Type::None;
};

/// A variable or a parameter. `size` is in bytes; 0 with is_extern marks dynamic shared memory.
struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::None;
  std::uint32_t align = 1;
  std::uint64_t size = 0;
  bool is_extern = false;
  bool is_pointer_parameter = false;  ///< .ptr seen
  std::vector<std::uint8_t> initial;  ///< may be shorter than `size`: the rest is zeros
  struct Relocation {
    std::uint64_t offset = 0;  ///< position in `initial`
    SymbolKind symbol_kind = SymbolKind::None;
    std::uint32_t symbol = 0;
    std::int64_t addend = 0;
    bool is_generic = false;  ///< generic(symbol)
    std::uint8_t bytes = 8;
  };
  std::vector<Relocation> relocations;
  std::uint32_t ptx_line = 0;
};

struct Function {
  std::string name;  ///< mangled
  bool is_entry = false;
  bool is_declaration = false;  ///< no body: vprintf, __assertfail, malloc, free, ... or defined elsewhere
  std::vector<Variable> returns;
  std::vector<Variable> params;
  std::vector<Register> registers;
  /// .shared, .local, .param declared in the body; SymbolKind::FunctionVariable
  std::vector<Variable> variables;
  std::vector<Instruction> body;
  std::vector<std::string> label_names;                    ///< for messages
  std::vector<std::vector<std::uint32_t>> branch_targets;  ///< .branchtargets lists, as indices into body
  std::vector<std::uint32_t> not_unrolled;  ///< positions of .pragma "nounroll", as indices into body
  /// .callprototype declarations, by SymbolKind::Prototype.
  struct Prototype {
    std::vector<Variable> returns, params;
  };
  std::vector<Prototype> prototypes;
  std::array<std::uint32_t, 3> max_threads{0, 0, 0};       ///< .maxntid; zeros: not given
  std::array<std::uint32_t, 3> required_threads{0, 0, 0};  ///< .reqntid
  std::array<std::uint32_t, 3> cluster{0, 0, 0};           ///< .reqnctapercluster
  std::uint32_t min_blocks = 0;                            ///< .minnctapersm
  std::uint32_t ptx_line = 0;
  LocId loc = 0;
};

struct Module {
  std::string name;  ///< for messages: the file or "<fat binary>"
  int version_major = 0, version_minor = 0;
  int target_sm = 0;                 ///< 80 for sm_80
  std::vector<std::string> files;    ///< .file paths
  std::vector<SourceLoc> locations;  ///< [0] is "unknown"
  std::vector<Variable> variables;   ///< module scope
  std::vector<Function> functions;

  [[nodiscard]] const Function* find_function(std::string_view name) const;
  /// "reduce.cu:57" (base name of the file; the caller follows inlined_at outwards); "" if unknown.
  [[nodiscard]] std::string place(LocId loc) const;
};

/// Parses and validates PTX text. `name` identifies it in diagnostics. A diagnostic has the PTX line and
/// column; if a .loc is in force, its message ends with " (file.cu:LINE)". Never crashes, whatever the text.
Result<Module> parse(std::string_view text, std::string name);

}  // namespace cudalabs::ptx
