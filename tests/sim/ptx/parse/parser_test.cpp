#include "grader/sim/ptx/ir.h"

#include <chrono>
#include <set>
#include <string>

#include "grader/sim/ptx/rules.h"
#include "grader/sim/ptx/spellings.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::ptx;

namespace {

constexpr const char* kHeader = ".version 8.0\n.target sm_80\n.address_size 64\n";

Result<Module> kernel(const std::string& body) {
  return parse(std::string(kHeader) +
                   ".entry k(.param .u64 a)\n{ .reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; " +
                   ".reg .b64 %rd<9>; .reg .b16 %h<9>;\n" + body + "\n}\n",
               "test.ptx");
}

bool accepts(const std::string& instruction) { return kernel(instruction).ok(); }

}  // namespace

TEST_CASE("every row of the tables can be read, and spellings are unique") {
  std::set<std::string_view> mnemonics, mods;
  for (int i = 0; i <= static_cast<int>(Op::Stackrestore); ++i) {
    const Op op = static_cast<Op>(i);
    CHECK_NOTHROW(rule_of(op));
    CHECK(mnemonics.insert(spelling(op)).second);
    const std::string_view word[] = {spelling(op)};
    if (spelling(op).find('.') == std::string_view::npos) CHECK(find_mnemonic(word).op == op);
  }
  for (int i = 0; i <= static_cast<int>(Mod::M8n8); ++i) {
    const Mod mod = static_cast<Mod>(i);
    CHECK(mods.insert(spelling(mod)).second);
    REQUIRE(find_suffix(spelling(mod)));
    CHECK(find_suffix(spelling(mod))->mod == mod);
    CHECK(find_suffix(spelling(mod))->type == Type::None);
  }
}

TEST_CASE("the validator agrees with ptxas 13.0") {
  // ptxas accepted each line as the only instruction of a kernel with these registers.
  for (const char* good :
       {"mov.f32 %f1, 0d3FF0000000000000;", "mov.pred %p1, 1;", "selp.b32 %r1, %r1, %r2, !%p1;",
        "mov.b32 %r1, 0f3F800000;", "mov.b64 %rd1, {%r1, 1};", "setp.eq.u32 _|%p1, %r1, %r1;",
        "mov.u16 %h1, %tid.x;", "add.f64 %rd1, %rd1, 1.5;", "selp.f32 %f1, 1.0, %f1, %p1;",
        "cvt.u32.u32 %r1, -3;", "add.u32 %r1, %r1, 0x1FFFFFFFF;", "and.b32 %f1, %f1, %r1;",
        "mov.b32 {%h1, _}, %r1;", "st.global.f32 [%rd1], %r1;", "st.global.u32 [%rd1], 5;",
        "cvt.rn.f32.s32 %r1, %r2;", "mov.u64 %rd1, %clock64;", "bra L; L:"}) {
    INFO(good);
    CHECK(accepts(good));
  }
  for (const char* bad : {"add.f32 %f1, %f1, 1;",
                          "mov.f32 %f1, 0;",
                          "mov.u32 %f1, %r1;",
                          "add.u32 %r1, %r1, %f1;",
                          "ld.global.u32 %f1, [%rd1];",
                          "add.u32 %r1, %r1, 0f3F800000;",
                          "add.u32 _, %r1, %r1;",
                          "mov.u32 %r1, -%r2;",
                          "shl.b32 %r1, %r1, %h1;",
                          "mov.u64 %rd1, %tid.x;",
                          "ld.u32 %r1, [%f1];",
                          "ld.shared.u32 %r1, [%rd1+%rd2];",
                          "setp.eq.u32 %p1, %r1, %r1, %p2;",
                          "mov.u32 %r1, %tid;",
                          "ld.global.u8 %f1, [%rd1];",
                          "st.global.u32 [%rd1], %f1;",
                          "fma.rn.f32 %f1, 1.0, %f1, 2;",
                          "mad.lo.u32 %r1, %ctaid.x, %ntid.x, %tid.x;",
                          "add.cc.f32 %f1, %f1, %f1;",
                          "add.rn.s32 %r1, %r1, %r1;",
                          "add.sat.u32 %r1, %r1, %r1;",
                          "setp.lo.s32 %p1, %r1, %r1;",
                          "setp.lt.b32 %p1, %r1, %r1;",
                          "setp.equ.u32 %p1, %r1, %r1;",
                          "cvt.f32.u64 %f1, %rd1;",
                          "cvt.s32.f32 %r1, %f1;",
                          "cvt.f32.f64 %f1, %rd1;",
                          "cvt.rzi.b16.f32 %h1, %f1;",
                          "atom.global.and.s32 %r1, [%rd1], 3;",
                          "atom.global.add.u32 %rd2, [%rd1], 3;",
                          "atom.global.inc.s32 %r1, [%rd1], 3;",
                          "bar.red.and.pred %r1, 0, %p6;",
                          "bar.sync 0f3F800000;",
                          "ld.global.gpu.b32 %r6, [%rd6];",
                          "selp.f32 %f4, %f3, %f4, 1.5;",
                          "mul.wide.s64 %rd1, %rd1, %rd1;",
                          "mul.wide.s32 %r1, %r1, %r1;"}) {
    INFO(bad);
    CHECK_FALSE(accepts(bad));
  }
}

