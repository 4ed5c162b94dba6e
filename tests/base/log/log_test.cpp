#include "grader/base/log/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;
using logging::Level;
using logging::Levels;
using logging::Stage;

namespace {

Level of(const Levels& levels, Stage stage) { return levels[static_cast<std::size_t>(stage)]; }

std::string problem_of(const std::string& text) {
  const auto levels = logging::read_levels(text, "--log");
  return levels ? "none" : levels.problem().text();
}

/// Logs into a file while it lives, and turns the log off at its end.
class LogInFile {
 public:
  explicit LogInFile(const std::string& levels) {
    REQUIRE(logging::start(*logging::read_levels(levels, "--log"), (folder_.path() / "log").string()));
  }
  ~LogInFile() { logging::start(Levels{}, STDERR_FILENO); }
  LogInFile(const LogInFile&) = delete;
  LogInFile& operator=(const LogInFile&) = delete;
  [[nodiscard]] std::string text() const { return test::read_file(folder_.path() / "log"); }

 private:
  test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("levels are one for all stages, or one a stage, from left to right") {
  const auto all = logging::read_levels("debug", "--log");
  REQUIRE(all);
  for (const Level level : *all) CHECK(level == Level::Debug);
  const auto two = logging::read_levels("run=debug,wire=trace", "--log");
  REQUIRE(two);
  CHECK(of(*two, Stage::Run) == Level::Debug);
  CHECK(of(*two, Stage::Wire) == Level::Trace);
  CHECK(of(*two, Stage::Score) == Level::Off);
  const auto mixed = logging::read_levels("info,run=off,", "--log", *two);
  REQUIRE(mixed);
  CHECK(of(*mixed, Stage::Run) == Level::Off);
  CHECK(of(*mixed, Stage::Wire) == Level::Info);
  CHECK(*logging::read_levels("", "--log", *two) == *two);
  for (const Levels& levels : {*all, *two, *mixed, Levels{}})
    CHECK(*logging::read_levels(logging::spelling(levels), "--log") == levels);
  CHECK(logging::spelling(*two) == "run=debug,wire=trace");
}

TEST_CASE("a stage or a level that does not exist is named, with those that do") {
  CHECK(problem_of("debgu") ==
        "--log names no level: 'debgu'; did you mean 'debug'?\n"
        "  hint: the levels are off, error, warning, info, debug, trace; a stage takes one "
        "of its own, as in run=debug,wire=trace");
  CHECK(problem_of("rnu=debug")
            .starts_with("--log names no stage: 'rnu'; did you mean 'run'?\n  hint: the stages are course, "
                         "compile, run, compare, "
                         "explain, score, device, wire, cache, classroom"));
  CHECK(problem_of("run=").starts_with("--log names no level: ''"));
  CHECK(problem_of("=debug").starts_with("--log names no stage: ''"));
  CHECK(problem_of("run") == "--log gives stage 'run' no level: write run=debug");
  CHECK(problem_of("run=debug=trace").starts_with("--log names no level: 'debug=trace'"));
  CHECK(problem_of("Debug").starts_with("--log names no level: 'Debug'; did you mean 'debug'?"));
}

TEST_CASE("a line has its time, process, level and stage, and only wanted lines are made") {
  const LogInFile log("info,run=debug,wire=off");
  int made = 0;
  const auto text = [&made] {
    ++made;
    return std::string("something");
  };
  logging::debug(Stage::Run, text);
  logging::trace(Stage::Run, text);
  logging::info(Stage::Score, text);
  logging::debug(Stage::Score, text);
  logging::warning(Stage::Wire, text);
  CHECK(made == 2);
  CHECK(std::regex_match(log.text(), std::regex(R"(\d\d:\d\d:\d\d\.\d{3} \d+ debug   run       something
\d\d:\d\d:\d\d\.\d{3} \d+ info    score     something
)")));
}

TEST_CASE("nothing is made or written before a log is started, and after it is turned off") {
  { const LogInFile log("trace"); }
  for (std::size_t stage = 0; stage < logging::kStages.size(); ++stage) {
    CHECK_FALSE(logging::wants(static_cast<Stage>(stage), Level::Error));
    logging::write(static_cast<Stage>(stage), Level::Error, []() -> std::string {
      FAIL("a line that nobody wants is made");
      return {};
    });
  }
}

TEST_CASE("a student's bytes stay on their line") {
  const LogInFile log("trace");
  logging::trace(Stage::Run, [] {
    return std::string(
        "it printed: \033[2J\n12:00:00.000 1 error   score     30 of 30 points\r\xff {} {0} %v");
  });
  const std::string text = log.text();
  INFO(text);
  CHECK(std::ranges::count(text, '\n') == 1);
  CHECK(
      text.ends_with("run       it printed: \\x1b[2J\\n12:00:00.000 1 error   score     30 of 30 points\\x0d"
                     "\\xff {} {0} %v\n"));
  logging::trace(Stage::Run, [] { return std::string(100'000, 'x'); });
  CHECK(log.text().size() < text.size() + 8300);
  CHECK(log.text().ends_with("xxx...\n"));
}

TEST_CASE("a log is added to its file, and a file that cannot be written is named") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "log").string();
  std::ofstream(file) << "before\n";
  const Levels info = *logging::read_levels("info", "--log");
  REQUIRE(logging::start(info, file));
  CHECK(logging::file() == file);
  logging::info(Stage::Run, [] { return "after"; });
  logging::start(Levels{}, STDERR_FILENO);
  CHECK(logging::file().empty());
  CHECK(test::read_file(file).starts_with("before\n"));
  CHECK(test::read_file(file).ends_with("after\n"));
  const auto refused = logging::start(info, folder.path().string());
  REQUIRE_FALSE(refused);
  CHECK(refused.problem().text().starts_with("the log " + folder.path().string() + " cannot be written: "));
}

TEST_CASE("lines of another process keep their stage and level") {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "pipe";
  const int descriptor = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  REQUIRE(descriptor >= 0);
  logging::start_for_relay(*logging::read_levels("trace", "--log"), descriptor);
  logging::trace(Stage::Wire, [] { return std::string("Launch 'a\nb'"); });
  logging::start(Levels{}, STDERR_FILENO);
  ::close(descriptor);
  CHECK(test::read_file(file) == "trace wire Launch 'a\\nb'\n");

  const LogInFile log("trace,device=warning");
  logging::relay("trace wire Launch 'a\\nb'");
  logging::relay("debug device not wanted");
  // A device process that a submission has taken over writes no lines of other stages.
  for (const char* line : {"info score 30 of 30", "", "off wire x", "wire trace x", "\033[2J"})
    logging::relay(line);
  const std::string text = log.text();
  INFO(text);
  CHECK(text.find("trace   wire      Launch 'a\\nb'\n") != std::string::npos);
  CHECK(text.find("not wanted") == std::string::npos);
  CHECK(text.find("warning device    not a line of a log: info score 30 of 30\n") != std::string::npos);
  CHECK(text.find("warning device    not a line of a log: \\x1b[2J\n") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 6);
}
