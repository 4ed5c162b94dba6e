#include "grader/device/main/driver_files.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/process/landlock.h"
#include "grader/device/driver/driver_library.h"
#include "grader/diagnostics/messages/device.h"

extern char** environ;

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// On a machine that has not used its card yet, a helper of the driver loads modules and makes the device
/// files. The driver would start it later, but the helper cannot gain the rights it needs once this process
/// has given up new privileges. So it is started here.
void make_device_files() {
  constexpr const char* kHelper = "/usr/bin/nvidia-modprobe";
  if (::access("/dev/nvidia-uvm", F_OK) == 0 || ::access(kHelper, X_OK) != 0) return;
  std::string name = kHelper, card = "-c0", memory = "-u";
  char* arguments[] = {name.data(), card.data(), memory.data(), nullptr};
  pid_t helper = -1;
  if (::posix_spawn(&helper, kHelper, nullptr, nullptr, arguments, environ) != 0) return;
  while (::waitpid(helper, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void add_device_files(std::vector<LandlockRule>& rules) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator("/dev", problem)) {
    // dxg: the card under Windows Subsystem for Linux
    const std::string name = entry.path().filename();
    if (name.starts_with("nvidia") || name == "dxg")
      rules.push_back({entry.path(), LandlockRights::ReadAndWrite});
  }
  // The driver names its threads through /proc, and does not start without these files.
  for (const char* file : {"/dev/null", "/dev/zero", "/proc/self"})
    rules.push_back({file, LandlockRights::ReadAndWrite});
  // The pipe directory of MPS, for a card that programs share.
  const char* const shared = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
  rules.push_back({shared != nullptr ? shared : "/tmp/nvidia-mps", LandlockRights::ReadAndWrite});
}

/// The folders of the driver's library and of the libraries that it loads.
void add_libraries(std::vector<LandlockRule>& rules) {
  for (const char* folder : {"/usr", "/lib", "/lib64", "/proc", "/sys", "/etc/ld.so.cache", "/etc/nvidia"})
    rules.push_back({folder, LandlockRights::ReadAndRun});
  const auto add = [&rules](const fs::path& folder) {
    if (!folder.empty()) rules.push_back({folder, LandlockRights::ReadAndRun});
  };
  const auto library = open_driver_library();
  Dl_info where{};
  if (library && ::dladdr(::dlsym(*library, "cuInit"), &where) != 0 && where.dli_fname != nullptr) {
    std::error_code problem;
    add(fs::path(where.dli_fname).parent_path());
    add(fs::canonical(where.dli_fname, problem).parent_path());
  }
  const char* const listed = std::getenv("LD_LIBRARY_PATH");
  std::string_view folders = listed != nullptr ? listed : "";
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    add(folders.substr(0, colon));
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
}

}  // namespace

Result<void> keep_driver_files() {
  make_device_files();
  std::vector<LandlockRule> rules;
  add_device_files(rules);
  add_libraries(rules);
  const auto ruleset = landlock_ruleset(rules);
  if (!ruleset) return {};
  const int problem =
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? landlock_restrict_self(ruleset->get()) : errno;
  if (problem == 0) return {};
  return error(msg::device_keeps_files(std::strerror(problem)));
}

}  // namespace cudalabs
