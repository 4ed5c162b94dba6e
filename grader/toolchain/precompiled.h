#pragma once
// Our CUDA headers, precompiled by clang, one file for each half, in the cache: reading the headers is most
// of the time for a small file. They are made only from our own bytes, never beside a submission, whose
// compiler may read but not write them.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/toolchain/options/clang_flags.h"

namespace cudalabs {

class Precompiled {
 public:
  static Result<Precompiled> open(const std::filesystem::path& clang, const std::string& version,
                                  const std::filesystem::path& headers);

  /// The folder that contains them.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// The file for a half of programs in that language (standard_of()); made if it is missing. None: it cannot
  /// be made, and compilations work without it.
  [[nodiscard]] std::optional<std::filesystem::path> header(Half half, const std::string& standard) const;

  /// True iff clang rejected such a file. If a submission prints these words itself, it is compiled without
  /// the file.
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
  /// It could not be made: a process that has waited for it once does not try again.
  std::shared_ptr<std::atomic<bool>> hopeless_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace cudalabs
