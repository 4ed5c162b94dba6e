// `grader run --profile` over tests/programs/profile.

#include <fstream>
#include <span>
#include <sstream>

#include "tests/e2e/program_folder.h"
#include "tests/harness/catch.h"
#include "tests/harness/csv.h"
#include "tests/harness/golden.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Row = std::map<std::string, std::string>;

const ProgramFolder& programs() {
  static const ProgramFolder folder(fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "profile");
  return folder;
}

/// The kernels of a CSV file, behind a row of units.
std::vector<Row> kernels_of(const std::string& csv) {
  std::istringstream stream(csv);
  return csv_rows(stream);
}

}  // namespace

TEST_CASE("efficiencies of kernels are those computed by hand", "[profile]") {
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    INFO(compiler);
    const Outcome outcome = programs().run("efficiencies", compiler, {"--profile=profile.csv"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(outcome.out == "no error\n");
    const std::vector<Row> rows = kernels_of(read_file(programs().sandbox().work() / "profile.csv"));
    REQUIRE(rows.size() == 1 + 6);
    const auto check = [&](std::size_t row, const std::string& kernel, const Row& expected) {
      CHECK(rows[row].at("Kernel Name").starts_with(kernel + "("));
      for (const auto& [metric, value] : expected) {
        INFO(kernel << " " << metric);
        CHECK(rows[row].at(metric) == value);
      }
    };
    const std::string loads = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                      stores = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
                      load_bytes = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
                      store_bytes = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
                      shared = "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct",
                      branches = "smsp__sass_average_branch_targets_threads_uniform.pct",
                      fixed = "launch__shared_mem_per_block_static",
                      dynamic = "launch__shared_mem_per_block_dynamic";
    check(1, "coalesced",
          {{"Calls", "3"},
           {"Grid Size", "(8, 1, 1)"},
           {"Block Size", "(32, 1, 1)"},
           {loads, "4.000"},
           {stores, "4.000"},
           {load_bytes, "100.000"},
           {store_bytes, "100.000"},
           {shared, ""},
           {branches, ""}});
    check(2, "coalesced", {{"Calls", "1"}, {"Grid Size", "(2, 2, 1)"}, {loads, "4.000"}});
    // 32 words of 4 bytes in 16 sectors, and in 32.
    check(3, "strided",
          {{loads, "16.000"}, {stores, "32.000"}, {load_bytes, "25.000"}, {store_bytes, "12.500"}});
    // 256 bytes in 1 + 4 wavefronts of 128.
    check(4, "conflicts", {{shared, "40.000"}, {fixed, "512"}, {dynamic, "0"}});
    check(5, "divergent", {{branches, "50.000"}, {load_bytes, "12.500"}});
    check(6, "dynamic", {{fixed, "64"}, {dynamic, "256"}, {shared, "75.000"}});
  }
}

TEST_CASE("a lecture's kernels: the profile's table", "[profile]") {
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    const Outcome outcome =
        programs().run("reductions", compiler, {"--profile", "--device-profile", "k40c", "--", "262144"});
    INFO(compiler << " " << outcome.err);
    CHECK(outcome.status == 0);
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    cudalabs::test::check_golden("profile_" + compiler + ".txt", outcome.out);
  }
}

TEST_CASE("the profile of a lab's versions", "[profile]") {
  const Sandbox sandbox;
  fs::copy_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu", sandbox.work() / "own.cu");
  std::vector<std::string> words{"explain", "lab3",   "variant4",        "--submission",
                                 "own.cu",  "--size", "rows=64,cols=64", "-q"};
  words.emplace_back("--profile=profile.csv");
  const Outcome written = sandbox.grader(words);
  INFO(written.err);
  REQUIRE(written.status == 0);
  const std::vector<Row> rows = kernels_of(read_file(sandbox.work() / "profile.csv"));
  words.back() = "--profile";
  const Outcome shown = sandbox.grader(words);
  REQUIRE(shown.status == 0);
  REQUIRE(rows.size() > 2);
  for (const Row& row : std::span(rows).subspan(1)) {
    CHECK(row.at("Calls") == "1");
    CHECK(shown.out.find("\nversion " + row.at("Version") + "\n") != std::string::npos);
  }
  CHECK(rows[1].at("Version") != rows.back().at("Version"));
}

TEST_CASE("a profile's file is checked before the program runs", "[profile]") {
  const Outcome outcome = programs().run("efficiencies", "", {"--profile=no/such/folder.csv"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("cannot write no/such/folder.csv") != std::string::npos);
}

}  // namespace e2e
