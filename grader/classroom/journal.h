#pragma once
// The complete history of a class's submissions: an SQLite file to which events are appended and in which
// nothing is changed. Grades are computed from it (class_record.h). If a batch is stopped, even with kill -9,
// at most the event being written is lost.
//
// The file also contains the submitted texts, by their hash, so a regrade needs no other file.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/submission/locate.h"

struct sqlite3;

namespace cudalabs {

/// Names of the event kinds in the file. class_record.cpp reads their bodies.
namespace event {
inline constexpr std::string_view kRun = "run";              ///< a batch or a regrade began
inline constexpr std::string_view kHandedIn = "handed_in";   ///< a student, and a source or why there is none
inline constexpr std::string_view kGraded = "graded";        ///< a source has a result
inline constexpr std::string_view kFailed = "failed";        ///< the machine could not grade a source
inline constexpr std::string_view kAdjusted = "adjusted";    ///< manual points
inline constexpr std::string_view kWithdrawn = "withdrawn";  ///< a student's work does not count any more
inline constexpr std::string_view kUndone = "undone";        ///< an earlier event no longer counts
inline constexpr std::string_view kRules = "rules";          ///< lateness, --keep-highest
}  // namespace event

struct Event {
  std::int64_t id = 0;
  std::int64_t at = 0;  ///< seconds since 1970
  std::string kind;
  std::string subject;  ///< the student, or the hash of the source; may be empty
  std::string body;     ///< JSON
};

class Journal {
 public:
  /// Opens or creates the file. Errors: not a journal, a newer version's journal, or a folder that cannot be
  /// written.
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Appends an event, which is on disk when this returns. If an event with this `key` exists, nothing is
  /// appended, because the results of a killed run may be recorded twice. Returns the number of the new or
  /// existing event. Error: the disk is full.
  Result<std::int64_t> append(std::string_view kind, std::string_view subject, std::string_view body,
                              std::string_view key = {});

  /// Appends an event of one kind for each subject, with its body: all or none.
  Result<void> append_all(std::string_view kind, const std::map<std::string, std::string>& bodies);

  /// Stores a submission's texts. Returns their hash_of().
  Result<std::string> keep(const Submission& submission, std::string_view owner = {});
  /// Error: no source has this hash.
  Result<Submission> source(const std::string& hash);

  /// The last event of a kind about a subject, if there is one.
  Result<std::optional<Event>> last(std::string_view kind, std::string_view subject);

  /// Visits every event with a number above `after`, in order. An error from `see` stops it.
  Result<void> each(std::int64_t after, const std::function<Result<void>(const Event&)>& see);

 private:
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] Diagnostic problem(const std::string& doing) const;
  Result<void> execute(const char* sql);

  std::filesystem::path file_;
  sqlite3* database_ = nullptr;
};

/// SHA-256, in hex, of a submission's names and texts. With an owner, equal texts of others have another
/// hash: where each student has a seed, equal files are graded for each of them.
std::string hash_of(const Submission& submission, std::string_view owner = {});

}  // namespace cudalabs
