#pragma once

#include <string>

#include "grader/sim/ptx/ir.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {

/// A kernel of one parameter, p, that returns after `body`: predicates %p1 to 3, %r1 to 15, %rd1 to 7.
inline ptx::Function function_of(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n" +
      body + "\nret;\n}\n";
  auto module = ptx::parse(text, "test");
  REQUIRE(module);
  return module->functions.at(0);
}

}  // namespace cudalabs::sim
