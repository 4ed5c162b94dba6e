#include "grader/toolchain/messages.h"
#include "grader/diagnostics/messages/toolchain.h"

#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

CompilerOutput read_messages(const std::string& text) {
  return read_compiler_output(
      text, {{{"row_max.cu", "line one\nint x = first + second;\n"}, {"tile.cuh", "a\nb\n"}},
             "/submission",
             {"/usr/lib", "/usr/include", "/opt/cuda"}});
}

}  // namespace

TEST_CASE("g++ messages, with the way through a header") {
  const auto output = read_messages(
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

TEST_CASE("nvcc's missing semicolon is shown where it is missing") {
  const auto place = [](const std::string& source, const std::string& output) {
    const auto read = read_compiler_output(output, {{{"row_max.cu", source}}, "/submission", {}});
    REQUIRE(read.errors.size() == 1);
    return std::pair(read.errors[0].line, read.errors[0].column);
  };
  const std::string head = "): error: expected a \";\"\n  ";
  CHECK(place("int x = 1  // one;\n\n/* two\n*/\nint y = 2;\n",
              "row_max.cu(5" + head + "int y = 2;\n  ^\n\n") == std::pair(1, 10));
  CHECK(place("{\n  f()\n}\n", "row_max.cu(3" + head + "}\n  ^\n\n") == std::pair(2, 6));
  // In the middle of a line it is at the arrow.
  CHECK(place("int x = 1 int y;\n", "row_max.cu(1" + head + "int x = 1 int y;\n            ^\n\n") ==
        std::pair(1, 11));
  CHECK(place("int x\n", "row_max.cu(9" + head + "\n  ^\n\n").first == 9);  // no such line
}

TEST_CASE("a path is shortened only where it begins") {
  const auto output = read_compiler_output(
      "row_max.cu:2:9: error: tools/bin/x, my/usr/lib/y and \"/bin/ld\" of /usr/lib/gcc/z.h\n",
      {{{"row_max.cu", "a\nb\n"}}, "/submission", {"/bin", "/usr/lib"}});
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].text.english() == "tools/bin/x, my/usr/lib/y and \"ld\" of z.h");
}

TEST_CASE("an error without words is one of its line all the same") {
  const auto output = read_messages("row_max.cu:1:2: error:\n#error\n ^\n");
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].line == 1);
  CHECK(output.errors[0].text.empty());
}

TEST_CASE("the same message of two passes is told once") {
  const std::string twice =
      "row_max.cu(2): error: identifier \"first\" is undefined\n  int x = first + second;\n          ^\n\n";
  const auto output = read_messages(twice + twice);
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].column == 9);
}

TEST_CASE("a message about the toolchain alone is told only when there is no better one") {
  const std::string foreign = "/opt/cuda/include/crt/x.h(10): error: expected a declaration\n  }\n  ^\n\n";
  const auto alone = read_messages(foreign);
  REQUIRE(alone.errors.size() == 1);
  CHECK(alone.errors[0].display() == "row_max.cu: error: expected a declaration (in x.h)");
  const auto with = read_messages(foreign + "row_max.cu(1): error: expected a \";\"\n\n");
  REQUIRE(with.errors.size() == 1);
  CHECK(with.errors[0].line == 1);
}

TEST_CASE("a student's #line, long lines and odd bytes do no harm") {
  const auto output = read_messages(
      "row_max.cu(999999999999): error: " + std::string(100000, 'x') + "\n" + std::string(300000, '^') +
      "\n:::\n(1): error: \n\x80\xff(3): error: y\n\"/made/up\"(5): error: z\n");
  CHECK(output.errors.size() >= 1);
  for (const auto& error : output.errors) CHECK(error.text.english().size() < 3000);
}

TEST_CASE("clang tells after an error in a library which line led there") {
  const std::string text =
      "In file included from row_max.cu:1:\n"
      "In file included from /usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/vector:60:\n"
      "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/predefined_ops.h:45:23: "
      "error: invalid "
      "operands to binary expression ('X' and 'X')\n"
      "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_heap.h:232:8: note: in "
      "instantiation "
      "of function template specialization 'A<X>' requested here\n"
      "row_max.cu:2:35: note: in instantiation of function template specialization 'std::sort<X *>' "
      "requested here\n"
      "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_iterator.h:1185:5: note: "
      "candidate "
      "template ignored: could not match 'A' against 'X'\n"
      "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_algo.h:85:11: error: "
      "another of the "
      "same line\n"
      "row_max.cu:2:35: note: in instantiation of function template specialization 'std::sort<X *>' "
      "requested here\n"
      "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/vector.tcc:455:7: error: "
      "cannot use 'try' "
      "in __host__ __device__ function\n"
      "tile.cuh:2:1: note: called by 'k'\n"
      "2 errors generated when compiling for sm_80.\n";
  const auto output = read_messages(text + text);
  REQUIRE(output.errors.size() == 2);
  CHECK(output.errors[0].display() ==
        "row_max.cu:2: error: invalid operands to binary expression ('X' and 'X') (in predefined_ops.h, used "
        "from "
        "here)\n  int x = first + second;");
  CHECK(output.errors[1].display() ==
        "tile.cuh:2: error: cannot use 'try' in __host__ __device__ function (in vector.tcc, used from "
        "here)\n  b\n  hint: Use arrays of fixed size: device code has no exceptions, and so no containers "
        "of the C++ library.");
  CHECK(output.placed);
}

