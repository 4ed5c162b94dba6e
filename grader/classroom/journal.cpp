#include "grader/classroom/journal.h"

#include <fmt/format.h>
#include <nettle/sha2.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <system_error>

#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kApplication = 0x43554c42;  // "CULB", which `file` could show
constexpr int kVersion = 1;

const char* const kTables = R"(
  CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
    body TEXT NOT NULL, key TEXT UNIQUE);
  CREATE TABLE IF NOT EXISTS source (
    hash TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (hash, position));
  CREATE INDEX IF NOT EXISTS event_subject ON event (kind, subject, id);
)";

/// SQLite does not report why it could not create a file.
bool no_room_beside(const fs::path& file) {
  const fs::path other = file.string() + ".room";
  const auto written = write_file_atomically(other, "x");
  std::error_code ignored;
  fs::remove(other, ignored);
  return !written && written.problem().is_infrastructure_error;
}

/// A prepared statement. Its parameters are bound in order.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    ok_ = sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) == SQLITE_OK;
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::string_view text) {
    if (ok_)
      ok_ = sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                                SQLITE_UTF8) == SQLITE_OK;
    return *this;
  }
  Statement& bind_bytes(std::string_view bytes) {
    const char* data = bytes.empty() ? "" : bytes.data();  // a null pointer would be NULL
    if (ok_)
      ok_ = sqlite3_bind_blob64(statement_, ++bound_, data, bytes.size(), SQLITE_TRANSIENT) == SQLITE_OK;
    return *this;
  }
  Statement& bind(std::int64_t number) {
    if (ok_) ok_ = sqlite3_bind_int64(statement_, ++bound_, number) == SQLITE_OK;
    return *this;
  }
  Statement& bind_null() {
    if (ok_) ok_ = sqlite3_bind_null(statement_, ++bound_) == SQLITE_OK;
    return *this;
  }

  /// SQLITE_ROW, SQLITE_DONE, or an error.
  int step() { return ok_ ? sqlite3_step(statement_) : SQLITE_ERROR; }
  [[nodiscard]] std::string text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
  }
  [[nodiscard]] std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
  bool ok_ = false;
};

}  // namespace

