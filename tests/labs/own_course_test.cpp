// A course of one's own: a folder that holds its labs, and what it says in course.yaml. The rest comes from
// the shipped course.

#include <filesystem>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/everything.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCourse = "name: sums\ntitle: {en: Sums of all kinds, ru: Разные суммы}\n";

/// A course with the lab `scan first`, in own/ of the sandbox.
std::string own_course(const Sandbox& sandbox) {
  const std::string folder = sandbox.write("own/course.yaml", kCourse).parent_path().string();
  const Outcome made =
      sandbox.grader({"new-lab", "scan", "first", "--entry", "prefix", "--like", "scan", "--course", folder});
  INFO(made.out << made.err);
  REQUIRE(made.status == 0);
  return folder;
}

TEST_CASE("a course holds only what is its own", "[new_lab]") {
  const Sandbox sandbox;
  const std::string own = own_course(sandbox);
  CHECK_FALSE(fs::exists(fs::path(own) / "configs/grading.yaml"));
  CHECK_FALSE(fs::exists(fs::path(own) / "labs/oracle.h"));
  CHECK(fs::exists(fs::path(own) / "configs/schema/variant.json"));
  const Outcome checked = sandbox.grader({"check-labs", "--course", own});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
  CHECK(checked.out.find(
            "scan first   right: the reference earns every point, the stub none; a grading takes ") == 0);

  const Outcome listed = sandbox.grader({"list", "--course", own, "--language", "ru"});
  CHECK(listed.out.find("scan first   Включающее сканирование (100 ") == 0);
  const Outcome unknown = sandbox.grader({"scna", "first", "--course", own});
  CHECK(unknown.status == 2);
  CHECK(unknown.err ==
        "grader: there is no lab 'scna'; did you mean 'scan'?\n"
        "  hint: the labs are: scan; `grader list` shows every variant\n");
}

TEST_CASE("course.yaml names the order of the labs, their languages and the course's policies", "[new_lab]") {
  const Sandbox sandbox;
  const std::string own = own_course(sandbox);
  const auto with = [&](const std::string& more) {
    static_cast<void>(sandbox.write("own/course.yaml", kCourse + more));
    return sandbox.grader({"scan", "first", "--course", own, "--submission",
                           own + "/reference/scan/first/prefix.cu", "--seed", "7"});
  };
  const Outcome policy = with("policies: {compiler: clang, device_profile: h100}\n");
  INFO(policy.out << policy.err);
  CHECK(policy.status == 0);
  CHECK(policy.out.find("prefix.cu by clang ") != std::string::npos);
  CHECK(policy.out.find("times estimated for h100, seed 7") != std::string::npos);
  CHECK(with("policies: {compiler: klang}\n").err.find("own/course.yaml:3:22: unknown ") !=
        std::string::npos);
  CHECK(with("labs: [scan, scam]\n")
            .err.find("own/course.yaml:3:14: configs/labs has no lab 'scam'; did you mean 'scan'?\n") !=
        std::string::npos);
  CHECK(with("labs: [scan, scan]\n").err.find("own/course.yaml:3:14: duplicate lab 'scan'\n") !=
        std::string::npos);
  static_cast<void>(with("languages: [en, ru]\n"));
  const Outcome languages = sandbox.grader({"check-labs", "--course", own});
  CHECK(languages.status == 1);
  CHECK(languages.out.find("- course.yaml names the language 'ru', and there is no ") != std::string::npos);
}

TEST_CASE("a course without labs says so", "[new_lab]") {
  const Sandbox sandbox;
  const std::string own = sandbox.write("own/course.yaml", kCourse).parent_path().string();
  for (const std::string command : {"list", "check-labs"}) {
    const Outcome outcome = sandbox.grader({command, "--course", own});
    CHECK(outcome.status == 2);
    CHECK(outcome.err ==
          "grader: there are no labs\n  hint: a lab is a file configs/labs/LAB/VARIANT.yaml\n");
  }
}

