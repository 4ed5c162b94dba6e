#include "grader/sim/ptx/warp_forms.h"

#include <set>
#include <string_view>

#include "grader/sim/ptx/table_words.h"
#include "tests/harness/catch.h"

namespace cudalabs::ptx {
namespace {

struct WarpRow {
  Op op{};
  std::string_view modifiers;
};
constexpr WarpRow kWarpRows[] = {
#define CUDALABS_WARP_OPCODE(op, mnemonic, operands, types, mods, category, effects, forms) {Op::op, mods},
#include "grader/sim/ptx/warp_opcodes.def"
#undef CUDALABS_WARP_OPCODE
};

}  // namespace

TEST_CASE("no form of a warp-wide instruction hides another", "[warp_forms]") {
  REQUIRE(!warp_forms().empty());
  for (std::size_t k = 0; k < warp_forms().size(); ++k) {
    const WarpForm& form = warp_forms()[k];
    Instruction in;
    in.op = form.op;
    in.types = {form.type == Type::None ? Type::B32 : form.type};
    if (form.modifier) in.mods = {*form.modifier};
    INFO(spelling(form.op) << ", form " << k);
    CHECK(warp_form_of(in) == k);
  }
}

TEST_CASE("each operation that the table allows has a form", "[warp_forms]") {
  for (const WarpRow& row : kWarpRows) {
    std::set<std::string_view> chosen;
    for (const WarpForm& form : warp_forms()) {
      if (form.op == row.op && form.modifier) chosen.insert(spelling(*form.modifier));
    }
    each_part(row.modifiers, ' ', [&](std::string_view group) {
      std::set<std::string_view> alternatives;
      if (group.starts_with('!')) group.remove_prefix(1);
      each_part(group, '|', [&](std::string_view word) { alternatives.insert(word); });
      if (alternatives.size() < 2) return;
      INFO(spelling(row.op));
      CHECK(alternatives == chosen);
    });
  }
}

TEST_CASE("an instruction of one lane has no form", "[warp_forms]") {
  Instruction in;
  in.op = Op::Add;
  in.types = {Type::U32};
  CHECK(!warp_form_of(in));
  in.op = Op::Shfl;
  CHECK(!warp_form_of(in));
  in.mods = {Mod::Down};
  CHECK(warp_forms()[*warp_form_of(in)].call == std::string_view("__shfl_sync()"));
}

}  // namespace cudalabs::ptx
