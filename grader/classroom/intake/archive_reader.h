#pragma once
// Reads the entries of a zip or tar file with any compression, and hides libarchive. The caller approves
// every byte that comes out, so no archive unpacks to more than the limit.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace cudalabs {

struct ArchiveEntry {
  enum class Kind : std::uint8_t { File, Folder, Other };  ///< Other: a link or a device
  std::string path;  ///< as the archive has it, with '/' as separator; it may lead outside
  Kind kind = Kind::File;
  std::int64_t modified = 0;  ///< seconds since 1970; 0: not known
};

class ArchiveReader {
 public:
  /// Called before more is unpacked: returns an error if this many bytes and entries exceed the limit. The
  /// error ends the reading.
  using Room = std::function<Result<void>(std::uint64_t bytes, std::size_t entries)>;

  /// `where`: the archive's name in messages. `most`: the maximum size that an entry of a tar file may
  /// declare.
  ArchiveReader(std::string where, std::uint64_t most, Room room);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// The bytes must outlive the reader. Errors: not an archive.
  Result<void> open(std::string_view bytes);
  /// The next entry; nothing at the end. Errors: over the limit, a damaged archive, an unreadable name.
  Result<std::optional<ArchiveEntry>> next();
  /// The contents of the current entry. Errors, each without the file's name: more than `limit` bytes, over
  /// the limit of the archive, or damaged.
  Result<std::string> read(std::uint64_t limit);
  /// Skips the current entry. Bytes that are unpacked to find its end count too. Errors: over the limit.
  Result<void> pass_over();
  /// The error that ended the reading; nothing while it may continue.
  [[nodiscard]] const std::optional<Diagnostic>& refused() const;

 private:
  class Libarchive;
  std::unique_ptr<Libarchive> it_;
};

/// "x.zip unpacks to more than 2 GiB"
Diagnostic unpacks_to_more(const std::string& where, std::uint64_t bytes);

}  // namespace cudalabs
