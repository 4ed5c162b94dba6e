#include "grader/classroom/intake/find_submission.h"

#include "grader/classroom/intake/likeness.h"
#include "tests/classroom/class.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

const std::string kAnother = "int x;\n";

const std::string& solution() {
  static const std::string text = read_file(row_max().reference);
  return text;
}
const std::string& stub_text() {
  static const std::string text = read_file(row_max().stub);
  return text;
}

std::string notebook(const std::vector<std::string>& cells) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& cell : cells)
    list.push_back({{"cell_type", "code"}, {"metadata", nlohmann::json::object()}, {"source", cell}});
  return nlohmann::json{{"nbformat", 4}, {"cells", list}}.dump();
}

std::string utf16(const std::string& text) {
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += std::string{c, '\0'};
  return wide;
}

using TestFiles = std::map<std::string, std::string>;

/// "PATH" or "! why", with notes; as for a student of a class and as for --submission, which must agree.
std::string search_both(const TestFiles& files) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "s");
  write_files(folder.path() / "s", files);
  const Lab lab = row_max();
  const auto tree = read_tree(folder.path() / "s");
  REQUIRE(tree);
  const FoundSubmission of_class = find_submission(lab, slugs(), tree->files);
  Messages note;
  const auto alone = search_submission(lab, slugs(), folder.path() / "s", note);
  CHECK(alone.ok() == of_class.problem.empty());
  if (alone) CHECK(alone->source.content == of_class.submission.source.content);
  std::string text = of_class.problem.empty() ? of_class.path : "! " + of_class.problem.english();
  if (of_class.problem.empty()) CHECK(entries_defined(lab, of_class.submission.source.content) > 0);
  return text + (of_class.note.empty() ? "" : "; " + of_class.note.english());
}

}  // namespace

