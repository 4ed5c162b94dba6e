#include "grader/classroom/similarity/export.h"

#include <filesystem>
#include <map>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& one : fs::recursive_directory_iterator(folder))
    if (one.is_regular_file()) files[fs::relative(one.path(), folder).string()] = test::read_file(one.path());
  return files;
}

}  // namespace

TEST_CASE("The export is a folder for each student, the handed out, and Dolos' list") {
  const test::TemporaryFolder folder;
  const fs::path out = folder.path() / "export";
  const std::vector<ExportedSubmission> submissions{
      {"anna", "Anna Ä, \"A\"", {{"row_max.cu", "1"}, {"help.cuh", "2"}}},
      {"bert", "", {{"row_max.cu", "3"}}}};
  const std::vector<ExportedFile> handed_out{{"row_max.cu", "stub"}, {"contract.cuh", "c"}};
  REQUIRE(export_for_jplag_and_dolos(out, submissions, handed_out));
  CHECK(files_below(out) == std::map<std::string, std::string>{
                                {"submissions/anna/row_max.cu.cpp", "1"},
                                {"submissions/anna/help.cuh.hpp", "2"},
                                {"submissions/bert/row_max.cu.cpp", "3"},
                                {"base/row_max.cu.cpp", "stub"},
                                {"base/contract.cuh.hpp", "c"},
                                {"info.csv",
                                 "filename,full_name,id,ignored\n"
                                 "\"submissions/anna/row_max.cu.cpp\",\"Anna Ä, \"\"A\"\"\",\"anna\",\n"
                                 "\"submissions/anna/help.cuh.hpp\",\"Anna Ä, \"\"A\"\"\",\"anna\",\n"
                                 "\"submissions/bert/row_max.cu.cpp\",\"bert\",\"bert\",\n"
                                 "\"base/row_max.cu.cpp\",\"handed out\",\"\",true\n"}});
  const auto again = export_for_jplag_and_dolos(out, submissions, handed_out);
  REQUIRE_FALSE(again);
  CHECK(again.problem().message.english() == "is not an empty folder");
}

TEST_CASE("Hostile ids and names stay inside of the folder and apart") {
  const test::TemporaryFolder folder;
  const fs::path out = folder.path() / "export";
  const std::vector<ExportedSubmission> submissions{
      {"../../x", "=HYPERLINK(1)\n", {{"../a.cu", "1"}, {"A.CU", "2"}, {"a.cu", "3"}, {"../a.cu", "4"}}},
      {"__.._x", "", {{"a.cu", "5"}}},
      {"-rf", "", {{"-rf", "6"}}},
      {"", "", {{"", "7"}}},
      {"ANNA", "", {{"a", ""}}},
      {"anna", "", {{"a", ""}}}};
  REQUIRE(export_for_jplag_and_dolos(out, submissions, {}));
  std::string names;
  for (const auto& [name, content] : files_below(out)) names += name + "\n";
  CHECK(names ==
        "info.csv\nsubmissions/ANNA/a\nsubmissions/_._.._x/A.CU\nsubmissions/_._.._x/_._a.cu.cpp\n"
        "submissions/_._.._x/_._a.cu.cpp_2\nsubmissions/_._.._x/a.cu.cpp\nsubmissions/_/_\nsubmissions/"
        "__.._x/a.cu.cpp\n"
        "submissions/_rf/_rf\nsubmissions/anna_2/a\n");
  CHECK(test::read_file(out / "info.csv").find(",\"'=HYPERLINK(1) \",\"../../x\",") != std::string::npos);
  CHECK(files_below(folder.path()).size() == files_below(out).size());
}
