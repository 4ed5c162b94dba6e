#pragma once
// clang's flags for each half of a CUDA file, and the translation of nvcc's flags to clang's.

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs {

enum class Half : std::uint8_t { Device, Host };

/// `version`: clang's version, "14.0.6".
std::vector<std::string> clang_flags(Half half, const std::string& version);

/// The flags for clang's language server, which reads a source for an editor. `headers`: the folder of ours.
std::vector<std::string> editor_flags(const std::string& headers);

/// The flags that compile the device half's IR to PTX; `device`: a user's flags for that half.
std::vector<std::string> clang_code_flags(const std::vector<std::string>& device);

/// The header that nvcc includes before each file.
inline constexpr const char* kPrefix = "cuda_runtime.h";

/// A user's flags (NvccCommand::flags) for clang's two halves, and for a host compiler. Flags that only nvcc
/// uses are left out.
struct UserFlags {
  std::vector<std::string> device, host;
};
UserFlags translated(const std::vector<std::string>& nvcc_flags);

/// The host compiler's flags among them, from -Xcompiler.
std::vector<std::string> host_words(const std::vector<std::string>& nvcc_flags);

/// The language standard of a user's program, as a flag for clang; translated() does not include it.
std::string standard_of(const std::vector<std::string>& nvcc_flags);

/// True iff a header that was precompiled without these flags may be used with them.
bool precompiles(const std::vector<std::string>& user_flags);

}  // namespace cudalabs
