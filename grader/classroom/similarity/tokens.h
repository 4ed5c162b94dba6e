#pragma once
// Splits a source into tokens whose names and values do not count.

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs {

/// A number for each token: the same one for all names, for all numbers and for all strings. Comments,
/// #include and #pragma have none. Accepts any bytes.
std::vector<std::uint64_t> tokens_of(std::string_view source);

}  // namespace cudalabs
