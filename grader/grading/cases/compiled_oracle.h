#pragma once
// The library that an oracle becomes: compiled once with the host's compiler, and cached.

#include <filesystem>
#include <string>

#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

struct CompiledOracle {
  std::filesystem::path library;
  std::string key;  ///< changes with the source, the headers or their compiler
};

/// Compiles lab.oracle into `folder` (made private, see course/cache.h) unless it is there already. In the
/// students' edition it is compiled. Errors: no compiler, or the compiler's message.
Result<CompiledOracle> compiled_oracle(const Lab& lab, const std::filesystem::path& folder);

/// The library for the students' edition, without lines and names of the source.
Result<std::string> oracle_to_hand_out(const Lab& lab, const std::filesystem::path& folder);

}  // namespace cudalabs