TEST_CASE("a course brings translations of its texts, also into a language of its own", "[new_lab]") {
  const Sandbox sandbox;
  const std::string own = own_course(sandbox);
  const std::string row = "msgid \"Inclusive scan\"\nmsgstr \"Inklusiver Scan\"\n";
  static_cast<void>(sandbox.write("own/languages/de.po", "# German\n\n" + row));
  CHECK(sandbox.grader({"list", "--course", own, "--language", "de"})
            .out.starts_with("scan first   Inklusiver Scan (100 points)\n"));
  CHECK(sandbox.grader({"list", "--language", "de"}).err ==
        "grader: there is no language 'de'\n  hint: the languages are en, ru\n");

  // A stored result is shown in the words of the courses that there are.
  const Outcome graded = sandbox.grader({"scan", "first", "--course", own, "--language", "de", "--submission",
                                         own + "/reference/scan/first/prefix.cu", "--json", "result.json"});
  INFO(graded.out << graded.err);
  CHECK(graded.status == 0);
  CHECK(graded.out.find("scan first: Inklusiver Scan") != std::string::npos);
  const auto reported = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"report", "result.json", "--markdown", "-"});
    return sandbox.grader(more).out;
  };
  CHECK(reported({}).find("Inclusive scan, ") != std::string::npos);
  CHECK(reported({"--language", "ru"}).find("Включающее сканирование") != std::string::npos);
  CHECK(reported({"--language", "de", "--course", own}).find("Inklusiver Scan, ") != std::string::npos);

  static_cast<void>(sandbox.write("own/course.yaml", kCourse + std::string("languages: [en, ru, de]\n")));
  const Outcome checked = sandbox.grader({"check-labs", "--course", own});
  INFO(checked.out);
  CHECK(
      checked.out.find("languages/de.po has no row for \"a scan of each block of 256 alone: the sums of the "
                       "blocks before are missing\"\n") != std::string::npos);
  CHECK(checked.out.find("has no row for \"Inclusive scan\"") == std::string::npos);
  CHECK(checked.out.find("languages/en.po") == std::string::npos);

  static_cast<void>(sandbox.write("own/languages/de.po", row + "\n" + row));
  const Outcome twice = sandbox.grader({"list", "--course", own});
  CHECK(twice.status == 2);
  CHECK(twice.err.find("own/languages/de.po:4: duplicate message 'Inclusive scan'\n") != std::string::npos);
}

TEST_CASE("check-labs grades right solutions of other algorithms", "[new_lab]") {
  const Sandbox sandbox;
  const std::string own = own_course(sandbox);
  const fs::path folder = fs::path(own) / "reference/scan/first";
  std::string slow = read_file(folder / "prefix.cu");
  static_cast<void>(sandbox.write("own/reference/scan/first/right/same.cu", slow));
  CHECK(sandbox.grader({"check-labs", "--course", own}).status == 0);

  const std::string from = "constexpr int threads = 256;";
  slow.replace(slow.find(from), from.size(), "constexpr int threads = 128;");
  static_cast<void>(sandbox.write("own/reference/scan/first/right/narrow.cu", slow));
  const Outcome narrow = sandbox.grader({"check-labs", "--course", own});
  INFO(narrow.out << narrow.err);
  CHECK(narrow.status == 1);
  CHECK(
      narrow.out.find("- the right solution narrow.cu loses 20 of `blocks` for structure.coalesced (seed ") !=
      std::string::npos);
}

TEST_CASE("check-labs --against shows how the points of a class are distributed", "[new_lab]") {
  const Sandbox sandbox;
  const std::string own = own_course(sandbox);
  const std::string right = read_file(fs::path(own) / "reference/scan/first/prefix.cu");
  static_cast<void>(sandbox.write("class/ann/prefix.cu", right));
  static_cast<void>(sandbox.write("class/bob/prefix.cu", "int main() {"));
  static_cast<void>(sandbox.write("class/eve/notes.txt", "later"));
  const Outcome shown =
      sandbox.grader({"check-labs", "scan", "first", "--course", own, "--against", "class"});
  INFO(shown.out << shown.err);
  CHECK(shown.status == 0);
  CHECK(shown.out.find("  ann      100   blocks 100\n") != std::string::npos);
  CHECK(shown.out.find("  bob        0   blocks 0\n") != std::string::npos);
  CHECK(shown.out.find("  eve   not graded: ") != std::string::npos);
  CHECK(shown.out.find("\n2 submissions: mean 50, median 100 of 100\n") != std::string::npos);
  CHECK(shown.out.find("\nblocks: earned by\n") != std::string::npos);
  CHECK(shown.out.find("  coalesced                    1 of 2\n") != std::string::npos);

  const Outcome alone = sandbox.grader({"check-labs", "--course", own, "--against", "class"});
  CHECK(alone.status == 2);
  CHECK(alone.err.find("--against needs a lab and its variant\n") != std::string::npos);
  const Outcome missing =
      sandbox.grader({"check-labs", "scan", "first", "--course", own, "--against", "nobody"});
  CHECK(missing.status != 0);
}

}  // namespace
}  // namespace e2e
