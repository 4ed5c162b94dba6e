// Compares whole pages of the real binary with tests/cli/golden. UPDATE_GOLDEN=1 rewrites them: read the
// difference before committing it.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string_view>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/files.h"
#include "tests/harness/golden.h"
#include "tests/harness/process.h"

namespace {

namespace fs = std::filesystem;
namespace test = cudalabs::test;
using test::read_file;

const std::string kReference = CUDALABS_SOURCE "/reference/lab3/variant4/row_max.cu";

/// A folder with the explained program.
class ExplainFolder {
 public:
  ExplainFolder() {
    for (const char* file : {"conflicts.cu", "pick.cuh"})
      fs::copy_file(fs::path(CUDALABS_TEST_DATA) / "explain" / file, path() / file);
  }

  [[nodiscard]] const fs::path& path() const { return folder_.path(); }

  /// Returns stdout, or with `all` also stderr and the exit status.
  [[nodiscard]] std::string grader(const std::string& arguments, bool all = false) const {
    const test::Ended ended =
        test::run({.words = test::shell("'" CUDALABS_BIN "/grader' " + arguments),
                   .folder = path(),
                   .environment = {{"CUDA_LABS_COURSE", CUDALABS_SOURCE}, {"LC_ALL", "C.UTF-8"}},
                   .together = all});
    return ended.out + "[exit status " + std::to_string(ended.status) + "]\n";
  }

 private:
  test::TemporaryFolder folder_{fs::path(CUDALABS_BIN).parent_path()};
};

/// The lines and their order, without numbers.
std::string without_numbers(const std::string& text) {
  std::string kept;
  for (const char c : text)
    if (std::string_view("0123456789.,%<! \n()").find(c) == std::string_view::npos) kept += c;
  return kept;
}

/// Removes the style sheet and the estimated times, which have their own tests.
void check_explained(const std::string& name, std::string text) {
  static const std::regex time("; [0-9.]+ [num]?s estimated");
  text = std::regex_replace(text, time, "");
  if (const std::size_t style = text.find("<style>"); style != std::string::npos)
    text.erase(style, text.find("</style>") - style);
  const fs::path file = fs::path(CUDALABS_TEST_DATA) / "golden" / ("explain_" + name);
  if (test::is_nvcc("how many instructions a line costs"))
    test::check_file(file, text);
  else if (name.ends_with(".txt"))
    CHECK(without_numbers(text) == without_numbers(read_file(file)));
}

}  // namespace

TEST_CASE("the reference, explained as text and as a page", "[explain]") {
  const ExplainFolder work;
  const std::string arguments =
      "explain lab3 variant4 --submission '" + kReference + "' --seed 7 --size rows=100,cols=100";
  check_explained("reference.txt", work.grader(arguments));
  CHECK(work.grader(arguments + " --version shared --html page.html") == "[exit status 0]\n");
  check_explained("reference_shared.html", read_file(work.path() / "page.html"));
}

TEST_CASE("a program with conflicts, explained as text and as a page", "[explain]") {
  const ExplainFolder work;
  check_explained("conflicts.txt", work.grader("run conflicts.cu --explain"));
  CHECK(work.grader("run --explain=page.html conflicts.cu") == "no error\n[exit status 0]\n");
  check_explained("conflicts.html", read_file(work.path() / "page.html"));
}

TEST_CASE("submissions with something wrong are explained as far as they got", "[explain]") {
  const ExplainFolder work;
  fs::create_directories(work.path() / "lab3/variant4");
  fs::copy_file(CUDALABS_SOURCE "/tests/hostile/good.cuh", work.path() / "lab3/variant4/good.cuh");
  const auto explain = [&](const std::string& source, const std::string& options) {
    fs::copy_file(fs::path(CUDALABS_SOURCE "/tests/hostile") / source,
                  work.path() / "lab3/variant4/row_max.cu", fs::copy_options::overwrite_existing);
    return work.grader("explain lab3 variant4 --seed 7 " + options, true);
  };
  const std::string fault = explain("basics/write_past_the_end.cu", "--size rows=33,cols=40");
  CHECK(fault.find("runtime error") != std::string::npos);
  CHECK(fault.find("What the numbers say") != std::string::npos);
  const std::string broken = explain("basics/does_not_compile.cu", "");
  CHECK(broken.find("the submission does not compile") != std::string::npos);
  CHECK(broken.ends_with("[exit status 1]\n"));
  const std::string stub = work.grader("explain lab3 variant4 --submission '" CUDALABS_SOURCE
                                       "/student_templates' --seed 7 --size rows=8,cols=8",
                                       true);
  CHECK(stub.find("No kernel was launched") != std::string::npos);
  CHECK(stub.ends_with("[exit status 1]\n"));
}

TEST_CASE("mistakes on the command line", "[explain]") {
  const ExplainFolder work;
  std::string text;
  for (const std::string arguments :
       {"explain", "explain lab3", "explain lab3 variant4 --size rows", "explain lab3 variant4 --size row=3",
        "explain lab3 variant4 --size rows=-1", "explain lab3 variant4 --size rows=100000,cols=100000",
        "explain lab3 variant4 --seed x", "explain lab3 variant4 --html /nowhere/x.html",
        "explain lab3 variant4 --version sharde", "explian lab3 variant4",
        "run conflicts.cu --explain=/nowhere/x.html"}) {
    const bool lab = arguments.find("variant4 --") != std::string::npos;
    text += "$ grader " + arguments + "\n" +
            work.grader(arguments + (lab ? " --submission '" + kReference + "'" : ""), true);
  }
  check_explained("mistakes.txt", text);
}
