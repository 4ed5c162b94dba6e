#include "tests/cudart/programs.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "tests/harness/device_process.h"
#include "tests/harness/files.h"

namespace cudalabs::test {
namespace {

const std::filesystem::path& folder() {
  static const TemporaryFolder instance;
  return instance.path();
}

void sh(const std::string& line) { output_of({shell(line)}); }

}  // namespace

std::string build_program(const std::string& name, const std::string& nvcc_flags, const std::string& runner) {
  static std::map<std::string, std::string> built;
  std::string& program = built[name + nvcc_flags];
  if (!program.empty()) return program;
  const std::string base = folder() / (name + std::to_string(built.size()));
  sh("nvcc -arch=compute_80 -no-compress -lineinfo -cudart none " + nvcc_flags +
     " -c '" CUDALABS_TEST_DATA "/" + name + ".cu' -o '" + base + ".o'");
  if (!runner.empty()) {
    std::ofstream(base + "_runner.cpp") << runner;
    sh("g++ -std=c++17 -c -I '" CUDALABS_SOURCE "' '" + base + "_runner.cpp' -o '" + base + "_runner.o'");
  }
  sh("g++ '" + base + ".o' " + (runner.empty() ? "" : "'" + base + "_runner.o'") +
     " '" CUDALABS_CUDART "' -o '" + base + "'");
  return program = base;
}

Invocation with_device(const std::string& program, int descriptor) {
  Invocation invocation{.words = {program}, .environment = {{"CUDALABS_DEVICE_FD", std::nullopt}}};
  invocation.descriptor = descriptor;
  if (descriptor >= 0) invocation.environment["CUDALABS_DEVICE_FD"] = "3";
  return invocation;
}

Run run_program(const std::string& program, const DeviceOptions& options) {
  auto device = DeviceProcess::start(options);
  if (!device) throw std::runtime_error(device.problem().text());
  const auto client = (*device)->new_client();
  if (!client) throw std::runtime_error(client.problem().text());
  Child child(with_device(program, *client));
  close(*client);
  Run run;
  run.outcome = (*device)->serve_program();
  run.program = child.wait();
  return run;
}

}  // namespace cudalabs::test
