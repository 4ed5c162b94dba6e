#include "grader/classroom/similarity/aligned_lines.h"

#include <algorithm>
#include <array>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// "=1-1 ~2-2 .3-0": the match of the left line, or of the right one where there is none on the left.
std::string described(const AlignedSources& both) {
  static constexpr std::array kSigns{'.', 'h', '=', '~', '>'};
  std::string text;
  for (const AlignedRow& row : both.rows) {
    const AlignedLine& line = row.left != 0 ? both.left[row.left - 1] : both.right[row.right - 1];
    text += (text.empty() ? "" : " ") + std::string(1, kSigns[static_cast<std::size_t>(line.match)]) +
            std::to_string(row.left) + "-" + std::to_string(row.right);
  }
  return text;
}

std::string aligned(std::string_view left, std::string_view right, std::string_view stub = {}) {
  return described(align(left, right, {&stub, 1}));
}

}  // namespace

TEST_CASE("Lines are paired by what they do, not by blanks, names and numbers", "[similarity]") {
  CHECK(aligned("int best = a[0];\n", "  int  best=a[0];  \r\n") == "=1-1");
  CHECK(aligned("int best = a[0];\n", "int m = b[1]; // mine\n") == "~1-1");
  CHECK(aligned("int best = a[0];\nreturn best + 1;\n", "int x = 0;\nreturn x + 2;\n") == ".1-1 ~2-2");
  CHECK(aligned("void f(int a) {\n  g(a, 1);\n}\n", "void f(int a) {\n  h(a);\n  g(a, 1);\n}\n") ==
        "=1-1 .0-2 =2-3 =3-4");
  CHECK(aligned("", "") == "");
  CHECK(aligned("", "x\n") == ".0-1");
}

TEST_CASE("A line that moved has its number in the other file", "[similarity]") {
  const AlignedSources both = align("int a = f(x);\nwhile (a > 0) g(a);\nreturn h(a, 3);\n",
                                    "while (a > 0) g(a);\nreturn h(a, 3);\nint a = f(x);\n", {});
  CHECK(described(both) == ">1-0 =2-1 =3-2 >0-3");
  CHECK(both.left[0].other == 3);
  CHECK(both.right[2].other == 1);
}

TEST_CASE("What was handed out says nothing", "[similarity]") {
  const std::string stub = "void f(int* a) {\n}\n";
  CHECK(aligned("void f(int* a) {\na[0] = 1;\n}\n", "void f(int* a) {\na[0] = 1;\n}\n", stub) ==
        "h1-1 =2-2 h3-3");
}

TEST_CASE("Every line of both files stands in one row, in order", "[similarity]") {
  std::string left, right;
  for (int n = 0; n < 400; ++n) {
    left += "call(" + std::string(static_cast<std::size_t>(n * 7 % 5 + 1), 'x') + ", y" +
            (n % 3 == 0 ? ", z" : "") + ");\n";
    right += "call(" + std::string(static_cast<std::size_t>(n * 3 % 7 + 1), 'x') + ", y" +
             (n % 4 == 0 ? ", z" : "") + ");\n";
  }
  const AlignedSources both = align(left, right, {});
  std::size_t a = 0, b = 0;
  for (const AlignedRow& row : both.rows) {
    if (row.left != 0) CHECK(row.left == ++a);
    if (row.right != 0) CHECK(row.right == ++b);
    CHECK((row.left != 0 || row.right != 0));
  }
  CHECK(a == 400);
  CHECK(b == 400);
  const std::string endless(static_cast<std::size_t>(kMaxAlignedLines) * 2, '\n');
  CHECK(align(endless, "\xff\0x\n", {}).left.size() == kMaxAlignedLines);
}

TEST_CASE("Equal texts are found whatever their blanks", "[similarity]") {
  const std::array<std::string_view, 5> texts{"a b\n", "c", "ab", "", "c\r\n"};
  using Groups = std::vector<std::vector<std::size_t>>;
  CHECK(equal_texts(texts) == Groups{{0, 2}, {1, 4}});
  CHECK(equal_texts({}).empty());
}
