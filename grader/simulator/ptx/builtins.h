#pragma once
// Functions that PTX declares and nobody defines: what calls them is served by the simulator itself.

#include <cstdint>
#include <string_view>

namespace cudalabs::ptx {

enum class Builtin : std::uint8_t { None, Vprintf, AssertFail, Malloc, Free };

/// None: of this name there is none.
Builtin builtin_named(std::string_view function);

}  // namespace cudalabs::ptx
