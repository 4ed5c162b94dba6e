#pragma once
// Runs the real grader as a person would, in a folder of its own, and looks at what it leaves behind.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/files.h"

namespace e2e {

/// How a run ended. `status` is the exit status, or -1 for a signal, or -2 if it had to be killed.
struct Outcome {
  int status = 0;
  std::string out, err;
  /// Everything that should not be there afterwards: processes,
  /// files, shared memory, message queues. Empty: clean.
  std::vector<std::string> left_behind;
};

/// A folder below the build folder that goes away with the object: `work()` for the test's files, and what
/// the grader sees as its temporary folder and as its course.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  [[nodiscard]] const std::filesystem::path& work() const { return work_; }
  /// A copy of the course with short limits, so that endless submissions end within seconds.
  [[nodiscard]] const std::filesystem::path& course() const { return course_; }

  /// Writes a file below work(), with its folders.
  std::filesystem::path write(const std::filesystem::path& name, const std::string& content) const;

  /// Runs `grader arguments...` in work(). Kills it after `seconds`.
  [[nodiscard]] Outcome grader(const std::vector<std::string>& arguments,
                               const std::map<std::string, std::string>& environment = {},
                               int seconds = 150) const;

 private:
  std::filesystem::path root_, work_, course_, temporary_;
};

using cudalabs::test::read_file;
using cudalabs::test::replace_in;

/// What hostile submissions left in places that a weak sandbox does not keep from them.
void remove_left_files();

/// The device for suites that run on any: the simulator, or $E2E_DEVICE ("gpu" on a machine that has one).
std::string device_asked();

/// Replaces every `@COURSE@`, `@SOURCE@` and `@BIN@` in a submission by the path that it stands for.
std::string with_paths(std::string text, const Sandbox& sandbox);

/// All strings of a document, a line each: what a person could read in it.
std::string all_text(const nlohmann::json& document);

/// Writes a grading's result to the folder $KEEP_RESULTS, if it is set: bench/losses.py and
/// bench/compilers.py read them.
void keep_result(std::string name, const nlohmann::json& result);

/// The number of the first line that ends with the marker `<-- here`; 0 if there is none.
int marked_line(const std::string& source);

}  // namespace e2e
