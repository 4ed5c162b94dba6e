// Hidden cases, bonuses and rules, as a whole grading shows them.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Edits = std::vector<std::pair<std::string, std::string>>;

const fs::path kConfig = "configs/labs/lab3/variant4.yaml";

/// lab3/variant4 with a hidden case whose sizes no other case has, and one of a bonus criterion.
void change_lab(const Sandbox& sandbox) {
  without_large_cases(sandbox.course(), "lab3/variant4");
  const fs::path file = sandbox.course() / kConfig;
  replace_in(file, "cases:\n",
             "cases:\n  - {rows: 47, cols: 78, hidden: true, distribution: negative, criterion: negative}\n"
             "  - {rows: 61, cols: 123, criterion: extra}\n");
  replace_in(file, "criteria:\n", "criteria:\n  extra: {share: 1, bonus: true, title: odd sizes}\n");
  replace_in(file, "    correctness_points: 25\n", "    correctness_points: 25\n    bonus_points: 3\n");
}

/// Grades the reference of lab3/variant4 with these replacements, in one version. `more`: options.
Outcome grade(const Sandbox& sandbox, const Edits& edits, std::vector<std::string> more = {}) {
  std::string source = read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu");
  for (const auto& [from, to] : edits) {
    const std::size_t at = source.find(from);
    REQUIRE(at != std::string::npos);
    source.replace(at, from.size(), to);
  }
  const fs::path file = sandbox.write("row_max.cu", source);
  std::vector<std::string> words{"lab3",   "variant4", "--submission", file.string(),
                                 "--seed", "5",        "--version",    "global"};
  words.insert(words.end(), more.begin(), more.end());
  return sandbox.grader(words);
}

Json result(const Sandbox& sandbox, const Edits& edits) {
  const Outcome outcome = grade(sandbox, edits, {"--json", "-"});
  INFO(outcome.err);
  REQUIRE(Json::accept(outcome.out));
  return Json::parse(outcome.out);
}

const std::string kLoad = "  float best = begin[0];";

TEST_CASE("no document of a grading tells of a hidden case's data", "[points]") {
  const Sandbox sandbox;
  change_lab(sandbox);
  const std::string print = "  if (rows == 0) return;  // a grid must not be empty";
  // The columns are found in hexadecimal, so that the source does not show what is looked for.
  const std::vector<std::pair<std::string, std::string>> ways{
      {kLoad, "  float best = cols == 0x4e ? 4321.0f * 2 : begin[0];"},         // a wrong answer
      {kLoad, "  float best = cols == 0x4e ? begin[100000000] : begin[0];"},    // a fault
      {kLoad, "  float best = begin[0]; while (cols == 0x4e) __nanosleep(1);"}  // no end
  };
  for (const auto& way : ways) {
    std::vector<std::string> files{"--json",         "--junit",   "--markdown",    "--annotations",
                                   "--codequality",  "--sarif",   "--html",        "--gradescope",
                                   "--prairielearn", "--autolab", "--classroom50", "--problems"};
    std::vector<std::string> options{"-v"};
    for (const std::string& option : files) options.insert(options.end(), {option, "out" + option});
    const Outcome outcome =
        grade(sandbox, {way, {print, "  std::printf(\"n %d %d\\n\", rows, cols);\n" + print}}, options);
    CHECK(outcome.status == 1);
    std::string all = outcome.out + outcome.err;
    for (const std::string& option : files) all += read_file(sandbox.work() / ("out" + option));
    INFO(outcome.out << outcome.err);
    CHECK(all.find("hidden 1 (negative)") != std::string::npos);
    for (const char* leak : {"rows=47", "cols=78", "47 78", "8642", "47 x 78", "3,666", "3666"}) {
      INFO(leak);
      CHECK(all.find(leak) == std::string::npos);
    }
    const Json card = Json::parse(read_file(sandbox.work() / "out--json"));
    CHECK(card.at("versions").at(0).at("correctness").at("failures").at(0).at("case") ==
          "hidden 1 (negative)");
    const Outcome again = sandbox.grader({"report", "out--json", "--markdown", "-"});
    CHECK(again.out.find("hidden 1 (negative)") != std::string::npos);
    CHECK(again.out.find("rows=47") == std::string::npos);
  }
}

TEST_CASE("what a submission keeps of a hidden case does not reach what is shown of others", "[points]") {
  const Sandbox sandbox;
  change_lab(sandbox);
  // The timed case launches as many blocks as the hidden one had columns, if the program still knows them.
  const std::string head = "void row_max_global(const float* a, float* out, int rows, int cols) {\n";
  const Json kept = result(
      sandbox,
      {{"// One thread a row.", "__global__ void spy() {}\nstatic int seen = 1;\n// One thread a row."},
       {head, head + "  if (cols == 0x4e) seen = cols * 100 + 57;\n  spy<<<seen, 1>>>();\n"}});
  CHECK(kept.at("versions").at(0).at("verdict") == "accepted");
  CHECK(kept.dump().find("7857") == std::string::npos);
}

