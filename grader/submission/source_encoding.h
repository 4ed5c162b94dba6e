#pragma once
// Sources in the encodings that editors of other systems write.

#include <string>

namespace cudalabs {

/// Converts UTF-16 (with a byte order mark, or recognized by its zero bytes) to UTF-8, drops UTF-8's mark,
/// and ends the lines of an old Mac's text with '\n'. Other texts stay as they are. Returns whether the text
/// was UTF-16.
bool make_utf8(std::string& text);

}  // namespace cudalabs
