// The sandbox for trusted tools (compilers): what they can read and write.
#include "grader/base/process/sandbox.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/process.h"

namespace fs = std::filesystem;
using namespace cudalabs;

namespace {

struct Work {
  fs::path path;
  Work() {
    std::string pattern = (fs::temp_directory_path() / "cudalabs-test-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Work() { fs::remove_all(path); }
};

SandboxSpec system_only() {
  SandboxSpec spec;
  spec.read_only = {"/usr", "/bin", "/lib", "/lib64"};
  return spec;
}

Result<ProcessEnd> shell_inside(const std::string& script, const SandboxSpec& spec) {
  Command command;
  command.argv = {"/bin/sh", "-c", script};
  command.env = {"PATH=/usr/bin:/bin"};
  auto inside = sandboxed(std::move(command), spec);
  if (!inside) return inside.problem();
  return run(std::move(*inside));
}

}  // namespace

TEST_CASE("the work folder is the current one and can be written, the system cannot") {
  if (usable_sandbox() == SandboxKind::LimitsOnly) return;
  const Work work;
  std::ofstream(work.path / "in.txt") << "input";
  SandboxSpec spec = system_only();
  spec.work = work.path;
  const auto end = shell_inside(
      "pwd; cat in.txt > out.txt; echo x > /usr/cudalabs-test; echo x > /cudalabs-test; cat /etc/passwd; ls "
      "/proc/1; exit 0",
      spec);
  REQUIRE(end.ok());
  CHECK(end->success());
  CHECK(end->out == work_path_inside(usable_sandbox(), spec).string() + "\n");
  CHECK(fs::exists(work.path / "out.txt"));
  CHECK_FALSE(fs::exists("/usr/cudalabs-test"));
  CHECK_FALSE(fs::exists("/cudalabs-test"));
}

TEST_CASE("a hidden folder below a visible one cannot be seen") {
  if (usable_sandbox() == SandboxKind::LimitsOnly) return;
  REQUIRE_FALSE(fs::is_empty("/usr/share"));
  SandboxSpec spec = system_only();
  const auto before = shell_inside("ls /usr/share | wc -l", spec);
  REQUIRE(before.ok());
  CHECK(before->out != "0\n");
  spec.hidden = {"/usr/share"};
  const auto end = shell_inside("ls /usr/share | wc -l; touch /usr/share/x", spec);
  // It cannot remove a part of what it allows, so it returns an error.
  if (usable_sandbox() == SandboxKind::Landlock) {
    REQUIRE_FALSE(end.ok());
    CHECK(end.problem().message.english() == "/usr/share lies inside /usr, which the compiler must see");
    return;
  }
  REQUIRE(end.ok());
  CHECK(end->out == "0\n");
}

TEST_CASE("a compiler has no network, no other process and no file's mode to change") {
  const Work work;
  std::ofstream(work.path / "tool.cpp") << R"(
    #include <errno.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/ptrace.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    #define refused(x) printf("%s %s\n", #x, (x) == -1 && errno == EPERM ? "refused" : "ALLOWED")
    int main(int, char** words) {
      if (words[1]) return kill(atoi(words[1]), 0) == 0;
      refused(socket(AF_INET, SOCK_STREAM, 0));
      refused(socket(AF_UNIX, SOCK_STREAM, 0));
      refused(ptrace(PTRACE_ATTACH, getppid(), 0, 0));
      refused(chmod("tool.cpp", 0777));
      refused(syscall(SYS_io_uring_setup, 1, 0));
      printf("%d\n", fork() == 0 ? 0 : 1);
    })";
  test::output_of({{"g++", "-O0", "-static", work.path / "tool.cpp", "-o", work.path / "tool"}});
  SandboxSpec spec = system_only();
  spec.work = work.path;
  const auto end = shell_inside("./tool", spec);
  REQUIRE(end.ok());
  INFO(end->out + end->err);
  CHECK(end->out.find("ALLOWED") == std::string::npos);
  CHECK(std::ranges::count(end->out, '\n') >= 6);
  // A PID namespace hides other processes. Without one, Landlock blocks signals from version 6 on.
  const bool scoped = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) >= 6;
  if (usable_sandbox() == SandboxKind::LimitsOnly || (usable_sandbox() == SandboxKind::Landlock && !scoped))
    return;
  const auto signalling = shell_inside("./tool " + std::to_string(::getpid()), spec);
  REQUIRE(signalling.ok());
  CHECK(signalling->exit_code == 0);
}

TEST_CASE("a tool's death by a signal is told as such") {
  const auto end = shell_inside("kill -SEGV $$", system_only());
  REQUIRE(end.ok());
  CHECK_FALSE(end->exited);
  CHECK(signal_name(end->signal) == "SIGSEGV");
}
