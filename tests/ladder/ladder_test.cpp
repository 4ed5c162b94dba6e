// Ladders: the contents of the files, and the error messages for mistakes in them.

#include "grader/ladder/ladder.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/harness/catch.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

const Course kLaddersCourse{CUDALABS_SOURCE};

/// The error message for transpose.yaml after one change, without the file's path.
std::string ladder_problem_after(const std::string& from, const std::string& to) {
  std::string pattern = fs::temp_directory_path() / "ladder_test_XXXXXX";
  const fs::path root = mkdtemp(pattern.data());
  fs::copy(kLaddersCourse.root / "configs", root / "configs", fs::copy_options::recursive);
  fs::create_directories(root / "reference" / "lab2");
  fs::copy(kLaddersCourse.root / "reference" / "lab2" / "ladder", root / "reference" / "lab2" / "ladder");
  const fs::path file = root / "configs" / "ladders" / "transpose.yaml";
  std::ostringstream stream;
  stream << std::ifstream(file).rdbuf();
  std::string text = stream.str();
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  std::ofstream(file) << text;
  const auto ladder = load_ladder(Course{root}, "transpose");
  fs::remove_all(root);
  if (ladder) return "read without a problem";
  std::string problem = ladder.problem().text();
  const std::string shown = root.string() + "/";
  for (std::size_t found; (found = problem.find(shown)) != std::string::npos;)
    problem.erase(found, shown.size());
  return problem;
}

}  // namespace

TEST_CASE("every ladder of the course can be read", "[files]") {
  const auto names = ladder_names(kLaddersCourse);
  for (const char* wanted : {"matmul", "reduction", "reduction-global", "transpose"})
    CHECK(std::find(names.begin(), names.end(), wanted) != names.end());
  for (const std::string& name : names) {
    const auto ladder = load_ladder(kLaddersCourse, name);
    INFO(name << ": " << (ladder ? "" : ladder.problem().text()));
    REQUIRE(ladder.ok());
    CHECK(ladder->rungs.size() > 1);
    CHECK_FALSE(ladder->headers.empty());
  }
}

TEST_CASE("published figures are looked up by rung and unit", "[files]") {
  const auto ladder = load_ladder(kLaddersCourse, "reduction");
  REQUIRE(ladder.ok());
  const PublishedFigures& k40c = ladder->published.front();
  CHECK(k40c.figure("kernel06", 1) == 130.5);
  CHECK_FALSE(k40c.figure("kernel08", 3).has_value());  // without registers
  CHECK_FALSE(k40c.figure("shuffle", 0).has_value());
}

TEST_CASE("a rate is work over time", "[files]") {
  const LadderWork product{true, 2, 3};
  CHECK(product.rate(2048, ElementType::Float32, 134e6) == Approx(128.2).epsilon(0.001));
  CHECK(product.unit() == "GFLOP/s");
  const LadderWork sum{false, 1, 1};
  CHECK(sum.rate(1 << 24, ElementType::Float64, 5.25e6) == Approx(25.56).epsilon(0.001));
  CHECK(sum.unit() == "GB/s");
  CHECK(sum.rate(1 << 24, ElementType::Float64, 0) == 0);
}

TEST_CASE("a mistake in a ladder is shown with its place", "[files]") {
  const std::string file = "configs/ladders/transpose.yaml:";
  CHECK(ladder_problem_after("card_size", "card_sise")
            .starts_with(file + "5:1: unknown key 'card_sise'; did you mean 'card_size'?"));
  CHECK(ladder_problem_after("size: 2016", "size: many") ==
        file + "4:7: 'size' must be an integer, not 'many'");
  CHECK(ladder_problem_after("[float,", "[flaot,") ==
        file +
            "3:9: unknown type 'flaot'; did you mean 'float'?\n  hint: the types of ladders are: float, "
            "double, int");
  CHECK(ladder_problem_after("elements: 2, ", "")
            .starts_with(file + "8:7: 'work' needs either 'flops' or 'elements'"));
  CHECK(ladder_problem_after("size: 2016", "size: 2017") ==
        file + "4:7: 'size' is not a multiple of 'size_step'");
  CHECK(ladder_problem_after("2_naive.cu", "2_nave.cu") ==
        file + "16:11: there is no file reference/lab2/ladder/2_nave.cu");
  CHECK(ladder_problem_after("name: naive", "name: tile").find("duplicate rung 'tile'") != std::string::npos);
  CHECK(ladder_problem_after("naive: [5.3]", "nave: [5.3]").find("no rung 'nave'; did you mean 'naive'?") !=
        std::string::npos);
  CHECK(ladder_problem_after("naive: [5.3]", "naive: [5.3, 1]").find("there are more figures than the ") !=
        std::string::npos);
  CHECK(ladder_problem_after("profile: gtx280", "profile: gtx28")
            .find("no device profile 'gtx28'; did you mean "
                  "'gtx280'?") != std::string::npos);
  CHECK(ladder_problem_after(
            "    idea: \"Rows to rows, element by element: what the course takes for the limit.\"\n", "")
            .find("a rung needs the key 'idea'") != std::string::npos);
}

TEST_CASE("an unknown ladder is told the nearest name", "[files]") {
  const auto ladder = load_ladder(kLaddersCourse, "reducton");
  REQUIRE_FALSE(ladder.ok());
  CHECK(ladder.problem().text().starts_with("there is no ladder 'reducton'; did you mean 'reduction'?"));
  CHECK_FALSE(load_ladder(kLaddersCourse, "../devices/a100").ok());
}
