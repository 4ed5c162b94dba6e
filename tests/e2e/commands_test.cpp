// The command line from a user's view: files that are no submissions, unknown names, the search for a
// submission, and the use of stdout and stderr.

#include <sys/stat.h>

#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kStub = read_file(fs::path(CUDALABS_SOURCE) / "student_templates/lab3/variant4/row_max.cu");

Outcome grade(const Sandbox& sandbox, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"lab3", "variant4", "--device", "simulator", "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return sandbox.grader(arguments);
}

/// Nothing on stdout, an explanation on stderr that contains `wanted`.
void check_error(const Outcome& outcome, int status, const std::string& wanted) {
  INFO("stderr: " << outcome.err);
  CHECK(outcome.status == status);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find(wanted) != std::string::npos);
  CHECK(outcome.left_behind == std::vector<std::string>{});
}

void check_usage_error(const Outcome& outcome, const std::string& wanted) { check_error(outcome, 2, wanted); }
/// What was handed in cannot be graded.
void check_no_submission(const Outcome& outcome, const std::string& wanted) {
  check_error(outcome, 4, wanted);
}

}  // namespace

TEST_CASE("less than bubblewrap is told whatever else is left out, and can be refused", "[cli]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", kStub);
  const std::map<std::string, std::string> weaker = {{"CUDA_LABS_SANDBOX", "landlock"}};
  const Outcome quiet = sandbox.grader({"lab3", "variant4", "--device", "simulator", "-q"}, weaker);
  CHECK(quiet.status == 1);
  CHECK(quiet.err.find("Sandbox: ") == 0);
  CHECK(quiet.err.find("--require-sandbox") != std::string::npos);
  const Outcome refused = sandbox.grader({"lab3", "variant4", "--require-sandbox"}, weaker);
  CHECK(refused.status == 3);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("grader: --require-sandbox needs bubblewrap, but this machine offers ") == 0);
  CHECK(refused.err.find("install bubblewrap and allow user namespaces") != std::string::npos);
}

TEST_CASE("what a path holds does not steer the terminal", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = "a\x1b[31mb\ngrader: forged";
  sandbox.write(fs::path(folder) / "row_max.cu", kStub);
  for (const char* last : {"row_max.cu", "nothing.cu"}) {
    const Outcome outcome = grade(sandbox, {"--submission", folder + "/" + last});
    CHECK(outcome.err.find('\x1b') == std::string::npos);
  }
  const Outcome graded = grade(sandbox, {"--submission", folder + "/row_max.cu"});
  CHECK(graded.status == 1);
  CHECK(graded.err.find("\ngrader: forged") == std::string::npos);
}

TEST_CASE("files that are no submission are told to whoever handed them in", "[cli]") {
  const Sandbox sandbox;
  const fs::path file = sandbox.work() / "row_max.cu";

  SECTION("nothing there") { check_no_submission(grade(sandbox), "row_max.cu"); }
  SECTION("a path that does not exist") {
    check_usage_error(grade(sandbox, {"--submission", "nowhere"}), "nowhere");
  }
  SECTION("two that may be it") {
    sandbox.write("row_maks.cu", kStub + "//\n");
    sandbox.write("row_mux.cu", kStub + "// another\n");
    check_no_submission(grade(sandbox), "it may be one of row_maks.cu, row_mux.cu");
  }
  SECTION("a folder of that name") {
    fs::create_directory(file);
    check_no_submission(grade(sandbox), "row_max.cu");
  }
  SECTION("a FIFO, which would never end") {
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    check_no_submission(grade(sandbox), "row_max.cu");
    check_no_submission(grade(sandbox, {"--submission", "row_max.cu"}), "row_max.cu");
  }
  SECTION("a device, which would never end") {
    check_no_submission(grade(sandbox, {"--submission", "/dev/zero"}), "/dev/zero");
  }
  SECTION("a symbolic link to a file of the machine") {
    fs::create_symlink("/etc/passwd", file);
    const Outcome outcome = grade(sandbox);
    check_no_submission(outcome, "row_max.cu");
    CHECK(outcome.err.find("root:") == std::string::npos);
  }
  SECTION("a header that is a symbolic link to a file of the machine") {
    sandbox.write("row_max.cu", "#include \"secret.cuh\"\n" + kStub);
    fs::create_symlink("/etc/passwd", sandbox.work() / "secret.cuh");
    const Outcome outcome = grade(sandbox);
    INFO(outcome.out << outcome.err);
    CHECK((outcome.status == 1 || outcome.status == 4));
    CHECK((outcome.out + outcome.err).find("root:x") == std::string::npos);
  }
  SECTION("a huge file") {
    std::ofstream(file) << kStub;
    fs::resize_file(file, std::uintmax_t{1} << 33);  // sparse
    check_no_submission(grade(sandbox), "row_max.cu");
  }
  SECTION("a file that may not be read") {
    if (::geteuid() == 0) return;  // root may read everything: there is nothing to test
    sandbox.write("row_max.cu", kStub);
    ::chmod(file.c_str(), 0);
    check_no_submission(grade(sandbox), "row_max.cu");
  }
}

