// The kernel's memory limit, if this user may create control groups. The child's own measurements would not
// see its memory: it uses files in memory.
#include "grader/device/client/memory_group.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "grader/base/process/memory_kills.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;

/// A child that writes this much into a file in memory when told to, and then ends with status 0.
class Hoarder {
 public:
  explicit Hoarder(std::uint64_t bytes) {
    REQUIRE(::pipe(start_.data()) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ != 0) return;
    char byte = 0;
    if (::read(start_[0], &byte, 1) != 1) ::_exit(2);
    static std::array<char, kMebibyte> block;
    const int file = ::memfd_create("hoard", 0);
    for (std::uint64_t done = 0; done < bytes; done += block.size())
      if (::write(file, block.data(), block.size()) <= 0) ::_exit(1);
    ::_exit(0);
  }
  ~Hoarder() {
    for (const int end : start_) ::close(end);
  }
  Hoarder(const Hoarder&) = delete;
  Hoarder& operator=(const Hoarder&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  int end() {
    int status = 0;
    REQUIRE(::write(start_[1], "g", 1) == 1);
    REQUIRE(::waitpid(pid_, &status, 0) == pid_);
    return status;
  }

 private:
  std::array<int, 2> start_{};
  pid_t pid_ = -1;
};

}  // namespace

TEST_CASE("a process in a group of memory is ended where it takes more, in whatever form") {
  for (const std::uint64_t taken : {16 * kMebibyte, 200 * kMebibyte}) {
    Hoarder child(taken);
    const auto group = MemoryGroup::around(child.pid(), 64 * kMebibyte);
    const MemoryKills kills;
    const int status = child.end();
    if (!group) {
      WARN("skipped: this user may make no control groups here");
      return;
    }
    const bool too_much = taken > 64 * kMebibyte;
    CHECK(group->overrun() == too_much);
    CHECK((kills.any() || !too_much));
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) == too_much);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0) == !too_much);
  }
}
