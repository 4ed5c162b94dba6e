#pragma once
// An empty folder in a sandbox, in which compilers run on copies of what they may see.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/toolchain.h"
#include "grader/support/process.h"
#include "grader/support/result.h"
#include "grader/support/sandbox.h"

namespace cudalabs {

/// A folder that goes away with its owner.
class TemporaryFolder {
 public:
  static Result<std::shared_ptr<TemporaryFolder>> make();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

class BuildRoom {
 public:
  static constexpr std::uint64_t kMemory = std::uint64_t{3} << 30;       ///< of all compilers together
  static constexpr std::uint64_t kFileBytes = std::uint64_t{128} << 20;  ///< of a file that they write

  static Result<BuildRoom> make(const Toolchain& toolchain, const std::vector<std::filesystem::path>& hidden);

  [[nodiscard]] Result<void> put(const std::string& name, std::string_view content) const;
  /// A file that a compiler wrote. Error: it is not there, or larger than kFileBytes.
  [[nodiscard]] Result<std::string> take(const std::string& name) const;

  /// Runs a compiler for `seconds` at most. The error is the machine's: it could not be started.
  [[nodiscard]] Result<ProcessEnd> run(std::vector<std::string> argv, double seconds) const;

  /// The room's name as the compilers see it.
  [[nodiscard]] std::filesystem::path inside() const { return work_path_inside(kind_, spec_); }

 private:
  BuildRoom(std::shared_ptr<TemporaryFolder> folder, SandboxSpec spec, std::string path)
      : folder_(std::move(folder)), spec_(std::move(spec)), path_(std::move(path)) {}

  std::shared_ptr<TemporaryFolder> folder_;
  SandboxSpec spec_;
  std::string path_;
  SandboxKind kind_ = usable_sandbox();
};

}  // namespace cudalabs
