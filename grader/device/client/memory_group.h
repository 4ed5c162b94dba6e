#pragma once
// A control group around one process: the kernel bounds all memory that it uses, including files in memory
// and the kernel's own. If this user may not create groups, only the process's own checks bound it.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

namespace cudalabs {

/// The memory that our control groups leave us, including those of a container or a batch system. The
/// kernel's file cache counts as free. The largest number if nothing bounds us.
std::uint64_t spare_in_groups();

class MemoryGroup {
 public:
  /// Puts a process into a new group that holds at most `bytes` and does not swap. Null: this is not
  /// permitted, which is usual unless an administrator delegated a control group to this user.
  static std::unique_ptr<MemoryGroup> around(pid_t process, std::uint64_t bytes);

  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;
  ~MemoryGroup();  ///< removes the group; its process must have been waited for

  /// The process reached the limit: if it was killed, this is why.
  [[nodiscard]] bool overrun() const;

 private:
  explicit MemoryGroup(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

}  // namespace cudalabs
