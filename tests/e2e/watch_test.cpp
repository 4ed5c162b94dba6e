// Grades a file again after it is saved.

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace {

namespace fs = std::filesystem;

/// A `grader watch` of a file in a folder of its own.
class Watch {
 public:
  Watch(const std::string& variant, std::string file, const std::vector<std::string>& options = {})
      : file_(std::move(file)),
        reference_(e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference" / variant / file_)) {
    sandbox_.write(file_, reference_);
    std::string line = CUDALABS_BIN "/grader watch " + variant.substr(0, variant.find('/')) + " " +
                       variant.substr(variant.find('/') + 1);
    for (const std::string& option : options) line += " " + option;
    line = "exec " + line + " > " + log().string() + " 2>&1";
    child_.emplace(cudalabs::test::Invocation{cudalabs::test::shell(line),
                                              sandbox_.work(),
                                              {{"CUDA_LABS_COURSE", sandbox_.course().string()},
                                               {"XDG_CACHE_HOME", CUDALABS_BIN "/../e2e-cache"},
                                               {"XDG_STATE_HOME", (sandbox_.work() / "state").string()},
                                               {"CUDA_LABS_HISTORY", ""},
                                               {"CI", ""}}});
    REQUIRE(appears("save the file to grade it again"));
  }

  /// Saves as an editor does: renames another file over the old one. Returns what is printed then, as far as
  /// this text.
  std::string save(const std::string& text, const std::string& until) {
    const std::size_t before = e2e::read_file(log()).size();
    sandbox_.write(file_ + ".new", text);
    fs::rename(sandbox_.work() / (file_ + ".new"), sandbox_.work() / file_);
    CHECK(appears(until, before));
    return e2e::read_file(log()).substr(before);
  }
  /// The reference with another text in place of a part.
  [[nodiscard]] std::string changed(const std::string& part, const std::string& to) const {
    std::string text = reference_;
    REQUIRE(text.find(part) != std::string::npos);
    return text.replace(text.find(part), part.size(), to);
  }
  [[nodiscard]] const std::string& reference() const { return reference_; }
  [[nodiscard]] std::string printed() const { return e2e::read_file(log()); }
  [[nodiscard]] const e2e::Sandbox& sandbox() const { return sandbox_; }

 private:
  [[nodiscard]] fs::path log() const { return sandbox_.work() / "log.txt"; }
  [[nodiscard]] bool appears(const std::string& text, std::size_t from = 0) const {
    for (int i = 0; i < 600; ++i) {
      if (e2e::read_file(log()).find(text, from) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

  e2e::Sandbox sandbox_;
  std::string file_, reference_;
  std::optional<cudalabs::test::Child> child_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("grader watch grades what is saved, and says what has changed", "[cli]") {
  Watch watch("lab1/variant1", "table.cu");
  const std::string broken = watch.save("#error unfinished\n" + watch.reference(), "To mend first");
  INFO(broken);
  CHECK(broken.find("lab1 variant1: 0 of 100 points, before 100") != std::string::npos);
  CHECK(
      broken.find("  global  50 accepted -> 0 compile error\n  constant  50 accepted -> 0 compile error\n") !=
      std::string::npos);
  CHECK(broken.find("To mend first (new):\n  table.cu:1:") != std::string::npos);
  CHECK(count(broken, "unfinished") <= 2);  // the error and its line, once for all versions
  watch.sandbox().write("notes.txt", "nothing to grade");
  const std::string mended = watch.save(watch.reference(), "gone:");
  CHECK(mended.find("lab1 variant1: 100 of 100 points, before 0") != std::string::npos);
  CHECK(mended.find("    gone: global, constant: the file does not compile: ") != std::string::npos);
  CHECK(mended.find("To mend") == std::string::npos);
  // Saving without a change does not grade again.
  const std::size_t size = watch.printed().size();
  watch.sandbox().write("table.cu", watch.reference());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(watch.printed().size() == size);
}

TEST_CASE("grader watch tells the first cause in full, and what is no change not at all", "[cli]") {
  Watch watch("lab3/variant4", "row_max.cu", {"--version", "global"});
  CHECK(watch.printed().find("not graded") != std::string::npos);
  const std::string guard = "if (row >= static_cast<size_t>(rows)) return;";
  const std::string first =
      watch.save(watch.changed(guard, "if (row > static_cast<size_t>(rows)) return;"), "the one shown is");
  INFO(first);
  CHECK(first.find("of 30 points, before 30") != std::string::npos);
  CHECK(first.find("  global  30 accepted -> 0 runtime error\n") != std::string::npos);
  CHECK(first.find("To mend first (new):\n  global -30 correctness, speed\n") != std::string::npos);
  CHECK(first.find("out of bounds") != std::string::npos);
  CHECK(first.find("row_max.cu:3") != std::string::npos);      // the line ...
  CHECK(first.find("best = begin[0];") != std::string::npos);  // ... its source ...
  CHECK(first.find("29 of 29 cases") != std::string::npos);    // ... and how many cases
  // Another wrong guard fails other cases with other values, by the same cause.
  const std::string second = watch.save(
      watch.changed(guard, "if (row > static_cast<size_t>(rows) + 1) return;"), "the one shown is");
  INFO(second);
  CHECK(second.find("of 30 points  (") != std::string::npos);
  CHECK(second.find("nothing has changed in the result\n") != std::string::npos);
  CHECK(second.find("To mend first (as before):\n") != std::string::npos);
  CHECK(second.find("new:") == std::string::npos);
  CHECK(second.find("gone:") == std::string::npos);
}

TEST_CASE("grader watch gives the result of a grading", "[cli]") {
  Watch watch("lab3/variant4", "row_max.cu");
  (void)watch.save(watch.changed("__syncthreads();", ""), "To mend first");
  const std::map<std::string, std::string> environment{
      {"XDG_STATE_HOME", (watch.sandbox().work() / "state").string()}, {"CUDA_LABS_HISTORY", ""}, {"CI", ""}};
  const auto history = [&] {
    const auto file = watch.sandbox().work() / "state/cuda-labs/history.jsonl";
    std::vector<nlohmann::json> all;
    std::istringstream lines(e2e::read_file(file));
    for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
    return all;
  };
  auto watched = history();
  REQUIRE(watched.size() == 2);
  const std::string seed = watched[1].at("seed").get<std::string>();
  (void)watch.sandbox().grader({"lab3", "variant4", "--seed", seed, "--device", "simulator", "-q"},
                               environment);
  auto all = history();
  REQUIRE(all.size() == 3);
  CHECK(all[1].at("seed_policy") == "fresh");
  CHECK(all[2].at("seed_policy") == "named");
  for (auto* one : {&all[1], &all[2]}) {
    one->erase("nondeterministic");
    one->erase("seed_policy");
  }
  CHECK(all[1] == all[2]);
}
