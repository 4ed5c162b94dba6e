#include "grader/toolchain/build_sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAddressSpace = std::uint64_t{12} << 30;  // cicc reserves far more than it accesses
constexpr std::uint64_t kTasks = 64;
constexpr double kLongestSleep = 45;  // seconds; a disk may take some
constexpr std::string_view kTemporaryPrefix = "cuda-labs-";
constexpr std::chrono::seconds kYoung{60};

/// A name as mkdtemp makes it. A name of digits alone may be a user's cache (grader/course/cache.cpp).
bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kTemporaryPrefix) || name.size() != kTemporaryPrefix.size() + 6) return false;
  name.remove_prefix(kTemporaryPrefix.size());
  return name.find_first_not_of("0123456789") != std::string_view::npos;
}

/// The folder, locked; empty if another process holds it. The kernel releases the lock however we end.
UniqueFd locked(const fs::path& folder) {
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : UniqueFd();
}

}  // namespace

Result<std::shared_ptr<TemporaryFolder>> TemporaryFolder::make() {
  std::error_code problem;
  std::string pattern =
      (fs::temp_directory_path(problem) / (std::string(kTemporaryPrefix) + "XXXXXX")).string();
  if (problem || !::mkdtemp(pattern.data())) {
    const char* const named = std::getenv("TMPDIR");
    return error(problem ? msg::no_temporary_place(problem.message())
                         : msg::no_temporary_folder(pattern, std::strerror(errno)),
                 named ? msg::is_tmpdir_usable(named) : msg::is_room_in_tmp());
  }
  UniqueFd lock = locked(pattern);
  [[maybe_unused]] static const bool swept = (sweep_temporary_folders(fs::path(pattern).parent_path()), true);
  return std::shared_ptr<TemporaryFolder>(new TemporaryFolder(pattern, std::move(lock)));
}

void sweep_temporary_folders(const fs::path& parent) {
  std::error_code problem;
  for (fs::directory_iterator entry(parent, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    struct stat what {};
    const std::string name = entry->path().filename().string();
    // The folder must be ours, by its name and owner. A folder of the last minute may be about to be locked.
    if (!is_temporary_name(name) || ::lstat(entry->path().c_str(), &what) != 0 || !S_ISDIR(what.st_mode) ||
        what.st_uid != ::geteuid() || ::time(nullptr) - what.st_mtime < kYoung.count()) {
      continue;
    }
    const UniqueFd lock = locked(entry->path());
    std::error_code ignored;
    if (lock) fs::remove_all(entry->path(), ignored);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Result<BuildSandbox> BuildSandbox::make(const Toolchain& toolchain, const std::vector<fs::path>& hidden) {
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  SandboxSpec spec;
  spec.read_only = toolchain.folders();
  spec.hidden = hidden;
  spec.work = (*folder)->path();
  std::string path = "PATH=" + toolchain.cuda->program().parent_path().string();
  if (toolchain.host_compiler.has_parent_path()) path += ":" + toolchain.host_compiler.parent_path().string();
  return BuildSandbox(std::move(*folder), std::move(spec), path + ":/usr/bin:/bin");
}

Result<void> BuildSandbox::put(const std::string& name, std::string_view content) const {
  std::ofstream out(spec_.work / name, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out)
    return error(msg::sandbox_folder_not_writable(spec_.work.string()), msg::make_room_or_set_tmpdir());
  return {};
}

Result<std::string> BuildSandbox::take(const std::string& name) const {
  return read_file(spec_.work / name, kFileBytes);
}

Result<ProcessEnd> BuildSandbox::run(std::vector<std::string> argv, double seconds) const {
  const logging::Timed timed(logging::Metric::Compiler);
  logging::debug(logging::Stage::Compile, [&] {
    return fmt::format("{} in {}: {}", spelling(kind_), inside().string(), fmt::join(argv, " "));
  });
  Command command;
  command.argv = std::move(argv);
  command.env = {path_, "LC_ALL=C", "TMPDIR=" + inside().string()};
  const auto milliseconds = [](double s) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(s * 1000));
  };
  command.limits.wall = milliseconds(kPatience * seconds);
  command.limits.idle = milliseconds(std::min(kLongestSleep, 3 * seconds));
  command.limits.cpu_seconds = seconds;
  command.limits.memory_bytes = kMemory;
  command.limits.address_bytes = kAddressSpace;
  command.limits.file_bytes = kFileBytes;
  command.limits.output_bytes = kOutputBytes;
  command.limits.tasks = kTasks;
  auto inside = sandboxed(std::move(command), spec_, kind_);
  if (!inside) return inside.problem();
  auto end = cudalabs::run(std::move(*inside));
  if (!end) return end;
  logging::debug(logging::Stage::Compile, [&] {
    return fmt::format("exit {} signal {}, {:.3f} s, {:.3f} s of processor, {} MiB", end->exit_code,
                       end->signal, end->wall_seconds, end->cpu_seconds, end->peak_memory_bytes >> 20);
  });
  logging::trace(logging::Stage::Compile, [&] { return "it printed: " + end->out + end->err; });
  return end;
}

}  // namespace cudalabs
