#pragma once
// The entries of a zip or tar file, however that is packed, and nothing of libarchive. Whoever reads it is
// asked about every byte that comes out, so that no archive unpacks to more than there is room for.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/support/result.h"

namespace cudalabs {

struct ArchiveEntry {
  enum class Kind : std::uint8_t { File, Folder, Other };  ///< Other: a link or a device
  std::string path;  ///< as the archive has it, which may lead anywhere, but with '/'
  Kind kind = Kind::File;
  std::int64_t modified = 0;  ///< seconds since 1970; 0: not known
};

class ArchiveReader {
 public:
  /// Before more comes out: is there room for so many bytes and entries? The problem ends the reading.
  using Room = std::function<Result<void>(std::uint64_t bytes, std::size_t entries)>;

  /// `where`: what messages call it. `most`: bytes that no entry of a tar file may claim.
  ArchiveReader(std::string where, std::uint64_t most, Room room);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// Of bytes that outlive the reader. Errors: it is no archive.
  Result<void> open(std::string_view bytes);
  /// The next entry; nothing at the end. Errors: no room, a damaged archive, a name that cannot be read.
  Result<std::optional<ArchiveEntry>> next();
  /// What the present entry holds. Errors, each without the file's name: more than `limit` bytes, no room, or
  /// it is broken.
  Result<std::string> read(std::uint64_t limit);
  /// Goes over the present entry: what is unpacked to find its end counts too. Errors: no room.
  Result<void> pass_over();
  /// Why no more may come out of it; nothing as long as it may.
  [[nodiscard]] const std::optional<Diagnostic>& refused() const;

 private:
  class Libarchive;
  std::unique_ptr<Libarchive> it_;
};

/// "x.zip unpacks to more than 2 GiB"
Diagnostic unpacks_to_more(const std::string& where, std::uint64_t bytes);

}  // namespace cudalabs
