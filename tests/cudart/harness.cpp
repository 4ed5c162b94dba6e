#include "tests/cudart/harness.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "tests/harness/device_process.h"

namespace cudalabs::test {
namespace {

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "cudart_test_XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

const std::filesystem::path& folder() {
  static const Folder instance;
  return instance.path;
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void shell(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

}  // namespace

std::string build_program(const std::string& name, const std::string& nvcc_flags, const std::string& runner) {
  static std::map<std::string, std::string> built;
  std::string& program = built[name + nvcc_flags];
  if (!program.empty()) return program;
  const std::string base = folder() / (name + std::to_string(built.size()));
  shell("nvcc -arch=compute_80 -no-compress -lineinfo -cudart none " + nvcc_flags +
        " -c '" CUDALABS_TEST_DATA "/" + name + ".cu' -o '" + base + ".o'");
  if (!runner.empty()) {
    std::ofstream(base + "_runner.cpp") << runner;
    shell("g++ -std=c++17 -c -I '" CUDALABS_SOURCE "' '" + base + "_runner.cpp' -o '" + base + "_runner.o'");
  }
  shell("g++ '" + base + ".o' " + (runner.empty() ? "" : "'" + base + "_runner.o'") +
        " '" CUDALABS_CUDART "' -o '" + base + "'");
  return program = base;
}

Child::Child(const std::string& program, int descriptor) {
  static int number = 0;
  out_file_ = folder() / ("out" + std::to_string(++number));
  err_file_ = folder() / ("err" + std::to_string(number));
  pid_ = fork();
  if (pid_ != 0) return;
  const int out = open(out_file_.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  const int err = open(err_file_.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  dup2(out, 1);
  dup2(err, 2);
  unsetenv("CUDALABS_DEVICE_FD");
  if (descriptor >= 0) {
    dup2(descriptor, 3);
    fcntl(3, F_SETFD, 0);
    setenv("CUDALABS_DEVICE_FD", "3", 1);
  }
  execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

Child::~Child() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

int Child::wait(std::string& out, std::string& err) {
  int status = -1;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  out = read(out_file_);
  err = read(err_file_);
  return status;
}

Run run_program(const std::string& program, const DeviceOptions& options) {
  auto device = DeviceProcess::start(options);
  if (!device) throw std::runtime_error(device.problem().text());
  const auto client = (*device)->new_client();
  if (!client) throw std::runtime_error(client.problem().text());
  Child child(program, *client);
  close(*client);
  Run run;
  run.outcome = (*device)->serve_program();
  run.status = child.wait(run.out, run.err);
  return run;
}

}  // namespace cudalabs::test
