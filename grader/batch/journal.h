#pragma once
// All that ever happened to a class's submissions, in the order in which it happened: an SQLite file to which
// events are appended and in which nothing is changed. Grades are computed from it (class_record.h). Whoever
// stops a batch, and be it with kill -9, loses at most the event that was being written.
//
// The texts that students handed in lie in it too, by their hash: a regrade needs no other file.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/submission/locate.h"
#include "grader/support/result.h"

struct sqlite3;

namespace cudalabs {

/// What events are called in the file. Their bodies: class_record.cpp reads them.
namespace event {
inline constexpr std::string_view kRun = "run";             ///< a batch or a regrade began
inline constexpr std::string_view kHandedIn = "handed_in";  ///< a student, a source or why there is none
inline constexpr std::string_view kGraded = "graded";       ///< a source has a result
inline constexpr std::string_view kFailed = "failed";       ///< the machine could not grade a source
inline constexpr std::string_view kAdjusted = "adjusted";   ///< points by hand
inline constexpr std::string_view kUndone = "undone";       ///< an earlier event counts no more
inline constexpr std::string_view kRules = "rules";         ///< lateness, --keep-highest
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
  /// Opens or makes the file. Errors: no journal of ours, a newer version's, a folder that cannot be written.
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Appends; on the disk when it returns. An event with a `key` that is there already is left out: what a
  /// killed run left behind may be taken in twice. Returns its number, also of the one that was there.
  /// Error: the disk is full.
  Result<std::int64_t> append(std::string_view kind, std::string_view subject, std::string_view body,
                              std::string_view key = {});

  /// Appends an event of one kind about each subject, with its body: all or none.
  Result<void> append_all(std::string_view kind, const std::map<std::string, std::string>& bodies);

  /// Keeps a submission's texts. Returns their hash (SHA-256, in hex), which is the same for the
  /// same file names and texts.
  Result<std::string> keep(const Submission& submission);
  /// Error: there is none of this hash.
  Result<Submission> source(const std::string& hash);

  /// The last event of a kind about a subject, if there is one.
  Result<std::optional<Event>> last(std::string_view kind, std::string_view subject);

  /// Every event with a number above `after`, in order. `see` says no to stop.
  Result<void> each(std::int64_t after, const std::function<Result<void>(const Event&)>& see);

 private:
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] Diagnostic problem(const std::string& doing) const;
  Result<void> execute(const char* sql);

  std::filesystem::path file_;
  sqlite3* database_ = nullptr;
};

/// The hash of a submission's names and texts.
std::string hash_of(const Submission& submission);

}  // namespace cudalabs
