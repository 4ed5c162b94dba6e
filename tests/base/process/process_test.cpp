#include "grader/base/process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "grader/base/fd.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using std::chrono::milliseconds;

namespace {

Command shell(const std::string& script) {
  Command command;
  command.argv = {"/bin/sh", "-c", script};
  command.env = {"PATH=/usr/bin:/bin"};
  return command;
}

ProcessEnd finished(Command command) {
  auto end = run(std::move(command));
  INFO((end.ok() ? std::string() : end.problem().text()));
  REQUIRE(end.ok());
  return *end;
}

}  // namespace

TEST_CASE("arguments and environment arrive as they are, and nothing else does") {
  Command command;
  command.argv = {"/usr/bin/printf", "%s|%s", "a b; $HOME", "*"};
  CHECK(finished(std::move(command)).out == "a b; $HOME|*");
  command = {};
  command.argv = {"/usr/bin/env"};
  command.env = {"ONE=1", "TWO=2"};
  CHECK(finished(std::move(command)).out == "ONE=1\nTWO=2\n");
  command = shell("pwd; cat; echo oops >&2; exit 3");
  command.cwd = "/usr";
  const auto end = finished(std::move(command));
  CHECK(end.out == "/usr\n");
  CHECK(end.err == "oops\n");
  CHECK(end.exited);
  CHECK(end.exit_code == 3);
  CHECK_FALSE(end.success());
}

TEST_CASE("descriptors get the numbers asked for, others are closed") {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const UniqueFd read(pipe[0]), written(pipe[1]);
  const UniqueFd open_by_accident(::open("/dev/null", O_RDONLY));
  // Swapped descriptors: neither may overwrite the other.
  Command command = shell("echo via7 >&7; ls /proc/self/fd | wc -l; read line <&" + std::to_string(pipe[1]) +
                          "; echo $line");
  command.fds = {{pipe[1], 7}, {pipe[0], pipe[1]}};
  const auto end = finished(std::move(command));
  CHECK(end.out.find("via7\n") != std::string::npos);
  CHECK(std::stoi(end.out) == 6);  // 0, 1, 2, the two above, and the one that ls opens
}

TEST_CASE("a program that cannot be started says why") {
  Command command;
  command.argv = {"/no/such/program"};
  auto end = run(std::move(command));
  REQUIRE_FALSE(end.ok());
  CHECK(end.problem().message.english() == "cannot run /no/such/program: No such file or directory");
}

TEST_CASE("a start that breaks off is told as what it is") {
  std::array<bool, 256> ours{};
  for (int fd = 0; fd < 256; ++fd) ours[static_cast<std::size_t>(fd)] = ::fcntl(fd, F_GETFD) >= 0;
  Command command = shell("exit 0");
  // Writes a part of an errno into the pipe that reports the start, whatever number that has.
  command.before_exec = [ours] {
    for (int fd = 0; fd < 256; ++fd) {
      if (!ours[static_cast<std::size_t>(fd)] && ::write(fd, "", 1) < 0) continue;
    }
    ::_exit(1);
    return 0;
  };
  auto end = run(std::move(command));
  REQUIRE_FALSE(end.ok());
  CHECK(end.problem().message.english() == "cannot run /bin/sh: the process ended before it could start");
}

TEST_CASE("each limit ends the program and is named") {
  const auto hit = [](Command command, const ProcessLimits& limits) {
    command.limits = limits;
    const auto end = finished(std::move(command));
    CHECK_FALSE(end.success());
    return end.limit;
  };
  ProcessLimits limits;
  limits.wall = milliseconds(100);
  CHECK(hit(shell("sleep 60"), limits) == LimitHit::Wall);
  limits = {};
  limits.idle = milliseconds(150);
  CHECK(hit(shell("i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; sleep 60"), limits) == LimitHit::Wall);
  limits = {};
  limits.output_bytes = 10000;
  CHECK(hit(shell("while :; do echo 0123456789; done"), limits) == LimitHit::Output);
  limits = {};
  limits.file_bytes = 4096;
  Command dd;
  dd.argv = {"/bin/dd", "if=/dev/zero", "of=/tmp/cudalabs-process-test", "bs=1024", "count=100"};
  CHECK(hit(std::move(dd), limits) == LimitHit::FileSize);
  std::filesystem::remove("/tmp/cudalabs-process-test");
  limits = {};
  limits.tasks = 5;
  CHECK(hit(shell("for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait"), limits) == LimitHit::Tasks);
  limits = {};
  limits.cpu_seconds = 0.5;  // for two processes together, including those that have ended
  CHECK(hit(shell("(while :; do :; done) & while :; do :; done"), limits) == LimitHit::Cpu);
  CHECK(hit(shell("while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done"), limits) ==
        LimitHit::Cpu);
}

TEST_CASE("a signal that anybody can send is no limit, and one to the wrapper is told apart") {
  Command command = shell("kill -XCPU $$");
  command.limits.cpu_seconds = 60;
  CHECK(finished(std::move(command)).limit == LimitHit::None);

  command = shell("kill -TERM $$");
  command.wrapped = true;
  CHECK(finished(command).wrapper_ended);
  command = shell("exit $((128 + 15))");
  command.wrapped = true;
  const auto inner = finished(std::move(command));
  CHECK(inner.signal == SIGTERM);
  CHECK_FALSE(inner.wrapper_ended);
}

TEST_CASE("a limit that the machine's own is below is told, and nothing runs") {
  // A process that may raise the limit again is not bound by it.
  if (finished(shell("ulimit -H -n 4000; ulimit -H -n 4096 2>/dev/null")).exit_code == 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit few{4000, 4000};
    ::setrlimit(RLIMIT_NOFILE, &few);
    Command command = shell("exit 0");
    command.limits.open_files = 4096;
    const auto end = run(std::move(command));
    const bool told =
        !end.ok() &&
        end.problem().message.english() == "limit too low: 4000 open files; grading needs 4096" &&
        end.problem().hint.english() ==
            "the grader inherited this hard limit (ulimit -H -n): start the grader without it" &&
        end.problem().is_infrastructure_error;
    ::_exit(told ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

TEST_CASE("output without a limit is kept up to a mebibyte and drained") {
  const auto end = finished(shell("head -c 3000000 /dev/zero; echo end >&2"));
  CHECK(end.success());
  CHECK(end.out.size() == 1 << 20);
}

TEST_CASE("what a program leaves in the background ends with it") {
  const auto start = std::chrono::steady_clock::now();
  const auto end = finished(shell("sleep 61 & echo $!"));
  CHECK(end.success());
  std::this_thread::sleep_for(milliseconds(20));
  std::ifstream status("/proc/" + std::to_string(std::stoi(end.out)) + "/stat");
  std::string pid, name, state;
  CHECK((!(status >> pid >> name >> state) || state == "Z"));  // it is gone, or a zombie that init will reap
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("kill ends a program and its children") {
  auto process = Process::start(shell("sleep 62 & sleep 62"));
  REQUIRE(process.ok());
  CHECK((*process)->running());
  (*process)->kill();
  const auto& end = (*process)->wait();
  CHECK(end.killed_by_us);
  CHECK(end.signal == SIGKILL);
  CHECK_FALSE((*process)->running());
}

TEST_CASE("a program that died before kill() keeps its own end") {
  auto process = Process::start(shell("exit 5"));
  REQUIRE(process.ok());
  while ((*process)->running()) std::this_thread::sleep_for(milliseconds(1));
  (*process)->kill();
  CHECK((*process)->wait().exit_code == 5);
  CHECK_FALSE((*process)->wait().killed_by_us);
}
