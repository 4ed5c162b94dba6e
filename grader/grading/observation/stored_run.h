#pragma once
// What was observed when a version ran, as one value that can be stored: the answers of a CaseRunner in the
// order of the questions. The same explainer asks the same questions, so it needs no device to explain the
// run again.

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/grading/observation/case_runner.h"

namespace cudalabs {

/// Passes questions on to another runner, and records its answers.
class RecordingRunner : public CaseRunner {
 public:
  explicit RecordingRunner(CaseRunner& runner) : runner_(runner) {}

  Result<Observation> run(const CaseRequest& request, int attempt) override;
  Result<Repetition> repeat_without_host() override;
  void end_session() override { runner_.end_session(); }
  std::string printed() override;
  std::chrono::milliseconds budget_left() override;
  std::chrono::milliseconds now() override;

  /// The answers so far.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  CaseRunner& runner_;
  std::string bytes_;
};

/// Gives the answers that a RecordingRunner has recorded. An error means that the bytes are damaged, or that
/// the question is another one than the recorded one.
class StoredRunner : public CaseRunner {
 public:
  explicit StoredRunner(std::string bytes) : bytes_(std::move(bytes)), rest_(bytes_) {}

  Result<Observation> run(const CaseRequest& request, int attempt) override;
  Result<Repetition> repeat_without_host() override;
  void end_session() override {}
  std::string printed() override;
  std::chrono::milliseconds budget_left() override;
  std::chrono::milliseconds now() override;

  /// An error if an answer was missing, or one is left: the explainer asked other questions.
  [[nodiscard]] Result<void> finished() const;

 private:
  /// Reads the next record, if it is of this kind. After one that is not, there is none any more.
  template <class... T>
  Result<void> next(char kind, T&... fields);

  std::string bytes_;
  std::string_view rest_;
  bool differs_ = false;
};

/// A file with a checksum. `key`: of what was run; a run of something else is refused.
Result<void> store_run(const std::filesystem::path& file, std::string_view key, std::string_view bytes);
Result<std::string> stored_run(const std::filesystem::path& file, std::string_view key);

}  // namespace cudalabs
