#pragma once
// The programs of a folder of tests/programs, run in one place: what one test case has compiled the others
// find in the cache of objects, which knows a source by its path too.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {

class ProgramFolder {
 public:
  explicit ProgramFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    namespace fs = std::filesystem;
    fs::copy(folder_, sandbox_.work());
    // What is as young as its compilation is not kept.
    const auto before = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator(sandbox_.work())) {
      fs::last_write_time(entry.path(), before);
      if (entry.path().extension() == ".cu") programs_.push_back(entry.path().stem());
    }
    std::ranges::sort(programs_);
  }

  /// The programs' names, in order.
  [[nodiscard]] const std::vector<std::string>& programs() const { return programs_; }
  /// The compilers of a program that every compiler compiles alike: they take turns, and a program has the
  /// same in all test cases.
  [[nodiscard]] std::vector<std::string> compilers(const std::string& program) const {
    const auto at = std::ranges::find(programs_, program);
    if (at == programs_.end()) throw std::runtime_error("no program " + program + " in " + folder_.string());
    return cudalabs::test::compilers_in_turn(static_cast<std::size_t>(at - programs_.begin()));
  }
  /// `grader run NAME.cu more...`, on the simulator, with `compiler` if it is named.
  [[nodiscard]] Outcome run(const std::string& name, const std::string& compiler,
                            const std::vector<std::string>& more = {},
                            const std::map<std::string, std::string>& environment = {}) const {
    std::vector<std::string> words = {"run", name + ".cu"};
    if (!compiler.empty()) words.insert(words.end(), {"--compiler", compiler});
    words.insert(words.end(), more.begin(), more.end());
    return sandbox_.grader(words, environment);
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const Sandbox& sandbox() const { return sandbox_; }

 private:
  std::filesystem::path folder_;
  Sandbox sandbox_;
  std::vector<std::string> programs_;
};

}  // namespace e2e
