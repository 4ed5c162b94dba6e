// Distinguishes CUDA's own tables from arrays with similar names.

#include "grader/sim/analysis/cuda_tables.h"

#include <string>

#include "grader/sim/ptx/parse/parser.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::sim;

namespace {

/// Returns whether the only variable of this module is one of CUDA's own tables.
bool is_table(const std::string& variable) {
  const auto module =
      ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .b8 " + variable + ";\n",
                 "tables.ptx");
  if (!module) FAIL(module.problem().text());
  return cuda_tables(*module).size() == 1;
}

}  // namespace

TEST_CASE("CUDA's own tables are known by their names and sizes") {
  CHECK(is_table("__cudart_i2opi_f[24] = {65, 144, 67, 60}"));
  CHECK(is_table("__cudart_i2opi_d[144] = {8}"));
  CHECK(is_table("__cudart_sin_cos_coeffs[128] = {186}"));
  CHECK(is_table("__cudart_two_over_pi[160] = {1}"));
}

TEST_CASE("a name alone makes no table") {
  CHECK_FALSE(is_table("__cudart_i2opi_f[24]"));  // it is empty
  CHECK_FALSE(is_table("__cudart_i2opi_f[4096] = {1}"));
  CHECK_FALSE(is_table("__cudart_i2opi_fake[24] = {1}"));
  CHECK_FALSE(is_table("__cudart_mine[16] = {1, 0, 0, 0, 2}"));
}
