// The documents of a grading with the real grader: they are rewritten after each version, and always complete
// or missing, however the grading ends.

#include <unistd.h>

#include <fstream>
#include <map>
#include <set>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::map<std::string, std::string> kFiles{
    {"--json", "result.json"},         {"--junit", "junit.xml"},      {"--markdown", "summary.md"},
    {"--annotations", "commands.txt"}, {"--codequality", "cq.json"},  {"--gradescope", "gs.json"},
    {"--html", "page.html"},           {"--prairielearn", "pl.json"}, {"--autolab", "autolab.txt"},
    {"--classroom50", "c50.json"},     {"--sarif", "losses.sarif"},   {"--problems", "losses.txt"}};

/// The formats whose points points_in() can read.
const std::set<std::string> kScored{"--json",         "--markdown", "--gradescope",
                                    "--prairielearn", "--autolab",  "--classroom50"};

std::vector<std::string> with_files(std::vector<std::string> words) {
  for (const auto& [option, file] : kFiles) words.insert(words.end(), {option, file});
  return words;
}

std::string reference() {
  return read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The points in a folder's documents, by option; checks that each document is complete. Missing documents
/// are left out.
std::map<std::string, double> points_in(const fs::path& folder) {
  std::map<std::string, double> points;
  for (const auto& [option, file] : kFiles) {
    if (!fs::exists(folder / file)) continue;
    const std::string text = read_file(folder / file);
    INFO(file << ": " << text);
    if (option == "--junit") {
      CHECK(text.ends_with("</testsuites>\n"));
      points[option] = 0;
    } else if (option == "--markdown") {
      CHECK(text.ends_with("\n"));
      double value = 0;
      CHECK(std::sscanf(text.c_str(), "### lab3 variant4: %lf of 100 points\n", &value) == 1);
      points[option] = value;
    } else if (option == "--html") {
      CHECK(text.ends_with("</html>\n"));
      points[option] = 0;
    } else if (option == "--annotations" || option == "--problems") {
      CHECK((text.empty() || text.ends_with("\n")));
      points[option] = 0;
    } else {
      const Json json = Json::parse(text, nullptr, false);
      REQUIRE_FALSE(json.is_discarded());
      double value = 0;
      if (option == "--json") value = json.at("score").at("points");
      if (option == "--gradescope" || option == "--classroom50") value = json.at("score");
      if (option == "--prairielearn") value = 100 * json.at("score").get<double>();
      if (option == "--autolab")
        for (const auto& [problem, score] : json.at("scores").items()) value += score.get<double>();
      points[option] = value;
    }
  }
  return points;
}

/// Starts a grading that writes all documents, and sends it a signal when the shell script `until` has ended.
void interrupt_grading(const Sandbox& sandbox, const std::string& signal, const std::string& until) {
  std::string line = "\"$0\" \"$@\" >/dev/null 2>&1 & pid=$!; " + until + "; kill -" + signal +
                     " $pid 2>/dev/null; wait $pid";
  std::vector<std::string> words{"bash", "-c", line, std::string(CUDALABS_BIN) + "/grader"};
  for (const std::string& word : with_files({"lab3", "variant4", "--seed", "7", "--device", "simulator"}))
    words.push_back(word);
  (void)cudalabs::test::run(
      {.words = words,
       .folder = sandbox.work(),
       .environment = {{"CUDA_LABS_COURSE", sandbox.course().string()},
                       {"XDG_CACHE_HOME", (fs::path(CUDALABS_BIN).parent_path() / "e2e-cache").string()}},
       .seconds = 60});
}

void remove_files(const Sandbox& sandbox) {
  for (const auto& [option, file] : kFiles) fs::remove(sandbox.work() / file);
}

}  // namespace

