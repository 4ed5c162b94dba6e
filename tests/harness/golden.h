#pragma once
// Compares whole texts with reviewed ones.

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace cudalabs::test {

/// Compares a text with golden/NAME in the test's data folder. UPDATE_GOLDEN=1 rewrites the file: read the
/// difference before committing it.
inline void check_golden(const std::string& name, const std::string& text) {
  const std::string file = CUDALABS_TEST_DATA "/golden/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << text;
  INFO(name);
  CHECK(text == read_file(file));
}

}  // namespace cudalabs::test
