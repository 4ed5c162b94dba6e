#include "grader/classroom/class_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "grader/base/parse_number.h"
#include "grader/diagnostics/messages/classroom.h"

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
  const auto refused = [&folder](const Message& why, const Messages& hint = {}) {
    return Diagnostic{{folder.string(), 0, 0}, why, hint};
  };
  const auto cannot_be = [&folder](const auto& done, int why) {
    return Diagnostic{
        {folder.string(), 0, 0}, done(std::strerror(why)), {}, is_infrastructure_error(why) || why == EROFS};
  };
  const fs::path journal_file = folder / "journal.sqlite";
  std::error_code problem;
  if (make == Make::No) {
    if (!fs::exists(journal_file, problem)) return refused(msg::no_batch_here(), msg::name_the_batch());
  } else {
    if (fs::exists(folder, problem) && !fs::is_directory(folder, problem))
      return refused(msg::out_is_a_file());
    if (!fs::exists(journal_file, problem) && holds_other_files(folder))
      return refused(msg::out_holds_other_files(), msg::name_an_empty_folder());
    fs::create_directories(folder, problem);
    if (problem) return cannot_be(msg::cannot_be_made, problem.value());
  }
  // The process holds the lock until it ends, even if it crashes.
  UniqueFd lock(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) return cannot_be(msg::cannot_be_written_to, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    char who[32] = {};
    (void)::pread(lock.get(), who, sizeof who - 1, 0);
    return refused(msg::another_grader_at_work(parse_number<std::int64_t>(who).value_or(0)),
                   msg::wait_for_other_grader());
  }
  const std::string self = std::to_string(::getpid());
  if (::ftruncate(lock.get(), 0) != 0 || ::pwrite(lock.get(), self.data(), self.size(), 0) < 0)
    return cannot_be(msg::cannot_be_written_to, errno);
  auto journal = Journal::open(journal_file);
  if (!journal) return journal.problem();
  auto work = WorkFolder::open(folder / "work");
  if (!work) return work.problem();
  return std::unique_ptr<ClassFolder>(
      new ClassFolder(folder, std::move(lock), std::move(*journal), std::move(*work)));
}

}  // namespace cudalabs