TEST_CASE("every document is written, and a stored result gives the same ones", "[reports]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", reference());
  const Outcome graded =
      sandbox.grader(with_files({"lab3", "variant4", "--seed", "7", "--device", "simulator"}));
  INFO(graded.err);
  CHECK(graded.status == 0);
  CHECK(graded.out.find("lab3 variant4: Maximum of each row") == 0);
  CHECK(graded.left_behind == std::vector<std::string>{});
  const auto points = points_in(sandbox.work());
  REQUIRE(points.size() == kFiles.size());
  for (const auto& [option, value] : points)
    if (kScored.contains(option)) CHECK(value == Approx(100));

  for (const auto& [option, file] : kFiles) {
    const Outcome again = sandbox.grader({"report", "result.json", option, "-"});
    CHECK(again.status == 0);
    CHECK(again.err.empty());
    // A page shows the source and the reference's counters, which a stored result does not contain.
    if (option == "--html")
      CHECK(again.out.ends_with("</html>\n"));
    else
      CHECK(again.out == read_file(sandbox.work() / file));
  }

  // If one of them goes to stdout, nothing else does.
  const Outcome line = sandbox.grader(
      {"lab3", "variant4", "--seed", "7", "--device", "simulator", "--autolab", "-", "--json", "other.json"});
  CHECK(line.out == "{\"scores\":{\"global\":30.0,\"shared\":35.0,\"padded\":35.0}}\n");
  CHECK(Json::accept(read_file(sandbox.work() / "other.json")));
}

TEST_CASE("what cannot be written or read is told before anything is graded", "[reports]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", reference());
  sandbox.write("broken.json", "{\"schema\": \"grader/result/v1\"");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"lab3", "variant4", "--json", "-", "--junit", "-"},
       "grader: --json and --junit both write to stdout\n"},
      {{"lab3", "variant4", "--junit", "x", "--markdown", "./x"},
       "grader: --junit and --markdown both write to ./x\n"},
      {{"lab3", "variant4", "--gradescope", "no/such/x"}, "grader: --gradescope: cannot write no/such/x\n"},
      {{"lab3", "variant4", "--autolab", "."}, "grader: --autolab: . is a folder, not a file\n"},
      {{"report"}, "grader: grader report needs a result\n"},
      {{"report", "broken.json"}, "grader: grader report needs a report to write\n"},
      {{"report", "broken.json", "--junit", "-"}, "grader: broken.json:1:30: the JSON ends in the middle\n"},
      {{"report", "none.json", "--junit", "-"},
       "grader: cannot read 'none.json': No such file or directory\n"}};
  for (const auto& [words, said] : cases) {
    const Outcome outcome = sandbox.grader(words);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.substr(0, said.size()) == said);
  }
}

TEST_CASE("links are followed, and what is no file is written in place", "[reports]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", reference());
  sandbox.write("real/result.json", "old");
  fs::create_symlink("real/result.json", sandbox.work() / "link.json");
  const Outcome outcome =
      sandbox.grader({"lab3", "variant4", "--version", "global", "--device", "simulator", "-q", "--json",
                      "link.json", "--markdown", "/dev/stderr", "--junit", "/dev/null"});
  CHECK(outcome.status == 0);
  CHECK(fs::is_symlink(sandbox.work() / "link.json"));
  CHECK(Json::accept(read_file(sandbox.work() / "real/result.json")));
  CHECK(outcome.err.find("### lab3 variant4: 30 of 30 points\n") != std::string::npos);
  CHECK(fs::is_character_file("/dev/null"));

  // A new file in /dev is also written in place.
  if (!fs::is_directory("/dev/shm")) return;
  const fs::path made = "/dev/shm/cuda-labs-" + std::to_string(::getpid()) + ".json";
  CHECK(
      sandbox
          .grader({"lab3", "variant4", "--version", "global", "--device", "simulator", "-q", "--json", made})
          .status == 0);
  CHECK(Json::accept(read_file(made)));
  fs::remove(made);
}

