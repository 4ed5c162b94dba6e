// --log, --log-file and --stats of the real binary: they write to stderr or a file and change nothing else.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/grader.h"

namespace {

namespace fs = std::filesystem;
using e2e::Outcome;
using e2e::Sandbox;
using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

/// A program whose kernel and whose own output hold what must not reach a log's reader.
constexpr const char* kHostile = R"cuda(
#include <cstdio>
__global__ void scale(float* x) { x[threadIdx.x] *= 2; }
int main() {
  float* x;
  cudaMalloc(&x, 4096);
  scale<<<1, 32>>>(x);
  std::printf("ended with %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x + 1);
}
)cuda";

const fs::path kGraded = fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu";

Outcome graded(const Sandbox& sandbox, Words more, const Environment& environment = {}) {
  Words words = {"lab3", "variant4", "--submission", "row_max.cu", "--seed",
                 "7",    "--device", "simulator",    "--version",  "global"};
  words.insert(words.end(), more.begin(), more.end());
  return sandbox.grader(words, environment);
}

/// The lines of a log of this stage.
std::size_t lines_of(const std::string& log, const std::string& stage) {
  const std::regex line(R"((^|\n)\d\d:\d\d:\d\d\.\d{3} \d+ (error|warning|info|debug|trace) +)" + stage +
                        " ");
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(log.begin(), log.end(), line), std::sregex_iterator()));
}

/// Without what differs from run to run.
std::string steady(std::string text) {
  return std::regex_replace(text, std::regex(R"(\d+\.\d+ s\b)"), "T s");
}

}  // namespace

TEST_CASE("a log and --stats change neither the card nor the result") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", e2e::read_file(kGraded));
  const Outcome plain = graded(sandbox, {"--json", "plain.json"});
  REQUIRE(plain.status == 0);
  const Outcome logged = graded(sandbox, {"--json", "logged.json", "--log", "trace", "--stats"});
  CHECK(logged.status == 0);
  CHECK(steady(logged.out) == steady(plain.out));
  const auto result = [&](const char* file) {
    nlohmann::json json = nlohmann::json::parse(e2e::read_file(sandbox.work() / file));
    json.erase("nondeterministic");
    return json;
  };
  CHECK(result("logged.json") == result("plain.json"));
  // Without the log and the table stderr is the same, too.
  for (const char* stage : {"course", "compile", "run", "compare", "score", "device", "wire", "cache"}) {
    INFO(stage);
    CHECK(lines_of(plain.err, stage) == 0);
    CHECK(lines_of(logged.err, stage) > 0);
  }
  CHECK(logged.err.find("client -> device  Launch module=") != std::string::npos);
  CHECK(logged.err.find("client <- device  Launch success") != std::string::npos);
  CHECK(std::regex_search(
      logged.err, std::regex(R"(grader <- device  CallEntry #\d+ ok outcome=\d+ bytes, \d+\.\d{3} ms)")));
  CHECK(logged.left_behind.empty());
}

TEST_CASE("stages are chosen by name, by option or variable, and go to a file") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", e2e::read_file(kGraded));
  (void)graded(sandbox, {});  // runs the reference, once
  const std::string plain = graded(sandbox, {}).err;
  const Outcome one = graded(sandbox, {"--log", "score=info"});
  CHECK(lines_of(one.err, "score") == 3);  // of each version
  CHECK(lines_of(one.err, "[a-z]+") == 3);
  CHECK(one.err.find("global: accepted, ") != std::string::npos);
  const Outcome by_variable = graded(sandbox, {}, {{"CUDA_LABS_LOG", "score=info,run=info"}});
  CHECK(lines_of(by_variable.err, "score") == 3);
  CHECK(lines_of(by_variable.err, "run") > 0);
  // The option goes over the variable, stage by stage.
  const Outcome both = graded(sandbox, {"--log", "run=off"}, {{"CUDA_LABS_LOG", "score=info,run=info"}});
  CHECK(lines_of(both.err, "score") == 3);
  CHECK(lines_of(both.err, "run") == 0);
  const Outcome to_file = graded(sandbox, {"--log", "device=debug", "--log-file", "grading.log"});
  CHECK(to_file.err == plain);
  const std::string log = e2e::read_file(sandbox.work() / "grading.log");
  CHECK(lines_of(log, "device") > 0);
  CHECK(log.find("debug   device    launched ") != std::string::npos);
  // In front of the command, too.
  CHECK(lines_of(sandbox.grader({"--log", "course=info", "list", "lab3", "variant4", "--files"}).err,
                 "course") == 1);
}

