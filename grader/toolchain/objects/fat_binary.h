#pragma once
// Makes the image that a program passes to the CUDA runtime, around PTX. grader/device/protocol/fatbin.h
// reads it and describes its layout.

#include <string>
#include <string_view>

namespace cudalabs {

std::string fat_binary(std::string_view ptx, int architecture);

}  // namespace cudalabs
