#include "grader/device/server/kernel_code.h"

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

const std::string kHead = R"(.version 9.0
.target sm_80
.address_size 64
.extern .func  (.param .b32 func_retval0) vprintf ( .param .b64 vprintf_param_0, .param .b64 vprintf_param_1 ) ;
.const .align 4 .b8 table[16] = {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64};
.const .align 4 .b8 others[16] = {1, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64};
.global .align 4 .u32 counter;
.extern .shared .align 16 .b8 dynamic[];
)";

/// A kernel as nvcc writes it, with names derived from its own. "NAME" is replaced by its name, "NUMBER" by
/// its number.
std::string kernel(const std::string& name, const std::string& number, const std::string& line = "5") {
  std::string text = R"(
	// .globl	NAME
.visible .entry NAME(
	.param .u64 NAME_param_0
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<3>;
	.loc	1 LINE 0
	// demoted variable
	.shared .align 4 .b8 _ZNAMEE4tile[128];
	ld.param.u64 	%rd1, [NAME_param_0];
	.loc	1 LINE 46, function_name $L__info_string0, inlined_at 1 LINE 3
	mov.u32 	%r3, _ZNAMEE4tile;
	setp.leu.f32 	%p1, %f6, 0f40400000;
	@!%p1 bra 	$L__BBNUMBER_2;
	st.global.f32 	[%rd4], %f2;
$L__BBNUMBER_2:
	ret;
}
)";
  const auto replace = [&text](const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  };
  replace("NAME", name);
  replace("NUMBER", number);
  replace("LINE", line);
  return text;
}

/// The same with one text replaced by another.
std::string changed(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// A kernel with this body.
std::string small(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + "(.param .u64 " + name + "_param_0)\n{\n" + body + "\nret;\n}\n";
}

}  // namespace

TEST_CASE("a kernel's names, labels and lines are no part of its code", "[kernel_code]") {
  const KernelCodes codes = kernel_codes(kHead + kernel("_Z1aILi1EEvPf", "0") +
                                         kernel("_Z1aILi2EEvPf", "1", "70") + kernel("copied", "12"));
  REQUIRE(codes.size() == 3);
  const std::uint64_t code = codes.at("copied").hash;
  CHECK(code != 0);
  CHECK(codes.at("_Z1aILi1EEvPf").hash == code);
  CHECK(codes.at("_Z1aILi2EEvPf").hash == code);
  CHECK_FALSE(codes.at("copied").dynamic_shared);
}

TEST_CASE("everything else is", "[kernel_code]") {
  const std::string plain = kernel("k", "0");
  const std::uint64_t code = kernel_codes(kHead + plain).at("k").hash;
  for (const auto& [what, by] :
       std::vector<std::pair<std::string, std::string>>{{"setp.leu.f32", "setp.ltu.f32"},
                                                        {"0f40400000", "0f40400001"},
                                                        {"@!%p1 bra", "@%p1 bra"},
                                                        {"%rd4], %f2", "%rd4], %f1"},
                                                        {".maxntid 256", ".maxntid 128"},
                                                        {".param .u64", ".param .u32"},
                                                        {"\tret;", "\tbar.sync 0;\n\tret;"}}) {
    INFO(what);
    CHECK(kernel_codes(kHead + changed(plain, what, by)).at("k").hash != code);
  }
}

TEST_CASE("a shared array that is a little larger makes no other code", "[kernel_code]") {
  const std::string plain = kernel("k", "0");
  CHECK(kernel_codes(kHead + changed(plain, "tile[128]", "tile[132]")).at("k").hash ==
        kernel_codes(kHead + plain).at("k").hash);
}

