// The history that gradings write for `grader history`.

#include <fstream>
#include <regex>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

using Environment = std::map<std::string, std::string>;

Environment remembering(const Sandbox& sandbox) {
  return {{"XDG_STATE_HOME", (sandbox.work() / "state").string()},
          {"CUDA_LABS_HISTORY", ""},
          {"CI", ""},
          {"TZ", "UTC"}};
}
fs::path file_of(const Sandbox& sandbox) { return sandbox.work() / "state/cuda-labs/history.jsonl"; }

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// Removes what differs between runs and compilers: the time, and the compiler's words for an #error.
std::string without_times(const std::string& text) {
  const std::string timeless = std::regex_replace(text, std::regex(R"(\d{4}-\d\d-\d\d \d\d:\d\d)"), "TIME");
  return std::regex_replace(timeless, std::regex("#error "), "");
}

}  // namespace

TEST_CASE("gradings are remembered, and what came and went is told", "[reports]") {
  const Sandbox sandbox;
  const Environment environment = remembering(sandbox);
  const std::vector<std::string> grading{"lab3", "variant4", "--seed", "7", "--device", "simulator", "-q"};

  const Outcome none = sandbox.grader({"history"}, environment);
  CHECK(none.status == 0);
  CHECK(none.out ==
        "No grading is recorded here. `grader LAB VARIANT` and `grader watch LAB VARIANT` add one each.\n");

  const std::string right = read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu");
  sandbox.write("row_max.cu", "#error not yet\n" + right);
  CHECK(sandbox.grader(grading, environment).status == 1);
  sandbox.write("row_max.cu", right);
  CHECK(sandbox.grader(grading, environment).status == 0);
  CHECK(sandbox.grader(grading, environment).status == 0);
  // Nothing is written if it is off or in CI.
  Environment off = environment, ci = environment;
  off["CUDA_LABS_HISTORY"] = "off";
  ci["CI"] = "true";
  CHECK(sandbox.grader(grading, off).status == 0);
  CHECK(sandbox.grader(grading, ci).status == 0);
  CHECK(lines_of(read_file(file_of(sandbox))) == 3);
  CHECK((fs::status(file_of(sandbox)).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
        fs::perms::none);

  const Outcome shown = sandbox.grader({"history", "lab3", "variant4"}, environment);
  CHECK(shown.status == 0);
  CHECK(shown.err.empty());
  CHECK(without_times(shown.out) == R"(lab3 variant4  ▁██
TIME  0 of 100 points
  global  0 compile error
  shared  0 compile error
  padded  0 compile error
TIME  0 -> 100
  global  0 compile error -> 30 accepted
  shared  0 compile error -> 35 accepted
  padded  0 compile error -> 35 accepted
    gone: global, shared, padded: the file does not compile: not yet
TIME  100, as before
)");
  CHECK(without_times(sandbox.grader({"history", "lab3/variant4", "--last", "1"}, environment).out) ==
        R"(lab3 variant4  ▁██
(2 earlier ones are not shown: --last 3)
TIME  100 of 100 points
  global  30 accepted
  shared  35 accepted
  padded  35 accepted
)");
  CHECK(without_times(sandbox.grader({"history"}, environment).out) ==
        "lab3 variant4  TIME  100 of 100 points, best 100, 3 gradings  ▁██\n");
  const auto json = nlohmann::json::parse(sandbox.grader({"history", "--json"}, environment).out);
  REQUIRE(json.size() == 3);
  CHECK(json[0].at("points") == 0);
  CHECK(json[1].at("versions")[2].at("name") == "padded");
  CHECK(json[1].at("versions")[2].at("speedup") > 0);

  // A damaged line is reported and has no other effect.
  std::ofstream(file_of(sandbox), std::ios::app) << "{\"schema\": 5}\nno JSON at all\n";
  const Outcome damaged = sandbox.grader({"history"}, environment);
  CHECK(damaged.err == file_of(sandbox).string() + ": 2 unreadable lines are ignored\n");
  CHECK(without_times(damaged.out) == "lab3 variant4  TIME  100 of 100 points, best 100, 3 gradings  ▁██\n");
}

TEST_CASE("a history compares like with like", "[reports]") {
  const Sandbox sandbox;
  const Environment environment = remembering(sandbox);
  const std::string right = read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu");
  const auto with_best = [&](const std::string& value) {
    std::string text = right;
    const std::string first = "float best = begin[0];";
    text.replace(text.find(first), first.size(), "float best = " + value + ";");
    sandbox.write("row_max.cu", text);
  };
  const auto grade = [&](const std::string& seed, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"lab3", "variant4", "--seed", seed, "--device", "simulator", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    CHECK(sandbox.grader(words, environment).status <= 1);
  };
  with_best("begin[0]");
  grade("7");
  grade("7", {"--version", "padded"});
  grade("8", {"--version", "padded"});
  with_best("0");  // fails some cases in `global`
  grade("7");
  grade("9");  // other inputs: other values, the same cause
  grade("7", {"--device-profile", "h100"});
  const std::string shown = without_times(sandbox.grader({"history", "lab3", "variant4"}, environment).out);
  INFO(shown);
  // One version is compared with itself, and is no fall from 100 to 35.
  CHECK(shown.find("TIME  only padded  35, as before\nTIME  only padded  35, as before\n") !=
        std::string::npos);
  CHECK(shown.find("100 -> 35") == std::string::npos);
  CHECK(shown.find("35 -> ") == std::string::npos);
  const auto fall = shown.find("TIME  100 -> ");
  REQUIRE(fall != std::string::npos);
  CHECK(shown.find("  global  30 accepted -> ", fall) != std::string::npos);
  CHECK(shown.find("    new: global: ", fall) != std::string::npos);
  // Neither other values nor other numbers of cases are news.
  CHECK(shown.find("new: ", shown.find("new: ", fall) + 1) == std::string::npos);
  CHECK(shown.find("gone:") == std::string::npos);
  CHECK(shown.find("_") == std::string::npos);  // words, not ids
  CHECK(shown.find("times of h100 instead of a100") != std::string::npos);
  // Only gradings of all versions are in the curve and in the overview.
  const std::string overview = without_times(sandbox.grader({"history"}, environment).out);
  CHECK(overview.find("best 100, 6 gradings  █▆▆▆\n") != std::string::npos);
}

TEST_CASE("a history that cannot be kept stops no grading", "[reports]") {
  const Sandbox sandbox;
  const Environment environment = remembering(sandbox);
  sandbox.write("row_max.cu", "#error not yet\n");
  const std::vector<std::string> grading{"lab3", "variant4", "--seed", "7", "--device", "simulator", "-q"};
  // A link to another file is not followed, and a special file is left alone.
  sandbox.write("other.txt", "mine\n");
  fs::create_directories(file_of(sandbox).parent_path());
  fs::permissions(file_of(sandbox).parent_path(), fs::perms::owner_all);
  fs::create_symlink(sandbox.work() / "other.txt", file_of(sandbox));
  CHECK(sandbox.grader(grading, environment).status == 1);
  CHECK(read_file(sandbox.work() / "other.txt") == "mine\n");
  fs::remove(file_of(sandbox));
  fs::create_directory(file_of(sandbox));
  const Outcome outcome = sandbox.grader(grading, environment);
  CHECK(outcome.status == 1);
  CHECK(outcome.out == "lab3 variant4: 0 of 100 points\n");
  CHECK(sandbox.grader({"history"}, environment).status == 3);
  // If the file is too large, its older half is removed, in whole lines.
  fs::remove(file_of(sandbox));
  {
    std::ofstream file(file_of(sandbox));
    for (int i = 0; i < (16 << 20) / 1024; ++i) file << std::string(1023, 'x') << '\n';
  }
  CHECK(sandbox.grader(grading, environment).status == 1);
  const std::string kept = read_file(file_of(sandbox));
  CHECK(kept.size() < (9 << 20));
  CHECK(kept.starts_with(std::string(1023, 'x') + "\n"));
  CHECK(kept.find("grader/result/v1") != std::string::npos);
}

TEST_CASE("what is asked of a history wrongly is told", "[reports]") {
  const Sandbox sandbox;
  const Environment environment = remembering(sandbox);
  const Outcome last = sandbox.grader({"history", "--last", "0"}, environment);
  CHECK(last.status == 2);
  CHECK(last.err == "grader: --last must be a number from 1, not '0'\n");
  const Outcome student = sandbox.grader({"history", "--student", "4711"}, environment);
  CHECK(student.status == 2);
  CHECK(student.err ==
        "grader: --class and --student must be given together, and without a lab\n"
        "  hint: for example: grader history --class lab3 --student 4711\n");
}

}  // namespace e2e
