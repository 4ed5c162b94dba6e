#pragma once
// Demangles names for people. The names come from hostile programs: a short one can stand for gigabytes of
// text, because its parts may refer to earlier parts.

#include <cstddef>
#include <string>
#include <string_view>

namespace cudalabs {

inline constexpr std::size_t kLongestMangled = 4096;
inline constexpr std::size_t kLongestDemangled = std::size_t{16} << 10;

/// As the source has it: without the numbers and scopes of files that compilers add to what is local or
/// static. The name itself if it is not mangled, or if it is or would become longer than kLongestDemangled.
std::string demangled(std::string_view name);

/// A name short enough for lists that repeat it in each launch and each message; cut if it is longer.
std::string shortened_name(std::string name);

}  // namespace cudalabs