TEST_CASE("operands keep what was written") {
  const auto module =
      kernel("shfl.sync.up.b32 %r1|%p2, %r3, 1, 0x0, -1;\nst.global.v2.b32 [%rd1+-8], {%r1, %r2};");
  REQUIRE(module);
  const auto& body = module->functions[0].body;
  REQUIRE(body.size() == 2);
  CHECK(body[0].has(Mod::Up));
  REQUIRE(body[0].operands[0].elements.size() == 1);
  CHECK(body[0].operands[4].bits == ~0ULL);
  CHECK(body[1].vector_width() == 2);
  CHECK(body[1].space == Space::Global);
  CHECK(body[1].operands[0].offset == -8);
  CHECK(body[1].operands[1].elements.size() == 2);
}

TEST_CASE("constant expressions have the precedences of C") {
  const auto value = [](const std::string& text) {
    const auto module = kernel("mov.b64 %rd1, " + text + ";");
    if (!module) FAIL(module.problem().text());
    return static_cast<std::int64_t>(module->functions[0].body[0].operands[1].bits);
  };
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("1 << 2 + 1") == 8);
  CHECK(value("7 & 3 | 8") == 11);
  CHECK(value("-8 >> 1") == -4);
  CHECK(value("~0 ^ 1") == -2);
  CHECK(value("3 > 2 ? 5 : 6") == 5);
  CHECK(value("-7 / 2") == -3);
  CHECK(value("-(-9223372036854775807 - 1) / -1") == (-9223372036854775807 - 1));
  CHECK(value("(!3 || 2 == 2)") == 1);
}

TEST_CASE("a function may be declared, called and defined later") {
  const auto module = parse(std::string(kHeader) + R"(
.func (.param .b32 r) f (.param .b32 x);
.entry k() { .reg .b32 %r<3>;
  { .param .b32 p; st.param.b32 [p], 1; .param .b32 q; call.uni (q), f, (p); ld.param.b32 %r1, [q]; } ret; }
.func (.param .b32 r) f (.param .b32 x) { .reg .b32 %r<2>; ld.param.b32 %r1, [x]; st.param.b32 [r], %r1; ret; }
)",
                            "test.ptx");
  if (!module) FAIL(module.problem().text());
  REQUIRE(module->functions.size() == 2);
  const Function* f = module->find_function("f");
  REQUIRE(f != nullptr);
  CHECK_FALSE(f->is_declaration);
  CHECK(f->body[1].operands[0].symbol_kind == SymbolKind::Return);
  const Instruction& call = module->find_function("k")->body[1];
  CHECK(call.op == Op::Call);
  CHECK(call.operands[0].elements[0].symbol_kind == SymbolKind::FunctionVariable);
  CHECK(call.operands[1].symbol_kind == SymbolKind::Function);
  CHECK(call.operands[2].elements[0].symbol == 0);
}

TEST_CASE("hostile sizes are refused with a message, not with memory") {
  const auto refused = [](const std::string& text) {
    const auto module = parse(std::string(kHeader) + text, "test.ptx");
    return module ? std::string() : module.problem().message.english();
  };
  CHECK(refused(".entry k() { .reg .b32 %" + std::string(100000, 'a') + "<1000000>; }").find("registers") !=
        std::string::npos);
  CHECK(refused(".global .b8 x[2][1099511627776];").find("2^40") != std::string::npos);
  CHECK(refused(".global .b8 x[2][549755813888] = {{1}, {2}};").find("memory") != std::string::npos);
  CHECK(refused(".entry k() {" + std::string(200, '{') + std::string(201, '}')).find("nested") !=
        std::string::npos);
  CHECK(refused(".global .u32 x = " + std::string(100000, '-') + "1;").find("nested") != std::string::npos);
  CHECK(refused(".global .u32 x = " + std::string(100000, '(')).find("nested") != std::string::npos);
  CHECK(refused(".global .u32 x" + std::string(5000, '[')).find("expected") != std::string::npos);
}

