#include "grader/classroom/class_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace cudalabs {

namespace fs = std::filesystem;

namespace {

/// Returns whether the folder has files other than the lock, which a batch creates first and may have been
/// killed after.
bool holds_other_files(const fs::path& folder) {
  std::error_code none;
  const fs::directory_iterator entries(folder, none), end;
  return std::any_of(entries, end, [](const auto& entry) { return entry.path().filename() != "lock"; });
}

}  // namespace

Result<std::unique_ptr<ClassFolder>> ClassFolder::open(const fs::path& folder, Make make) {
  const auto refused = [&folder](std::string why, std::string hint = {}) {
    return Diagnostic{{folder.string(), 0, 0}, std::move(why), std::move(hint)};
  };
  const auto cannot_be = [&folder](const char* what, int why) {
    return Diagnostic{{folder.string(), 0, 0},
                      fmt::format("cannot be {}: {}", what, std::strerror(why)),
                      {},
                      is_infrastructure_error(why) || why == EROFS};
  };
  const fs::path journal_file = folder / "journal.sqlite";
  std::error_code problem;
  if (make == Make::No) {
    if (!fs::exists(journal_file, problem))
      return refused("holds no batch", "name the folder that `grader batch ... --out FOLDER` wrote");
  } else {
    if (fs::exists(folder, problem) && !fs::is_directory(folder, problem))
      return refused("is a file, not a folder");
    if (!fs::exists(journal_file, problem) && holds_other_files(folder))
      return refused("holds other files, and no batch", "name a new or an empty folder with --out");
    fs::create_directories(folder, problem);
    if (problem) return cannot_be("made", problem.value());
  }
  // The process holds the lock until it ends, even if it crashes.
  UniqueFd lock(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) return cannot_be("written", errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    char who[32] = {};
    const bool known = ::pread(lock.get(), who, sizeof who - 1, 0) > 0;
    return refused(
        known ? fmt::format("another grader works on it: process {}", who) : "another grader works on it",
        "wait until it has ended, or name another folder");
  }
  const std::string self = std::to_string(::getpid());
  if (::ftruncate(lock.get(), 0) != 0 || ::pwrite(lock.get(), self.data(), self.size(), 0) < 0)
    return cannot_be("written", errno);
  auto journal = Journal::open(journal_file);
  if (!journal) return journal.problem();
  auto work = WorkFolder::open(folder / "work");
  if (!work) return work.problem();
  return std::unique_ptr<ClassFolder>(
      new ClassFolder(folder, std::move(lock), std::move(*journal), std::move(*work)));
}

}  // namespace cudalabs
