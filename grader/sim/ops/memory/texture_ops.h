#pragma once
// Handlers of tex, tld4, suld and sust. Inst::extra is an index into Program::textures.
//
// Filtering follows the guide's formulas: a coordinate becomes a texel and a fraction of 8 bits, to nearest
// (so 1.0 is representable, as the next texel). The weighted sum of texels is computed exactly, as far as a
// double allows, and rounded once. Texels with weight 0 are not read. Each texel counts as a load of global
// memory by the lanes that read it together.

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

Handler texture_handler();  ///< tex, tld4
Handler surface_handler();  ///< suld, sust

}  // namespace cudalabs::sim
