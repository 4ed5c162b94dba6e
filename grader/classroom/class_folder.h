#pragma once
// The folder of a class's batch: its journal, its work, and the generated reports. Only one process at a time
// may change it.

#include <filesystem>
#include <memory>

#include "grader/base/fd.h"
#include "grader/base/result.h"
#include "grader/classroom/journal.h"
#include "grader/classroom/work_folder.h"

namespace cudalabs {

class ClassFolder {
 public:
  enum class Make : std::uint8_t { IfMissing, No };
  /// Errors: the folder cannot be made or written, another process is using it, or (with Make::No) it belongs
  /// to no batch.
  static Result<std::unique_ptr<ClassFolder>> open(const std::filesystem::path& folder, Make make);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] Journal& journal() { return *journal_; }
  [[nodiscard]] const WorkFolder& work() const { return work_; }

 private:
  ClassFolder(std::filesystem::path path, UniqueFd lock, std::unique_ptr<Journal> journal, WorkFolder work)
      : path_(std::move(path)),
        lock_(std::move(lock)),
        journal_(std::move(journal)),
        work_(std::move(work)) {}

  std::filesystem::path path_;
  UniqueFd lock_;
  std::unique_ptr<Journal> journal_;
  WorkFolder work_;
};

}  // namespace cudalabs
