#pragma once
// Under clang the host finds `static __constant__ float c[4]`, but not in an unnamed namespace: in the device
// half nothing else can set that variable, so it is optimised away. The LLVM IR before any pass still has it.

#include <string>
#include <string_view>

namespace cudalabs {

/// True iff a source has an unnamed namespace.
bool has_unnamed_namespace(std::string_view source);

/// The IR in which the host sees the device variables of such namespaces.
std::string with_visible_variables(std::string_view ir);

}  // namespace cudalabs
