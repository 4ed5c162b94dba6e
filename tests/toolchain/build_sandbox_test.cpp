// The grader removes leftovers of killed graders from the temporary folder. Files of running graders, and
// other files, stay.
#include "grader/toolchain/build_sandbox.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace fs = std::filesystem;
using namespace cudalabs;

TEST_CASE("folders of graders that are gone are swept, and nothing else") {
  const test::TemporaryFolder temporary;
  const auto make = [&](const std::string& name, bool old) {
    const fs::path folder = temporary.path() / name;
    fs::create_directory(folder);
    std::ofstream(folder / "row_max.cu") << "code";
    if (old) fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return folder;
  };
  const fs::path left = make("cuda-labs-aB3dEf", true), held = make("cuda-labs-held00h", true),
                 locked = make("cuda-labs-lockEd", true), young = make("cuda-labs-young1", false),
                 cache = make("cuda-labs-100000", true), other = make("cuda-lab-abcdef", true);
  const fs::path target = make("target", true), link = temporary.path() / "cuda-labs-linkED";
  fs::create_directory_symlink(target, link);
  const UniqueFd living(::open(locked.c_str(), O_RDONLY | O_DIRECTORY));
  REQUIRE(::flock(living.get(), LOCK_EX) == 0);
  sweep_temporary_folders(temporary.path());
  CHECK_FALSE(fs::exists(left));
  for (const fs::path& kept : {held, locked, young, cache, other, target, link}) {
    INFO(kept);
    CHECK(fs::exists(kept));
  }
  CHECK(fs::exists(target / "row_max.cu"));
}

TEST_CASE("a folder in use is locked") {
  const auto folder = TemporaryFolder::make();
  REQUIRE(folder.ok());
  const UniqueFd again(::open((*folder)->path().c_str(), O_RDONLY | O_DIRECTORY));
  CHECK(::flock(again.get(), LOCK_EX | LOCK_NB) != 0);
}
