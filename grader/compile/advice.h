#pragma once
// What compilers say of mistakes that CUDA invites, in words for who makes them the first time.

#include <optional>
#include <string>
#include <string_view>

#include "grader/compile/compile.h"

namespace cudalabs {

/// What to do about an error of either compiler; empty if its words say it.
std::string advice_for(std::string_view text);

/// clang's error and the note below it as one sentence, where the note is what matters.
std::optional<std::string> explained_by_note(std::string_view error, std::string_view note);

/// Of clang's two errors where host code reads threadIdx or one of its like, a function of our
/// headers: the first, the second.
bool is_built_in_variable(std::string_view text);
bool reads_built_in_variable(std::string_view text);

inline constexpr std::string_view kBuiltInVariables =
    "threadIdx, blockIdx, blockDim and gridDim are there in kernels and __device__ functions alone";

}  // namespace cudalabs
