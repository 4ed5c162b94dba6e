#include "grader/submission/unset_variable.h"

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("the variable of a line that is declared without a value is named") {
  const std::string_view source = R"(__global__ void sums(const float* x, float* out, int n) {
  float sum, other = 0;
  float parts[4][2];
  Pair pair;
  for (int i = 0; i < n; ++i) sum += x[i];
  parts[n][0] += x[0];
  out[0] = sum + parts[0][0];
  out[1] = pair.x + other;
  { int sum = 1; out[2] = sum; }
  // int last;
  out[3] = last;
  __shared__ int shared[4];
  out[4] = shared[0];
}
)";
  const auto name = [&](int line) { return unset_variable(source, line).name; };
  CHECK(name(5) == "sum");
  CHECK(unset_variable(source, 5).start == "float sum = 0");
  CHECK(name(6) == "parts");
  CHECK(unset_variable(source, 6).start == "float parts[4][2] = {}");
  CHECK(name(7).empty());  // two
  CHECK(name(8) == "pair");
  CHECK(unset_variable(source, 8).start == "Pair pair = {}");
  CHECK(name(9).empty());
  CHECK(name(11).empty());
  CHECK(name(13).empty());
  CHECK(name(0).empty());
  CHECK(name(100).empty());
}
