// The scripts for CI services and learning platforms (integrations/), run as those run them: in a clean
// checkout, with their variables, and where we are root in a root folder that holds the system and
// the service's folder alone.

#include <unistd.h>

#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using cudalabs::test::Ended;
using Variables = std::map<std::string, std::optional<std::string>>;

const fs::path kSource = CUDALABS_SOURCE;
const std::string kGrader = std::string(CUDALABS_BIN) + "/grader";

std::string reference(const std::string& file) { return read_file(kSource / "reference/lab3" / file); }

bool installed(const std::string& program) {
  if (cudalabs::test::run({.words = cudalabs::test::shell("command -v " + program)}).status == 0) return true;
  WARN("skipped: no " << program << " here");
  return false;
}

/// There are no user namespaces in a chroot.
bool user_namespaces() {
  static const bool there = cudalabs::test::run({cudalabs::test::shell("unshare -rm true")}).status == 0;
  return there;
}
/// Without user namespaces, bubblewrap cannot imitate a service's container.
bool like_a_service() {
  if (!user_namespaces()) WARN("skipped: no user namespaces");
  return user_namespaces();
}

/// A student's repository: lab3/variant4 is right, variant6 is the stub.
class Repository {
 public:
  Repository() {
    sandbox_.write("repo/lab3/variant4/row_max.cu", reference("variant4/row_max.cu"));
    sandbox_.write("repo/lab3/variant6/row_min.cu",
                   read_file(kSource / "student_templates/lab3/variant6/row_min.cu"));
    sandbox_.write("repo/notes.txt", "of mine");
    git("init -q -b main && git config user.email s@example.org && git config user.name S");
    commit();
  }
  void git(const std::string& words) const {
    (void)cudalabs::test::output_of({.words = cudalabs::test::shell("git " + words), .folder = path()});
  }
  void commit() const { git("add -A && git commit -q -m x"); }
  void write(const std::string& name, const std::string& text) const { sandbox_.write("repo/" + name, text); }
  [[nodiscard]] fs::path path() const { return sandbox_.work() / "repo"; }
  [[nodiscard]] fs::path out() const { return sandbox_.work() / "out"; }
  [[nodiscard]] std::string text(const std::string& name) const { return read_file(sandbox_.work() / name); }
  [[nodiscard]] bool has(const std::string& name) const { return fs::exists(sandbox_.work() / name); }

  [[nodiscard]] Ended push(const std::string& options, Variables variables = {}) const {
    fs::remove_all(out());
    variables.insert({{"GRADER", kGrader},
                      {"GITHUB_ACTIONS", std::nullopt},
                      {"XDG_CACHE_HOME", (fs::path(CUDALABS_BIN).parent_path() / "e2e-cache").string()}});
    // The options of a runner without user namespaces.
    const std::string all = (user_namespaces() ? "" : "--any-sandbox ") + options;
    return cudalabs::test::run(
        {.words = cudalabs::test::shell((kSource / "integrations/grade_push.sh").string() + " --out ../out " +
                                        all + " -- --seed 7"),
         .folder = path(),
         .environment = variables});
  }
  [[nodiscard]] Variables github() const {
    const std::string work = sandbox_.work().string();
    return {{"GITHUB_ACTIONS", "true"},
            {"GITHUB_STEP_SUMMARY", work + "/summary"},
            {"GITHUB_OUTPUT", work + "/outputs"}};
  }

 private:
  Sandbox sandbox_;
};

/// The folder of a service, such as /autograder, and a way to run its scripts.
class ServiceFolder {
 public:
  explicit ServiceFolder(std::string mount) : mount_(std::move(mount)) {}
  [[nodiscard]] fs::path path() const { return sandbox_.work() / "service"; }
  void write(const std::string& name, const std::string& text) const {
    sandbox_.write("service/" + name, text);
  }
  [[nodiscard]] std::string text(const std::string& name) const { return read_file(path() / name); }
  [[nodiscard]] bool has(const std::string& name) const { return fs::exists(path() / name); }

