#include "grader/device/client/memory_group.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/fd.h"
#include "grader/base/parse_number.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// The file names of one version of control groups.
struct Names {
  const char* root;
  const char* limit;
  const char* used;
  std::array<const char*, 2> cached;  ///< keys in memory.stat: memory that the kernel reclaims on demand
  const char* with_swap;              ///< of memory and swap together (first version), of swap alone (second)
  bool counts_swap_together;
};
constexpr Names kFirst{
    .root = "/sys/fs/cgroup/memory",
    .limit = "memory.limit_in_bytes",
    .used = "memory.usage_in_bytes",
    .cached = {"total_inactive_file", "total_active_file"},
    .with_swap = "memory.memsw.limit_in_bytes",
    .counts_swap_together = true,
};
constexpr Names kSecond{
    .root = "/sys/fs/cgroup",
    .limit = "memory.max",
    .used = "memory.current",
    .cached = {"inactive_file", "active_file"},
    .with_swap = "memory.swap.max",
    .counts_swap_together = false,
};

constexpr std::string_view kName = "cuda-labs-";

/// Writes to a file of the kernel. False: the file does not exist, or refuses the write.
bool put(const fs::path& file, const std::string& text) {
  const UniqueFd there(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return there && ::write(there.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// The number in a file that holds nothing else. None: the file holds "max" or does not exist.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::uint64_t number = 0;
  if (std::ifstream in(file); !(in >> number)) return std::nullopt;
  return number;
}

/// The number behind the name `wanted` in a file of "name number" lines; 0 if the name is not there.
std::uint64_t number_of(const char* wanted, const fs::path& file) {
  std::ifstream lines(file);
  std::string name;
  for (std::uint64_t number = 0; lines >> name >> number;) {
    if (name == wanted) return number;
  }
  return 0;
}

bool has_word(const fs::path& file, std::string_view wanted) {
  std::ifstream words(file);
  for (std::string word; words >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

/// Our own group and all groups above it, as far as they are visible from here.
struct Groups {
  Names names;
  std::vector<fs::path> folders;  ///< from our own to the root
};

std::optional<Groups> own_groups() {
  std::optional<Groups> found;
  std::string path;
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    // "4:cpu,memory:/path" in the first version, "0::/path" in the second
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool of_first = controllers.find(",memory,") != std::string::npos;
    if (!of_first && (controllers != ",," || found)) continue;
    found = Groups{of_first ? kFirst : kSecond, {}};
    path = line.substr(second + 1);
    if (of_first) break;
  }
  // the group lies outside of what we can see
  if (!found || path.find("/..") != std::string::npos) return std::nullopt;
  const fs::path root = found->names.root;
  fs::path folder = path == "/" ? root : root / fs::path(path).relative_path();
  for (; folder != root; folder = folder.parent_path()) found->folders.push_back(folder);
  found->folders.push_back(root);
  return found;
}

/// Removes the groups of graders that were killed. A group that still has processes stays.
void sweep(const fs::path& parent) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(parent, problem)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kName)) continue;
    std::string_view rest = std::string_view(name).substr(kName.size());
    const pid_t grader = take_leading_number<pid_t>(rest).value_or(0);
    if (grader > 0 && ::kill(grader, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

bool fill(const fs::path& folder, const Names& names, pid_t process, std::uint64_t bytes) {
  if (!put(folder / names.limit, std::to_string(bytes))) return false;
  // A machine without swap, or without swap accounting, has no such file.
  put(folder / names.with_swap, names.counts_swap_together ? std::to_string(bytes) : "0");
  return put(folder / "cgroup.procs", std::to_string(process));
}

}  // namespace

std::uint64_t spare_in_groups() {
  std::uint64_t spare = UINT64_MAX;
  const auto groups = own_groups();
  if (!groups) return spare;
  const Names& names = groups->names;
  for (const fs::path& folder : groups->folders) {
    const auto limit = number_in(folder / names.limit), used = number_in(folder / names.used);
    if (!limit || !used) continue;
    const fs::path figures = folder / "memory.stat";
    std::uint64_t cached = 0;
    for (const char* name : names.cached) cached += number_of(name, figures);
    const std::uint64_t held = *used - std::min(*used, cached);
    spare = std::min(spare, *limit - std::min(*limit, held));
  }
  return spare;
}

std::unique_ptr<MemoryGroup> MemoryGroup::around(pid_t process, std::uint64_t bytes) {
  static std::atomic<unsigned> count{0};
  const auto groups = own_groups();
  if (!groups) return nullptr;
  const Names& names = groups->names;
  // In the second version a group with processes of its own cannot delegate its memory. So the new group goes
  // not into our own group but into the nearest group above it that we may write to.
  for (const fs::path& parent : groups->folders) {
    if (!names.counts_swap_together && !has_word(parent / "cgroup.subtree_control", "memory")) continue;
    sweep(parent);
    std::string name(kName);
    name += std::to_string(::getpid()) + "-" + std::to_string(++count);
    const fs::path folder = parent / name;
    if (::mkdir(folder.c_str(), 0755) != 0) continue;
    if (fill(folder, names, process, bytes)) return std::unique_ptr<MemoryGroup>(new MemoryGroup(folder));
    ::rmdir(folder.c_str());
  }
  return nullptr;
}

MemoryGroup::~MemoryGroup() {
  // The kernel takes a moment to see that a process has left.
  for (int tries = 0; ::rmdir(folder_.c_str()) != 0 && errno == EBUSY && tries < 100; ++tries) ::usleep(1000);
}

bool MemoryGroup::overrun() const {
  // "oom_kill" is no evidence: it may count processes killed because a group above ran out of memory.
  constexpr std::uint64_t kBatch = std::uint64_t{1} << 20;  // more than the kernel takes at once
  const auto limit = number_in(folder_ / kFirst.limit),
             most = number_in(folder_ / "memory.max_usage_in_bytes");
  if (limit && most) return *most + kBatch > *limit;
  return number_of("oom", folder_ / "memory.events") > 0;
}

}  // namespace cudalabs