TEST_CASE("Odd names and places of a submission", "[intake]") {
  const std::string as = " is used as row_max.cu: ", name = as + "its name is the most like it",
                    only = as + "it is the only .cu file", functions = as + "it defines the lab's functions";
  const std::vector<std::pair<TestFiles, std::string>> cases = {
      {{{"row_max.cu", solution()}, {"old/row_max.cu", kAnother}}, "row_max.cu"},
      {{{"project/src/row_max.cu", solution()}}, "project/src/row_max.cu"},
      {{{"row max (final) v2.cu", solution()}}, "row max (final) v2.cu; row max (final) v2.cu" + name},
      {{{"ROW_MAX.CU", solution()}, {"notes.md", "x"}}, "ROW_MAX.CU; ROW_MAX.CU" + name},
      {{{"RowMax2.cu", solution()}}, "RowMax2.cu; RowMax2.cu" + name},
      {{{"row_max.cu.txt", solution()}}, "row_max.cu.txt; row_max.cu.txt" + name},
      {{{"smith_row_max.cu", solution()}, {"test.cu", kAnother}},
       "smith_row_max.cu; smith_row_max.cu" + name},
      {{{"kernel.cu", solution()}}, "kernel.cu; kernel.cu" + only},
      {{{"kernel.cu", solution()}, {"test.cu", kAnother}}, "kernel.cu; kernel.cu" + functions},
      {{{"kernel.cpp", solution()}}, "kernel.cpp; kernel.cpp" + functions},
      {{{"code.txt", solution()}, {"readme.txt", "row_max_global(x)"}}, "code.txt; code.txt" + functions},
      {{{"__MACOSX/._row_max.cu", "x"}, {"row_max.cu", solution()}}, "row_max.cu"},
      {{{"row_max.cu", utf16(solution())}}, "row_max.cu; row_max.cu is in UTF-16; it was read as UTF-8"},
      {{{"row_max.cu", "\xef\xbb\xbf" + solution()}}, "row_max.cu"},
      {{{"row_max.cu", stub_text()}, {"row_max (1).cu", solution()}},
       "row_max (1).cu; row_max (1).cu" + name + "; row_max.cu is the stub as it was handed out"},
      {{{"row_max.cu", stub_text()}}, "row_max.cu"},
      {{{"lab3/variant4/row_max.cu", solution()}, {"reference/lab3/variant4/row_max.cu", "x"}},
       "lab3/variant4/row_max.cu"},
      {{{"reference/lab3/variant4/row_max.cu", solution()}},
       "! no row_max.cu was handed in, only reference/lab3/variant4/row_max.cu"},
      {{{"v1/row_max.cu", solution()}, {"v2/row_max.cu", solution()}}, "v1/row_max.cu"},
      {{{"v1/row_max.cu", solution()}, {"v2/row_max.cu", solution() + "//\n"}},
       "! several files are named row_max.cu: v1/row_max.cu, v2/row_max.cu"},
      {{{"row_max_v1.cu", solution()}, {"row_max_v2.cu", solution() + "//\n"}},
       "! row_max.cu is missing; it may be one of row_max_v1.cu, row_max_v2.cu"},
      {{{"report.pdf", "x"}, {"row_max.cu~", solution()}},
       "! no row_max.cu was handed in, only report.pdf, row_max.cu~"},
      {{{"work.rar", "x"}},
       "! work.rar is an archive of a kind that the grader does not read; pack it as .zip"},
      {{}, "! nothing was handed in"},
      // Cells of notebooks are files.
      {{{"a.ipynb", notebook({"import os", "%%writefile row_max.cu\n" + solution()})}}, "a.ipynb/row_max.cu"},
      {{{"a.ipynb", notebook({"%%cuda --name row_max\n" + solution()})}}, "a.ipynb/row_max.cu"},
      {{{"a.ipynb", notebook({"%%cuda\n" + solution()})}}, "a.ipynb/cell_1.cu; a.ipynb/cell_1.cu" + only},
      {{{"a.ipynb", notebook({"%%writefile row_max.cu\n" + stub_text(),
                              "%%writefile /content/row_max.cu\n" + solution()})},
        {".ipynb_checkpoints/a-checkpoint.ipynb", notebook({"%%writefile row_max.cu\n" + kAnother})}},
       "a.ipynb/row_max.cu"},
      {{{"a.ipynb", notebook({"print(1)"})}},
       "! a.ipynb has no cell that holds a source; begin the cell with %%writefile and the file's name"},
      {{{"a.ipynb", "{\"cells\": [" + std::string(100'000, '[')}},
       "! a.ipynb is not a notebook that can be read"},
  };
  for (const auto& [files, expected] : cases) CHECK(search_both(files) == expected);
}

TEST_CASE("An archive is searched as a folder is, also one with a source's name", "[intake]") {
  const TemporaryFolder folder;
  const Lab lab = row_max();
  const auto source_of = [&](const std::string& name) {
    Messages note;
    const auto submission = search_submission(lab, slugs(), folder.path() / name, note);
    return submission ? submission->source.content : "! " + submission.problem().message.english();
  };
  write_archive(folder.path() / "w.zip", {{"in/deep/row_max.cu", solution()}, {"__MACOSX/in/._x.cu", "x"}});
  CHECK(source_of("w.zip") == solution());
  std::filesystem::rename(folder.path() / "w.zip", folder.path() / "row_max.cu");
  CHECK(source_of("row_max.cu") == solution());
  CHECK(source_of("") == solution());
  write_files(folder.path(), {{"x.pdf", "x"}, {"broken.zip", "x"}});
  CHECK(source_of("x.pdf") == "! is neither a folder, a source, a notebook nor an archive");
  CHECK(source_of("broken.zip").starts_with("! cannot be unpacked: "));
}

TEST_CASE("A headers' folder and encoding come along from anywhere", "[intake]") {
  const TemporaryFolder folder;
  write_files(folder.path() / "s", {{"deep/Row_Max.cu", utf16("#include \"tile.cuh\"\n" + solution())},
                                    {"deep/tile.cuh", utf16("// tile\n")},
                                    {"tile.cuh", "another"}});
  Messages note;
  const auto submission = search_submission(row_max(), slugs(), folder.path() / "s", note);
  REQUIRE(submission);
  REQUIRE(submission->headers.size() == 1);
  CHECK(submission->headers[0].content == "// tile\n");
}

TEST_CASE("Words of a name, whatever stands between them", "[intake]") {
  const Lab lab = row_max();
  for (const char* name : {"row-max.cu", "Row Max.cu", "rowmax.cu", "rowmax3.cu", "x/row_max_final.CU",
                           "Copy of row_max (2).cu", "ivanov.row_max.cu.txt"})
    CHECK(likeness(lab, name) == NameLikeness::Resembling);
  for (const char* name : {"row_maximum.cu", "arrow_max.cu", "max_row.cu", "row.cu", "row_maxx.cu"})
    CHECK(likeness(lab, name) == NameLikeness::Cuda);
  CHECK(likeness(lab, "x/row_max.cu") == NameLikeness::Exact);
  CHECK(likeness(lab, "row_max.cuh") == NameLikeness::Text);
  CHECK(likeness(lab, "row_max.cu.bak") == NameLikeness::None);
}
