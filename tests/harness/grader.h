#pragma once
// Runs the real grader as a user would, in a separate folder, and checks what it leaves behind.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/files.h"

namespace e2e {

/// The result of a run. `status` is the exit status, -1 for a signal, or -2 if it had to be killed.
struct Outcome {
  int status = 0;
  std::string out, err;
  /// Leftovers that should not exist after the run: processes, files, shared memory, message queues. Empty:
  /// clean.
  std::vector<std::string> left_behind;
};

/// A folder in the build folder that the destructor removes. It contains `work()` for the test's files, and
/// the temporary folder and the course that the grader sees.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  [[nodiscard]] const std::filesystem::path& work() const { return work_; }
  /// A copy of the course with short limits, so that endless submissions end within seconds. Made when a test
  /// asks for it; until then the grader sees one that all sandboxes of the process share.
  [[nodiscard]] const std::filesystem::path& course() const;

  /// Writes a file in work(), and creates its folders.
  std::filesystem::path write(const std::filesystem::path& name, const std::string& content) const;

  /// Runs `grader arguments...` in work(). Kills it after `seconds`: what takes all memory in each case needs
  /// two minutes beside other tests.
  [[nodiscard]] Outcome grader(const std::vector<std::string>& arguments,
                               const std::map<std::string, std::string>& environment = {},
                               int seconds = 400) const;

 private:
  std::filesystem::path root_, work_, temporary_;
  mutable std::filesystem::path course_;  ///< empty: not asked for
};

using cudalabs::test::read_file;
using cudalabs::test::replace_in;

/// Takes the cases with an `n` of 100,000 and more out of a variant, for tests of what small ones show
/// too. The timed case gets `timed` elements, if it is not 0.
void without_large_cases(const std::filesystem::path& course, const std::string& slug, int timed = 0);

/// Removes the files that hostile submissions left in places that a weak sandbox does not protect.
void remove_left_files();

/// The device for tests that run on any device: the simulator, or $E2E_DEVICE ("gpu" on a machine with one).
std::string device_asked();

/// Replaces `@COURSE@`, `@SOURCE@` and `@BIN@` in a submission by their paths.
std::string with_paths(std::string text, const Sandbox& sandbox);

/// All strings of a document, one on each line: everything that a person could read in it.
std::string all_text(const nlohmann::json& document);

/// Writes a grading's result to the folder $KEEP_RESULTS, if it is set: bench/losses.py and
/// bench/compilers.py read them.
void keep_result(std::string name, const nlohmann::json& result);

/// The number of the first line that ends with the marker `<-- here`; 0 if there is none.
int marked_line(const std::string& source);

}  // namespace e2e
