#pragma once
// A small class that the real grader grades, for the tests.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "grader/classroom/class_record.h"
#include "tests/classroom/class.h"
#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace cudalabs::test {

using Strings = std::vector<std::string>;

inline const std::string kReference =
    read_file(std::filesystem::path(CUDALABS_SOURCE) / "reference/lab1/variant1/table.cu");

/// A class of lab1 variant1: two right solutions (one submitted twice), a file that does not compile, and an
/// empty folder.
inline void write_class(const e2e::Sandbox& sandbox) {
  e2e::without_large_cases(sandbox.course(), "lab1/variant1", 68000);
  sandbox.write("class/alice/table.cu", kReference);
  sandbox.write("class/bob/table.cu", kReference);
  sandbox.write("class/carol/table.cu", kReference + "// mine\n");
  sandbox.write("class/dave/table.cu", "#error unfinished\n");
  sandbox.write("class/erin/report.pdf", "x");
}

inline Strings batch(Strings more = {}) {
  Strings words = {"batch", "lab1", "variant1", "class", "--seed", "7", "--jobs", "2"};
  if (std::ranges::find(more, "--out") == more.end()) more.insert(more.end(), {"--out", "out"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Reads the journal of a batch, and checks that the file is valid.
inline ClassRecord record_of(const std::filesystem::path& out) {
  auto journal = Journal::open(out / "journal.sqlite");
  REQUIRE(journal);
  auto record = read_record(**journal);
  REQUIRE(record);
  return *record;
}

inline std::string points(const e2e::Sandbox& sandbox) {
  const ClassRecord record = record_of(sandbox.work() / "out");
  std::string text;
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    text += fmt::format("{} {}{}\n", id, grade.points,
                        grade.problem.empty() ? "" : " (" + grade.problem.english() + ")");
  }
  return text;
}

}  // namespace cudalabs::test
