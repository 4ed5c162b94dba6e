#pragma once
// A control group around one process: a bound by the kernel of all memory that it takes, files in memory and the
// kernel's own included. Where this user may make none, the process is bounded by its own looks alone.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

namespace cudalabs {

class MemoryGroup {
 public:
  /// Puts a process into a new group that holds no more than so many bytes, and swaps nothing. Null: that may
  /// not be, which is usual where nobody handed a part of the groups to this user.
  static std::unique_ptr<MemoryGroup> around(pid_t process, std::uint64_t bytes);

  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;
  ~MemoryGroup();  ///< takes the group away; its process must have been waited for

  /// The kernel ended the process for it.
  [[nodiscard]] bool overrun() const;

 private:
  explicit MemoryGroup(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

}  // namespace cudalabs
