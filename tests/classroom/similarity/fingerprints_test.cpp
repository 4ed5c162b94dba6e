#include "grader/classroom/similarity/fingerprints.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// A module of one kernel, y[i] = a * x[i] + y[i] and y[n + i] = x[i] / a.
std::string module_of(const std::string& name, const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name +
         "(.param .u64 p0, .param .u64 p1, .param .f32 p2)\n{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
         ".reg .f32 %f<20>;\n.reg .pred %p<4>;\n" +
         body + "ret;\n}\n";
}

const std::string kBody =
    "ld.param.u64 %rd1, [p0];\nld.param.u64 %rd2, [p1];\nld.param.f32 %f1, [p2];\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
    "cvta.to.global.u64 %rd3, %rd1;\ncvta.to.global.u64 %rd4, %rd2;\nmul.wide.s32 %rd5, %r4, 4;\n"
    "add.s64 %rd6, %rd3, %rd5;\nadd.s64 %rd7, %rd4, %rd5;\n"
    "ld.global.f32 %f2, [%rd6];\nld.global.f32 %f3, [%rd7];\n"
    "fma.rn.f32 %f4, %f1, %f2, %f3;\nst.global.f32 [%rd7], %f4;\n"
    "div.rn.f32 %f5, %f2, %f1;\nst.global.f32 [%rd7+4096], %f5;\n";

// Registers, labels and the kernel have other names, independent statements and factors are reordered, the
// index is unsigned, and the distance is another number.
const std::string kDisguised =
    "// by somebody else\nld.param.f32 %f9, [p2];\nmov.u32 %r9, %tid.x;\nmov.u32 %r8, %ntid.x;\n"
    "ld.param.u64 %rd9, [p1];\ncvta.to.global.u64 %rd10, %rd9;\nmov.u32 %r7, %ctaid.x;\n"
    "mad.lo.s32 %r6, %r8, %r7, %r9;\nmul.wide.u32 %rd11, %r6, 4;\nadd.s64 %rd12, %rd11, %rd10;\n"
    "ld.param.u64 %rd13, [p0];\ncvta.to.global.u64 %rd14, %rd13;\nadd.s64 %rd15, %rd11, %rd14;\n"
    "ld.global.f32 %f8, [%rd15];\ndiv.rn.f32 %f7, %f8, %f9;\nst.global.f32 [%rd12+64], %f7;\n"
    "ld.global.f32 %f6, [%rd12];\nfma.rn.f32 %f5, %f8, %f9, %f6;\nst.global.f32 [%rd12], %f5;\n";

const std::string kOther =
    "ld.param.u64 %rd1, [p0];\nld.param.f32 %f1, [p2];\ncvta.to.global.u64 %rd3, %rd1;\n"
    "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\ncvt.u64.u32 %rd4, %r2;\nadd.s64 %rd5, %rd3, %rd4;\n"
    "ld.global.f32 %f2, [%rd5];\nsqrt.rn.f32 %f3, %f2;\nmax.f32 %f4, %f3, %f1;\nst.global.f32 [%rd5], %f4;\n";

double common(const PrintSet& a, const PrintSet& b) {
  PrintSet both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(a.size());
}

PrintSet text_of(const std::string& source) {
  const std::string_view view = source;
  return text_prints({&view, 1});
}

const std::string kSource =
    "// scales\n#include <cmath>\n__global__ void scale(const float* from, float* to, int count, float by) "
    "{\n"
    "  const int index = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  for (int i = index; i < count; i += gridDim.x * blockDim.x) to[i] = from[i] * by + 1.0f;\n}\n";

}  // namespace

TEST_CASE("Names, order, widths and distances leave no mark in the code's fingerprints") {
  const PrintSet original = code_prints(module_of("saxpy", kBody));
  CHECK(original.size() >= 8);
  CHECK(std::ranges::is_sorted(original));
  CHECK(code_prints(module_of("harmless", kDisguised)) == original);
  CHECK(common(code_prints(module_of("saxpy", kOther)), original) == 0);
}

TEST_CASE("The order of functions and a function's copies do not count") {
  const std::string a = module_of("first", kBody), b = module_of("second", kOther);
  const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
  REQUIRE(a.starts_with(head));
  const PrintSet both = code_prints(a + b.substr(head.size()));
  CHECK(both == code_prints(b + a.substr(head.size())));
  CHECK(both == code_prints(a + b.substr(head.size()) + module_of("third", kBody).substr(head.size())));
  CHECK(common(code_prints(a), both) == 1);
}