TEST_CASE("odd contents are graded like any others", "[cli]") {
  const Sandbox sandbox;
  std::string verdict;
  SECTION("an empty file defines nothing") {
    sandbox.write("row_max.cu", "");
    verdict = "missing";
  }
  SECTION("bytes that are no text") {
    std::string noise;
    for (int i = 0; i < 5000; ++i) noise += static_cast<char>(i * 7919 >> 3);
    sandbox.write("row_max.cu", noise);
    verdict = "compile_error";
  }
  const Outcome outcome = grade(sandbox);
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.status == 1);
  const Json result = Json::parse(outcome.out);
  CHECK(result.at("score").at("points") == 0);
  for (const Json& version : result.at("versions")) CHECK(version.at("verdict") == verdict);
}

TEST_CASE("names that do not exist are answered with the nearest that does", "[cli]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", kStub);
  check_usage_error(sandbox.grader({"lap3", "variant4"}), "lab3");
  check_usage_error(sandbox.grader({"lab3", "varient4"}), "variant4");
  check_usage_error(sandbox.grader({"lab3"}), "variant");
  check_usage_error(sandbox.grader({"lab3", "variant4", "--version", "shard"}), "shared");
  check_usage_error(sandbox.grader({"lab3", "variant4", "--device", "simulater"}), "simulator");
  check_usage_error(sandbox.grader({"lab3", "variant4", "--seed", "many"}), "seed");
  check_usage_error(sandbox.grader({"lab3", "variant4", "--jsn", "-"}), "--jsn");
  check_usage_error(sandbox.grader({"../../etc", "passwd"}), "etc");
}

TEST_CASE("a mistake in a lab's YAML is shown with its place", "[cli]") {
  const Sandbox sandbox;
  const fs::path yaml = sandbox.course() / "configs/labs/lab3/variant4.yaml";
  sandbox.write("row_max.cu", kStub);
  SECTION("a misspelt key") {
    replace_in(yaml, "speed_points", "sped_points");
    const Outcome outcome = grade(sandbox);
    check_usage_error(outcome, "variant4.yaml:");
    CHECK(outcome.err.find("speed_points") != std::string::npos);
  }
  SECTION("a number that is none") {
    replace_in(yaml, "speed_points: 5", "speed_points: five");
    check_usage_error(grade(sandbox), "variant4.yaml:");
  }
  SECTION("not YAML at all") {
    replace_in(yaml, "versions:", "versions: [{");
    check_usage_error(grade(sandbox), "variant4.yaml:");
  }
}

TEST_CASE("a submission is found in every form of --submission and without it", "[cli]") {
  const Sandbox sandbox;
  sandbox.write("tree/lab3/variant4/row_max.cu", kStub);
  std::vector<std::string> more;
  SECTION("a folder that mirrors the template tree") { more = {"--submission", "tree"}; }
  SECTION("the variant's folder") { more = {"--submission", "tree/lab3/variant4"}; }
  SECTION("the file") { more = {"--submission", "tree/lab3/variant4/row_max.cu"}; }
  SECTION("./lab3/variant4") { fs::rename(sandbox.work() / "tree/lab3", sandbox.work() / "lab3"); }
  SECTION("the current folder") {
    fs::rename(sandbox.work() / "tree/lab3/variant4/row_max.cu", sandbox.work() / "row_max.cu");
  }
  const Outcome outcome = grade(sandbox, more);
  INFO(outcome.err);
  REQUIRE(outcome.status == 1);
  const Json result = Json::parse(outcome.out);
  CHECK(result.at("lab") == "lab3");
  CHECK(result.at("variant") == "variant4");
  CHECK(result.at("device") == "simulator");
  CHECK(result.at("score").at("points") == 0);
}

