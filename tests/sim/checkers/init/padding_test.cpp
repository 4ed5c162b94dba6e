#include "grader/sim/checkers/init/padding.h"

#include <string>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// Written bytes (x) and unwritten ones ('.'), repeated.
bool padding(const std::string& structure, int times) {
  ValidBits bits(structure.size() * static_cast<std::size_t>(times) + 3);
  for (std::size_t at = 0; at < structure.size() * static_cast<std::size_t>(times); ++at)
    bits.put(at + 3, structure[at % structure.size()] == 'x');
  return looks_like_padding(bits, 3, 3 + structure.size() * static_cast<std::size_t>(times));
}

}  // namespace

TEST_CASE("gaps before what is aligned are padding", "[padding]") {
  CHECK(padding("x...xxxx", 5));                  // char, int
  CHECK(padding("x.......xxxxxxxxxx......", 7));  // char, double, short
  CHECK(padding("xx..xxxxx...", 3));              // short, int, char
  CHECK(padding("xxxxxxxxxxxx....", 40));         // float4 without its last element
  CHECK(padding("xxxx....xxxxxxxx", 1));          // a single one
}

TEST_CASE("elements that were forgotten are no padding", "[padding]") {
  CHECK_FALSE(padding("xxxx....", 8));  // every other float
  CHECK_FALSE(padding("x.", 9));
  CHECK_FALSE(padding("xxxxxxxx....", 8));                                      // every third
  CHECK_FALSE(padding("....xxxxxxxxxxxx", 8));                                  // the first of four
  CHECK_FALSE(padding("xxxxxxxxxxxx....", 1));                                  // at the end of an array
  CHECK_FALSE(padding("xxxxxxxxxxxxxxxx................xxxxxxxxxxxxxxxx", 4));  // no type has that alignment
  CHECK_FALSE(padding(std::string(300, 'x') + "....", 1));
  CHECK_FALSE(padding(std::string(64, '.'), 2));
}

}  // namespace cudalabs::sim
