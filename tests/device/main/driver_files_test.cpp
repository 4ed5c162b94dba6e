// The files that a GPU's driver can still access, as seen by a child that gave up access to the others.
#include "grader/device/main/driver_files.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

bool refused(const char* path, int how) {
  const int file = ::open(path, how, 0600);
  if (file < 0) return errno == EACCES;
  ::close(file);
  return false;
}

/// The failed checks, one letter each.
std::string wrong_here(const std::string& own_file) {
  std::string wrong;
  if (!refused("/etc/passwd", O_RDONLY)) wrong += 'p';
  if (!refused(own_file.c_str(), O_RDONLY)) wrong += 'r';
  if (!refused(own_file.c_str(), O_WRONLY)) wrong += 'w';
  if (!refused((own_file + ".new").c_str(), O_WRONLY | O_CREAT)) wrong += 'c';
  if (::unlink(own_file.c_str()) == 0) wrong += 'u';
  if (refused("/proc/self/maps", O_RDONLY)) wrong += 'm';
  if (refused("/dev/null", O_RDWR)) wrong += 'n';
  if (refused("/usr", O_RDONLY | O_DIRECTORY)) wrong += 'l';
  return wrong;
}

}  // namespace

TEST_CASE("a card's driver opens its own files and devices, and no others") {
  if (::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) < 1) {
    WARN("skipped: this kernel has no Landlock");
    return;
  }
  const std::string file =
      std::filesystem::temp_directory_path() / ("driver_files." + std::to_string(::getpid()));
  ::close(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string wrong = keep_driver_files().ok() ? wrong_here(file) : "not kept";
    std::thread([&] { wrong += wrong_here(file); }).join();
    wrong += '.';
    ::_exit(::write(ends[1], wrong.data(), wrong.size()) == static_cast<ssize_t>(wrong.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string wrong(64, '\0');
  wrong.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], wrong.data(), wrong.size()))));
  ::close(ends[0]);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(wrong == ".");
  CHECK(::unlink(file.c_str()) == 0);
}
