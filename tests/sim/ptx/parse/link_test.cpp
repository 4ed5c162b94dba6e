#include "grader/sim/ptx/parse/link.h"

#include <string>
#include <vector>

#include "grader/sim/ptx/ir.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::ptx;

namespace {

constexpr const char* kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

Result<LinkedModule> linked(const std::vector<std::string>& texts) {
  std::vector<std::string> whole;
  std::vector<LinkPart> parts;
  whole.reserve(texts.size());
  for (const std::string& text : texts) {
    whole.push_back(kHead + text);
    parts.push_back({std::string(1, static_cast<char>('a' + parts.size())) + ".cu", whole.back()});
  }
  return link(parts);
}

/// The linked module, as the parser reads it.
Module joined_module(const std::vector<std::string>& texts) {
  const auto text = linked(texts);
  REQUIRE(text.ok());
  auto module = parse(text->text, "linked");
  if (!module) FAIL(module.problem().text() + "\n" + text->text);
  return std::move(*module);
}

std::string refusal(const std::vector<std::string>& texts) {
  const auto text = linked(texts);
  return text ? "linked" : text.problem().text();
}

const Variable* variable_named(const Module& module, const std::string& name) {
  for (const Variable& one : module.variables) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

constexpr const char* kUser =
    ".extern .func (.param .b32 r) there (.param .b32 x);\n.extern .global .align 4 .u32 count;\n"
    ".extern .const .align 4 .b8 table[];\n"
    ".visible .entry k(.param .u64 o)\n{ .reg .b32 %r<3>; .reg .b64 %rd<3>;\n.loc 1 7 3\n"
    "{ .param .b32 p; .param .b32 q; st.param.b32 [p], 1; call.uni (q), there, (p); ld.param.b32 %r1, [q]; "
    "}\n"
    ".loc 1 9 3\nld.global.u32 %r2, [count];\nld.const.u32 %r2, [table];\nret; }\n.file 1 \"main.cu\"\n";
constexpr const char* kThere =
    ".visible .func (.param .b32 r) there (.param .b32 x)\n{ .reg .b32 %r<2>; ld.param.u32 %r1, [x];\n"
    ".loc 1 3 1\nst.param.b32 [r], %r1; ret; }\n.file 1 \"there.cu\"\n";
constexpr const char* kVariables =
    ".visible .global .align 4 .u32 count = 5;\n.visible .const .align 4 .b8 table[8];\n";

}  // namespace

TEST_CASE("what one file declares another one defines") {
  for (const bool user_first : {true, false}) {
    const std::string rest = std::string(kVariables) + kThere;
    const Module module = joined_module(user_first ? std::vector<std::string>{kUser, rest}
                                                   : std::vector<std::string>{rest, kUser});
    REQUIRE(module.find_function("there") != nullptr);
    CHECK_FALSE(module.find_function("there")->is_declaration);
    REQUIRE(module.find_function("k") != nullptr);
    REQUIRE(module.variables.size() == 2);
    CHECK(variable_named(module, "count")->initial == std::vector<std::uint8_t>{5, 0, 0, 0});
    CHECK(variable_named(module, "table")->size == 8);
    // Each line belongs to its own file, whatever number the file had.
    const auto place_of = [&](const char* name, Op op) {
      for (const Instruction& in : module.find_function(name)->body) {
        if (in.op == op && in.loc != 0) return module.place(in.loc);
      }
      return std::string();
    };
    CHECK(place_of("k", Op::Ret) == "main.cu:9");
    CHECK(place_of("there", Op::Ret) == "there.cu:3");
  }
}

TEST_CASE("what is defined nowhere is told at its first use") {
  CHECK(refusal({kUser, kVariables}) ==
        "main.cu:7: there is used here, but none of the files defines it\n  hint: compile the file that "
        "defines the __device__ function with the others, all with -rdc=true");
  CHECK(refusal({kUser, kThere}) ==
        "main.cu:9: count is used here, but none of the files defines it\n  hint: compile the file that "
        "defines the variable with the others, all with -rdc=true");
  // Unused, or provided by the simulator.
  CHECK(refusal({".extern .func nobody ();\n.extern .global .u32 unused;\n"}) == "linked");
  CHECK(
      refusal(
          {".extern .func (.param .b64 r) malloc (.param .b64 n);\n.entry k() { .param .b64 r; .param .b64 n;"
           " call.uni (r), malloc, (n); ret; }\n"}) == "linked");
  CHECK(refusal({".extern .func (.param .b32 r) __cudaCDP2Memcpy2DAsync ();\n.entry k() { .param .b32 r;"
                 " call.uni (r), __cudaCDP2Memcpy2DAsync; ret; }\n"}) ==
        "a.cu: cudaMemcpy2DAsync() is not supported in kernels\n  hint: call it on the host");
}

TEST_CASE("two definitions are one too many, unless they are weak") {
  const std::string hint =
      "\n  hint: define it in one file, and declare it extern in the others; or make it static or inline";
  CHECK(refusal({kVariables, kThere, kVariables}) == "c.cu: count is defined here and in a.cu" + hint);
  CHECK(refusal({kThere, kThere}) == "b.cu: there is defined here and in a.cu" + hint);
  const auto weak = [](int value) {
    return ".weak .func f() { .reg .b32 %r; mov.u32 %r, " + std::to_string(value) + "; ret; }\n";
  };
  const auto value_of = [](const Module& module) {
    return module.find_function("f")->body.front().operands.at(1).bits;
  };
  CHECK(value_of(joined_module({weak(1), weak(2)})) == 1);
  const std::string strong = ".visible .func f() { .reg .b32 %r; mov.u32 %r, 3; ret; }\n";
  CHECK(value_of(joined_module({weak(1), strong})) == 3);
  CHECK(value_of(joined_module({strong, weak(1)})) == 3);
}

TEST_CASE("what a file keeps to itself stays apart from what others call the same") {
  const auto own = [](int value) {
    const std::string number = std::to_string(value);
    return ".global .u32 own = " + number +
           ";\n.func mine() { .reg .b32 %r; ld.global.u32 %r, [own]; ret; }\n" + ".visible .entry k" +
           number + "() { call.uni mine; ret; }\n";
  };
  const Module module = joined_module({own(1), own(2), ".visible .func mine() { ret; }\n"});
  // The name means the third file's definition in all files.
  const auto callee = [&](const char* kernel) {
    return module.functions[module.find_function(kernel)->body.front().operands.at(1).symbol].name;
  };
  CHECK(callee("k1") != callee("k2"));
  CHECK(callee("k1") != "mine");
  CHECK(callee("k2") != "mine");
  CHECK(module.find_function("mine")->body.size() == 1);
  CHECK(variable_named(module, "own")->initial.front() == 1);
}

TEST_CASE("a kernel may be declared before another file defines it") {
  const Module module = joined_module(
      {".extern .entry child(.param .u64 a);\n.visible .entry k() { .reg .b64 %rd; mov.u64 %rd, "
       "child; ret; }\n",
       ".visible .entry child(.param .u64 a) { ret; }\n"});
  REQUIRE(module.find_function("child") != nullptr);
  CHECK(module.find_function("child")->is_entry);
  CHECK_FALSE(module.find_function("child")->is_declaration);
}

TEST_CASE("dynamic shared memory is one array for all files, as aligned as any says") {
  const Module module =
      joined_module({".extern .shared .align 4 .b8 s[];\n", ".extern .shared .align 16 .b8 s[];\n"});
  REQUIRE(module.variables.size() == 1);
  CHECK(module.variables.front().align == 16);
}

TEST_CASE("text that is no PTX is refused with its line") {
  CHECK(refusal({"", "nonsense here\n"}) ==
        "b.cu: its GPU code cannot be linked: line 4: a directive is expected here");
  CHECK(refusal({".global .u32 a, b;\n"}) ==
        "a.cu: its GPU code cannot be linked: line 4: several variables are declared in one statement");
  for (const char* const cut : {".visible .func f(", ".entry k() { {", ".global .b8 a[4] = {1, ",
                                ".section .debug_str {", ".extern", ".file 1", ".target", ".alias a, "}) {
    INFO(cut);
    CHECK_NOTHROW(refusal({cut, cut}));
  }
}
