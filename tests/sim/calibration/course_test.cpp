// Compares the simulator's counts for whole kernels, as `grader run` reports them, with the counts of an
// H200.

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/csv.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

namespace {

namespace fs = std::filesystem;

/// docs/counters.md, "Which rows of course.csv differ": figures that PTX alone does not determine.
bool differs(const std::string& kernel, const std::string& column) {
  return kernel == "sum_atomic_shared<float>" && column.starts_with("shared_load_");
}

}  // namespace

TEST_CASE("whole kernels count as measured") {
  const cudalabs::test::TemporaryFolder folder;
  const fs::path json = folder.path() / "counters.json";
  cudalabs::test::output_of(
      {{CUDALABS_BIN "/grader", "run", CUDALABS_TEST_DATA "/course.cu", "--counters", json}});
  const auto launches = nlohmann::json::parse(cudalabs::test::read_file(json));

  std::ifstream table(CUDALABS_TEST_DATA "/course.csv");
  std::string line;
  REQUIRE(std::getline(table, line));
  const std::vector<std::string> names = csv_fields(line);
  std::size_t row = 0;
  int compared = 0;
  for (; std::getline(table, line); ++row) {
    const std::vector<std::string> cells = csv_fields(line);
    REQUIRE(cells.size() == names.size());
    REQUIRE(row < launches.size());
    const auto& launch = launches[row];
    REQUIRE(launch.at("kernel") == cells[0]);
    for (std::size_t c = 0; c < names.size(); ++c) {
      const bool memory = names[c].starts_with("shared_") || names[c].starts_with("global_");
      if (!memory || !launch.contains(names[c]))
        continue;  // `grader run` does not report atomics: ../hardware/atomic_forms_test.cpp
      INFO(cells[0] << " " << names[c]);
      if (differs(cells[0], names[c])) continue;
      CHECK(launch.at(names[c]) == std::stoll(cells[c]));
      ++compared;
    }
  }
  CHECK(row == 37);
  CHECK(launches.size() == row);
  CHECK(compared == 37 * 10 - 3);
}
