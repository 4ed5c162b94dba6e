#pragma once
// The tables that are packed into the program: cmake/embed_languages.cmake writes them.

#include <span>
#include <string_view>

namespace cudalabs {

struct EmbeddedTable {
  std::string_view language, po;
};
std::span<const EmbeddedTable> embedded_tables();

}  // namespace cudalabs