std::string hash_of(const Submission& submission, std::string_view owner) {
  sha256_ctx hash;
  sha256_init(&hash);
  const auto mix = [&hash](std::string_view text) {
    const std::string size = fmt::format("{};", text.size());  // a length prefix keeps the parts separate
    sha256_update(&hash, size.size(), reinterpret_cast<const std::uint8_t*>(size.data()));
    sha256_update(&hash, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  };
  mix(submission.source.name);
  mix(submission.source.content);
  for (const SourceFile& header : submission.headers) {
    mix(header.name);
    mix(header.content);
  }
  if (!owner.empty()) {
    mix("owner");
    mix(owner);
  }
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&hash, digest.size(), digest.data());
  std::string hex;
  for (const std::uint8_t byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

Diagnostic Journal::problem(const std::string& doing) const {
  const int code = database_ != nullptr ? sqlite3_errcode(database_) : SQLITE_NOMEM;
  const bool is_infrastructure_error = code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_NOMEM ||
                                       (code == SQLITE_CANTOPEN && no_room_beside(file_));
  Messages hint;
  if (is_infrastructure_error && code != SQLITE_NOMEM) hint = msg::make_room_and_repeat();
  if (code == SQLITE_BUSY) hint = msg::journal_in_use();
  return {{file_.string(), 0, 0},
          database_ != nullptr ? msg::journal_failed(doing, sqlite3_errmsg(database_))
                               : msg::not_enough_memory_for_journal(doing),
          hint,
          is_infrastructure_error};
}

Result<void> Journal::execute(const char* sql) {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return problem("opened");
  return {};
}

Result<std::unique_ptr<Journal>> Journal::open(const fs::path& file) {
  std::unique_ptr<Journal> journal(new Journal(file));
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(file.c_str(), &journal->database_, flags, nullptr) != SQLITE_OK)
    return journal->problem("opened");
  sqlite3_busy_timeout(journal->database_, 5000);
  std::int64_t application = 0, version = 0, tables = 0;
  const auto ask = [&journal](const char* sql, std::int64_t& answer) {
    Statement question(journal->database_, sql);
    if (question.step() != SQLITE_ROW) return false;
    answer = question.number(0);
    return true;
  };
  if (!ask("PRAGMA application_id", application) || !ask("PRAGMA user_version", version) ||
      !ask("SELECT count(*) FROM sqlite_master", tables))
    return journal->problem("opened");
  if (tables > 0 && application != kApplication)
    return Diagnostic{{file.string(), 0, 0}, msg::not_a_journal(), msg::choose_another_out()};
  if (version > kVersion)
    return Diagnostic{{file.string(), 0, 0}, msg::journal_of_newer_grader(), msg::use_newer_grader()};
  // The file is valid at any moment: a commit is on disk before it counts.
  if (auto set = journal->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"); !set)
    return set.problem();
  const std::string make =
      fmt::format("BEGIN; {} PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT;", kTables,
                  kApplication, kVersion);
  if (tables == 0) {
    if (auto made = journal->execute(make.c_str()); !made) return made.problem();
  }
  return journal;
}

Journal::~Journal() { sqlite3_close(database_); }

Result<std::int64_t> Journal::append(std::string_view kind, std::string_view subject, std::string_view body,
                                     std::string_view key) {
  Statement insert(database_,
                   "INSERT INTO event (at, kind, subject, body, key) VALUES (?, ?, ?, ?, ?) "
                   "ON CONFLICT (key) DO NOTHING");
  insert.bind(static_cast<std::int64_t>(std::time(nullptr))).bind(kind).bind(subject).bind(body);
  if (key.empty())
    insert.bind_null();
  else
    insert.bind(key);
  if (insert.step() != SQLITE_DONE) return problem("written");
  if (sqlite3_changes(database_) > 0) return sqlite3_last_insert_rowid(database_);
  Statement find(database_, "SELECT id FROM event WHERE key = ?");
  if (find.bind(key).step() != SQLITE_ROW) return problem("read");
  return find.number(0);
}

Result<void> Journal::append_all(std::string_view kind, const std::map<std::string, std::string>& bodies) {
  if (auto begun = execute("BEGIN"); !begun) return begun;
  Result<void> done;
  for (const auto& [subject, body] : bodies) {
    if (auto written = append(kind, subject, body); !written) {
      done = written.problem();
      break;
    }
  }
  if (done && !execute("COMMIT")) done = problem("written");
  if (!done) (void)execute("ROLLBACK");
  return done;
}

Result<std::string> Journal::keep(const Submission& submission, std::string_view owner) {
  const std::string hash = hash_of(submission, owner);
  if (auto begun = execute("BEGIN"); !begun) return begun.problem();
  std::int64_t position = 0;
  const auto keep_file = [&](const SourceFile& file) {
    Statement insert(database_,
                     "INSERT OR IGNORE INTO source (hash, position, name, content) VALUES (?, ?, ?, ?)");
    return insert.bind(hash).bind(position++).bind(file.name).bind_bytes(file.content).step() == SQLITE_DONE;
  };
  bool kept = keep_file(submission.source);
  for (const SourceFile& header : submission.headers) kept = kept && keep_file(header);
  const Diagnostic why = kept ? Diagnostic() : problem("written");
  if (auto done = execute(kept ? "COMMIT" : "ROLLBACK"); !done && kept) {
    const Diagnostic refused = problem("written");
    (void)execute("ROLLBACK");
    return refused;
  }
  if (!kept) return why;
  return hash;
}

Result<Submission> Journal::source(const std::string& hash) {
  Statement select(database_, "SELECT name, content FROM source WHERE hash = ? ORDER BY position");
  select.bind(hash);
  Submission submission;
  int status = 0;
  for (int position = 0; (status = select.step()) == SQLITE_ROW; ++position) {
    SourceFile file{select.text(0), select.text(1)};
    if (position == 0)
      submission.source = std::move(file);
    else
      submission.headers.push_back(std::move(file));
  }
  if (status != SQLITE_DONE) return problem("read");
  if (submission.source.name.empty())
    return Diagnostic{{file_.string(), 0, 0}, msg::submission_not_in_journal(hash), {}};
  submission.file = submission.source.name;
  return submission;
}

Result<std::optional<Event>> Journal::last(std::string_view kind, std::string_view subject) {
  Statement select(database_,
                   "SELECT id, at, kind, subject, body FROM event WHERE kind = ? AND subject = ? ORDER BY id "
                   "DESC LIMIT 1");
  const int status = select.bind(kind).bind(subject).step();
  if (status == SQLITE_DONE) return std::optional<Event>();
  if (status != SQLITE_ROW) return problem("read");
  return std::optional(
      Event{select.number(0), select.number(1), select.text(2), select.text(3), select.text(4)});
}

Result<void> Journal::each(std::int64_t after, const std::function<Result<void>(const Event&)>& see) {
  Statement select(database_, "SELECT id, at, kind, subject, body FROM event WHERE id > ? ORDER BY id");
  select.bind(after);
  int status = 0;
  while ((status = select.step()) == SQLITE_ROW) {
    const Event event{select.number(0), select.number(1), select.text(2), select.text(3), select.text(4)};
    if (auto seen = see(event); !seen) return seen;
  }
  if (status != SQLITE_DONE) return problem("read");
  return {};
}

}  // namespace cudalabs
