#pragma once
// Compiles a .cu of this folder with nvcc, links it with
// our libcudart and runs it against a real device process.

#include <string>
#include <vector>

#include "grader/device/client/device_process.h"
#include "tests/harness/process.h"

namespace cudalabs::test {

/// The program's path; compiled once a test run. `runner` is
/// C++ source to link as well (empty: the .cu has a main).
std::string build_program(const std::string& name, const std::string& nvcc_flags = "",
                          const std::string& runner = "");

struct Run {
  Ended program;
  CallOutcome outcome;
};

/// Runs a program without a runner to its end.
Run run_program(const std::string& program, const DeviceOptions& options = {});

/// The program with a connection to the device, or with none (-1).
Invocation with_device(const std::string& program, int descriptor);

}  // namespace cudalabs::test
