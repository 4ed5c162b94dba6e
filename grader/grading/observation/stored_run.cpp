#include "grader/grading/observation/stored_run.h"

#include <cstring>
#include <span>
#include <utility>

#include "grader/course/cache.h"
#include "grader/device/protocol/control.h"
#include "grader/diagnostics/messages/run.h"

// Structured bindings name every member, so a new member does not compile until someone decides here how to
// store it.

namespace cudalabs::protocol {

template <class T>
void optional_field(auto& a, std::optional<T>& field) {
  bool there = field.has_value();
  a(there);
  if (!there) return;
  if (!field) field.emplace();
  a(*field);
}

void time_field(auto& a, std::chrono::milliseconds& time) {
  auto count = static_cast<std::int64_t>(time.count());
  a(count);
  time = std::chrono::milliseconds(count);
}

void fields_of(auto& a, CaseRequest& request) {
  auto& [index, timeout, mode, followed, usual_order, untimed] = request;
  a(index);
  time_field(a, timeout);
  a(mode, followed, usual_order, untimed);
}

void fields_of(auto& a, ArrayAfterCall& array) {
  auto& [damage, change, bytes] = array;
  a(damage, change, bytes);
}

void fields_of(auto& a, SubmissionEnd& end) {
  auto& [exit, exit_code, signal, message, out, err, perhaps_by_others, by_others, wall, cpu, memory] = end;
  a(exit, exit_code, signal, message, perhaps_by_others, by_others);
}

void fields_of(auto& a, FailedStart& start) {
  auto& [why, end, memory_limit, timed_out] = start;
  a(why, end, memory_limit, timed_out);
}

void fields_of(auto& a, Observation& seen) {
  auto& [request, attempt, first_call, in_session, failed_start, called, outcome, end, arrays, trouble,
         data] = seen;
  a(request, attempt, first_call, in_session);
  optional_field(a, failed_start);
  a(called, outcome);
  optional_field(a, end);
  a(arrays);
  optional_field(a, trouble);
}

void fields_of(auto& a, Repetition& repetition) {
  auto& [begun, done, trouble, arrays] = repetition;
  a(begun, done);
  optional_field(a, trouble);
  a(arrays);
}

}  // namespace cudalabs::protocol

namespace cudalabs {
namespace {

constexpr char kRun = 'r', kRepetition = 'a', kPrinted = 'p', kBudget = 'b', kNow = 'n';
constexpr std::size_t kMaxBytes = std::size_t{4} << 30;

/// A record: its kind, the number of its bytes, and these.
template <class T>
void record(std::string& bytes, char kind, T& value) {
  protocol::Writer writer;
  writer(value);
  const std::vector<std::byte> fields = writer.take();
  const std::uint64_t size = fields.size();
  bytes += kind;
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(fields.data()), fields.size());
}

}  // namespace

Result<Observation> RecordingRunner::run(const CaseRequest& request, int attempt) {
  auto seen = runner_.run(request, attempt);
  if (seen) record(bytes_, kRun, *seen);
  return seen;
}

Result<Repetition> RecordingRunner::repeat_without_host() {
  auto repetition = runner_.repeat_without_host();
  if (repetition) record(bytes_, kRepetition, *repetition);
  return repetition;
}

std::string RecordingRunner::printed() {
  std::string text = runner_.printed();
  record(bytes_, kPrinted, text);
  return text;
}

std::chrono::milliseconds RecordingRunner::budget_left() {
  const std::chrono::milliseconds left = runner_.budget_left();
  std::int64_t count = left.count();
  record(bytes_, kBudget, count);
  return left;
}

std::chrono::milliseconds RecordingRunner::now() {
  const std::chrono::milliseconds now = runner_.now();
  std::int64_t count = now.count();
  record(bytes_, kNow, count);
  return now;
}

template <class... T>
Result<void> StoredRunner::next(char kind, T&... fields) {
  std::uint64_t size = 0;
  const std::size_t head = 1 + sizeof size;
  if (rest_.size() >= head) std::memcpy(&size, rest_.data() + 1, sizeof size);
  if (differs_ || rest_.size() < head || rest_.front() != kind || size > rest_.size() - head) {
    differs_ = true;
    return error(msg::stored_run_differs());
  }
  protocol::Reader reader(std::as_bytes(std::span(rest_.substr(head, size))));
  rest_.remove_prefix(head + size);
  reader(fields...);
  differs_ = !reader.finished();
  return differs_ ? Result<void>(error(msg::stored_run_differs())) : Result<void>();
}

Result<void> StoredRunner::finished() const {
  return differs_ || !rest_.empty() ? Result<void>(error(msg::stored_run_differs())) : Result<void>();
}

Result<Observation> StoredRunner::run(const CaseRequest& request, int attempt) {
  Observation seen;
  if (auto read = next(kRun, seen); !read) return read.problem();
  differs_ = seen.request != request || seen.attempt < attempt;
  if (differs_) return error(msg::stored_run_differs());
  return seen;
}

Result<Repetition> StoredRunner::repeat_without_host() {
  Repetition repetition;
  if (auto read = next(kRepetition, repetition); !read) return read.problem();
  return repetition;
}

std::string StoredRunner::printed() {
  std::string text;
  return next(kPrinted, text) ? text : "";
}

std::chrono::milliseconds StoredRunner::budget_left() {
  std::int64_t left = 0;
  return std::chrono::milliseconds(next(kBudget, left) ? left : 0);
}

std::chrono::milliseconds StoredRunner::now() {
  std::int64_t now = 0;
  return std::chrono::milliseconds(next(kNow, now) ? now : 0);
}

Result<void> store_run(const std::filesystem::path& file, std::string_view key, std::string_view bytes) {
  return write_file_atomically(file, sealed(std::string(key).append(bytes)));
}

Result<std::string> stored_run(const std::filesystem::path& file, std::string_view key) {
  auto bytes = read_file(file, kMaxBytes);
  if (!bytes) return bytes.problem();
  auto whole = unsealed(std::move(*bytes));
  if (!whole || !whole->starts_with(key)) return error(msg::stored_run_differs());
  return std::move(*whole).substr(key.size());
}

}  // namespace cudalabs
