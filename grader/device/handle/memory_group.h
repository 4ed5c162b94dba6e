#pragma once
// A control group around one process: a bound by the kernel of all memory that it takes, files in memory
// and the kernel's own included. Where this user may make none, the process is bounded by its own looks
// alone.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

namespace cudalabs {

/// What the groups that we are in leave us of memory, those of a container and of a batch system included;
/// what the kernel caches of files counts as left. The largest number where nothing bounds us.
std::uint64_t spare_in_groups();

class MemoryGroup {
 public:
  /// Puts a process into a new group that holds no more than so many bytes, and swaps nothing. Null: that may
  /// not be, which is usual where nobody handed a part of the groups to this user.
  static std::unique_ptr<MemoryGroup> around(pid_t process, std::uint64_t bytes);

  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;
  ~MemoryGroup();  ///< takes the group away; its process must have been waited for

  /// The limit was met: if the process was ended, then for it.
  [[nodiscard]] bool overrun() const;

 private:
  explicit MemoryGroup(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

}  // namespace cudalabs