TEST_CASE("variables count as they are declared, functions as they are written", "[kernel_code]") {
  const auto code = [](const std::string& text) { return kernel_codes(kHead + text).at("k").hash; };
  const std::string by_table = small("k", "mov.u64 %rd1, table;"),
                    by_others = small("k", "mov.u64 %rd1, others;");
  CHECK(code(by_table) != code(by_others));
  CHECK(code(small("k", "mov.u64 %rd1, counter;")) != code(by_table));

  const std::string call = small("k", "call.uni (retval0), f, (param0);");
  const std::string f = ".func (.param .b32 r) f(.param .b32 p)\n{\nadd.s32 %r1, %r1, 1;\nret;\n}\n";
  const std::string later = ".func (.param .b32 r) f(.param .b32 p);\n";
  CHECK(code(f + call) == code(later + call + f));
  CHECK(code(f + call) != code(changed(f, "%r1, 1", "%r1, 2") + call));
  CHECK(code(f + call) == code(changed(f, " f(", " g(") + changed(call, " f,", " g,")));
  CHECK(code(small("k", "call.uni (retval0), vprintf, (param0);")) != code(call));
  const std::string endless = ".func f(.param .b32 p)\n{\ncall.uni f, (param0);\nret;\n}\n";
  CHECK(code(endless + call) == code(endless + call));
}

TEST_CASE("who names dynamic shared memory reaches it, also through a function", "[kernel_code]") {
  const std::string f = ".func f(.param .b32 p)\n{\nmov.u32 %r3, dynamic;\nret;\n}\n";
  const KernelCodes codes = kernel_codes(kHead + f + small("itself", "mov.u32 %r3, dynamic;") +
                                         small("through", "call.uni f, (param0);") + small("not", ""));
  CHECK(codes.at("itself").dynamic_shared);
  CHECK(codes.at("through").dynamic_shared);
  CHECK_FALSE(codes.at("not").dynamic_shared);
}

TEST_CASE("text that ends anywhere is read to there", "[kernel_code]") {
  const std::string whole = kHead + kernel("a", "0") + kernel("b", "1");
  for (std::size_t size = 0; size <= whole.size(); ++size)
    CHECK(kernel_codes(std::string_view(whole).substr(0, size)).size() <= 2);
  CHECK(kernel_codes(whole).size() == 2);
  CHECK(kernel_codes_of_image({}).empty());
}

TEST_CASE("a kernel that calls cooperative groups or multiplies by tensor cores says so") {
  const auto one = [](const std::string& body, const std::string& file) {
    const KernelCodes codes = kernel_codes(
        kHead + ".visible .entry one()\n{\n" + body +
        "ret;\n}\n.visible .entry other()\n{\nret;\n}\n.file 1 \"a.cu\"\n.file 2 \"" + file + "\"\n");
    REQUIRE(codes.size() == 2);
    CHECK_FALSE((codes.at("other").tensor_cores || codes.at("other").cooperative_groups));
    return codes.at("one");
  };
  const std::string header = "/usr/local/cuda/include/cooperative_groups/details/sync.h";
  const std::string inlined = ".loc 2 7 3, function_name $L__info_string0, inlined_at 1 9 3\nbar.sync 0;\n";
  CHECK(one(inlined, header).cooperative_groups);
  CHECK_FALSE(one(inlined, "/usr/local/cuda/include/crt/sm_70_rt.hpp").cooperative_groups);
  CHECK_FALSE(one(".loc 1 7 3\nbar.sync 0;\n", header).cooperative_groups);
  const std::string marked = "\n.pragma \"cooperative_groups\";\nbar.sync 0;\n";
  CHECK(one(marked, "b.h").cooperative_groups);
  CHECK_FALSE(one(".pragma \"nounroll\";\nbar.sync 0;\n", "b.h").cooperative_groups);
  CHECK(one(marked, "b.h").hash == one("bar.sync 0;\n", "b.h").hash);
  CHECK(one("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f1};\n", header)
            .tensor_cores);
  CHECK(one("@%p1 mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1}, {%d2}, {%d3}, {%d1};\n", header)
            .tensor_cores);
  CHECK_FALSE(one("wmma.load.c.sync.aligned.row.m16n16k16.f32 {%f1}, [%rd1], %r1;\n", header).tensor_cores);
  // Lines change no code.
  CHECK(one(inlined, header).hash == one("bar.sync 0;\n", header).hash);
}
