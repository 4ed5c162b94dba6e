#pragma once
// Finds a kernel's launch in the text of a .cu file: an error of the CUDA runtime has no line of its own.

#include <string_view>

namespace cudalabs {

/// The line, from 1, of the only statement that launches `kernel` ("row_sum<32>", "(anonymous
/// namespace)::k<float>"). If no statement does, the line of the only one that names it outside of its
/// definition ("launch(row_sum<32>, ...)"). 0: there is none, or more than one. Comments and strings do not
/// count; macros are not expanded.
int launch_line(std::string_view source, std::string_view kernel);

/// The line of the only call of `function`, or of its Async form, whose statement contains `word` (an empty
/// word matches all). Of several, the only one in the body of function `within`. 0 as above.
int call_line(std::string_view source, std::string_view function, std::string_view word,
              std::string_view within = {});

/// The line of the first call of a function of this namespace ("thrust") in the body of `within`, or else
/// anywhere. Casts and functions that only make iterators are not calls. 0: there is none.
int library_line(std::string_view source, std::string_view name_space, std::string_view within);

}  // namespace cudalabs