  /// `variable` gives the script the folder's path if we cannot put it into its usual place.
  [[nodiscard]] Ended run(const std::string& line, const std::string& variable) const {
    if (::geteuid() != 0)
      return cudalabs::test::run({.words = cudalabs::test::shell(path().string() + "/" + line),
                                  .environment = {{variable, path().string()}}});
    std::vector<std::string> words{"bwrap", "--die-with-parent", "--unshare-pid", "--cap-add", "ALL"};
    for (const std::string folder : {"/usr", "/etc"})
      words.insert(words.end(), {"--ro-bind", folder, folder});
    for (const std::string folder : {"bin", "lib", "lib64", "sbin"})
      words.insert(words.end(), {"--symlink", "usr/" + folder, "/" + folder});
    words.insert(words.end(), {"--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp",
                               "--bind", path().string(), mount_, "bash", "-c", mount_ + "/" + line});
    return cudalabs::test::run({.words = words});
  }

 private:
  Sandbox sandbox_;
  std::string mount_;
};

/// A grader that writes half a result and then fails.
const std::string kBrokenGrader =
    "#!/bin/bash\n[ \"$1\" != list ] || exit 0\nwhile [ $# -gt 1 ]; do shift; done\necho '{\"score\": 50}' > "
    "\"$1\"\n"
    "echo 'grader: the machine failed' >&2\nexit 3\n";

}  // namespace

TEST_CASE("a push is graded, and only the labs that it touched", "[services]") {
  if (!installed("git")) return;
  const Repository repository;
  // A first push has no earlier commit.
  const Ended first = repository.push("--base 0000000000000000000000000000000000000000");
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.out.ends_with("\nlab3 variant4: 100 of 100 points\nlab3 variant6: 0 of 100 points\n"));
  CHECK(Json::parse(repository.text("out/lab3-variant4.json")).at("passed") == true);
  CHECK(repository.text("out/lab3-variant6.xml").ends_with("</testsuites>\n"));
  const Json issues = Json::parse(repository.text("out/gl-code-quality-report.json"));
  REQUIRE(!issues.empty());
  CHECK(issues[0].at("location").at("path") == "lab3/variant6/row_min.cu");
  CHECK(repository.push("--all --strict").status == 1);

  repository.write("lab3/variant4/row_max.cu", reference("variant4/row_max.cu") + "// a change\n");
  repository.write("notes.txt", "more");
  repository.write("xlab3/variant6/row_min.cu", "not the lab's place");
  repository.commit();
  const Ended second = repository.push("--base HEAD~1 --strict", repository.github());
  INFO(second.out << second.err);
  // The misplaced file is no lab's, and costs the tick.
  CHECK(second.status == 1);
  CHECK_FALSE(repository.has("out/lab3-variant6.json"));
  CHECK(second.out.find("lab3 variant4: 100 of 100 points\n") != std::string::npos);
  CHECK(repository.text("summary").find("### lab3 variant4: 100 of 100 points\n") == 0);
  CHECK(repository.text("summary").find("xlab3/variant6/row_min.cu  ->  lab3/variant6/row_min.cu\n") !=
        std::string::npos);
  CHECK(repository.text("outputs") == "points=100\nmax-points=100\n");

  repository.write("notes.txt", "nothing else");
  repository.commit();
  const Ended none = repository.push("--base HEAD~1");
  CHECK(none.status == 0);
  CHECK(none.err == "No lab was touched.\n");
  CHECK(Json::parse(repository.text("out/gl-code-quality-report.json")) == Json::array());
}

