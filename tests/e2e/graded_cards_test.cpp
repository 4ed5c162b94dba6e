// Compares whole score cards with tests/e2e/golden. UPDATE_GOLDEN=1 rewrites them: read the difference before
// committing it.

#include <fstream>
#include <regex>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/golden.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

/// Removes what differs between machines: the speed of their CPUs, addresses, and the compiler's version.
std::string stable(const std::string& card) {
  static const std::regex cpu(R"((\d[\d.,]*x) +\d[\d.,]*x( +[\d.]+/\d+\n))"), address("0x[0-9a-f]{8,}"),
      compiler(" by nvcc [0-9.]+ "), below(R"(vs CPU thread: .*\n)");  // where the table has no room for it
  std::string text = std::regex_replace(std::regex_replace(card, cpu, "$1 CPU$2"), address, "ADDRESS");
  text = std::regex_replace(text, below, "vs CPU thread: CPU\n");
  return std::regex_replace(text, compiler, " by nvcc ");
}

void check_card(const std::string& name, const fs::path& submission) {
  if (cudalabs::test::compiler(cudalabs::CompilerChoice::Nvcc).empty()) {
    WARN("skipped: needs nvcc: what each launch did, its counters among it");
    return;
  }
  const Sandbox sandbox;
  fs::create_directories(sandbox.work() / "lab3/variant4");
  std::ofstream(sandbox.work() / "lab3/variant4/row_max.cu") << read_file(submission);
  sandbox.write("lab3/variant4/good.cuh", read_file(fs::path(CUDALABS_SOURCE) / "tests/hostile/good.cuh"));
  const Outcome outcome =
      sandbox.grader({"lab3", "variant4", "--compiler", "nvcc", "--device", "simulator", "--seed", "7"},
                     {{"COLUMNS", "100"}});
  INFO(outcome.err);
  REQUIRE((outcome.status == 0 || outcome.status == 1));
  cudalabs::test::check_golden(name + ".txt", stable(outcome.out));
}

const fs::path kRoot = CUDALABS_SOURCE;

TEST_CASE("the reference's card", "[golden]") {
  check_card("reference", kRoot / "reference/lab3/variant4/row_max.cu");
}
TEST_CASE("the stub's card", "[golden]") {
  check_card("stub", kRoot / "student_templates/lab3/variant4/row_max.cu");
}
TEST_CASE("a compile error's card", "[golden]") {
  check_card("does_not_compile", kRoot / "tests/hostile/basics/does_not_compile.cu");
}
TEST_CASE("a missing version's card", "[golden]") {
  check_card("version_missing", kRoot / "tests/hostile/basics/version_missing.cu");
}
TEST_CASE("a wrong answer's card", "[golden]") {
  check_card("starts_from_zero", kRoot / "tests/hostile/basics/starts_from_zero.cu");
}
TEST_CASE("a device fault's card", "[golden]") {
  check_card("write_past_the_end", kRoot / "tests/hostile/basics/write_past_the_end.cu");
}
TEST_CASE("a race's card", "[golden]") {
  check_card("second_barrier_missing", kRoot / "tests/hostile/basics/second_barrier_missing.cu");
}
TEST_CASE("bank conflicts' card", "[golden]") {
  check_card("padded_calls_shared", kRoot / "tests/hostile/work/padded_calls_shared.cu");
}
TEST_CASE("a crash's card", "[golden]") {
  check_card("segfault", kRoot / "tests/hostile/basics/segfault.cu");
}

}  // namespace
}  // namespace e2e
