// What needs a card (ctest label gpu). The binaries may have been built elsewhere: they look for the grader
// beside themselves, and for the repository in $CUDA_LABS_SOURCE.

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

namespace {

namespace fs = std::filesystem;

fs::path source() {
  const char* const given = std::getenv("CUDA_LABS_SOURCE");
  return given != nullptr ? given : CUDALABS_SOURCE;
}

struct Run {
  std::string out;
  int status = -1;
};

/// The grader with these arguments; what it writes to stderr goes to ours.
Run grader(const std::string& arguments) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "grader";
  Run run;
  FILE* const pipe = popen(("'" + program.string() + "' " + arguments).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
    run.out.append(buffer.data(), got);
  run.status = WEXITSTATUS(pclose(pipe));
  return run;
}

nlohmann::json grade(const std::string& arguments) {
  const Run run = grader(arguments + " --device gpu --json - -q");
  INFO(arguments << "\n" << run.out);
  REQUIRE((run.status == 0 || run.status == 1));
  return nlohmann::json::parse(run.out);
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// N of a line "// exit: N"; 0 without one.
int expected_status(const fs::path& file) {
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("// exit: ")) return std::stoi(line.substr(9));
  }
  return 0;
}

/// "timeout" of "// timeout: a kernel that never ends".
std::string expected_verdict(const fs::path& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  line.erase(0, line.find_first_not_of("/ "));
  return line.substr(0, line.find(':'));
}

}  // namespace

TEST_CASE("the card has the last word on a submission", "[verdicts]") {
  for (const fs::path& file : sources_in(source() / "tests" / "gpu")) {
    const auto result = grade("lab3 variant4 --version global --seed 7 --submission '" + file.string() + "'");
    const auto& version = result["versions"][0];
    INFO(file << "\n" << version.dump(2));
    CHECK(result["device"] == "gpu");
    CHECK(version["verdict"] == expected_verdict(file));
    if (version["verdict"] == "accepted") CHECK(version["speed"]["source"] == "measured");
    const bool live = file.stem() == "live";
    if (version["verdict"] == "accepted") {
      const auto& reason = version["speed"]["measurement"]["submission"]["timed_live_because"];
      CHECK(reason.get<std::string>().empty() != live);
    }
  }
}

TEST_CASE("references earn every point on the card", "[references]") {
  for (const char* lab : {"lab1 variant1", "lab1 variant2", "lab2 variant1", "lab2 variant2", "lab3 variant1",
                          "lab3 variant4", "lab3 variant7", "lab4 variant1", "lab5 variant1"}) {
    const auto result = grade(std::string(lab) + " --submission '" + (source() / "reference").string() + "'");
    INFO(lab << "\n" << result.dump(2));
    CHECK(result["passed"] == true);
    for (const auto& version : result["versions"]) {
      if (version["speed"]["max_points"] > 0) CHECK(version["speed"]["source"] == "measured");
    }
  }
}

TEST_CASE("programs that check themselves run on the card", "[programs]") {
  for (const fs::path& file : sources_in(source() / "tests" / "simulator" / "programs")) {
    // min.xorsign.abs in floats.cu is of compute capability 8.6, which a card's compiler insists on.
    const Run run = grader("run '" + file.string() + "' --device gpu --nvcc=-arch=compute_86");
    INFO(file << "\n" << run.out);
    CHECK(run.status == expected_status(file));
  }
}
