#pragma once
// What a CUDA compiler is to the rest: a name, what it makes of one file, and what must be visible for
// that. There are two: NVIDIA's nvcc (nvcc.h), and clang with our own headers (clang.h), which needs
// no software of NVIDIA's.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/process.h"
#include "grader/support/result.h"

namespace cudalabs {

/// C++17's special functions (std::beta, std::cyl_bessel_j, ...) are half of what <cmath> takes to parse, and
/// a third of a compiler's time for a submission, which hardly ever has a use for them: this says that their
/// header has been read. What it includes in turn may be missed, so what does not compile with this is
/// compiled again without, and only that counts.
inline constexpr const char* kWithoutSpecialFunctions = "-D_GLIBCXX_BITS_SPECFUN_H=1";

/// Whether what was compiled with such a short cut is compiled again without: then nobody's message counts
/// but the second's. What took all its time or memory would do so again.
inline bool wants_no_short_cut(const Result<ProcessEnd>& end) {
  return end && !end->success() && (end->limit == LimitHit::None || end->limit == LimitHit::Output);
}

/// What a submission is compiled as; a program of one's own is what nvcc makes of it: C++17 unless told.
inline constexpr const char* kSubmissionStandard = "-std=c++20";

/// Where a compiler works: the files of one source are there, and what it makes.
class Workplace {
 public:
  Workplace() = default;
  virtual ~Workplace() = default;
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  virtual Result<ProcessEnd> run(std::vector<std::string> argv) = 0;
  /// How a compiler calls a file that it makes, or that put() made.
  [[nodiscard]] virtual std::string named(const std::string& name) const = 0;
  virtual Result<void> put(const std::string& name, std::string_view bytes) = 0;
  /// The folder that messages name relative files below.
  [[nodiscard]] virtual std::filesystem::path folder() const = 0;
  /// Error: it is not there, or too large.
  virtual Result<std::string> take(const std::string& name) = 0;
};

/// Makes a fresh one, with the files of the source in it and nothing else.
using MakeWorkplace = std::function<Result<std::unique_ptr<Workplace>>()>;

/// How the compiling of one file ended: of several processes, the first that failed,
/// with what all of them said.
struct Compilation {
  ProcessEnd end;
  std::string object;            ///< its bytes, if it succeeded
  std::filesystem::path folder;  ///< Workplace::folder()
};

inline constexpr std::string_view kNvcc = "nvcc", kClang = "clang";

struct CompileJob {
  std::string source;                   ///< as a workplace's compilers find it
  std::vector<std::string> user_flags;  ///< NvccCommand::flags
  std::filesystem::path host_compiler;
  std::string text{};  ///< of the source and of headers of its own, as far as it is known
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
  /// All that decides what it makes of the same files, flags included.
  [[nodiscard]] virtual std::string key() const = 0;
  /// What must be visible to compile, besides the system's own folders.
  [[nodiscard]] virtual std::vector<std::filesystem::path> folders() const = 0;
  /// Where a host compiler finds the headers of CUDA.
  [[nodiscard]] virtual std::filesystem::path include() const = 0;

  /// From source to object. An error is the machine's.
  [[nodiscard]] virtual Result<Compilation> compile(const CompileJob& job,
                                                    const MakeWorkplace& place) const = 0;
};

}  // namespace cudalabs
