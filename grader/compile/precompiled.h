#pragma once
// Our CUDA headers as clang has read them, one file for each half, in the cache: most of what compiling a
// small file takes. They are made of our own bytes alone, never beside a submission, whose compiler may
// read them and not write.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/compile/clang_flags.h"
#include "grader/support/result.h"

namespace cudalabs {

class Precompiled {
 public:
  static Result<Precompiled> open(const std::filesystem::path& clang, const std::string& version,
                                  const std::filesystem::path& headers);

  /// Where they lie.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// The file for a half of programs in that language (standard_of()), made if it is not there. Nothing: it
  /// cannot be made, and all goes without.
  [[nodiscard]] std::optional<std::filesystem::path> header(Half half, const std::string& standard) const;

  /// Whether clang said that it does not take such a file. A submission that prints these words goes without.
  static bool refused(std::string_view said);
  void forget(Half half, const std::string& standard) const;

 private:
  Precompiled(std::filesystem::path clang, std::string version, std::filesystem::path headers,
              std::filesystem::path folder, std::string key)
      : clang_(std::move(clang)),
        version_(std::move(version)),
        headers_(std::move(headers)),
        folder_(std::move(folder)),
        key_(std::move(key)) {}
  [[nodiscard]] std::filesystem::path file(Half half, const std::string& standard) const;

  std::filesystem::path clang_;
  std::string version_;
  std::filesystem::path headers_, folder_;
  std::string key_;
  /// It could not be made: who waited for that once goes without.
  std::shared_ptr<std::atomic<bool>> hopeless_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace cudalabs
