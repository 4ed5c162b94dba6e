#pragma once
// Explains compiler messages about typical CUDA mistakes to beginners.

#include <optional>
#include <string>
#include <string_view>

#include "grader/toolchain/compile.h"

namespace cudalabs {

/// Advice on an error of either compiler; empty if the error explains itself.
std::string advice_for(std::string_view text);

/// clang's error and the note below it as one sentence, if the note is the essential part.
std::optional<std::string> explained_by_note(std::string_view error, std::string_view note);

/// clang reports two errors where host code reads threadIdx or a similar variable, which is a function of our
/// headers. These recognise the first and the second.
bool is_built_in_variable(std::string_view text);
bool reads_built_in_variable(std::string_view text);

inline constexpr std::string_view kBuiltInVariables =
    "threadIdx, blockIdx, blockDim and gridDim are there in kernels and __device__ functions alone";

}  // namespace cudalabs
