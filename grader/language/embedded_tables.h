#pragma once
// The message tables that are embedded in the program; cmake/embed_languages.cmake generates them.

#include <span>
#include <string_view>

namespace cudalabs {

struct EmbeddedTable {
  std::string_view language, po;
};
std::span<const EmbeddedTable> embedded_tables();

}  // namespace cudalabs