TEST_CASE("a wrong level, stage or file is told before anything runs") {
  const Sandbox sandbox;
  const auto refused = [&](Words words, const Environment& environment = {}) {
    const Outcome outcome = sandbox.grader(words, environment);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(
      refused({"list", "--log", "wrie=trace"})
          .starts_with(
              "grader: --log names no stage: 'wrie'; did you mean 'wire'?\n  hint: the stages are course, "));
  CHECK(refused({"list", "--log", "loud"}).starts_with("grader: --log names no level: 'loud'"));
  CHECK(refused({"list", "--log", "run"}) == "grader: --log gives stage 'run' no level: write run=debug\n");
  CHECK(refused({"list"}, {{"CUDA_LABS_LOG", "run=lots"}})
            .starts_with("grader: $CUDA_LABS_LOG names no level: 'lots'"));
  CHECK(refused({"list", "--log", "info", "--log-file", "."}).find(" cannot be written: ") !=
        std::string::npos);
  const std::string russian = refused({"list", "--language", "ru", "--log", "wrie=trace"});
  CHECK(russian.find("--log не называет этапа: 'wrie'") != std::string::npos);
}

TEST_CASE("a program's own bytes stay on their line of a log") {
  const Sandbox sandbox;
  sandbox.write("hostile.cu", kHostile);
  // The argument is the program's, and the name of its file is ours to log.
  const Outcome plain = sandbox.grader({"run", "hostile.cu", "--device", "simulator"});
  const Outcome outcome = sandbox.grader(
      {"run", "hostile.cu", "--device", "simulator", "--log", "trace", "--log-file", "log", "--", "\033[2J"});
  CHECK(outcome.out == plain.out);
  CHECK(outcome.err == plain.err);
  CHECK(outcome.status == plain.status);
  const std::string log = e2e::read_file(sandbox.work() / "log");
  INFO(log);
  CHECK(log.find("client -> device  Launch module=1 kernel=0 grid=1x1x1 block=32x1x1") != std::string::npos);
  CHECK(log.find("launched ") != std::string::npos);
  CHECK(log.find("client <- device  Free cudaErrorInvalidValue") != std::string::npos);
  CHECK(std::ranges::none_of(log, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }));
}

TEST_CASE("--stats prints a table of steps with their counts, averages and totals") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", e2e::read_file(kGraded));
  const Outcome outcome = graded(sandbox, {"--quiet", "--stats"});
  INFO(outcome.err);
  CHECK(outcome.out == "lab3 variant4: 30 of 30 points\n");
  std::istringstream lines(outcome.err.substr(outcome.err.find("step ")));
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(std::regex_match(line, std::regex("step +count  average \\(ms\\)  total \\(ms\\)")));
  const std::size_t width = line.size();
  std::map<std::string, std::pair<long, double>> steps;
  while (std::getline(lines, line)) {
    INFO(line);
    std::smatch parts;
    CHECK(line.size() == width);
    REQUIRE(std::regex_match(line, parts, std::regex(R"((\S.*\S) +(\d+) +(\d+\.\d{3}) +(\d+\.\d))")));
    const long count = std::stol(parts[2]);
    const double average = std::stod(parts[3]), total = std::stod(parts[4]);
    CHECK(std::abs(average * static_cast<double>(count) - total) < 0.06 + 0.001 * static_cast<double>(count));
    steps[parts[1]] = {count, total};
  }
  CHECK(steps["read the lab"].first == 1);
  CHECK(steps["build the submission"].first >= 1);
  CHECK(steps["score"].first == 1);
  CHECK(steps["start a device process"].first >= 1);
  CHECK(steps["run a case"].first > 3);
  CHECK(steps["call an entry"].first >= steps["run a case"].first);
  CHECK(steps["the whole command"].first == 1);
  for (const auto& [name, step] : steps) CHECK(step.second <= steps["the whole command"].second + 0.1);
}

TEST_CASE("a class's table has the times of its workers, and its log their lines") {
  const Sandbox sandbox;
  const std::string reference =
      e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference/lab1/variant1/table.cu");
  sandbox.write("class/alice/table.cu", reference);
  sandbox.write("class/bob/table.cu", reference + "// mine\n");
  const Outcome outcome =
      sandbox.grader({"batch", "lab1", "variant1", "class", "--out", "out", "--jobs", "1", "--seed", "7",
                      "--device", "simulator", "--stats", "--log", "classroom=info"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(std::regex_search(outcome.err, std::regex(R"(\ngrade a submission +2 )")));
  CHECK(std::regex_search(outcome.err, std::regex(R"(\nread what was handed in +1 )")));
  CHECK(std::regex_search(outcome.err, std::regex(R"(\nscore +[2-9])")));
  // Each submission: one line of the worker, one of the batch, from two processes.
  CHECK(lines_of(outcome.err, "classroom") == 4);
}
