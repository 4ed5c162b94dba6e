#pragma once
// Recursive descent over the tokens of a PTX module. Callers use ptx::parse (ir.h); this class is its
// implementation.
//
// After the first error, which is kept, the text seems to end: so every loop terminates, and no function has
// to pass on an error. parser.cpp reads module-level items, parser_body.cpp function bodies,
// parser_operands.cpp operands and constants.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/sim/ptx/ir.h"
#include "grader/sim/ptx/parse/lexer.h"
#include "grader/sim/ptx/source_lines.h"

namespace cudalabs::ptx {

class Parser {
 public:
  Parser(std::string_view text, std::string name);
  Result<Module> run();

 private:
  // The kind of a name.
  enum class What : std::uint8_t { Register, VectorRegister, Symbol };
  struct Entry {
    What what = What::Symbol;
    SymbolKind kind = SymbolKind::None;
    std::uint32_t index = 0;  ///< index in the table of its kind; the first element of a vector register
    std::uint32_t count = 1;  ///< elements of a vector register
  };
  /// %r<20> is one entry, not twenty: names are "%r0" to "%r19".
  struct Range {
    std::uint32_t first = 0, count = 0, width = 1;
  };
  struct Scope {
    std::uint32_t id = 0;
    std::unordered_map<std::string_view, Entry> names;
    std::unordered_map<std::string_view, Range> ranges;
  };
  /// A use of a label that is not yet defined: patched at the end of the function.
  struct LabelUse {
    std::uint32_t instruction = 0, operand = 0;
    bool in_target_list = false;  ///< then `instruction` is the list and `operand` the index in it
    std::uint32_t scope = 0;
    LocId loc = 0;
    Token token;
  };
  struct ScopedName {
    std::uint32_t scope = 0;
    std::string_view name;
    bool operator==(const ScopedName&) const = default;
  };
  struct ScopedNameHash {
    std::size_t operator()(const ScopedName& key) const {
      return std::hash<std::string_view>{}(key.name) * 31 + key.scope;
    }
  };
  /// A name in an initialiser: the function may be defined later in the text.
  struct RelocationUse {
    std::uint32_t variable = 0, relocation = 0;
    Token token;
  };
  /// A parameter of the current function whose value is in registers.
  struct RegisterParameter {
    SymbolKind kind = SymbolKind::Parameter;  ///< or Return
    std::uint32_t index = 0;
    std::uint32_t first = 0, width = 1;  ///< registers
    Type type = Type::None;
  };
  struct Constant {
    NumberValue value;
    bool is_signed = true;
  };

  // parser.cpp: tokens and errors
  void advance();
  Token take();
  [[nodiscard]] bool failed() const { return failure_.has_value(); }
  void fail(const Token& where, Message message, Message hint = {});
  bool accept(std::string_view punctuation);
  void expect(std::string_view punctuation);
  bool accept_word(std::string_view identifier);
  bool accept_dotted(std::string_view word);
  Token expect_identifier(std::string_view what);
  std::uint64_t expect_unsigned(std::uint64_t limit, std::string_view what);
  [[nodiscard]] std::string quoted_instruction() const;
  void read_remaining_files();

  // parser.cpp: module level
  void module_item();
  void header_directive(const Token& word);
  void file_directive();
  void section();
  void alias();
  void function(bool is_entry, bool is_extern);
  void parameters(std::vector<Variable>& into, bool is_prototype, SymbolKind kind);
  Variable parameter(Token& name, std::uint32_t& width);
  void performance_directives(Function& function);
  void triple(std::array<std::uint32_t, 3>& into);
  void resolve_relocations();
  void skip_balanced();