TEST_CASE("a push to a wrong folder or name is told, and is no success", "[services]") {
  if (!installed("git")) return;
  const Repository repository;
  const std::string right = reference("variant4/row_max.cu");
  const auto push = [&](const std::map<std::string, std::string>& files, const std::string& base = "HEAD~1") {
    for (const auto& [name, text] : files) repository.write(name, text);
    repository.commit();
    fs::remove(repository.path().parent_path() / "summary");
    Ended ended = repository.push("--base " + base, repository.github());
    ended.err += repository.text("summary");
    return ended;
  };
  const auto told = [](const Ended& ended, const std::string& text) {
    INFO(ended.err);
    CHECK(ended.status == 1);
    CHECK(ended.err.find(text) != std::string::npos);
  };
  // A scratch file beside a graded lab is nobody's business.
  CHECK(push({{"lab3/variant4/row_max.cu", right + "//\n"}, {"scratch/test.cu", "int x;\n"}}).status == 0);
  told(push({{"lab3/varient4/row_max.cu", right}}),
       "lab3/varient4/row_max.cu  ->  lab3/variant4/row_max.cu\n");
  CHECK(repository.text("out/misplaced.xml").find("<testcase name=\"lab3/varient4/row_max.cu\"><failure") !=
        std::string::npos);
  CHECK(repository.text("out/annotations.txt")
            .find("::error file=lab3/varient4/row_max.cu,title=Not graded::") == 0);
  told(push({{"my/kernel.cu", right}}), "my/kernel.cu  ->  LAB/VARIANT/FILE");
  told(push({{"row_max.ipynb", "{}"}}), "row_max.ipynb  ->  lab3/variant4/row_max.cu\n");
  told(push({{"lab3/variant4/row_max_new.cu", right}}),
       "lab3/variant4/row_max_new.cu  ->  lab3/variant4/row_max.cu\n");
  told(push({{"%,:<&x>/row_max.cu", right}}), "%,:<&x>/row_max.cu  ->  lab3/variant4/row_max.cu\n");
  CHECK(repository.text("out/annotations.txt").find("::error file=%25%2C%3A<&x>/row_max.cu,title=") == 0);
  CHECK(push({{"notes.txt", "of mine\n"}}).status == 0);
  // Graded, but under another name, or from another place.
  repository.git("rm -q -r lab3/variant4 lab3/varient4 my row_max.ipynb %*");
  told(push({{"lab3/variant4/row max (final) v2.cu", right}}), "is used as row&#95;max.cu");
  CHECK(Json::parse(repository.text("out/lab3-variant4.json")).at("score").at("points") == 100);
  // A first push, whose base is not known.
  fs::rename(repository.path() / "lab3", repository.path() / "Lab_3");
  told(push({}, "0000000000000000000000000000000000000000"),
       "Lab_3/variant6/row_min.cu  ->  lab3/variant6/row_min.cu\n");
}

TEST_CASE("a push that attacks the service is text to it", "[services]") {
  if (!installed("git")) return;
  const Repository repository;
  // GitHub's runner could interpret a shown line as a command, and the compiler repeats such lines.
  repository.write(
      "lab3/variant4/row_max.cu",
      "#include \"contract.cuh\"\n#error x\n::error file=/etc/passwd::owned\n##[add-path]/evil\n");
  repository.commit();
  const Ended graded = repository.push("--base HEAD~1", repository.github());
  INFO(graded.out);
  CHECK(graded.status == 0);
  REQUIRE(graded.out.find("::stop-commands::") == 0);
  const std::string word = graded.out.substr(17, graded.out.find('\n') - 17);
  CHECK(word.size() == 32);
  const std::size_t heard = graded.out.find("\n::" + word + "::\n");
  REQUIRE(heard != std::string::npos);
  const std::string commands = graded.out.substr(heard + word.size() + 6);
  CHECK(commands.find("::error file=lab3/variant4/row_max.cu") == 0);
  CHECK(commands.find("\n::") == std::string::npos);
  CHECK(commands.find("##[") == std::string::npos);

  // A link out of the checkout does not reveal its target.
  fs::remove(repository.path() / "lab3/variant4/row_max.cu");
  fs::create_symlink("/etc/passwd", repository.path() / "lab3/variant4/row_max.cu");
  repository.commit();
  const Ended link = repository.push("--base HEAD~1", repository.github());
  CHECK(link.status == 1);
  CHECK_FALSE(repository.has("out/lab3-variant4.json"));
  const std::string summary = repository.text("out/summary.md");
  CHECK(summary.find("### lab3 variant4: not graded\n") == 0);
  CHECK(summary.find("is a link to a file outside the submission") != std::string::npos);
  CHECK(summary.find("root") == std::string::npos);

  // Links to folders with the course's own solution.
  fs::remove_all(repository.path() / "lab3/variant4");
  fs::create_directory_symlink(kSource / "reference/lab3/variant4", repository.path() / "lab3/variant4");
  repository.commit();
  CHECK(repository.push("--all").status == 1);
  CHECK_FALSE(repository.has("out/lab3-variant4.json"));
}

