#pragma once
// The image that a program hands to the CUDA runtime, around PTX. Its layout:
// grader/device/wire/fatbin.h, which reads it.

#include <string>
#include <string_view>

namespace cudalabs {

std::string fat_binary(std::string_view ptx, int architecture);

}  // namespace cudalabs
