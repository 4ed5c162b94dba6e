#pragma once
// Starts programs for tests. Unlike grader/base/process/process.h it does not clean up: processes that a
// program leaves running stay, so that a test can see them.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudalabs::test {

struct Invocation {
  std::vector<std::string> words;  ///< the program, by its path or name in PATH, and its arguments
  std::filesystem::path folder{};  ///< working directory; empty: the current one
  /// Changes to our environment; nullopt removes a variable. With `bare` this is the whole environment.
  std::map<std::string, std::optional<std::string>> environment{};
  bool bare = false;
  bool together = false;  ///< stderr goes to stdout
  int seconds = 600;      ///< after this it is killed, with its process group
  int descriptor = -1;    ///< our descriptor that becomes its number 3
};

/// The command words of a shell that runs `line`.
std::vector<std::string> shell(const std::string& line);

struct Ended {
  int status = 0;  ///< the exit status, -1 for a signal, or -2 if it had to be killed
  int signal = 0;
  std::string out, err;
};

/// A running program with an empty stdin. The destructor kills and reaps it.
class Child {
 public:
  explicit Child(const Invocation& invocation);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Waits until the program ends. May be called once.
  Ended wait();

 private:
  int pid_ = -1, out_ = -1, err_ = -1, seconds_ = 0;
};

Ended run(const Invocation& invocation);

/// The program's stdout. Throws with its output if it does not end with status 0.
std::string output_of(const Invocation& invocation);

}  // namespace cudalabs::test
