// check-labs and the bugs that a lab plants into its reference solution.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "grader/course/lab.h"
#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

TEST_CASE("check-labs tells which criteria a planted bug misses without being named", "[check_labs]") {
  const Sandbox sandbox;
  without_large_cases(sandbox.course(), "lab1/variant1", 68000);
  std::ofstream(sandbox.course() / "labs/lab1/variant1/planted.yaml")
      << "- edits: [[\"if (n == 0) return;  // a grid must not be empty\\n  table_global\", "
         "\"table_global\"]]\n"
         "  misses: {global: [empty], constant: [large]}\n"
         "- edits: [[\"value(grid[0], grid[1], i)\", \"value(grid[0], grid[1], i + 1)\"]]\n"
         "  misses: {global: [whole, ragged, few]}\n";
  const Outcome outcome = sandbox.grader({"check-labs", "lab1", "variant1"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 1);
  CHECK(outcome.out.find("planted.yaml:1: `constant` does not miss 'large' (seed 1)") != std::string::npos);
  CHECK(outcome.out.find("planted.yaml:3: `global` misses 'values', too (seed 1)") != std::string::npos);
  CHECK(outcome.out.find("no planted bug misses the criterion 'many'") != std::string::npos);
  CHECK(outcome.out.find("no planted bug misses the criterion 'empty'") == std::string::npos);
}

TEST_CASE("handouts state the sizes that structure and time are judged at", "[new_lab]") {
  const cudalabs::Course course{CUDALABS_SOURCE};
  const auto labs = cudalabs::load_all_labs(course);
  REQUIRE(labs.ok());
  for (const cudalabs::Lab& lab : *labs) {
    for (const char* const name : {"handout.md", "handout.ru.md"}) {
      std::string text = read_file(std::filesystem::path(CUDALABS_SOURCE) / "labs" / lab.slug / name);
      std::erase_if(text, [](char c) { return c == ',' || c == ' ' || c == '\n'; });
      const std::size_t at = std::min(text.find("timearejudgedat"), text.find("времяоцениваются"));
      INFO(lab.slug << ' ' << name);
      REQUIRE(at != std::string::npos);
      for (const auto& [size, value] : lab.timed.sizes) {
        INFO(size);
        CHECK(text.substr(at, 100).find(std::to_string(value)) != std::string::npos);
      }
    }
  }
}

TEST_CASE("check-labs names sizes that no case has", "[check_labs]") {
  const Sandbox sandbox;
  std::filesystem::remove(sandbox.course() / "labs/lab1/variant1/planted.yaml");
  without_large_cases(sandbox.course(), "lab1/variant1", 68000);
  replace_in(sandbox.course() / "configs/labs/lab1/variant1.yaml",
             "  - {n: 1026..65536, criterion: ragged}\n", "");
  const Outcome outcome = sandbox.grader({"check-labs", "lab1", "variant1"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("worth a thought: no case has a `n` from 4097 to 65536") != std::string::npos);
}

}  // namespace
}  // namespace e2e
