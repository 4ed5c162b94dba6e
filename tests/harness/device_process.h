#pragma once
// Include this in one file of a test binary that starts device processes. The device process is the same
// binary, started again, and never reaches Catch.

#include <cstdlib>
#include <cstring>

#include "grader/device/main/device_main.h"

__attribute__((constructor)) static void become_device_process(int count, char** words, char**) {
  if (count == 3 && std::strcmp(words[1], "__device") == 0)
    std::exit(cudalabs::device_process_main(std::atoi(words[2])));
}
