#include "grader/base/process/search_path.h"

#include <cstdlib>
#include <fstream>
#include <optional>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;
namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

namespace {

/// Sets PATH, or unsets it, while it lives.
class Path {
 public:
  explicit Path(const std::optional<std::string>& value) : before_(environment("PATH")) {
    if (value)
      ::setenv("PATH", value->c_str(), 1);
    else
      ::unsetenv("PATH");
  }
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

void write(const fs::path& file, fs::perms permissions) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/sh\n";
  fs::permissions(file, permissions);
}

}  // namespace

TEST_CASE("only absolute folders of PATH are searched") {
  {
    const Path path("/usr/bin:bin::.:../bin:~/bin:/opt/a b:/bin:");
    CHECK(search_path() == Folders{"/usr/bin", "/opt/a b", "/bin"});
    CHECK(path_variable() == "PATH=/usr/bin:bin::.:../bin:~/bin:/opt/a b:/bin:");
  }
  for (const char* nothing : {"", ":", ".", "bin"}) {
    const Path path(nothing);
    INFO(nothing);
    CHECK(search_path().empty());
    CHECK(first_program(search_path(), "sh").empty());
    CHECK(path_variable() == std::string("PATH=") + nothing);
  }
  const Path unset(std::nullopt);
  CHECK(search_path() == Folders{"/usr/local/bin", "/usr/bin", "/bin"});
  CHECK(path_variable() == "PATH=/usr/local/bin:/usr/bin:/bin");
}

TEST_CASE("a program is a file that we may execute, in the first folder that has one") {
  const test::TemporaryFolder root;
  const fs::path a = root.path() / "a", b = root.path() / "b", c = root.path() / "c";
  fs::create_directories(a / "tool");  // a folder of the name
  write(b / "tool", fs::perms::owner_read | fs::perms::owner_write);
  write(c / "tool", fs::perms::owner_all);
  write(c / "other", fs::perms::owner_all);
  write(b / "other", fs::perms::owner_all);
  const Path path("relative:" + a.string() + "::" + b.string() + ":" + (root.path() / "none").string() + ":" +
                  c.string());
  CHECK(first_program(search_path(), "tool") == c / "tool");
  CHECK(first_program(search_path(), "other") == b / "other");
  CHECK(first_program(search_path(), "nothing").empty());
  CHECK(first_program({}, "tool").empty());
  CHECK_FALSE(is_program(a / "tool"));
  CHECK_FALSE(is_program(b / "tool"));
  CHECK(is_program(c / "tool"));

  // Links count by what they lead to.
  fs::create_symlink(c / "tool", a / "link");
  fs::create_symlink(root.path() / "none", a / "broken");
  CHECK(is_program(a / "link"));
  CHECK_FALSE(is_program(a / "broken"));
}
