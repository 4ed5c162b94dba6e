#pragma once
// Under clang the host finds `static __constant__ float c[4]`, but not the same in an unnamed namespace: to
// the device's half nobody else can set it, and it is optimised away. Its intermediate code, before any pass,
// still has it.

#include <string>
#include <string_view>

namespace cudalabs {

/// True if the text of a source has a namespace without a name.
bool has_unnamed_namespace(std::string_view source);

/// LLVM's text, where variables of such namespaces in the device's memory are seen by the host.
std::string with_visible_variables(std::string_view ir);

}  // namespace cudalabs