TEST_CASE("Gradescope gets a score, a complaint, or nothing", "[services]") {
  if (!installed("zip") || !installed("unzip") || !installed("setpriv") || !like_a_service()) return;
  const ServiceFolder folder("/autograder");
  folder.write("submission/row_max.cu", reference("variant4/row_max.cu"));
  folder.write("results/results.json", "of another submission");
  const auto pack_with = [&](const std::string& options, const std::string& words) {
    const std::string zip = (folder.path() / "as.zip").string();
    fs::remove_all(folder.path() / "source");
    const std::string line = (kSource / "integrations/gradescope/pack.sh").string() + " " + options + " " +
                             zip + " " + words + " && unzip -q -d " + (folder.path() / "source").string() +
                             " " + zip;
    return cudalabs::test::run(
        {.words = cudalabs::test::shell(line),
         .environment = {{"GRADER", kGrader}, {"XDG_CONFIG_HOME", (folder.path() / "config").string()}}});
  };
  const auto pack = [&](const std::string& words) { return pack_with("", words); };
  const auto grade = [&] { return folder.run("source/run_autograder", "AUTOGRADER"); };
  CHECK(pack("lab3 variant9").status == 2);
  // An own course is packed with the lab, and nothing else is.
  folder.write("own/course.yaml", "name: own\ntitle: {en: Own course}\n");
  fs::create_directories(folder.path() / "own/configs");
  const std::string own = (folder.path() / "own").string();
  REQUIRE(cudalabs::test::run(
              {.words = {kGrader, "new-lab", "lab1", "variant1", "--like", "in_place", "--course", own}})
              .status == 0);
  CHECK(pack_with("--course " + own, "lab3 variant4").status == 2);
  REQUIRE(pack_with("--course " + own, "lab1 variant1").status == 0);
  CHECK(cudalabs::test::output_of({.words = {(folder.path() / "source/grader").string(), "list"}})
            .find("lab1 variant1   SAXPY in place") == 0);
  fs::remove_all(folder.path() / "own");

  REQUIRE(pack("lab3 variant4").status == 0);
  const Ended graded = grade();
  INFO(graded.err);
  CHECK(graded.status == 0);
  CHECK(Json::parse(folder.text("results/results.json")).at("score") == 100);

  // There is no file with that name.
  fs::rename(folder.path() / "submission/row_max.cu", folder.path() / "submission/\"row\"\\.pdf");
  CHECK(grade().status == 0);
  const Json complaint = Json::parse(folder.text("results/results.json"));
  CHECK(complaint.at("score") == 0);
  CHECK(complaint.at("output").get<std::string>().find("grader: ") == 0);
  CHECK(complaint.at("output").get<std::string>().find("row_max.cu") != std::string::npos);

  // A mistake of the staff is no score, and says who must act.
  for (const std::string assignment : {"lab9 variant9", "lab3 variant99", "lab3"}) {
    folder.write("source/assignment", assignment + "\n");
    const Ended staff = grade();
    INFO(assignment);
    CHECK(staff.status == 1);
    CHECK_FALSE(folder.has("results/results.json"));
    CHECK(staff.err.find("The course's staff must act") != std::string::npos);
  }

  // If the machine fails, the partial result is not a score.
  folder.write("source/assignment", "lab3 variant4\n");
  folder.write("source/grader", kBrokenGrader);
  const Ended failed = grade();
  CHECK(failed.status == 1);
  CHECK_FALSE(folder.has("results/results.json"));
  CHECK(failed.err.find("the machine failed") != std::string::npos);

  // One zip for all assignments.
  REQUIRE(pack("").status == 0);
  folder.write("submission/row_min.cu", read_file(kSource / "student_templates/lab3/variant6/row_min.cu"));
  folder.write("submission_metadata.json",
               R"-({"id": 1, "users": [{"name": "title: lab1/variant1"}], "assignment": {"due_date": "x",
               "title": "Lab 3 (lab3/variant6)", "id": 2}})-");
  const Ended titled = grade();
  INFO(titled.err);
  CHECK(titled.status == 0);
  CHECK(Json::parse(folder.text("results/results.json")).at("extra_data").at("lab") == "lab3/variant6");
  folder.write("submission_metadata.json", R"({"assignment": {"title": "Homework 1"}})");
  CHECK(grade().status == 1);
}

