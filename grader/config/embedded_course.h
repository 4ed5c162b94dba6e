#pragma once
// The course, our libcudart and our CUDA headers as packed into this binary,
// so that the binary can be copied alone to another machine.

#include <filesystem>
#include <span>
#include <string_view>

#include "grader/support/result.h"

namespace cudalabs {

struct EmbeddedFile {
  std::string_view path;  ///< relative, "configs/labs/lab3/variant4.yaml" or "lib/libcudalabs_cudart.a"
  std::string_view bytes;
};

/// Every packed file, sorted by path. Generated at build time by cmake/embed.cmake.
std::span<const EmbeddedFile> embedded_course();

/// Names the contents of embedded_course(): 16 hex digits.
std::string_view embedded_course_hash();

/// Our CUDA headers, for a compiler that is used without the CUDA Toolkit, by their names ("cuda_runtime.h").
std::span<const EmbeddedFile> embedded_cuda_headers();

/// Names the contents of embedded_cuda_headers(): 16 hex digits.
std::string_view embedded_cuda_headers_hash();

/// Writes the packed files to `<cache_folder()>/course-<hash>/`
/// unless they are there, and returns that folder.
Result<std::filesystem::path> unpack_embedded_course();

/// The folder that holds what a submission is linked with: `libcudalabs_cudart.a`. Always the one packed into
/// this binary, so that both ends of the device protocol are of one version.
Result<std::filesystem::path> runtime_folder();

/// The folder of our CUDA headers. Apart from the course's: a submission's compiler sees it.
Result<std::filesystem::path> cuda_headers_folder();

}  // namespace cudalabs
