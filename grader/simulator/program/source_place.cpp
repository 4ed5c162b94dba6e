#include "grader/simulator/program/source_place.h"

namespace cudalabs::sim {

SourcePlace source_place(const Program& program, std::uint32_t pc) {
  if (pc >= program.source.size() || program.source[pc] >= program.function->body.size()) return {};
  ptx::LocId loc = program.function->body[program.source[pc]].loc;
  const auto& locations = program.module->locations;
  // Inlined code of the toolkit's headers: the line that a student can change is the outermost one.
  for (int depth = 0; depth < 64 && loc != 0 && locations[loc].inlined_at != 0; ++depth) {
    const std::string& file = program.module->files[locations[loc].file];
    const bool system =
        file.find("/include/") != std::string::npos || file.find("/nvvm/") != std::string::npos;
    if (!system) break;
    loc = locations[loc].inlined_at;
  }
  if (loc == 0) return {};
  return {program.module->files[locations[loc].file], locations[loc].line};
}

}  // namespace cudalabs::sim
