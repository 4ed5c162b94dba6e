#pragma once
// How tests start programs. Unlike grader/support/process.h it cleans up after nobody: what a program leaves
// behind stays, for a test to see.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudalabs::test {

struct Invocation {
  std::vector<std::string> words;  ///< the program, by its path or looked for in PATH, and its arguments
  std::filesystem::path folder{};  ///< that it runs in; empty: ours
  /// On top of our environment, nullopt takes a name out of it; with `bare` this is all that there is.
  std::map<std::string, std::optional<std::string>> environment{};
  bool bare = false;
  bool together = false;  ///< stderr goes where stdout goes
  int seconds = 600;      ///< then it is killed, with its process group
  int descriptor = -1;    ///< ours that it has as number 3
};

/// The words of a shell that runs `line`.
std::vector<std::string> shell(const std::string& line);

struct Ended {
  int status = 0;  ///< the exit status, or -1 for a signal, or -2 if it had to be killed
  int signal = 0;
  std::string out, err;
};

/// A running program with nothing on its stdin; killed and reaped at the end.
class Child {
 public:
  explicit Child(const Invocation& invocation);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Waits for its end; once.
  Ended wait();

 private:
  int pid_ = -1, out_ = -1, err_ = -1, seconds_ = 0;
};

Ended run(const Invocation& invocation);

/// What the program wrote to stdout. Throws with what it said if it does not end with status 0.
std::string output_of(const Invocation& invocation);

}  // namespace cudalabs::test
