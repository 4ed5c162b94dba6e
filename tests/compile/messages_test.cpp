#include "grader/compile/messages.h"

#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

CompilerOutput read(const std::string& text) {
  return read_compiler_output(
      text, {{{"row_max.cu", "line one\nint x = first + second;\n"}, {"tile.cuh", "a\nb\n"}},
             "/submission",
             {"/usr/lib", "/usr/include", "/opt/cuda"}});
}

}  // namespace

TEST_CASE("g++ messages, with the way through a header") {
  const auto output = read(
      "In file included from row_max.cu:1:\n"
      "/submission/tile.cuh: In function 'int f()':\n"
      "/submission/tile.cuh:2:1: warning: no return statement [-Wreturn-type]\n"
      "/usr/include/c++/12/bits/stl_map.h: In instantiation of 'class std::map<int, X>':\n"
      "row_max.cu:2:9:   required from here\n"
      "/usr/include/c++/12/bits/stl_map.h:80:10: error: no match for 'operator<' in "
      "\"/usr/include/c++/12/bits/x.h\"\n"
      "./row_max.cu:2:9: error: 'first' was not declared in this scope\n"
      "    2 | int x = first + second;\n");
  REQUIRE(output.warnings.size() == 1);
  CHECK(output.warnings[0].display() ==
        "tile.cuh:2:1: warning: no return statement [-Wreturn-type]\n  b\n  ^");
  REQUIRE(output.errors.size() == 2);
  CHECK(output.errors[0].display() ==
        "row_max.cu:2: error: no match for 'operator<' in \"x.h\" (in stl_map.h, used from here)\n  int x = "
        "first + second;");
  CHECK(output.errors[1].display() ==
        "row_max.cu:2:9: error: 'first' was not declared in this scope\n  int x = first + second;\n          "
        "^");
}

TEST_CASE("a path is shortened only where it begins") {
  const auto output = read_compiler_output(
      "row_max.cu:2:9: error: tools/bin/x, my/usr/lib/y and \"/bin/ld\" of /usr/lib/gcc/z.h\n",
      {{{"row_max.cu", "a\nb\n"}}, "/submission", {"/bin", "/usr/lib"}});
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].text == "tools/bin/x, my/usr/lib/y and \"ld\" of z.h");
}

TEST_CASE("the same message of two passes is told once") {
  const std::string twice =
      "row_max.cu(2): error: identifier \"first\" is undefined\n  int x = first + second;\n          ^\n\n";
  const auto output = read(twice + twice);
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].column == 9);
}

TEST_CASE("a message about the toolchain alone is told only when there is no better one") {
  const std::string foreign = "/opt/cuda/include/crt/x.h(10): error: expected a declaration\n  }\n  ^\n\n";
  const auto alone = read(foreign);
  REQUIRE(alone.errors.size() == 1);
  CHECK(alone.errors[0].display() == "row_max.cu: error: expected a declaration (in x.h)");
  const auto with = read(foreign + "row_max.cu(1): error: expected a \";\"\n\n");
  REQUIRE(with.errors.size() == 1);
  CHECK(with.errors[0].line == 1);
}

TEST_CASE("a student's #line, long lines and odd bytes do no harm") {
  const auto output =
      read("row_max.cu(999999999999): error: " + std::string(100000, 'x') + "\n" + std::string(300000, '^') +
           "\n:::\n(1): error: \n\x80\xff(3): error: y\n\"/made/up\"(5): error: z\n");
  CHECK(output.errors.size() >= 1);
  for (const auto& error : output.errors) CHECK(error.text.size() < 3000);
}
