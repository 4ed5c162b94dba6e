#pragma once
// Handlers of tex, tld4, suld and sust. Inst::extra is an index into Program::textures.
//
// Filtering by the guide's formulas: a coordinate becomes a texel and a fraction of 8 bits, to nearest (so
// that 1.0 has a form: it is the next texel), and what the texels and fractions come to is computed
// exactly, as far as a double holds it, and rounded once. A texel that has no part in the result is not
// read. Each texel that is read counts as a load of global memory, made by the lanes that read it together.

#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

Handler texture_handler();  ///< tex, tld4
Handler surface_handler();  ///< suld, sust

}  // namespace cudalabs::sim
