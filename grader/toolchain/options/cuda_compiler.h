#pragma once
// The interface of a CUDA compiler: its name, the compilation of one file, and the folders that this needs.
// There are two: NVIDIA's nvcc (nvcc.h), and clang with our own headers (clang.h), which needs no NVIDIA
// software.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/process/process.h"
#include "grader/base/result.h"

namespace cudalabs {

/// Skips C++17's special functions (std::beta, std::cyl_bessel_j, ...): this says that their header has been
/// read. They are half of the time to parse <cmath>, and a third of a compiler's time for a submission, which
/// hardly ever uses them. Names that their header includes may be missing. So a source that does not compile
/// with this is compiled again without, and only the second result counts.
inline constexpr const char* kWithoutSpecialFunctions = "-D_GLIBCXX_BITS_SPECFUN_H=1";

/// True iff a compilation with this short cut failed and is repeated without it: only the second run's
/// messages count. A compilation that used up its time or memory would do so again.
inline bool wants_no_short_cut(const Result<ProcessEnd>& end) {
  return end && !end->success() && (end->limit == LimitHit::None || end->limit == LimitHit::Output);
}

/// The standard for submissions. A user's own program gets nvcc's default, C++17, unless it has a flag.
inline constexpr const char* kSubmissionStandard = "-std=c++20";

/// The place where a compiler works: it contains the files of one source, and the compiler's output.
class Workplace {
 public:
  Workplace() = default;
  virtual ~Workplace() = default;
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  virtual Result<ProcessEnd> run(std::vector<std::string> argv) = 0;
  /// The compiler's name for a file that it makes, or that put() made.
  [[nodiscard]] virtual std::string named(const std::string& name) const = 0;
  virtual Result<void> put(const std::string& name, std::string_view bytes) = 0;
  /// The folder to which file names in messages are relative.
  [[nodiscard]] virtual std::filesystem::path folder() const = 0;
  /// Error: the file is missing, or too large.
  virtual Result<std::string> take(const std::string& name) = 0;
};

/// Makes a new one, which contains only the source's files.
using MakeWorkplace = std::function<Result<std::unique_ptr<Workplace>>()>;

/// The end of one file's compilation: of several processes, the first that failed, with the messages of all
/// of them.
struct Compilation {
  ProcessEnd end;
  std::string object;            ///< the object's bytes, if it succeeded
  std::filesystem::path folder;  ///< Workplace::folder()
  /// Rules for make that name the files that the source includes, all halves together; the source and the
  /// system's own headers may be among them. Empty: not asked for, or this compiler cannot.
  std::string rules{};
  /// What compilers said about names that CUDA 13 has no longer, before our header made them known.
  std::vector<std::string> missed{};
};

inline constexpr std::string_view kNvcc = "nvcc", kClang = "clang";

struct CompileJob {
  std::string source;                   ///< the path for a workplace's compilers
  std::vector<std::string> user_flags;  ///< NvccCommand::flags
  std::filesystem::path host_compiler;
  std::string text{};        ///< of the source and of its own headers, as far as known
  bool wants_rules = false;  ///< Compilation::rules
};

class CudaCompiler {
 public:
  CudaCompiler() = default;
  virtual ~CudaCompiler() = default;
  CudaCompiler(const CudaCompiler&) = delete;
  CudaCompiler& operator=(const CudaCompiler&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;                 ///< kNvcc or kClang
  [[nodiscard]] virtual const std::string& version() const = 0;            ///< "13.0.88"
  [[nodiscard]] virtual const std::filesystem::path& program() const = 0;  ///< symbolic links resolved
  /// Everything that determines the output for the same files, including flags.
  [[nodiscard]] virtual std::string key() const = 0;
  /// Folders that must be visible to compile, besides the system's own.
  [[nodiscard]] virtual std::vector<std::filesystem::path> folders() const = 0;
  /// The folder of CUDA's headers for a host compiler.
  [[nodiscard]] virtual std::filesystem::path include() const = 0;

  /// Compiles a source to an object. An error is the machine's.
  [[nodiscard]] virtual Result<Compilation> compile(const CompileJob& job,
                                                    const MakeWorkplace& place) const = 0;
};

}  // namespace cudalabs
