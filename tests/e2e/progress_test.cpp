// `grader run` during a long kernel: the line on the terminal, and the message for Ctrl-C.

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <regex>
#include <thread>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const fs::path kSlow = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "progress" / "slow.cu";

/// Runs the grader on a pseudo-terminal, which is all three of its standard streams.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> words) {
    words.insert(words.begin(), CUDALABS_BIN "/grader");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    winsize size{24, 100, 0, 0};
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      unsetenv("LANGUAGE");
      execv(arguments[0], arguments.data());
      _exit(127);
    }
  }
  ~OnTerminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  /// Reads until the output contains this text, or the grader has ended.
  void read_until(const std::string& wanted, std::chrono::seconds patience = std::chrono::seconds(100)) {
    const auto deadline = Clock::now() + patience;
    while (text_.find(wanted) == std::string::npos && Clock::now() < deadline) {
      pollfd source{terminal_, POLLIN, 0};
      if (poll(&source, 1, 100) <= 0) continue;
      std::array<char, 4096> part{};
      const ssize_t size = read(terminal_, part.data(), part.size());
      if (size <= 0) return;  // the other side is closed
      text_.append(part.data(), static_cast<std::size_t>(size));
    }
  }
  void press_ctrl_c() const { REQUIRE(write(terminal_, "\x03", 1) == 1); }
  /// Waits, and returns the status of waitpid().
  int end() {
    read_until("no such text");
    int status = 0;
    REQUIRE(waitpid(pid_, &status, 0) == pid_);
    pid_ = -1;
    return status;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string text_;
};

/// The visible end of a text that returns to the start of its line and erases to its end.
std::string seen_at_last(const std::string& text) {
  std::string seen, line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\r' && text.compare(at, 2, "\r\n") != 0) {
      line.clear();
    } else if (text.compare(at, 3, "\x1b[K") == 0) {
      at += 2;
    } else if (text[at] == '\n') {
      seen += line + '\n';
      line.clear();
    } else if (text[at] != '\r') {
      line += text[at];
    }
  }
  return seen + line;
}

/// Without the note that the program times its kernels by the machine's clock.
std::vector<std::string> words_for(const std::string& milliseconds) {
  return {"run",      kSlow.string(), "-q", "--device",  "simulator",
          "--engine", "interpreter",  "--", milliseconds};
}

}  // namespace

TEST_CASE("a long kernel has a line on a terminal, which is gone before the program goes on", "[progress]") {
  const bool checked = GENERATE(false, true);
  auto words = words_for("6000");
  if (checked) words.insert(words.begin() + 2, {"--check", "racecheck"});
  OnTerminal run(words);
  const int status = run.end();
  INFO(run.text());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  const std::regex line(
      R"(\rlaunch [0-9]+, spin: [0-9,]+ of 100,000 blocks, [0-9.,]+ a second, [^\x1b]+ left\x1b\[K)");
  CHECK(std::regex_search(run.text(), line));
  CHECK(seen_at_last(run.text()) == "before\nafter\n");
}

TEST_CASE("a long compilation has a line on a terminal, which is gone before the program starts",
          "[progress]") {
  if (!cudalabs::test::is_nvcc("Thrust's headers")) return;
  const Sandbox sandbox;
  // Another file each time: the compiler's results are cached.
  sandbox.write("sort.cu", "// " + std::to_string(std::random_device()()) + R"(
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <cstdio>
int main() {
  thrust::device_vector<float> v(3, 2.f);
  thrust::sort(v.begin(), v.end());
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  std::printf("%g\n", thrust::reduce(v.begin(), v.end()));
}
)");
  OnTerminal run(
      {"run", (sandbox.work() / "sort.cu").string(), "--device", "simulator", "--compiler", "nvcc"});
  CHECK(run.end() == 0);
  INFO(run.text());
  CHECK(std::regex_search(run.text(), std::regex(R"(\rcompiling [^\x1b]*sort\.cu: [2-9] s\x1b\[K)")));
  CHECK(seen_at_last(run.text()) == "12\n");
}

TEST_CASE("a kernel that does not take long has no line", "[progress]") {
  OnTerminal run(words_for("100"));
  CHECK(run.end() == 0);
  CHECK(run.text() == "before\r\nafter\r\n");
}

TEST_CASE("Ctrl-C says which kernel ran and ends as by the signal", "[progress]") {
  OnTerminal run(words_for("60000"));
  run.read_until(" left");
  run.press_ctrl_c();
  const int status = run.end();
  INFO(run.text());
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  const std::regex said(
      R"(grader: interrupted in launch [0-9]+ of the program, kernel spin: [0-9,]+ of 100,000 blocks were done\n)");
  CHECK(std::regex_search(seen_at_last(run.text()), said));
}

TEST_CASE("without a terminal nothing is shown", "[progress]") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.grader(words_for("4000"));
  CHECK(outcome.out == "before\nafter\n");
  CHECK(outcome.err == "");
}

}  // namespace e2e