TEST_CASE("Values that go round a loop have fingerprints, too") {
  const std::string loop =
      "ld.param.u64 %rd1, [p0];\nld.param.f32 %f1, [p2];\nmov.f32 %f2, 0f00000000;\nmov.u32 %r1, 0;\n"
      "AGAIN:\nld.global.f32 %f3, [%rd1];\nfma.rn.f32 %f2, %f3, %f1, %f2;\nadd.s32 %r1, %r1, 1;\n"
      "setp.lt.s32 %p1, %r1, 100;\n@%p1 bra AGAIN;\nst.global.f32 [%rd1], %f2;\n";
  const PrintSet prints = code_prints(module_of("sum", loop));
  CHECK_FALSE(prints.empty());
  // Registers that copy their values in a circle.
  const std::string circle =
      "AGAIN:\nmov.u32 %r1, %r2;\nmov.u32 %r2, %r1;\nadd.s32 %r3, %r1, %r2;\nbra AGAIN;\n";
  CHECK(code_prints(module_of("circle", circle)) == code_prints(module_of("again", circle)));
}

TEST_CASE("Any bytes have fingerprints, or none") {
  CHECK(code_prints("").empty());
  CHECK(code_prints("no PTX \xff\x01").empty());
  CHECK(code_prints(std::string(kMaxPtxBytes + 1, ' ')).empty());
  CHECK(text_of("").empty());
  CHECK(text_of("\"never ends").empty());
  for (const char* const hostile :
       {"/* never ends", "R\"(never ends", "R\"\"\"\"\"", "#include", "'", "\\", "\xff\xfe"})
    CHECK(common(text_of(kSource), text_of(kSource + hostile)) > 0.8);
  // The number is bounded, and every submission keeps the same ones.
  std::string many;
  for (std::uint32_t n = 0, random = 1; n < 60000; ++n) {
    random = random * 1664525 + 1013904223;
    many += "=+-*%&|^<>(){}[;"[random >> 24 & 15];
  }
  CHECK(text_of(many).size() == kMaxPrints);
}

TEST_CASE("A source's fingerprints know no names, comments and numbers") {
  std::string other = kSource;
  const auto replace = [&other](const std::string& from, const std::string& to) {
    for (std::size_t at = other.find(from); at != std::string::npos; at = other.find(from, at + to.size()))
      other.replace(at, from.size(), to);
  };
  replace("// scales\n", "/* mine */ #pragma once\n");
  replace("from", "quelle");
  replace("index", "me");
  replace("count", "N_");
  replace("1.0f", "0x1p0f");
  replace("\n  ", "\n\n\t\t// next\n");
  replace("<cmath>", "<math.h>");
  REQUIRE(other != kSource);
  const PrintSet original = text_of(kSource);
  CHECK(original.size() > 10);
  CHECK(common(original, text_of(other)) > 0.85);  // #pragma in the middle of a line is not a directive
  CHECK(
      common(text_of("int main(int n, char** v) { for (;;) { if (n == 3) break; else n = v[0][1] - '0'; } }"),
             original) == 0);
}

TEST_CASE("Fingerprints survive as a line of text") {
  const Fingerprints prints{code_prints(module_of("saxpy", kBody)), text_of(kSource)};
  const std::string line = to_line(prints);
  const auto read = prints_of_line(line);
  REQUIRE(read);
  CHECK(*read == prints);
  REQUIRE(prints_of_line(to_line({})));
  CHECK(*prints_of_line(to_line({})) == Fingerprints{});
  for (std::size_t size = 0; size < line.size(); ++size) CHECK_FALSE(prints_of_line(line.substr(0, size)));
  CHECK_FALSE(prints_of_line(line + "0"));
  CHECK(prints_of_line("prints-0 0  0 ").problem().message.english() ==
        "another version of the grader wrote these fingerprints");
  CHECK(prints_of_line("prints-1 2 00000000000000010000000000000001 0 ").problem().message.english() ==
        "these fingerprints are damaged");
  CHECK_FALSE(prints_of_line("prints-1 99999999999999999999 0 "));
}
