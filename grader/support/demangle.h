#pragma once
// Mangled names as people read them. The names come from hostile programs: a short one can stand for a text
// of gigabytes, since its parts may refer to what came before.

#include <cstddef>
#include <string>
#include <string_view>

namespace cudalabs {

inline constexpr std::size_t kLongestMangled = 4096;
inline constexpr std::size_t kLongestDemangled = std::size_t{16} << 10;

/// The name itself if it is not mangled, or is longer, or would become longer, than the above.
std::string demangled(std::string_view name);

/// For where names are told, each launch and each message with its own: at most so long.
std::string shortened_name(std::string name);

}  // namespace cudalabs
