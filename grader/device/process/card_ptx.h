#pragma once
// clang's PTX as a card's driver is to read it. clang 14 writes ISA 7.5 for compute capability 8.0, and the
// assembly that a source or our headers bring along may need newer ones, which the card has.

#include <string>
#include <string_view>

namespace cudalabs {

/// By the compiler's name, which stands above the code.
bool by_clang(std::string_view ptx);

/// `ptx` of ISA 8.0 or newer, for the compute capability of the card (90: 9.0) if that is newer than its own.
/// The ISA is one that every driver reads that we take (12.8 and newer). Other text stays what it is.
std::string ptx_for_card(std::string_view ptx, int compute_capability);

}  // namespace cudalabs
