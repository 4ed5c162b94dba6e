#pragma once
// What clang is told for each half of a CUDA file, and what nvcc's words for it are in clang's.

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs {

enum class Half : std::uint8_t { Device, Host };

/// `version`: of the clang that is told, "14.0.6".
std::vector<std::string> clang_flags(Half half, const std::string& version);

/// What makes PTX of the intermediate code of the device's half; `device`: a user's flags for it.
std::vector<std::string> clang_code_flags(const std::vector<std::string>& device);

/// What nvcc reads by itself before a file.
inline constexpr const char* kPrefix = "cuda_runtime.h";

/// A user's flags (NvccCommand::flags) as clang's two halves take them, and a host compiler by itself. What
/// only nvcc has a use for is left out.
struct UserFlags {
  std::vector<std::string> device, host;
};
UserFlags translated(const std::vector<std::string>& nvcc_flags);

/// What -Xcompiler says among them.
std::vector<std::string> host_words(const std::vector<std::string>& nvcc_flags);

/// The language of a user's program, in a word for clang; it is no part of translated().
std::string standard_of(const std::vector<std::string>& nvcc_flags);

/// Whether a header that was compiled without these flags may be used with them.
bool precompiles(const std::vector<std::string>& user_flags);

}  // namespace cudalabs
