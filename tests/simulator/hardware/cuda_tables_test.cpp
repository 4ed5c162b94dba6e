// Loads from the tables of CUDA's own functions are told from the student's.

#include "grader/simulator/hardware/cuda_tables.h"

#include <string>

#include "grader/simulator/ptx/parser.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::sim;

namespace {

/// By load of this body, in the order written: is it from CUDA's own table?
std::string loads(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".global .align 4 .b8 __cudart_i2opi_f[8] = {65, 144, 67, 60, 153, 149, 98, 219};\n"
      ".global .align 4 .b8 __cudart_mine[4096] = {1};\n"
      ".global .align 4 .b8 __cudart_empty[8];\n"
      ".visible .entry k(.param .u64 in)\n{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [in];\n" +
          body + "\nret;\n}\n",
      "tables.ptx");
  if (!module) FAIL(module.problem().text());
  const ptx::Function& function = module->functions.front();
  const std::vector<bool> of_tables = cuda_table_loads(*module, function);
  std::string found;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const ptx::Instruction& in = function.body[i];
    if (in.op != ptx::Op::Ld || in.space == ptx::Space::Param) continue;
    found += !of_tables.empty() && of_tables[i] ? 'T' : '-';
  }
  return found;
}

}  // namespace

TEST_CASE("loads from CUDA's own tables are known, whatever moves the address on") {
  CHECK(loads("ld.global.u32 %r1, [__cudart_i2opi_f];") == "T");
  CHECK(loads("mov.u64 %rd2, __cudart_i2opi_f;\n"
              "LOOP: ld.global.nc.u32 %r1, [%rd2];\n"
              "add.s64 %rd2, %rd2, 4; setp.ne.s32 %p1, %r1, 0; @%p1 bra LOOP;\n"
              "ld.global.u32 %r2, [%rd1];") == "T-");
  CHECK(loads("mov.u64 %rd2, __cudart_i2opi_f; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;\n"
              "ld.global.u32 %r2, [%rd4+4];") == "T");
}

TEST_CASE("what is read from a table makes no address of one, nor does the name make a table") {
  CHECK(loads("ld.global.u32 %r1, [__cudart_i2opi_f]; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n"
              "ld.global.u32 %r2, [%rd4];") == "T-");
  CHECK(loads("ld.global.u32 %r1, [__cudart_mine];") == "-");
  CHECK(loads("ld.global.u32 %r1, [__cudart_empty];") == "-");
  CHECK(loads("ld.global.u32 %r1, [%rd1];") == "-");
}