TEST_CASE("a seed repeats a result exactly", "[cli]") {
  const Sandbox sandbox;
  sandbox.write("lab3/variant4/row_max.cu",
                read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu"));
  const auto result = [&](const std::string& seed) {
    Json json = Json::parse(grade(sandbox, {"--seed", seed}).out);
    CHECK(json.at("seed").get<std::string>() == seed);
    CHECK(json.at("score").at("points") == json.at("score").at("max_points"));
    json.erase("nondeterministic");
    return json;
  };
  CHECK(result("42") == result("42"));
}

TEST_CASE("one version alone", "[cli]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", kStub);
  const Outcome outcome = grade(sandbox, {"--version", "shared"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 1);
  const Json result = Json::parse(outcome.out);
  CHECK(result.at("versions")[0].at("verdict") == "not_graded");
  CHECK(result.at("versions")[1].at("verdict") == "wrong_answer");
  CHECK(result.at("versions")[2].at("verdict") == "not_graded");
}

TEST_CASE("where the result goes", "[cli]") {
  const Sandbox sandbox;
  sandbox.write("row_max.cu", kStub);
  SECTION("to a file, and the card to stdout") {
    const Outcome outcome = sandbox.grader({"lab3", "variant4", "--json", "result.json"});
    CHECK(outcome.status == 1);
    CHECK(Json::accept(read_file(sandbox.work() / "result.json")));
    CHECK(outcome.out.find("row_max") != std::string::npos);
    CHECK(outcome.out.find('\033') == std::string::npos);  // no colour without a terminal
  }
  SECTION("to a place that cannot be written") {
    const Outcome outcome = sandbox.grader({"lab3", "variant4", "--json", "no/such/folder/result.json"});
    CHECK(outcome.status >= 2);
    CHECK(outcome.err.find("no/such/folder") != std::string::npos);
  }
}

TEST_CASE("help, list and init", "[cli]") {
  const Sandbox sandbox;
  for (const char* help : {"--help", "-h"}) {
    const Outcome outcome = sandbox.grader({help});
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("lab3 variant4") != std::string::npos);
  }
  CHECK(sandbox.grader({}).status == 2);

  const Outcome list = sandbox.grader({"list"});
  CHECK(list.status == 0);
  CHECK(list.out.find("lab3") != std::string::npos);
  CHECK(list.out.find("variant4") != std::string::npos);

  const Outcome init = sandbox.grader({"init", "lab3", "variant4", "mine"});
  INFO(init.err);
  CHECK(init.status == 0);
  for (const char* name : {"row_max.cu", "contract.cuh", "handout.md", "CMakeLists.txt"}) {
    INFO(name);
    bool found = false;
    for (const auto& entry : fs::recursive_directory_iterator(sandbox.work() / "mine"))
      found = found || entry.path().filename() == name;
    CHECK(found);
  }
  CHECK(grade(sandbox, {"--submission", "mine"}).status == 1);

  // A student's file is never overwritten.
  fs::path stub;
  for (const auto& entry : fs::recursive_directory_iterator(sandbox.work() / "mine"))
    if (entry.path().filename() == "row_max.cu") stub = entry.path();
  std::ofstream(stub) << "// hours of work\n";
  const Outcome again = sandbox.grader({"init", "lab3", "variant4", "mine"});
  CHECK(read_file(stub) == "// hours of work\n");
  CHECK(again.status == 0);
  CHECK(again.out.find("kept") != std::string::npos);
}

TEST_CASE("the binary alone is enough, and a student's folder cannot bring its own rules", "[cli]") {
  const Sandbox sandbox;
  const cudalabs::test::TemporaryFolder folder("/tmp");  // without a course in any parent folder
  fs::copy_file(fs::path(CUDALABS_BIN) / "grader", folder.path() / "grader");
  sandbox.write("row_max.cu", kStub);
  sandbox.write("configs/grading.yaml", "limits: {call_seconds: 1}\n");
  sandbox.write("configs/labs/lab3/variant4.yaml", "title: free points\n");
  const auto ended = cudalabs::test::run(
      {.words = {folder.path() / "grader", "lab3", "variant4", "--device", "simulator", "--json",
                 "result.json"},
       .folder = sandbox.work(),
       .environment = {{"CUDA_LABS_COURSE", std::nullopt}, {"XDG_CACHE_HOME", folder.path() / "cache"}}});
  INFO(ended.err);
  REQUIRE(ended.status == 1);
  const Json result = Json::parse(read_file(sandbox.work() / "result.json"));
  CHECK(result.at("title") != "free points");
  CHECK(result.at("versions").size() == 3);
}

}  // namespace e2e
