#include "grader/classroom/intake/unpacker.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>

namespace cudalabs {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzip = "\x1f\x8b"sv, kBzip2 = "BZh"sv, kXz = "\xfd\x37zXZ\0"sv,
                           kZstd = "\x28\xb5\x2f\xfd"sv;
constexpr std::uint64_t kXzMemory = 256ULL << 20;  // xz -9 needs a quarter of it

/// Unpacks one member after another. Other data after a member are the padding of a tape.
class Gzip : public Unpacker {
 public:
  explicit Gzip(std::string_view packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    usable_ = ::inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK;
  }
  ~Gzip() override { ::inflateEnd(&stream_); }
  std::optional<std::size_t> next(std::span<char> out) override {
    if (!usable_) return std::nullopt;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (!ended_ && stream_.avail_out == out.size()) {
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END) return std::nullopt;
      if (status != Z_STREAM_END) continue;
      ended_ = stream_.avail_in < 2 || stream_.next_in[0] != 0x1f || stream_.next_in[1] != 0x8b;
      if (!ended_) ::inflateReset(&stream_);
    }
    return out.size() - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool usable_ = false, ended_ = false;
};

class Bzip2 : public Unpacker {
 public:
  explicit Bzip2(std::string_view packed) {
    stream_.next_in = const_cast<char*>(packed.data());
    stream_.avail_in = static_cast<unsigned>(packed.size());
    usable_ = ::BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
  }
  ~Bzip2() override { ::BZ2_bzDecompressEnd(&stream_); }
  std::optional<std::size_t> next(std::span<char> out) override {
    if (!usable_) return std::nullopt;
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    while (!ended_ && stream_.avail_out == out.size()) {
      const int status = ::BZ2_bzDecompress(&stream_);
      if (status == BZ_OK && stream_.avail_in == 0 && stream_.avail_out == out.size()) return std::nullopt;
      if (status == BZ_OK) continue;
      if (status != BZ_STREAM_END) return std::nullopt;
      ended_ = !std::string_view(stream_.next_in, stream_.avail_in).starts_with(kBzip2);
      if (!ended_ && !again()) return std::nullopt;
    }
    return out.size() - stream_.avail_out;
  }

 private:
  bool again() {
    const bz_stream at = stream_;
    ::BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    usable_ = ::BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
    stream_.next_in = at.next_in;
    stream_.avail_in = at.avail_in;
    stream_.next_out = at.next_out;
    stream_.avail_out = at.avail_out;
    return usable_;
  }
  bz_stream stream_{};
  bool usable_ = false, ended_ = false;
};

class Xz : public Unpacker {
 public:
  explicit Xz(std::string_view packed) {
    usable_ = ::lzma_stream_decoder(&stream_, kXzMemory, LZMA_CONCATENATED) == LZMA_OK;
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
  }
  ~Xz() override { ::lzma_end(&stream_); }
  std::optional<std::size_t> next(std::span<char> out) override {
    if (!usable_) return std::nullopt;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    while (!ended_ && stream_.avail_out == out.size()) {
      const lzma_ret status = ::lzma_code(&stream_, LZMA_FINISH);
      if (status != LZMA_OK && status != LZMA_STREAM_END) return std::nullopt;
      ended_ = status == LZMA_STREAM_END;
    }
    return out.size() - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool usable_ = false, ended_ = false;
};

class Zstd : public Unpacker {
 public:
  explicit Zstd(std::string_view packed)
      : in_{packed.data(), packed.size(), 0}, stream_(::ZSTD_createDStream()) {}
  ~Zstd() override { ::ZSTD_freeDStream(stream_); }
  std::optional<std::size_t> next(std::span<char> out) override {
    if (stream_ == nullptr) return std::nullopt;
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (to.pos == 0 && (in_.pos < in_.size || left_ != 0)) {
      const std::size_t before = in_.pos;
      left_ = ::ZSTD_decompressStream(stream_, &to, &in_);
      if (::ZSTD_isError(left_) != 0) return std::nullopt;
      if (left_ != 0 && to.pos == 0 && in_.pos == before) return std::nullopt;  // truncated
    }
    return to.pos;
  }

 private:
  ZSTD_inBuffer in_;
  ZSTD_DStream* stream_;
  std::size_t left_ = 0;  ///< expected bytes of the current frame; 0 between frames
};

}  // namespace

std::unique_ptr<Unpacker> Unpacker::of(std::string_view packed) {
  if (packed.starts_with(kGzip)) return std::make_unique<Gzip>(packed);
  if (packed.starts_with(kBzip2)) return std::make_unique<Bzip2>(packed);
  if (packed.starts_with(kXz)) return std::make_unique<Xz>(packed);
  // The data may also begin with a skippable frame, as pzstd writes it.
  const bool passed_over =
      packed.size() > 4 && (packed[0] & 0xf0) == 0x50 && packed.substr(1, 3) == "\x2a\x4d\x18"sv;
  if (packed.starts_with(kZstd) || passed_over) return std::make_unique<Zstd>(packed);
  return nullptr;
}

}  // namespace cudalabs
