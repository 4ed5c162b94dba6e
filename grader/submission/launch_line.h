#pragma once
// Where a kernel is launched in the text of a .cu file: what the CUDA runtime refuses has no line of its own.

#include <string_view>

namespace cudalabs {

/// The line, from 1, of the only statement that launches `kernel` ("row_sum<32>", "(anonymous
/// namespace)::k<float>") or, where none does, of the only one that names it beside its definition
/// ("launch(row_sum<32>, ...)"). 0: there is none, or more than one. Comments and strings are no statements;
/// what macros make is not seen.
int launch_line(std::string_view source, std::string_view kernel);

/// The line of the only call of `function`, or of its Async form, in whose statement `word` stands; an empty
/// word stands in all; of several the only one in the body of the function `within`. 0 as above.
int call_line(std::string_view source, std::string_view function, std::string_view word,
              std::string_view within = {});

}  // namespace cudalabs