TEST_CASE("forms of an instruction that differ in their operands are told apart") {
  // Without a check, each of these would run with missing operands or operands of the wrong width.
  const auto refused = [](const std::string& instruction) {
    const auto module =
        parse(std::string(kHeader) +
                  ".entry k(.param .u64 a)\n{ .reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>;\n"
                  ".reg .b64 %rd<9>; .shared .align 16 .b8 s[512];\n" +
                  instruction + ";\nret; }",
              "test.ptx");
    const std::string quoted = " in `" + instruction + "`";
    std::string text = module ? std::string() : module.problem().message.english();
    if (text.ends_with(quoted)) text.resize(text.size() - quoted.size());
    return text;
  };
  const std::string red = ".red needs a result, a barrier and a predicate";
  CHECK(refused("bar.red.popc.u32 1") == red);
  CHECK(refused("bar.red.popc.u32 1, 2") == red);
  CHECK(refused("barrier.red.and.pred") == red);
  CHECK(refused("bar.sync %r1, %r2, %p1") == "only .red has a result");
  CHECK(refused("bar.red.popc.u32 %r1, 1, %p1").empty());
  CHECK(refused("barrier.red.pred %p1, 1, %p2") == ".red needs .and, .or or .popc");
  const std::string result = "the result of .and and .or is a predicate, that of .popc a .u32";
  CHECK(refused("bar.red.and.u32 %r1, 1, %p2") == result);
  CHECK(refused("bar.red.popc.pred %p1, 1, %p2") == result);
  const std::string vote = "the result of .ballot is a .b32, that of the others a predicate";
  CHECK(refused("vote.sync.ballot.pred %p1, %p2, -1") == vote);
  CHECK(refused("vote.sync.any.b32 %r1, %p2, -1") == vote);
  CHECK(refused("vote.sync.ballot.b32 %r1, %p2, -1").empty());
  CHECK(refused("redux.sync.add.f32 %f1, %f2, -1") ==
        "a reduction of floats in a warp has .min and .max only");
  const std::string copied = "cp.async copies 4, 8 or 16 bytes";
  CHECK(refused("cp.async.ca.shared.global [s], [%rd1], 200") == copied);
  CHECK(refused("cp.async.ca.shared.global [s], [%rd1], 0") == copied);
  CHECK(refused("cp.async.ca.shared.global [s], [%rd1], 4294967300") == copied);
  CHECK(refused("cp.async.cg.shared.global [s], [%rd1], 8") == "cp.async.cg copies 16 bytes");
  CHECK(refused("cp.async.cg.shared.global [s], [%rd1], 16").empty());
  CHECK(refused("atom.global.cas.b32 %r1, [%rd1], 5") ==
        ".cas takes the value to compare with and the one to store");
  const std::string wmma = "wmma.mma takes four matrices, wmma.load and wmma.store one and an address";
  CHECK(refused("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%r1,%r2}, [%rd1]") == wmma);
  CHECK(refused("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, {%r2}, {%r3}, {%r4}") == wmma);
  CHECK(refused("mov.pred {%p1, %p2}, %p3") == "predicates cannot be packed");
}

TEST_CASE("aliases do not multiply a long text") {
  std::string text = std::string(kHeader) + ".func f() { .reg .b32 %r<900000>; ret; }\n";
  for (int i = 0; i < 2000; ++i) text += ".func g" + std::to_string(i) + "();\n";
  for (int i = 0; i < 2000; ++i) text += ".alias g" + std::to_string(i) + ", f;\n";
  const auto module = parse(text, "test.ptx");
  REQUIRE_FALSE(module);
  CHECK(module.problem().message.english() == "too many aliases of large functions");
}

TEST_CASE("reading takes time in proportion to the text") {
  std::string body;
  for (int i = 0; i < 60000; ++i) {
    const std::string n = std::to_string(i);
    body += "{ .reg .b32 t" + n + "; L" + n + ": mov.u32 t" + n + ", 1; @%p1 bra L" + n + "; }\n.loc 1 " + n +
            " 1\n";
  }
  const auto start = std::chrono::steady_clock::now();
  const auto module = kernel(body);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  REQUIRE(module);
  CHECK(module->functions[0].body.size() == 120000);
  CHECK(seconds.count() < 5.0);  // takes 0.2 s; a quadratic parser takes minutes
}
