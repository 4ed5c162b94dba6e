#include "grader/compile/toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "grader/support/process.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestMajor = 12;  // the first whose nvcc takes -std=c++20

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_program(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> search_path() {
  std::vector<fs::path> folders;
  std::istringstream list(variable("PATH"));
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty() && folder[0] == '/') folders.emplace_back(folder);  // never the current folder
  }
  return folders;
}

fs::path first_program(const std::vector<fs::path>& folders, const std::string& name) {
  for (const auto& folder : folders) {
    if (is_program(folder / name)) return folder / name;
  }
  return {};
}

Result<std::string> asked(const fs::path& program, const std::string& option) {
  Command command;
  command.argv = {program.string(), option};
  command.env = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  command.limits.wall = std::chrono::seconds(30);
  const auto end = run(std::move(command));
  if (!end) return end.problem();
  if (!end->success()) return error(program.string() + " " + option + " does not work");
  return end->out;
}

Result<fs::path> find_host_compiler() {
  for (const char* name : {"CUDAHOSTCXX", "NVCC_CCBIN"}) {
    const fs::path given = variable(name);
    if (given.empty()) continue;
    const fs::path program = given.has_parent_path() ? given : first_program(search_path(), given.string());
    if (is_program(program)) return program;
    return error(std::string("$") + name + " names " + given.string() + ", which is not a program");
  }
  fs::path program = first_program(search_path(), "g++");
  if (program.empty()) program = first_program({"/usr/bin"}, "g++");
  if (program.empty()) return error("no C++ compiler found (g++)", "install it: sudo apt install g++");
  return program;
}

}  // namespace

std::vector<fs::path> Toolchain::folders() const {
  std::vector<fs::path> all = {
      "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",      "/usr/include",
      "/bin",     "/lib",     "/lib32",     "/lib64",     "/etc/alternatives", "/etc/ld.so.cache"};
  const auto below = [](const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
  };
  const auto need = [&](const fs::path& folder) {
    if (std::none_of(all.begin(), all.end(), [&](const auto& have) { return below(folder, have); }))
      all.push_back(folder);
  };
  need(cuda_root);
  // A compiler that is not the system's brings its own headers and libraries.
  if (const fs::path folder = host_compiler.parent_path(); folder.filename() == "bin") {
    if (!below(folder, "/usr/bin") && !below(folder, "/bin")) need(folder.parent_path());
  }
  return all;
}

Result<Toolchain> find_toolchain() {
  std::vector<fs::path> places;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = variable(name); !root.empty()) places.push_back(fs::path(root) / "bin");
  }
  for (auto& folder : search_path()) places.push_back(std::move(folder));
  places.emplace_back("/usr/local/cuda/bin");
  const fs::path nvcc = first_program(places, "nvcc");
  const std::string install =
      "install the CUDA Toolkit (no GPU or driver is needed): https://developer.nvidia.com/cuda-downloads, "
      "package cuda-nvcc and cuda-cudart-dev at least; or set CUDA_HOME to where it is";
  if (nvcc.empty()) return error("nvcc not found in $CUDA_HOME/bin, PATH and /usr/local/cuda/bin", install);

  Toolchain toolchain;
  std::error_code problem;
  toolchain.nvcc = fs::canonical(nvcc, problem);
  if (problem) return error(nvcc.string() + ": " + problem.message());
  toolchain.cuda_root = toolchain.nvcc.parent_path().parent_path();
  const auto version = asked(toolchain.nvcc, "--version");
  if (!version) return version.problem();
  const std::string mark = ", V";  // "Cuda compilation tools, release 13.0, V13.0.88"
  const auto at = version->find(mark);
  if (at == std::string::npos)
    return error(nvcc.string() + " --version says nothing that looks like nvcc", install);
  const auto begin = at + mark.size();
  toolchain.nvcc_version = version->substr(begin, version->find_first_not_of("0123456789.", begin) - begin);
  if (std::atoi(toolchain.nvcc_version.c_str()) < kOldestMajor) {
    return error(nvcc.string() + " is version " + toolchain.nvcc_version + ", which is too old",
                 "CUDA 12.0 or newer is needed; " + install);
  }
  auto host = find_host_compiler();
  if (!host) return host.problem();
  toolchain.host_compiler = *host;
  const auto host_version = asked(toolchain.host_compiler, "--version");
  if (!host_version) return host_version.problem();
  toolchain.host_version = host_version->substr(0, host_version->find('\n'));
  return toolchain;
}

Result<fs::path> find_cuda_tool(const std::string& name) {
  std::vector<fs::path> folders = search_path();
  if (const auto toolchain = find_toolchain()) folders.insert(folders.begin(), toolchain->nvcc.parent_path());
  fs::path program = first_program(folders, name);
  if (!program.empty()) return program;
  return error(name + " is not installed (looked beside nvcc and in PATH)",
               "it belongs to the CUDA Toolkit: the package cuda-toolkit-13-0 holds it");
}

}  // namespace cudalabs
