#pragma once
// Adapts clang's PTX for a card's driver. clang 14 writes ISA 7.5 for compute capability 8.0. Inline assembly
// in a source or in our headers may need a newer ISA and target, which the card supports.

#include <string>
#include <string_view>

namespace cudalabs {

/// True iff clang made the text, by the compiler's name above the code.
bool by_clang(std::string_view ptx);

/// `ptx` with ISA 8.0 or newer, for the card's compute capability (90: 9.0) if that is newer than the text's
/// own. Every driver that we support (12.8 and newer) reads this ISA. Text of other compilers stays as it is.
std::string ptx_for_card(std::string_view ptx, int compute_capability);

}  // namespace cudalabs