TEST_CASE("PrairieLearn always gets a document, and attempts are lost for answers alone", "[services]") {
  if (!installed("setpriv") || !like_a_service()) return;
  const ServiceFolder folder("/grade");
  folder.write("student/row_max.cu", reference("variant4/row_max.cu"));
  for (const char* script : {"integrations/services.sh", "integrations/prairielearn/grade.sh"}) {
    folder.write(fs::path(script).filename(), read_file(kSource / script));
    fs::permissions(folder.path() / fs::path(script).filename(),
                    fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  }
  fs::copy(kGrader, folder.path() / "grader");
  const auto grade = [&](const std::string& words) {
    const Ended ended = folder.run("grade.sh " + words, "GRADE");
    INFO(ended.err);
    CHECK(ended.status == 0);
    const Json document = Json::parse(folder.text("results/results.json"), nullptr, false);
    CHECK_FALSE(document.is_discarded());
    return document;
  };
  ::setenv("GRADER", ((::geteuid() == 0 ? "/grade" : folder.path().string()) + "/grader").c_str(), 1);
  ::setenv("GRADER_COMPILER", "clang", 1);  // as in the service's image; without it the course's
  const Json right = grade("lab3 variant4");
  CHECK(right.at("gradable") == true);
  CHECK(right.at("score") == 1);

  folder.write("student/row_max.cu", "int x = 1\n");
  const Json broken = grade("lab3 variant4");
  CHECK(broken.at("gradable") == false);
  CHECK(broken.at("format_errors")[0].get<std::string>().find("row_max.cu:1") != std::string::npos);

  fs::remove(folder.path() / "student/row_max.cu");
  const Json missing = grade("lab3 variant4");
  CHECK(missing.at("gradable") == false);
  CHECK(missing.at("format_errors")[0].get<std::string>().find("row_max.cu") != std::string::npos);
  CHECK(grade("").at("gradable") == false);
  const Json wrong_lab = grade("lab9 variant9");
  CHECK(wrong_lab.at("gradable") == false);
  CHECK(wrong_lab.at("message") ==
        "The course's staff must act before this can be graded. It costs no attempt.");
  CHECK(wrong_lab.at("format_errors").empty());

  folder.write("grader", kBrokenGrader);
  const Json failed = grade("lab3 variant4");
  ::unsetenv("GRADER");
  ::unsetenv("GRADER_COMPILER");
  CHECK(failed.at("gradable") == false);
  CHECK_FALSE(failed.contains("score"));
}

TEST_CASE("Classroom 50 gets its result", "[services]") {
  if (!installed("python3") || !like_a_service()) return;
  const Sandbox sandbox;
  sandbox.write("row_max.cu", reference("variant4/row_max.cu"));
  const Variables variables{
      {"GRADER", kGrader},
      {"CLASSROOM", "cs"},
      {"ASSIGNMENT", "lab3"},
      {"OWNER", "student"},
      {"XDG_CACHE_HOME", (fs::path(CUDALABS_BIN).parent_path() / "e2e-cache").string()}};
  const std::vector<std::string> words{"python3",
                                       (kSource / "integrations/classroom50/autograder.py").string()};
  const Ended graded =
      cudalabs::test::run({.words = words, .folder = sandbox.work(), .environment = variables});
  INFO(graded.err);
  CHECK(graded.status == 0);
  const Json result = Json::parse(read_file(sandbox.work() / "result.json"));
  CHECK(result.at("owner") == "student");
  CHECK(result.at("score") == 100);
  CHECK(read_file(sandbox.work() / "release-body.md").find("### lab3 variant4: 100 of 100 points\n") == 0);
  fs::remove(sandbox.work() / "row_max.cu");
  fs::remove(sandbox.work() / "result.json");
  CHECK(cudalabs::test::run({.words = words, .folder = sandbox.work(), .environment = variables}).status ==
        1);
  CHECK_FALSE(fs::exists(sandbox.work() / "result.json"));
}

TEST_CASE("the scripts have nothing that shellcheck knows of", "[services]") {
  if (!installed("shellcheck")) return;
  std::vector<std::string> words{"shellcheck", "-x", "-P", "SCRIPTDIR"};
  for (const char* script :
       {"integrations/grade_push.sh", "integrations/install_grader.sh", "integrations/services.sh",
        "integrations/gradescope/setup.sh", "integrations/gradescope/run_autograder",
        "integrations/gradescope/pack.sh", "integrations/prairielearn/grade.sh", "CI/check_workflows.sh"})
    words.push_back((kSource / script).string());
  // From the root, where their `source=` notes lead.
  const Ended checked = cudalabs::test::run({.words = words, .folder = kSource});
  CHECK(checked.out == "");
  CHECK(checked.status == 0);
}

}  // namespace e2e
