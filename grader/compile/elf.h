#pragma once
// The symbols of an x86-64 or AArch64 object file. A
// student's object is hostile input: every offset is checked.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

struct ElfSymbol {
  std::string name;  ///< as the linker sees it
  bool defined = false;
  bool global = false;  ///< visible to other objects (weak ones too)
  bool weak = false;
  bool data = false;  ///< a variable
};

struct ElfObject {
  std::vector<ElfSymbol> symbols;
  std::uint64_t static_bytes = 0;  ///< that its sections take in memory
};

Result<ElfObject> read_elf(std::string_view bytes);

/// The bytes of the section of that name, within `bytes`; empty if there is none, or it is damaged.
std::string_view section_of(std::string_view bytes, std::string_view name);

/// The object with other bytes in the section of that name, or an error: there is none. Of several the first.
Result<std::string> with_section(std::string object, std::string_view name, std::string_view bytes);

}  // namespace cudalabs
