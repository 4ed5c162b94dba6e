// A confined process can compute and answer, and nothing else. Each test starts a child for this.
#include "grader/base/process/seccomp.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// The child's output after it was confined, or how it ended.
std::string confined(const std::function<std::string()>& what) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string text = confine_to_memory().ok() ? what() : "not confined";
    const bool written = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text(1 << 16, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], text.data(), text.size()))));
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? text : "died of signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

TEST_CASE("a confined process opens, connects, starts, traces and signals nothing") {
  const pid_t parent = ::getpid();
  const std::string allowed = confined([parent] {
    std::string list;
    const auto refused = [&list](const char* what, long outcome) {
      if (outcome != -1 || (errno != EPERM && errno != ENOSYS)) list += std::string(what) + "; ";
    };
    refused("open", ::open("/etc/passwd", O_RDONLY));
    refused("openat", ::openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY));
    refused("openat2", ::syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", nullptr, 0));
    refused("create", ::open("/tmp/cudalabs-leftover", O_RDWR | O_CREAT, 0600));
    refused("stat", ::access("/etc/passwd", F_OK));
    refused("unlink", ::unlink("/tmp/cudalabs-leftover"));
    refused("chmod", ::chmod("/tmp", 0777));
    refused("socket", ::socket(AF_INET, SOCK_STREAM, 0));
    refused("unix socket", ::socket(AF_UNIX, SOCK_STREAM, 0));
    int pair[2];
    refused("socketpair", ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    refused("fork", ::fork());
    refused("vfork", ::syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
    refused("clone3", ::syscall(SYS_clone3, nullptr, 0));
    char* const words[] = {const_cast<char*>("/bin/true"), nullptr};
    refused("execve", ::execve("/bin/true", words, words + 1));
    refused("execveat", ::syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, words + 1, 0));
    refused("ptrace", ::ptrace(PTRACE_ATTACH, parent, nullptr, nullptr));
    refused("process_vm_readv", ::syscall(SYS_process_vm_readv, parent, nullptr, 0, nullptr, 0, 0));
    refused("pidfd_open", ::syscall(SYS_pidfd_open, parent, 0));
    refused("kill", ::kill(parent, SIGKILL));
    refused("tgkill", ::syscall(SYS_tgkill, parent, parent, SIGKILL));
    refused("F_SETOWN", ::fcntl(0, F_SETOWN, parent));
    refused("F_SETSIG", ::fcntl(0, F_SETSIG, SIGKILL));
    refused("code",
            ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                ? -1
                : 0);
    void* const page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    // The simulator seals its generated machine code before it runs.
    refused("data as code that stays data", ::mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
    refused("code that nobody may read", ::mprotect(page, 4096, PROT_EXEC));
    refused("unshare", ::unshare(CLONE_NEWUSER));
    refused("io_uring", ::syscall(SYS_io_uring_setup, 1, nullptr));
    refused("dumpable", ::prctl(PR_SET_DUMPABLE, 1));
    refused("what is newer than the list", ::syscall(463, 0, 0, 0, 0, 0, 0));
    return "allowed: " + list;
  });
  CHECK(allowed == "allowed: ");
}

TEST_CASE("a confined process has its memory, its threads and files in memory") {
  const std::string done = confined([] {
    std::vector<std::thread> threads;
    std::atomic<std::size_t> sum{0};
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&sum] {
        std::vector<char> memory(64 << 20, 1);
        sum += memory.size();
      });
    }
    for (auto& thread : threads) thread.join();
    if (sum != std::size_t{8} * (64 << 20)) return std::string("threads without memory");
    const int file = ::memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || ::ftruncate(file, 4096) != 0) return std::string("no file in memory");
    if (::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) != 0) return std::string("no seal");
    if (::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED)
      return std::string("not mapped");
    void* const code = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (::mprotect(code, 4096, PROT_READ | PROT_EXEC) != 0) return std::string("no machine code of its own");
    try {
      throw std::string("and exceptions");
    } catch (const std::string& caught) {
      return caught;
    }
  });
  CHECK(done == "and exceptions");
}

TEST_CASE("threads that were there before are confined too") {
  const std::string told = confined([] { return std::string("as a child"); });
  REQUIRE(told == "as a child");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::atomic<int> turn{0};
    std::thread other([&turn] {
      while (turn == 0) std::this_thread::yield();
      turn = ::open("/dev/null", O_RDONLY) < 0 && errno == EPERM ? 2 : 3;
    });
    if (!confine_to_memory().ok()) ::_exit(4);
    turn = 1;
    other.join();
    ::_exit(turn);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 2);
}
