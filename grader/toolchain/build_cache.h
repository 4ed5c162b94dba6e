#pragma once
// Finished builds on disk, named by a hash of all their inputs. An entry appears whole or not at all. It is
// checked when it is found: a damaged entry counts as missing. If there are too many entries, the oldest are
// removed.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/toolchain/compile.h"

namespace cudalabs {

class BuildCache {
 public:
  /// Error: the folder cannot be made, or others may write to it.
  static Result<BuildCache> open(const std::filesystem::path& folder);

  [[nodiscard]] std::optional<BuildOutcome> find(const std::string& key) const;
  /// Stores the outcome, with the program's bytes `program` if it is Ok. Returns it with its place in the
  /// cache.
  Result<BuildOutcome> keep(const std::string& key, BuildOutcome outcome, std::string_view program) const;

  /// One file by its key, for parts that many builds share.
  [[nodiscard]] std::optional<std::string> find_part(const std::string& key) const;
  Result<void> keep_part(const std::string& key, std::string_view bytes) const;

 private:
  explicit BuildCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::optional<BuildOutcome> read(const std::string& key) const;
  void prune() const;

  std::filesystem::path folder_;
};

}  // namespace cudalabs
