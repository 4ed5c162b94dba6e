#include "grader/device/handle/memory_group.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "grader/support/fd.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// The names of one thing in the two versions of control groups.
struct Names {
  const char* root;
  const char* limit;
  const char* with_swap;  ///< of memory and swap together (first version), of swap alone (second)
  const char* ends;       ///< the file whose line "oom_kill N" counts processes ended for it
  bool counts_swap_together;
};
constexpr Names kFirst{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes",
                       "memory.oom_control", true};
constexpr Names kSecond{"/sys/fs/cgroup", "memory.max", "memory.swap.max", "memory.events", false};

constexpr std::string_view kName = "cuda-labs-";

/// Into a file of the kernel, which is there or is not.
bool put(const fs::path& file, const std::string& text) {
  const UniqueFd there(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return there && ::write(there.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool has_word(const fs::path& file, std::string_view wanted) {
  std::ifstream words(file);
  for (std::string word; words >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

/// Our own group's path below the root of the controller of memory, and which version that is.
std::optional<std::pair<Names, std::string>> own_group() {
  std::optional<std::pair<Names, std::string>> found;
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    // "4:cpu,memory:/path" in the first version, "0::/path" in the second
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers.find(",memory,") != std::string::npos) return std::pair(kFirst, line.substr(second + 1));
    if (controllers == ",,") found.emplace(kSecond, line.substr(second + 1));
  }
  return found;
}

/// What graders that were killed left behind. A group that still has processes stays.
void sweep(const fs::path& parent) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(parent, problem)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kName)) continue;
    pid_t grader = 0;
    std::from_chars(name.data() + kName.size(), name.data() + name.size(), grader);
    if (grader > 0 && ::kill(grader, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

bool fill(const fs::path& folder, const Names& names, pid_t process, std::uint64_t bytes) {
  if (!put(folder / names.limit, std::to_string(bytes))) return false;
  // A machine without swap, or that does not count it, has no such file.
  put(folder / names.with_swap, names.counts_swap_together ? std::to_string(bytes) : "0");
  return put(folder / "cgroup.procs", std::to_string(process));
}

}  // namespace

std::unique_ptr<MemoryGroup> MemoryGroup::around(pid_t process, std::uint64_t bytes) {
  static std::atomic<unsigned> count{0};
  const auto own = own_group();
  if (!own) return nullptr;
  const auto& [names, path] = *own;
  const fs::path root = names.root;
  // In the second version only a group without processes of its own hands its memory on, so not ours, but one
  // above it, as far up as we may write.
  if (path.find("/..") != std::string::npos) return nullptr;  // seen from a place beside it
  fs::path parent = path == "/" ? root : root / fs::path(path).relative_path();
  for (;; parent = parent.parent_path()) {
    if (names.counts_swap_together || has_word(parent / "cgroup.subtree_control", "memory")) {
      sweep(parent);
      std::string name(kName);
      name += std::to_string(::getpid()) + "-" + std::to_string(++count);
      const fs::path folder = parent / name;
      if (::mkdir(folder.c_str(), 0755) == 0) {
        if (fill(folder, names, process, bytes)) return std::unique_ptr<MemoryGroup>(new MemoryGroup(folder));
        ::rmdir(folder.c_str());
      }
    }
    if (parent == root) return nullptr;
  }
}

MemoryGroup::~MemoryGroup() {
  // The kernel takes a moment to see that a process has left.
  for (int tries = 0; ::rmdir(folder_.c_str()) != 0 && errno == EBUSY && tries < 100; ++tries) ::usleep(1000);
}

bool MemoryGroup::overrun() const {
  const Names& names = fs::exists(folder_ / kSecond.ends) ? kSecond : kFirst;
  std::ifstream lines(folder_ / names.ends);
  std::string name;
  for (std::uint64_t number = 0; lines >> name >> number;) {
    if (name == "oom_kill") return number > 0;
  }
  return false;
}

}  // namespace cudalabs
