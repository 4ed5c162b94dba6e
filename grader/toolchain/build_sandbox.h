#pragma once
// An empty folder in a sandbox, in which compilers run on copies of their input files.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/fd.h"
#include "grader/base/process/process.h"
#include "grader/base/process/sandbox.h"
#include "grader/base/result.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs {

/// A folder that is removed with its owner. Making one also removes the folders of killed graders.
class TemporaryFolder {
 public:
  static Result<std::shared_ptr<TemporaryFolder>> make();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  UniqueFd lock_;  ///< held while our process lives, so that nobody sweeps the folder away
};

/// Removes our folders in `parent` that no process holds any more.
void sweep_temporary_folders(const std::filesystem::path& parent);

class BuildSandbox {
 public:
  static constexpr std::uint64_t kMemory = std::uint64_t{3} << 30;       ///< of all compilers together
  static constexpr std::uint64_t kFileBytes = std::uint64_t{128} << 20;  ///< of a file that they write
  static constexpr std::uint64_t kOutputBytes = 512 << 10;               ///< of their messages
  static constexpr double kPatience = 10;

  static Result<BuildSandbox> make(const Toolchain& toolchain,
                                   const std::vector<std::filesystem::path>& hidden);

  [[nodiscard]] Result<void> put(const std::string& name, std::string_view content) const;
  /// A file that a compiler wrote. Error: the file is missing, or larger than kFileBytes.
  [[nodiscard]] Result<std::string> take(const std::string& name) const;

  /// Runs a compiler, which may use `seconds` of processor time, and kPatience times that of wall time on a
  /// busy machine. Error: the machine could not start it.
  [[nodiscard]] Result<ProcessEnd> run(std::vector<std::string> argv, double seconds) const;

  /// The folder's name as the compilers see it.
  [[nodiscard]] std::filesystem::path inside() const { return work_path_inside(kind_, spec_); }

 private:
  BuildSandbox(std::shared_ptr<TemporaryFolder> folder, SandboxSpec spec, std::string path)
      : folder_(std::move(folder)), spec_(std::move(spec)), path_(std::move(path)) {}

  std::shared_ptr<TemporaryFolder> folder_;
  SandboxSpec spec_;
  std::string path_;
  SandboxKind kind_ = usable_sandbox();
};

}  // namespace cudalabs
