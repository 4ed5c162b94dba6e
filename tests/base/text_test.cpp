#include "grader/base/text.h"

#include <vector>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("edit distance") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("flaot", "float") == 1);  // a swap counts as one mistake
  CHECK(edit_distance("Lab3", "lab3") == 0);
}

TEST_CASE("only a plausible misspelling is suggested") {
  const std::vector<std::string> names = {"global", "shared", "padded"};
  CHECK(nearest("shraed", names) == std::optional<std::string>("shared"));
  CHECK(nearest("pading", names) == std::optional<std::string>());
  CHECK(nearest("", names) == std::optional<std::string>());
  CHECK(nearest(std::string(1'000'000, 'x'), names) == std::optional<std::string>());
  CHECK(did_you_mean("gloabl", names) == "; did you mean 'global'?");
  CHECK(did_you_mean("zzz", names).empty());
}

TEST_CASE("numbers in names order as numbers") {
  CHECK(natural_less("variant2", "variant10"));
  CHECK_FALSE(natural_less("variant10", "variant2"));
  CHECK_FALSE(natural_less("variant2", "variant2"));
  CHECK(natural_less("lab2", "lab2b"));
  CHECK(natural_less("lab", "lab1"));
}
