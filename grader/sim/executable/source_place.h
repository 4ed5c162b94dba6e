#pragma once
// The place of an instruction in the student's source.

#include <cstdint>
#include <string>

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// "row_max.cu" and line of an instruction; inlined code is followed outwards to the student's own file.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
};
SourcePlace source_place(const Program& program, std::uint32_t pc);
/// The same for an instruction of a function's body.
SourcePlace source_place(const ptx::Module& module, const ptx::Function& function, std::uint32_t index);

/// Do the instructions have the same place, including column and inlined calls? This holds for copies that a
/// compiler makes.
bool same_source(const Program& one, std::uint32_t pc, const Program& other, std::uint32_t other_pc);

/// The place to inspect for an instruction's effect. Code without a line of its own (SourceLoc::moved) does
/// not belong to the previous line: its loaded value is used somewhere, and its stored value was computed
/// somewhere.
struct SuspectPlace : SourcePlace {
  enum class By : std::uint8_t { ItsLine, Use, Making, LineBefore };
  By by = By::ItsLine;
};
SuspectPlace suspect_place(const Program& program, std::uint32_t pc);

}  // namespace cudalabs::sim