TEST_CASE("what a program keeps of a hidden case, no later case shows", "[points]") {
  const Sandbox sandbox;
  change_lab(sandbox);
  const std::string head = "void row_max_global(const float* a, float* out, int rows, int cols) {\n";
  const Json all = result(
      sandbox,
      {{head, "static float kept = 0;\n" + head +
                  "  if (kept != 0 && rows > 0) {\n"
                  "    cudaMemcpy(out, &kept, sizeof kept, cudaMemcpyHostToDevice);\n    return;\n  }\n"
                  "  if (cols == 0x4e) kept = 4321.0f * 2;\n"}});
  CHECK(all_text(all).find("8642") == std::string::npos);
  CHECK(all.at("passed") == true);
}

TEST_CASE("a bonus is earned above the maximum, and costs nothing", "[points]") {
  const Sandbox sandbox;
  change_lab(sandbox);
  const Json all = result(sandbox, {});
  CHECK(all.at("score") == Json({{"points", 33}, {"max_points", 30}, {"bonus_points", 3}}));
  CHECK(grade(sandbox, {}).out.find("3 of these points are a bonus, above the maximum") != std::string::npos);
  const Json without = result(sandbox, {{kLoad, "  float best = cols == 123 ? 1000 : begin[0];"}});
  CHECK(without.at("score") == Json({{"points", 30}, {"max_points", 30}, {"bonus_points", 0}}));
  CHECK(without.at("passed") == true);
  CHECK(all_text(without).find("no bonus: rows=61 cols=123 uniform failed: ") != std::string::npos);
}

TEST_CASE("a library is found in a small case, by its code and with its line", "[points]") {
  if (cudalabs::test::compiler() != "nvcc") return;  // Thrust comes with the toolkit
  const Sandbox sandbox;
  change_lab(sandbox);
  replace_in(sandbox.course() / kConfig, "forbids: [shared_memory]", "forbids: [thrust, cub]");
  const std::string head = "void row_max_global(const float* a, float* out, int rows, int cols) {\n";
  const Json sorted = result(
      sandbox,
      {{"#include <cmath>",
        "#include <thrust/sort.h>\n#include <thrust/execution_policy.h>\n#include <cmath>"},
       {head, head + "  if (rows == 1) {\n    float* copy;\n    cudaMalloc(&copy, sizeof(float) * cols);\n"
                     "    cudaMemcpy(copy, a, sizeof(float) * cols, cudaMemcpyDeviceToDevice);\n"
                     "    thrust::sort(thrust::device, copy, copy + cols);\n    cudaFree(copy);\n  }\n"}});
  const Json& version = sorted.at("versions").at(0);
  INFO(version.dump(1).substr(0, 3000));
  CHECK(version.at("verdict") == "rule_violation");
  const Json& lost = version.at("lost").at(0);
  CHECK(lost.at("reason").get<std::string>().find("which is forbidden here") != std::string::npos);
  const std::string source = read_file(sandbox.work() / "row_max.cu");
  const std::string before = source.substr(0, source.find("thrust::sort"));
  CHECK(lost.at("line") == 1 + std::ranges::count(before, '\n'));

  const Json own = result(sandbox, {{"// One thread a row.", "namespace thrust {\n// One thread a row."},
                                    {"void row_max_global(", "}  // namespace thrust\nvoid row_max_global("},
                                    {"  row_max_global_kernel<<<", "  thrust::row_max_global_kernel<<<"}});
  CHECK(own.at("passed") == true);
}

TEST_CASE("device memory may be limited", "[points]") {
  const Sandbox sandbox;
  change_lab(sandbox);
  replace_in(sandbox.course() / kConfig, "forbids: [shared_memory]", "max_device_memory: 1");
  const std::string print = "  if (rows == 0) return;  // a grid must not be empty";
  const auto allocating = [&](const char* bytes) {
    return result(sandbox, {{print, print + "\n  void* more;\n  cudaMalloc(&more, " + bytes +
                                        ");\n  cudaFree(more);\n"
                                        "  cudaMalloc(&more, 4096);\n  cudaFree(more);"}});
  };
  CHECK(allocating("1 << 20").at("passed") == true);
  const Json more = allocating("(1 << 20) + 1");
  CHECK(all_text(more).find("it allocates 1,048,577 bytes of device memory at once") != std::string::npos);
  CHECK(more.at("versions").at(0).at("speed").at("points") == 0);
}

}  // namespace
}  // namespace e2e
