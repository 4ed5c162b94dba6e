// `grader run --check` on the bugs that compute-sanitizer's tools detect; the compilers take turns. The
// programs of tests/programs/sanitizer have a mistake at their marked lines, and none if RIGHT is defined.
// Also tests how findings are merged, located and suppressed (tests/programs/findings).

#include <regex>

#include "tests/e2e/program_folder.h"
#include "tests/harness/catch.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Places = std::set<std::pair<std::string, int>>;  // rule and line

const fs::path kChecked = fs::path(CUDALABS_SOURCE) / "tests" / "programs";

/// The lines that end with `<-- RULE`.
Places marked(const std::string& source) {
  Places places;
  std::istringstream lines(source);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (const auto at = line.find("<-- "); at != std::string::npos)
      places.emplace(line.substr(at + 4), number);
  }
  return places;
}

struct Checked {
  Outcome outcome;
  Json findings;
  [[nodiscard]] Places places() const {
    Places found;
    for (const Json& one : findings)
      found.emplace(one["rule"].get<std::string>(), one["here"]["line"].get<int>());
    return found;
  }
};

Checked check_program(const ProgramFolder& programs, const std::string& name, const std::string& compiler,
                      std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--device", "simulator", "--check", "all", "--json", "found.json"});
  Checked checked{programs.run(name, compiler, more), {}};
  checked.findings = Json::parse(read_file(programs.sandbox().work() / "found.json"))["findings"];
  return checked;
}

const ProgramFolder& finding_programs() {
  static const ProgramFolder programs(kChecked / "findings");
  return programs;
}

Checked check_finding(const std::string& name, const std::string& compiler,
                      const std::vector<std::string>& more = {}) {
  return check_program(finding_programs(), name, compiler, more);
}

}  // namespace

TEST_CASE("each bug of a sanitizer's kind is found at its line, and nothing without it", "[findings]") {
  const ProgramFolder programs(kChecked / "sanitizer");
  CHECK(programs.programs().size() == 18);
  for (const std::string& name : programs.programs()) {
    for (const std::string& compiler : programs.compilers(name)) {
      INFO(compiler << " " << name);
      const Checked wrong = check_program(programs, name, compiler);
      INFO(wrong.outcome.err);
      CHECK(wrong.places() == marked(read_file(programs.folder() / (name + ".cu"))));
      CHECK(wrong.outcome.status != 0);
      const Checked right = check_program(programs, name, compiler, {"-DRIGHT"});
      CHECK(right.outcome.err == "");
      CHECK(right.findings == Json::array());
      CHECK(right.outcome.status == 0);
    }
  }
}

TEST_CASE("a reduction whose last warp lacks its barriers is one finding", "[findings]") {
  const std::string compiler = GENERATE(from_range(finding_programs().compilers("unrolled_warp")));
  INFO(compiler);
  const Checked checked = check_finding("unrolled_warp", compiler);
  INFO(checked.outcome.err);
  REQUIRE(checked.findings.size() == 1);
  const Json& finding = checked.findings[0];
  CHECK(finding["rule"] == "racecheck");
  CHECK(finding["severity"] == "warning");
  std::set<int> lines{finding["here"]["line"].get<int>()};
  for (const Json& other : finding["others"]) {
    lines.insert(other["line"].get<int>());
    CHECK(other["what"].get<std::string>().find(" by thread (") != std::string::npos);
  }
  CHECK(lines == std::set{7, 8, 9, 10, 11, 12});
  CHECK(checked.outcome.err.ends_with("grader: 1 finding\n"));
}

TEST_CASE("a launch that was refused is told before the findings are counted, and before a fault",
          "[findings]") {
  const std::string compiler = GENERATE(from_range(finding_programs().compilers("refused_launch")));
  const std::string refused =
      "grader: refused_launch.cu:7: a kernel was not launched: cudaErrorInvalidValue, kernel fill: a block "
      "of (1, 1, 65) threads "
      "exceeds the limit of (1024, 1024, 64)\n";
  const Checked alone = check_finding("refused_launch", compiler);
  CHECK(alone.outcome.err == refused + "grader: 1 finding\n");
  CHECK(alone.places() == Places{{"launch", 0}});
  const Checked faulted = check_finding("refused_launch", compiler, {"--", "fault"});
  CHECK(faulted.outcome.err ==
        refused +
            "grader: refused_launch.cu:2: write of `out[63]` out of bounds: `out` has 63 elements from "
            "where it points; kernel fill(int*), block (0, 0, 0), thread (63, 0, 0)\n"
            "  hint: Compare the index with the size of the array: threads past the end need an if, and "
            "loops must stop before it; where they do, the index may use the wrong dimension as the length "
            "of a row.\n");
  CHECK(faulted.places() == Places{{"launch", 0}, {"fault", 2}});
  CHECK(faulted.outcome.status == 1);
}

TEST_CASE("a leak is told by the line that allocated, and by what called it", "[findings]") {
  const std::string compiler = GENERATE(from_range(finding_programs().compilers("leak")));
  const Checked checked = check_finding("leak", compiler);
  CHECK(checked.outcome.err ==
        "leak.cu:4: error: memory leak: an allocation of 4000 bytes was never freed [memcheck]\n"
        "  leak.cu:9: called from here\n"
        "  hint: Call cudaFree for every pointer from cudaMalloc before the program ends.\n"
        "leak.cu:11: error: cudaFree returned cudaErrorInvalidValue: 0x1000 was not allocated by cudaMalloc, "
        "or was already freed [memcheck]\n"
        "grader: 2 findings\n");
}

TEST_CASE("what is suppressed is not told and does not count", "[findings]") {
  const std::string compiler = GENERATE(from_range(finding_programs().compilers("leak")));
  const Sandbox& sandbox = finding_programs().sandbox();
  const Checked first = check_finding("leak", compiler, {"--write-suppressions", "known.txt"});
  CHECK(first.findings.size() == 2);
  CHECK(read_file(sandbox.work() / "known.txt") ==
        "# RULE [FILE[:LINE] [KERNEL]], * stands for anything; grader run --suppress reads this file.\n"
        "memcheck leak.cu:4\nmemcheck leak.cu:11\n");
  const Checked second = check_finding("leak", compiler, {"--suppress", "known.txt"});
  CHECK(second.findings == Json::array());
  CHECK(second.outcome.err == "grader: 2 suppressed\n");
  CHECK(second.outcome.status == 0);
  sandbox.write("wrong.txt", "racechek\n");
  const Outcome wrong = sandbox.grader({"run", "leak.cu", "--check", "all", "--suppress", "wrong.txt"});
  CHECK(wrong.err.starts_with("grader: wrong.txt:1: unknown checker racechek\n"));
  CHECK(wrong.status == 2);
}

}  // namespace e2e
