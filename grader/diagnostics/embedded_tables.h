#pragma once
// The message tables that are embedded in the program; cmake/embed_languages.cmake generates them.

#include <span>
#include <string_view>

namespace cudalabs {

struct EmbeddedTable {
  std::string_view language, file, po;
};
/// The texts of the interface, a file a language.
std::span<const EmbeddedTable> embedded_tables();
/// The templates of messages, some files a language.
std::span<const EmbeddedTable> embedded_messages();

}  // namespace cudalabs
