#pragma once
// Compiles a .cu of this folder with nvcc, links it with
// our libcudart and runs it against a real device process.

#include <string>
#include <vector>

#include "grader/device/handle/device_process.h"

namespace cudalabs::test {

/// The program's path; compiled once a test run. `runner` is
/// C++ source to link as well (empty: the .cu has a main).
std::string build_program(const std::string& name, const std::string& nvcc_flags = "",
                          const std::string& runner = "");

struct Run {
  std::string out, err;
  int status = -1;  ///< as of waitpid
  CallOutcome outcome;
};

/// Runs a program without a runner to its end.
Run run_program(const std::string& program, const DeviceOptions& options = {});

/// A program that was started with a connection to the device; killed and reaped at the end.
class Child {
 public:
  /// Without `descriptor` (-1) it has no device.
  Child(const std::string& program, int descriptor);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Waits for its end and returns what it wrote.
  int wait(std::string& out, std::string& err);

 private:
  int pid_ = -1;
  std::string out_file_, err_file_;
};

}  // namespace cudalabs::test
