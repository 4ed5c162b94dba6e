#pragma once

#include <string>

#include "grader/sim/simulator.h"

namespace cudalabs::sim {

inline const std::string kTextHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// What is said of a module with this text behind kTextHead; "" if it is taken.
inline std::string refusal_of(const std::string& text) {
  Simulator simulator;
  const auto module = simulator.load(kTextHead + text, "t.ptx");
  return module ? std::string() : module.problem().text();
}

/// A kernel with predicates %p1 to 3, %r1 to 15, %f1 to 7 and %rd1 to 7; `body` begins in its fifth line.
inline std::string kernel_with(const std::string& body) {
  return ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<8>;\n"
         ".reg .b64 %rd<8>; ld.param.u64 %rd1, [p];\n" +
         body + "\nret;\n}\n";
}

/// What is said of the kernel's fifth line.
inline std::string cannot(const std::string& instruction, const std::string& why) {
  return "t.ptx:8: the simulator cannot execute `" + instruction + "` (PTX line 8) in k: " + why;
}

}  // namespace cudalabs::sim
