#pragma once
// Reads the symbols of an x86-64 or AArch64 object file. A student's object is hostile input: every offset is
// checked.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

struct ElfSymbol {
  std::string name;  ///< the linker's (mangled) name
  bool defined = false;
  bool global = false;  ///< visible to other objects (weak ones too)
  bool weak = false;
  bool data = false;  ///< a variable
};

struct ElfObject {
  std::vector<ElfSymbol> symbols;
  std::uint64_t static_bytes = 0;  ///< memory that its sections take
};

Result<ElfObject> read_elf(std::string_view bytes);

/// The bytes of the section of that name, within `bytes`; empty if there is none, or it is damaged.
std::string_view section_of(std::string_view bytes, std::string_view name);

/// The object with new bytes in the section of that name; of several such sections, the first. Error: there
/// is none.
Result<std::string> with_section(std::string object, std::string_view name, std::string_view bytes);

}  // namespace cudalabs
