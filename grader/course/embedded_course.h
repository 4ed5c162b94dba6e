#pragma once
// The course, our libcudart and our CUDA headers, as packed into this binary, so that the binary alone can be
// copied to another machine.

#include <filesystem>
#include <span>
#include <string_view>

#include "grader/base/result.h"
#include "grader/course/pack/pack.h"

namespace cudalabs {

struct EmbeddedFile {
  std::string_view path;  ///< relative, "configs/labs/lab3/variant4.yaml" or "lib/libcudalabs_cudart.a"
  std::string_view bytes;
};

/// Every packed file, sorted by path. Generated at build time by cmake/embed.cmake. In a program that carries
/// a course behind it, the files that are the course's are zeros.
std::span<const EmbeddedFile> embedded_course();

/// Returns whether an embedded file is a part of the course, and not our library.
bool is_of_course(const EmbeddedFile& file);

/// Names the contents of embedded_course(): 16 hex digits.
std::string_view embedded_course_hash();

/// Our CUDA headers by name ("cuda_runtime.h"), for a compiler without the CUDA Toolkit.
std::span<const EmbeddedFile> embedded_cuda_headers();

/// Names the contents of embedded_cuda_headers(): 16 hex digits.
std::string_view embedded_cuda_headers_hash();

/// Writes the course that this grader carries to `<cache_folder()>/course-<hash>/` unless it is there: the
/// one behind the program (course/pack/carried.h), else the embedded one. Returns that folder.
Result<std::filesystem::path> unpack_own_course();

/// Does the same for a course in a file.
Result<std::filesystem::path> unpack_course(const Pack& pack);

/// The folder of the library that submissions are linked with: `libcudalabs_cudart.a`. It is always the one
/// packed into this binary, so that both ends of the device protocol have the same version.
Result<std::filesystem::path> runtime_folder();

/// The folder of our CUDA headers. It is separate from the course's, because a submission's compiler sees it.
Result<std::filesystem::path> cuda_headers_folder();

}  // namespace cudalabs