TEST_CASE("whoever is killed leaves whole documents with no more points than were earned", "[reports]") {
  const Sandbox sandbox;
  // The first version is right and the second takes seconds, during which the documents of the first exist.
  sandbox.write("row_max.cu",
                replaced(reference(), "void row_max_shared(",
                         "#include <time.h>\nstatic void wait_a_while() { for (timespec t{3, 0};;) "
                         "nanosleep(&t, nullptr); }\nvoid row_max_shared("));
  std::string slow = read_file(sandbox.work() / "row_max.cu");
  const std::size_t body = slow.find('{', slow.find("void row_max_shared("));
  sandbox.write("row_max.cu", slow.insert(body + 1, "wait_a_while();"));
  for (const std::string signal : {"KILL", "TERM"}) {
    INFO(signal);
    remove_files(sandbox);
    sandbox.write("result.json", "of another grading");
    interrupt_grading(sandbox, signal,
                      "until grep -q pending result.json 2>/dev/null; do sleep 0.01; done; sleep 0.5");
    const auto points = points_in(sandbox.work());
    REQUIRE(points.size() == kFiles.size());
    for (const auto& [option, value] : points)
      if (kScored.contains(option)) CHECK(value == Approx(30));
    const Json result = Json::parse(read_file(sandbox.work() / "result.json"));
    CHECK(result.at("complete") == false);
    CHECK(result.at("score").at("max_points") == 100);
    std::vector<std::string> verdicts;
    for (const Json& version : result.at("versions")) verdicts.push_back(version.at("verdict"));
    CHECK(verdicts == std::vector<std::string>{"accepted", "pending", "pending"});
    CHECK(sandbox.grader({"report", "result.json", "--gradescope", "-"}).out ==
          read_file(sandbox.work() / "gs.json"));
  }

  // Interrupts at any moment: some time after one of the documents appears, however slow the machine is.
  sandbox.write("row_max.cu", reference());
  std::size_t most = 0;
  int moment = 0;
  for (const auto& [option, file] : kFiles) {
    remove_files(sandbox);
    interrupt_grading(sandbox, moment % 3 == 2 ? "TERM" : "KILL",
                      "until [ -e " + file + " ]; do :; done; sleep 0.0" + std::to_string(moment));
    const auto points = points_in(sandbox.work());
    CHECK_FALSE(points.empty());
    for (const auto& [scored, value] : points) CHECK(value <= 100);
    most = std::max(most, points.size());
    ++moment;
  }
  CHECK(most == kFiles.size());
}

TEST_CASE("where the machine fails there is no score, also none of what was graded before", "[reports]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", reference());
  const fs::path theirs = sandbox.course() / "reference/lab3/variant4/row_max.cu";
  std::string broken = reference();
  broken.insert(broken.find('{', broken.find("void row_max_padded(")) + 1, "__builtin_trap();");
  std::ofstream(theirs) << broken;
  const auto check = [&](const Outcome& outcome, const std::string& why) {
    INFO(outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find(why) != std::string::npos);
    for (const char* gone : {"result.json", "gs.json", "c50.json", "cq.json"})
      CHECK_FALSE(fs::exists(sandbox.work() / gone));
    CHECK(read_file(sandbox.work() / "autolab.txt") ==
          "{\"scores\":{\"global\":null,\"shared\":null,\"padded\":null}}\n");
    const Json learn = Json::parse(read_file(sandbox.work() / "pl.json"));
    CHECK(learn.at("gradable") == false);
    CHECK_FALSE(learn.contains("score"));
    CHECK(read_file(sandbox.work() / "junit.xml").find("<error message=\"could not be graded\">") !=
          std::string::npos);
    CHECK(read_file(sandbox.work() / "summary.md").find("### lab3 variant4: could not be graded\n") == 0);
    CHECK(read_file(sandbox.work() / "commands.txt")
              .find("::error title=lab3 variant4 could not be graded::") == 0);
  };
  check(sandbox.grader(with_files({"lab3", "variant4", "--device", "simulator"})),
        "running the reference solution's `padded`");
  for (const auto& [option, file] : kFiles) sandbox.write(file, "of another grading");
  check(sandbox.grader(with_files({"lab3", "variant4", "--require-sandbox"}),
                       {{"CUDA_LABS_SANDBOX", "landlock"}}),
        "--require-sandbox needs bubblewrap, but this machine offers");
}

TEST_CASE("The page of a version with bank conflicts shows them lane by lane", "[reports]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu",
                replaced(reference(), "float tile[tile_size][pitch]", "float tile[tile_size][32]"));
  REQUIRE(sandbox.grader({"lab3", "variant4", "--seed", "1", "--html", "page.html"}).status == 1);
  const std::string page = read_file(sandbox.work() / "page.html");
  const std::size_t lost = page.find("1,015,808 bank conflicts");
  REQUIRE(lost != std::string::npos);
  CHECK(page.find("lane 31", lost) != std::string::npos);
  CHECK(page.find("turn 32", lost) != std::string::npos);
}

}  // namespace e2e
