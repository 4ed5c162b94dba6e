// Every golden/*.ptx starts with lines `//| ...`: the dump of the module, or the error text. The PTX follows
// them, and its lines are counted from 1. CUDALABS_UPDATE_GOLDEN=1 rewrites those lines; read the difference.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/harness/catch.h"
#include "tests/sim/ptx/dump.h"

namespace fs = std::filesystem;
using namespace cudalabs;

namespace {

struct Golden {
  std::string expected, ptx;
};

Golden read(const fs::path& path) {
  std::ifstream file(path);
  Golden golden;
  std::string line;
  bool in_header = true;
  while (std::getline(file, line)) {
    in_header = in_header && line.starts_with("//|");
    if (in_header) {
      golden.expected += (line.size() > 4 ? line.substr(4) : "") + "\n";
    } else {
      golden.ptx += line + "\n";
    }
  }
  return golden;
}

std::string as_header(const std::string& text) {
  std::istringstream lines(text);
  std::string header, line;
  while (std::getline(lines, line)) header += "//| " + line + "\n";
  return header;
}

}  // namespace

TEST_CASE("golden PTX files parse to the dump or the error that they name") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(CUDALABS_TEST_DATA) / "golden")) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 20);
  for (const fs::path& path : files) {
    const Golden golden = read(path);
    const auto module = ptx::parse(golden.ptx, path.filename().string());
    const std::string got = module ? ptx::test::dump(*module) : module.problem().text() + "\n";
    if (std::getenv("CUDALABS_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path) << as_header(got) << golden.ptx;
      continue;
    }
    INFO(path.filename().string());
    CHECK(got == golden.expected);
  }
}
