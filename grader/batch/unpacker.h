#pragma once
// What gzip, bzip2, xz and zstd packed, piece by piece: whoever asks for the next one decides whether there
// may be more. (Inside of libarchive one call may unpack all that there is, and packings may lie in
// each other.)

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace cudalabs {

class Unpacker {
 public:
  /// By the first bytes; null if it is packed with none of these. `packed` must outlive it.
  static std::unique_ptr<Unpacker> of(std::string_view packed);

  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// At least one byte more in `out`, and how many; 0 at the end. Nothing: it is damaged or cut off.
  virtual std::optional<std::size_t> next(std::span<char> out) = 0;

 protected:
  Unpacker() = default;
};

}  // namespace cudalabs
