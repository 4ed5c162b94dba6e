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

/// A user's flags for nvcc as clang's two halves and the linker take them. What only nvcc
/// has a use for is left out.
struct UserFlags {
  std::vector<std::string> device, host, link;
};
UserFlags translated(const std::vector<std::string>& nvcc_flags);

/// Whether a header that was compiled without these flags may be used with them.
bool precompiles(const std::vector<std::string>& user_flags);

}  // namespace cudalabs
