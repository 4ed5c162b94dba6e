#pragma once
// The objects of a user's own sources, kept between runs: compiling takes most of the time of a small
// program's run. An object is found again as long as its source, its options, the compilers and every file
// that it includes are what they were.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/toolchain/build_cache.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs {

/// What decides a compilation, besides the files that the source includes.
struct ObjectInputs {
  std::string source;              ///< path, as the compiler gets it
  std::string_view text;           ///< of the source
  std::vector<std::string> flags;  ///< NvccCommand::flags
  std::filesystem::path host_compiler;
};

class ObjectCache {
 public:
  /// `folder`: made if it is missing. Finds and keeps nothing if it cannot be made.
  ObjectCache(const Toolchain& toolchain, const std::filesystem::path& folder);

  /// Names a compilation by all that decides it, but for the contents of the files that it includes. Ask
  /// before the compiler starts: a header that appears meanwhile then belongs to another compilation.
  [[nodiscard]] std::string key(const ObjectInputs& inputs) const;
  /// A successful compilation, with its warnings.
  [[nodiscard]] std::optional<Compilation> find(const std::string& key) const;
  /// Keeps a successful compilation whose rules name the files that the compiler read, unless a file has
  /// changed since it `started`, or the source's `text` or another of the user's files asks for something
  /// that the rules do not cover: the time, bytes of another file, or whether a file exists.
  void keep(const std::string& key, std::string_view text, const Compilation& made,
            std::filesystem::file_time_type started) const;

 private:
  const Toolchain& toolchain_;
  std::optional<BuildCache> parts_;
};

/// ${XDG_CACHE_HOME:-~/.cache}/cuda-labs/objects; empty if there is no cache.
std::filesystem::path default_object_folder();

/// The files that rules for make name as prerequisites, each once, in order; the compiler's own temporary
/// files are left out.
std::vector<std::string> prerequisites(std::string_view rules);

}  // namespace cudalabs
