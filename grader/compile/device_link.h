#pragma once
// Links the device code of objects that were compiled with -rdc=true, as nvlink does: into one fat binary,
// with the functions that such objects call to register what is theirs.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// Both compilers' word for it, and the section of an object in which its device code waits for the others.
inline constexpr const char *kRelocatable = "-rdc=true", *kRelocatableSection = "__nv_relfatbin";

struct LinkObject {
  std::string name;  ///< for messages: "there.o", "libown.a(there.o)", or the source that it is made of
  std::string bytes;
};

/// The objects in a file that is one, or an archive of them; others, such as a shared library, hold none.
std::vector<LinkObject> objects_in(const std::string& name, std::string bytes);

/// What stands in the host's program for the device code of all objects together.
struct LinkedCode {
  std::string source;  ///< in C; names the fat binary's file
  std::string fat_binary;
};

/// Nothing where no object waits for it. A diagnostic tells what the objects lack of each other (ptx/link.h).
/// `highest`: the newest architecture whose code is taken. `image`: where the fat binary will lie.
Result<std::optional<LinkedCode>> link_device_code(std::span<const LinkObject> objects, int highest,
                                                   const std::filesystem::path& image);

}  // namespace cudalabs
