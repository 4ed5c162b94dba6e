#pragma once
// Compares whole texts with reviewed ones.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace cudalabs::test {

/// Compares a text with a reviewed file. UPDATE_GOLDEN=1 rewrites the file: read the difference before
/// committing it. A failure shows the first line that differs, because whole pages are hundreds of lines.
inline void check_file(const std::filesystem::path& file, const std::string& text) {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file, std::ios::binary) << text;
  const bool missing = !std::filesystem::exists(file);
  const std::string reviewed = read_file(file);
  if (!missing && text == reviewed) {
    SUCCEED();
    return;
  }
  std::istringstream ours(text), theirs(reviewed);
  std::string line, wanted;
  int number = 0;
  bool more = true, wants_more = true;
  do {
    more = static_cast<bool>(std::getline(ours, line));
    wants_more = static_cast<bool>(std::getline(theirs, wanted));
    ++number;
  } while (more && wants_more && line == wanted);
  std::ostringstream difference;
  difference << file.string() << ":" << number << ": ";
  if (missing)
    difference << "there is no such file";
  else if (more != wants_more)
    difference << (more ? "the file ends here, the text goes on: " + line
                        : "the text ends here, the file goes on: " + wanted);
  else if (more)
    difference << "the texts differ\n  reviewed: " << wanted << "\n  now:      " << line;
  else
    difference << "the texts differ in how they end";
  difference << "\nIf the text is right, run this test with UPDATE_GOLDEN=1 and read the difference.";
  FAIL_CHECK(difference.str());
}

/// The same for golden/NAME in the test's data folder.
inline void check_golden(const std::string& name, const std::string& text) {
  check_file(std::filesystem::path(CUDALABS_TEST_DATA) / "golden" / name, text);
}

}  // namespace cudalabs::test
