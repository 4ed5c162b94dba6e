#pragma once
// Where in the student's source an instruction comes from.

#include <cstdint>
#include <string>

#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// "row_max.cu" and line of an instruction, following inlined code outwards to the student's own file.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
};
SourcePlace source_place(const Program& program, std::uint32_t pc);

/// Are these of one place, column and calls that were inlined included? Copies that a compiler makes are.
bool same_source(const Program& one, std::uint32_t pc, const Program& other, std::uint32_t other_pc);

/// Where to look for what an instruction did. Code that has no line of its own (SourceLoc::moved) is not
/// the doing of the line before it: what it loads is used somewhere, and what it stores was made somewhere.
struct SuspectPlace : SourcePlace {
  enum class By : std::uint8_t { ItsLine, Use, Making, LineBefore };
  By by = By::ItsLine;
};
SuspectPlace suspect_place(const Program& program, std::uint32_t pc);

}  // namespace cudalabs::sim