  // parser_variables.cpp
  /// Parses the rest of a declaration after its space: alignment, type, then names with dimensions and
  /// initialisers.
  void variables(Space space, bool is_extern, SymbolKind kind, std::vector<Variable>& into);
  void add_variable(const Token& name, Variable variable, SymbolKind kind, std::vector<Variable>& into);
  /// Returns the elements of a vector type, else 1.
  std::uint32_t alignment_and_type(Variable& variable);
  /// Sets the size. False: the first dimension is open ([]), and the initialiser determines it.
  bool dimensions(Variable& variable, std::uint32_t width, std::vector<std::uint64_t>& sizes);
  void initialiser(Variable& variable, const std::vector<std::uint64_t>& sizes, bool is_open);
  /// A list in braces for the bytes [offset, limit); returns the end of the last element.
  std::uint64_t initialiser_list(Variable& variable, const std::vector<std::uint64_t>& sizes,
                                 std::size_t depth, std::uint64_t offset, std::uint64_t limit);
  void initialiser_element(Variable& variable, std::uint64_t offset);
  void relocation(Variable& variable, std::uint64_t offset, std::optional<Constant> mask);
  void put_bytes(Variable& variable, std::uint64_t offset, std::uint64_t value, std::uint64_t bytes,
                 const Token& where);

  // parser_body.cpp
  void body(Function& function);
  void statement();
  void body_directive(const Token& word);
  void registers();
  void declare_registers(const Token& name, Type type, std::uint32_t width);
  void loc_directive();
  void call_prototype(const Token& label);
  void branch_targets(const Token& label);
  void label(const Token& name);
  void declare(const Token& name, Entry entry);
  void resolve_labels();
  void instruction();
  void mnemonic(std::vector<Space>& spaces);
  void suffix(const Token& word, std::vector<Space>& spaces);
  void operands();
  void call_operands();
  void call_list(Operand& list);
  void finish_instruction(const std::vector<Space>& spaces);

  // parser_expansion.cpp
  /// For `.reg` among the parameters: the variable becomes a .param; its registers are loaded from it, or
  /// stored to it.
  void register_parameter(const Token& name, Variable& variable, std::uint32_t width, SymbolKind kind,
                          std::uint32_t index);
  void load_register_parameters();
  void store_register_results(const Instruction& ret);
  void end_of_body();
  void expand_call();
  void expand_vector_move();

  // parser_operands.cpp
  Operand operand(bool in_vector);
  Operand named_operand();
  Operand element_operand(const Token& name, const Entry& entry);
  void part_operand(Operand& operand);
  Operand vector_operand();
  Operand address_operand();
  Operand texture_operand();
  Operand label_operand();
  Operand constant_operand();
  std::int64_t optional_offset();
  [[nodiscard]] std::optional<Entry> find(std::string_view name) const;
  [[nodiscard]] std::optional<Entry> find_in_range(const Scope& scope, std::string_view name) const;
  void unknown_name(const Token& name);
  Constant constant_expression(int lowest_precedence = 0);
  Constant constant_primary();
  Constant apply(const Token& op, const Constant& a, const Constant& b);
  std::uint64_t expect_constant(std::string_view what);

  std::string_view text_;
  std::string name_;
  Lexer lexer_;
  Token token_;  ///< the current token
  Token previous_;
  std::optional<Diagnostic> failure_;
  int depth_ = 0;  ///< nesting of constant expressions and initialisers

  Module module_;
  SourceLines lines_;
  std::unordered_map<std::string_view, Entry> names_;  ///< module level
  std::vector<RelocationUse> relocation_uses_;
  std::vector<std::pair<Token, Token>> aliases_;
  std::uint64_t register_budget_;
  std::uint64_t initial_budget_;
  std::vector<Token> relocation_names_;  ///< of the current variable, one for each relocation
  std::uint64_t edge_budget_;

  // the current function
  Function* function_ = nullptr;
  std::vector<Scope> scopes_;
  std::vector<std::uint32_t> scope_parents_;  ///< by scope id
  std::unordered_map<ScopedName, std::uint32_t, ScopedNameHash> labels_;
  std::vector<LabelUse> label_uses_;
  std::vector<RegisterParameter> register_parameters_;
  LocId loc_ = 0;
  Instruction* instruction_ = nullptr;  ///< the current instruction, while it is parsed
  std::size_t instruction_start_ = 0;
  Token mnemonic_token_;
  std::vector<Token> operand_tokens_;
};

}  // namespace cudalabs::ptx
