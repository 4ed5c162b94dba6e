#pragma once
// Links the device code of objects that were compiled with -rdc=true, like nvlink: makes one fat binary, and
// the functions that such objects call to register their kernels and variables.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// Both compilers' flag, and the section of an object that holds its unlinked device code.
inline constexpr const char *kRelocatable = "-rdc=true", *kRelocatableSection = "__nv_relfatbin";

struct LinkObject {
  std::string name;  ///< for messages: "there.o", "libown.a(there.o)", or the source of the object
  std::string bytes;
};

/// The objects in an object file or an archive; empty for other files, such as a shared library.
std::vector<LinkObject> objects_in(const std::string& name, std::string bytes);

/// The host program's part of the device code of all objects together.
struct LinkedCode {
  std::string source;  ///< in C; refers to the fat binary's file
  std::string fat_binary;
};

/// Empty if no object has unlinked device code. A diagnostic names the symbols that the objects lack
/// (ptx/parse/link.h). `highest`: the newest accepted architecture. `image`: the path for the fat binary.
Result<std::optional<LinkedCode>> link_device_code(std::span<const LinkObject> objects, int highest,
                                                   const std::filesystem::path& image);

}  // namespace cudalabs
