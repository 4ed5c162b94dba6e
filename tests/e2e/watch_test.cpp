// Grades a file again after it is saved.

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace {

namespace fs = std::filesystem;

/// Waits until the file contains the text.
bool appears(const fs::path& file, const std::string& text) {
  for (int i = 0; i < 600; ++i) {
    if (e2e::read_file(file).find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

}  // namespace

TEST_CASE("grader watch grades what is saved, and says what has changed", "[cli]") {
  const e2e::Sandbox sandbox;
  const std::string right = e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference/lab1/variant1/table.cu");
  sandbox.write("table.cu", right);
  const fs::path log = sandbox.work() / "log.txt";
  const std::string line =
      std::string("exec ") + CUDALABS_BIN "/grader watch lab1 variant1 > " + log.string() + " 2>&1";
  cudalabs::test::Child child(
      {cudalabs::test::shell(line),
       sandbox.work(),
       {{"CUDA_LABS_COURSE", sandbox.course().string()}, {"XDG_CACHE_HOME", CUDALABS_BIN "/../e2e-cache"}}});
  REQUIRE(appears(log, "save the file to grade it again"));
  // Saves as an editor does: renames another file over the old one.
  sandbox.write("table.cu.new", "#error unfinished\n" + right);
  fs::rename(sandbox.work() / "table.cu.new", sandbox.work() / "table.cu");
  CHECK(appears(log,
                "100 -> 0\n  global  50 accepted -> 0 compile_error\n    new:     everything: the file does "
                "not compile"));
  sandbox.write("notes.txt", "nothing to grade");
  sandbox.write("table.cu", right);
  CHECK(appears(log, "0 -> 100\n"));
  // Saving without a change does not grade again.
  const std::size_t size = fs::file_size(log);
  sandbox.write("table.cu", right);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(fs::file_size(log) == size);
}
