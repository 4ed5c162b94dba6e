#pragma once
// Include this in one file of a test binary that starts device processes. The device process is the same
// binary, started again, and never reaches Catch.

#include <cstdlib>
#include <cstring>

#include "grader/base/log/log.h"
#include "grader/device/main/device_main.h"

__attribute__((constructor)) static void become_device_process(int count, char** words, char**) {
  if (count < 3 || std::strcmp(words[1], "__device") != 0) return;
  if (count == 5)
    cudalabs::logging::start_for_relay(*cudalabs::logging::read_levels(words[4], words[1]),
                                       std::atoi(words[3]));
  std::exit(cudalabs::device_process_main(std::atoi(words[2])));
}
