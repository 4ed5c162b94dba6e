#pragma once
// Whole texts beside those that were read and found good.

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace cudalabs::test {

/// Compares a text with golden/NAME in the folder of the test's data; UPDATE_GOLDEN=1 writes it anew: read the
/// difference before committing it.
inline void check_golden(const std::string& name, const std::string& text) {
  const std::string file = CUDALABS_TEST_DATA "/golden/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << text;
  INFO(name);
  CHECK(text == read_file(file));
}

}  // namespace cudalabs::test
