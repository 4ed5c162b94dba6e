#pragma once
// Programs of older years: a source that uses what CUDA 13 has no longer (gone.def) compiles with a header
// of ours, for nvcc and clang alike, and a note says what to write today. Sources of today never see that
// header: it is used only after a compiler has missed one of those names.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/toolchain/options/cuda_compiler.h"

namespace cudalabs {

struct GoneNote {
  std::string_view name;  ///< of what is gone, as a person reads it
  Message note;
};
/// What a compiler's message and the line that it is about name of what is gone.
std::vector<GoneNote> gone_in(std::string_view error);

/// Advice on an error about something that is gone; no message: the error is about something else.
Message advice_on_gone(std::string_view error);

/// A compilation with the given options after the job's own.
using CompileWith = std::function<Result<Compilation>(const std::vector<std::string>& options)>;

/// Compiles, and compiles again with the headers in `old` while that adds something that the compiler missed.
/// Compilation::missed holds what it said before; if nothing helps, the last messages count.
Result<Compilation> compile_of_any_year(const std::filesystem::path& old, const CompileWith& compile);

}  // namespace cudalabs
