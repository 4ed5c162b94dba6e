#pragma once
// Explains compiler messages about typical CUDA mistakes to beginners.

#include <string_view>

#include "grader/toolchain/compile.h"

namespace cudalabs {

/// Advice on an error of either compiler; no message if the error explains itself.
Message advice_for(const Messages& error);

/// clang's error and the note below it as one message, if the note is the essential part; else no message.
Message explained_by_note(const Messages& error, std::string_view note);

/// A semicolon is missing, which compilers see where the next word begins.
bool lacks_semicolon_before(const Messages& error);

/// clang reports two errors where host code reads threadIdx or a similar variable, which is a function of our
/// headers. These recognise the first and the second.
bool is_built_in_variable(const Messages& error);
bool reads_built_in_variable(const Messages& error);

}  // namespace cudalabs
