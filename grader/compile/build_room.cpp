#include "grader/compile/build_room.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "grader/config/cache.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAddressSpace = std::uint64_t{12} << 30;  // cicc reserves far more than it touches
constexpr std::uint64_t kOutputBytes = 512 << 10;
constexpr std::uint64_t kTasks = 64;

}  // namespace

Result<std::shared_ptr<TemporaryFolder>> TemporaryFolder::make() {
  std::error_code problem;
  std::string pattern = (fs::temp_directory_path(problem) / "cuda-labs-XXXXXX").string();
  if (problem || !::mkdtemp(pattern.data())) {
    const char* const named = std::getenv("TMPDIR");
    return error(
        "cannot make a temporary folder" +
            (problem ? ": " + problem.message() : " " + pattern + ": " + std::strerror(errno)),
        named ? "TMPDIR is " + std::string(named) + ": is it a folder that you may write to, with room in it?"
              : "is there room in /tmp?");
  }
  return std::shared_ptr<TemporaryFolder>(new TemporaryFolder(pattern));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Result<BuildRoom> BuildRoom::make(const Toolchain& toolchain, const std::vector<fs::path>& hidden) {
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  SandboxSpec spec;
  spec.read_only = toolchain.folders();
  spec.hidden = hidden;
  spec.work = (*folder)->path();
  std::string path = "PATH=" + toolchain.nvcc.parent_path().string();
  if (toolchain.host_compiler.has_parent_path()) path += ":" + toolchain.host_compiler.parent_path().string();
  return BuildRoom(std::move(*folder), std::move(spec), path + ":/usr/bin:/bin");
}

Result<void> BuildRoom::put(const std::string& name, std::string_view content) const {
  std::ofstream out(spec_.work / name, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) return error("cannot write to " + spec_.work.string(), "is the disk full?");
  return {};
}

Result<std::string> BuildRoom::take(const std::string& name) const {
  return read_file(spec_.work / name, kFileBytes);
}

Result<ProcessEnd> BuildRoom::run(std::vector<std::string> argv, double seconds) const {
  Command command;
  command.argv = std::move(argv);
  command.env = {path_, "LC_ALL=C", "TMPDIR=" + inside().string()};
  command.limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  command.limits.cpu_seconds = static_cast<std::uint64_t>(seconds) + 1;
  command.limits.memory_bytes = kMemory;
  command.limits.address_bytes = kAddressSpace;
  command.limits.file_bytes = kFileBytes;
  command.limits.output_bytes = kOutputBytes;
  command.limits.tasks = kTasks;
  auto inside = sandboxed(std::move(command), spec_, kind_);
  if (!inside) return inside.problem();
  return cudalabs::run(std::move(*inside));
}

}  // namespace cudalabs
