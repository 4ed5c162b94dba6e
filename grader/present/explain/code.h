#pragma once
// The device code of each source line.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalabs::explain {

/// The instructions of a file's line, in the order of the code. Inlined library code belongs to the user's
/// line that called it.
using CodeLines = std::map<std::pair<std::string, std::uint32_t>, std::vector<std::string>>;

/// By kernel, with its template arguments: "tile_kernel<32>". Functions that it calls by name are part of it.
/// Empty if `ptx` is not valid.
std::map<std::string, CodeLines> code_of(std::string_view ptx);

}  // namespace cudalabs::explain
