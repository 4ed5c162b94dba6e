#pragma once
// What happened when a version ran, as bytes: a run can be kept, and explained again without a device.

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/grading/run/case_runner.h"

namespace cudalabs {

/// Runs cases by another runner and keeps all that it said.
class RecordingRunner : public CaseRunner {
 public:
  explicit RecordingRunner(CaseRunner& runner) : runner_(runner) {}

  Result<Observation> run(const CaseRequest& request, int attempt) override;
  Result<Repetition> repeat_without_host() override;
  void end_session() override { runner_.end_session(); }
  std::string printed() override;
  std::chrono::milliseconds budget_left() override;
  std::chrono::milliseconds now() override;

  /// What was said until now.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  CaseRunner& runner_;
  std::string bytes_;
};

/// Says again what a RecordingRunner has kept, to somebody who asks for the same in the same order. Error: the
/// bytes are damaged, or something else is asked for.
class StoredRunner : public CaseRunner {
 public:
  explicit StoredRunner(std::string bytes) : bytes_(std::move(bytes)), rest_(bytes_) {}

  Result<Observation> run(const CaseRequest& request, int attempt) override;
  Result<Repetition> repeat_without_host() override;
  void end_session() override {}
  std::string printed() override;
  std::chrono::milliseconds budget_left() override;
  std::chrono::milliseconds now() override;

 private:
  /// The next record, if it is of this kind.
  template <class... T>
  Result<void> next(char kind, T&... fields);

  std::string bytes_;
  std::string_view rest_;
};

Result<void> store_run(const std::filesystem::path& file, std::string_view bytes);
Result<std::string> stored_run(const std::filesystem::path& file);

}  // namespace cudalabs
