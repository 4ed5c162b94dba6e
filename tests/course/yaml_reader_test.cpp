#include <filesystem>
#include <fstream>

#include "grader/course/yaml_reader.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

std::string problem_of(std::string_view text) {
  const auto tree = parse_yaml(text, "x.yaml");
  return tree.ok() ? "read without a problem" : tree.problem().text();
}

}  // namespace

TEST_CASE("a YAML tree knows where each value stands") {
  const auto tree = parse_yaml("a: 1\nb:\n  - {c: 'two'}\n", "x.yaml");
  REQUIRE(tree.ok());
  const YamlNode* b = tree->find("b");
  REQUIRE(b != nullptr);
  const YamlNode* c = b->items.at(0).find("c");
  REQUIRE(c != nullptr);
  CHECK(c->scalar == "two");
  CHECK(c->quoted);
  CHECK(c->where == Location{"x.yaml", 3, 9});
  CHECK_FALSE(tree->find("a")->quoted);
}

TEST_CASE("what is not plain YAML is refused with its place") {
  CHECK(problem_of("a: 1\nb: 2\na: 3\n") ==
        "x.yaml:3:1: duplicate key 'a'\n  hint: it was first given on line 1");
  CHECK(
      problem_of("a: 1\n---\nb: 2\n") ==
      "x.yaml:3:1: a second YAML document begins here\n  hint: keep one document in a file: remove the line "
      "'---' and what follows it");
  CHECK(problem_of("a: &x 1\nb: 2\n") ==
        "x.yaml:1:4: anchors (&name) are not allowed in these files\n  hint: write out the value");
  CHECK(problem_of("? [a, b]\n: 1\n") == "x.yaml:1:3: a key must be a word, not a list");
  CHECK(problem_of("a: !!binary xyz\n") ==
        "x.yaml:1:4: the tag 'tag:yaml.org,2002:binary' is not allowed: these files have no tags\n  hint: "
        "remove "
        "the tag");
  CHECK(problem_of("") == "x.yaml:1:1: the file is empty");
  CHECK(problem_of("a: [1, 2\nb: 3\n").find("x.yaml:2:") == 0);
}

TEST_CASE("aliases are never expanded") {
  // The "billion laughs" attack: expanding the aliases would make 10^9 nodes.
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 9; ++k) {
    const std::string before = "*a" + std::to_string(k - 1), name = "a" + std::to_string(k);
    text += name + ": &" + name + " [" + before;
    for (int i = 0; i < 9; ++i) text += ", " + before;
    text += "]\n";
  }
  CHECK(problem_of(text) ==
        "x.yaml:1:5: anchors (&name) are not allowed in these files\n  hint: write out the value");
}

TEST_CASE("bytes that are not UTF-8 are named by their place") {
  CHECK(problem_of("a: 1\nb: \xff\n") ==
        "x.yaml:2:4: the file is not UTF-8 text\n  hint: save it as UTF-8 in your editor");
  CHECK(problem_of("a: \xc0\x80\n").find("x.yaml:1:4: the file is not UTF-8") == 0);      // overlong
  CHECK(problem_of("a: \xed\xa0\x80\n").find("x.yaml:1:4: the file is not UTF-8") == 0);  // surrogate
  CHECK(parse_yaml("a: \xd1\x81\xd1\x83\xd0\xbc\xd0\xbc\xd0\xb0\n", "x.yaml").ok());
}

TEST_CASE("deep nesting and huge files end in an error") {
  CHECK_FALSE(parse_yaml(std::string(100000, '['), "x.yaml").ok());

  const auto file = std::filesystem::temp_directory_path() / "cudalabs_huge.yaml";
  std::ofstream(file) << std::string((1 << 20) + 1, '#');
  const auto huge = read_yaml(file, "huge.yaml");
  std::filesystem::remove(file);
  REQUIRE_FALSE(huge.ok());
  CHECK(huge.problem().message.english().find("is larger than the 1048576 bytes allowed here") !=
        std::string::npos);

  CHECK_FALSE(read_yaml("/dev/zero", "zero").ok());
  CHECK_FALSE(read_yaml("/no/such/file", "none").ok());
}

TEST_CASE("numbers are whole words") {
  std::optional<Diagnostic> problem;
  const auto number = [&](const char* text) {
    problem.reset();
    const auto tree = parse_yaml(std::string("a: ") + text + "\n", "x.yaml");
    return as_number(*tree->find("a"), "'a'", -10, 10, problem);
  };
  CHECK(number("2.5") == 2.5);
  CHECK_FALSE(problem);
  for (const char* text : {"'2.5'", "2,5", "nan", "inf", "0x1p3", "1e999", "[1]", "two", "", "~"}) {
    number(text);
    INFO(text);
    CHECK(problem);
  }
  number("11");
  REQUIRE(problem);
  CHECK(problem->text() == "x.yaml:1:4: 'a' must be from -10 to 10, not 11");
}