TEST_CASE("warnings of clang's two halves are told once, those about our headers never") {
  const std::string text =
      "row_max.cu:2:5: warning: unused variable 'x' [-Wunused-variable]\n"
      "/opt/cuda/cudalabs/device.h:3:1: warning: unused function 'f' [-Wunused-function]\n"
      "1 warning generated when compiling for sm_80.\n";
  const auto output = read_messages(text + text);
  CHECK(output.errors.empty());
  REQUIRE(output.warnings.size() == 1);
  CHECK(
      output.warnings[0].display() ==
      "row_max.cu:2:5: warning: unused variable 'x' [-Wunused-variable]\n  int x = first + second;\n      ^");
}

TEST_CASE("where clang itself crashes, the place that it had come to is told") {
  const auto crashed = [](const std::string& file) {
    const auto output = read_messages(
        "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\n"
        "Stack dump:\n0.\tProgram arguments: clang++ -c row_max.cu\n1.\t" +
        file + ":2:4: current parser token ';'\n2.\t" + file +
        ":1:1: parsing namespace 'std'\n"
        "clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)\n");
    REQUIRE(output.errors.size() == 1);
    return output.errors[0].display();
  };
  const std::string hint =
      "\n  hint: Remove what you added last, most likely a header, or compile with a newer clang or nvcc: "
      "this is a bug of this clang.";
  CHECK(crashed("/opt/cuda/vector_types.h") ==
        "row_max.cu: error: clang crashed on this code (in vector_types.h)" + hint);
  CHECK(
      crashed("/opt/cuda/regex_scanner.h") ==
      "row_max.cu: error: clang crashed on this code (in regex_scanner.h)\n  hint: Leave out <regex>, which "
      "clang 14 cannot compile as CUDA in C++20, or compile your own program with grader run -std=c++17.");
  CHECK(crashed("row_max.cu") ==
        "row_max.cu:2: error: clang crashed on this code\n  int x = first + second;" + hint);
  const auto nameless = read_messages(
      "clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)\n");
  REQUIRE(nameless.errors.size() == 1);
  CHECK(nameless.errors[0].display() == "row_max.cu: error: clang crashed on this code" + hint);
}

TEST_CASE("clang's code generator names the function that it failed on, and its stack is left out") {
  const std::string end =
      "clang: error: clang frontend command failed with exit code 70 (use -v to see invocation)\n";
  const std::string text =
      "fatal error: error in backend: Undefined external symbol \"__floatuntidf\"\n"
      "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash "
      "backtrace.\n"
      "Stack dump:\n"
      "3.\tRunning pass 'Function Pass Manager' on module 'row_max.cu'.\n"
      "4.\tRunning pass 'NVPTX DAG->DAG Pattern Instruction Selection' on function '@_Z1koPd'\n"
      " #0 0x00007f9c7f0a5291 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) "
      "(/lib/libLLVM-14.so.1+0xea5291)\n";
  const auto output = read_messages(text + end);
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].text.english() ==
        "clang cannot compile this for the GPU: Undefined external symbol \"__floatuntidf\" (in "
        "k(unsigned "
        "__int128, double*))");
  CHECK(output.errors[0].advice.english().find(
            "clang would call a function here that the GPU does not have") != std::string::npos);
  const auto stack = read_messages(
      "fatal error: error in backend: Cannot select: 0x1d04bf60: i64,ch = dynamic_stackalloc 0x1cee38f8, "
      "0x1d04bef8, Constant:i64<0>, row_max.cu:2:47\n"
      "4.\tRunning pass 'NVPTX DAG->DAG Pattern Instruction Selection' on function '@_Z1kPii'\n" +
      end);
  REQUIRE(stack.errors.size() == 1);
  CHECK(stack.errors[0].text.english() == "clang does not support alloca() in device code (in k(int*, int))");
  CHECK(stack.errors[0].advice.english() == "Use a local array of fixed size.");
  CHECK(stack.errors[0].line == 2);
  // Without a reason only the end itself can be reported.
  CHECK(read_messages(end).errors.size() == 1);
}

TEST_CASE(
    "a missing library of NVIDIA's is told once, where it is included, and nothing of what follows from it") {
  const std::string text =
      "In file included from row_max.cu:2:\n"
      "In file included from /opt/cuda/thrust/sort.h:1:\n"
      "/opt/cuda/cudalabs/needs_toolkit.h:4:2: error: \"this header belongs to NVIDIA's libraries\"\n"
      "#error \\\n"
      " ^\n"
      "row_max.cu:3:14: error: use of undeclared identifier 'thrust'\n"
      "1 error generated when compiling for sm_80.\n";
  const auto output = read_messages(text + text);
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].line == 2);
  CHECK(output.errors[0].text.contains(msg::needs_nvidia_library));
}
