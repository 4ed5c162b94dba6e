#pragma once
// Expected failures are values: a Result<T> holds either a T or a Diagnostic that says where and why.
// Exceptions are only for bugs.

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "grader/base/message.h"

namespace cudalabs {

/// A place in a text that a person wrote. `line` and `column` count from 1; 0 means "not known".
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  bool operator==(const Location&) const = default;
};

/// "file:line:column: " as far as it is known; empty without a file.
std::string place_of(const Location& where);

/// What went wrong, where, and (in `hint`) what to do about
/// it. `message` is one sentence without a final stop.
struct Diagnostic {
  Location where;
  Messages message;
  Messages hint;
  /// the machine's doing, whatever was asked of it: a bad disk, no memory
  bool is_infrastructure_error = false;
  /// What was handed in cannot be graded, and its author can mend that: no file, several, no text.
  bool is_submissions_fault = false;

  /// In English: "file:line:column: message" and, where there is a hint, a second line "  hint: ...".
  [[nodiscard]] std::string text() const;
};

/// True iff this error number describes the machine's state, not the request.
bool is_infrastructure_error(int error_number);

/// Makes a Diagnostic without a location.
Diagnostic error(Messages message, Messages hint = {});

template <class T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Diagnostic problem) : state_(std::in_place_index<1>, std::move(problem)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  [[nodiscard]] const Diagnostic& problem() const { return std::get<1>(state_); }

 private:
  std::variant<T, Diagnostic> state_;
};

/// A Result without a value: success, or a Diagnostic.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Diagnostic problem) : problem_(std::move(problem)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return !problem_; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Diagnostic& problem() const { return *problem_; }

 private:
  std::optional<Diagnostic> problem_;
};

}  // namespace cudalabs
