#include "grader/course/pack/pack.h"

#include <nettle/eddsa.h>
#include <sys/random.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "grader/base/hash/sha256.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

constexpr std::string_view kMagic = "cuda-labs course 1\n", kAnyVersion = "cuda-labs course ";
constexpr std::size_t kPublicBytes = ED25519_KEY_SIZE, kSignatureBytes = ED25519_SIGNATURE_SIZE;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20, kMaxFiles = 20'000, kMaxPath = 1000;
constexpr std::string_view kKeyLine = "cuda-labs key ";
constexpr std::string_view kHex = "0123456789abcdef";

const std::uint8_t* octets(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::array<std::uint8_t, kPublicBytes> public_key(const SigningKey& key) {
  std::array<std::uint8_t, kPublicBytes> shown{};
  ed25519_sha512_public_key(shown.data(), key.secret().data());
  return shown;
}

std::string name_of(std::string_view public_key) {
  constexpr std::size_t kDigits = 32;
  return Sha256().add_part(public_key).hex().substr(0, kDigits);
}

void put_number(std::string& out, std::uint64_t number) {
  for (int k = 0; k < 8; ++k) out += static_cast<char>(number >> (8 * k) & 0xff);
}

/// Reads from the front of `bytes`.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : left_(bytes) {}
  std::optional<std::string_view> text(std::uint64_t size) {
    if (size > left_.size()) return std::nullopt;
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::optional<std::uint64_t> number() {
    const auto bytes = text(8);
    if (!bytes) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t k = 8; k-- > 0;) value = value << 8 | static_cast<std::uint8_t>((*bytes)[k]);
    return value;
  }
  [[nodiscard]] bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

/// Returns whether a path names a file below the folder that it is joined to.
bool is_inner_path(std::string_view path) {
  if (path.empty() || path.size() > kMaxPath || path.find('\0') != std::string_view::npos) return false;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") return false;
    start = end + 1;
  }
  return true;
}

std::string compressed(std::string_view bytes) {
  constexpr int kLevel = 12;
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0) std::abort();  // the buffer is large enough by definition
  out.resize(size);
  return out;
}

Result<std::string> uncompressed(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) return error(msg::pack_damaged());
  if (size > kMaxBytes) return error(msg::pack_too_large(kMaxBytes >> 20));
  std::string out(size, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != out.size()) return error(msg::pack_damaged());
  return out;
}

}  // namespace

Result<SigningKey> SigningKey::fresh() {
  SigningKey key;
  if (getrandom(key.secret_.data(), kBytes, 0) != static_cast<ssize_t>(kBytes))
    return error(msg::no_random_key());
  return key;
}

Result<SigningKey> SigningKey::read(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  if (!text.starts_with(kKeyLine) || text.size() != kKeyLine.size() + 2 * kBytes)
    return error(msg::not_a_key(), msg::key_is_made_by_itself());
  text.remove_prefix(kKeyLine.size());
  SigningKey key;
  for (std::size_t k = 0; k < kBytes; ++k) {
    const std::size_t high = kHex.find(text[2 * k]), low = kHex.find(text[2 * k + 1]);
    if (high > 15 || low > 15) return error(msg::not_a_key(), msg::key_is_made_by_itself());
    key.secret_[k] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return key;
}

std::string SigningKey::text() const {
  std::string line(kKeyLine);
  for (const std::uint8_t byte : secret_) {
    line += kHex[byte >> 4];
    line += kHex[byte & 15];
  }
  return line + "\n";
}

std::string signer_of(const SigningKey& key) {
  const auto shown = public_key(key);
  return name_of({reinterpret_cast<const char*>(shown.data()), shown.size()});
}

std::string write_pack(std::vector<PackedFile> files, const SigningKey& key) {
  std::ranges::sort(files, {}, &PackedFile::path);
  std::string body;
  put_number(body, files.size());
  for (const PackedFile& file : files) {
    put_number(body, file.path.size());
    body += file.path;
    put_number(body, file.bytes.size());
    body += file.bytes;
  }
  const std::string content = compressed(body);
  const auto shown = public_key(key);
  std::array<std::uint8_t, kSignatureBytes> signature{};
  ed25519_sha512_sign(shown.data(), key.secret().data(), content.size(), octets(content), signature.data());
  std::string pack(kMagic);
  pack.append(reinterpret_cast<const char*>(shown.data()), shown.size());
  pack.append(reinterpret_cast<const char*>(signature.data()), signature.size());
  return pack + content;
}

Result<Pack> read_pack(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    return bytes.starts_with(kAnyVersion) ? error(msg::pack_of_another_version(), msg::take_newer_grader())
                                          : error(msg::not_a_pack(), msg::pack_is_made_by());
  }
  Taker whole(bytes.substr(kMagic.size()));
  const auto key = whole.text(kPublicBytes), signature = whole.text(kSignatureBytes);
  if (!key || !signature) return error(msg::pack_damaged(), msg::take_new_copy());
  const std::string_view content = bytes.substr(kMagic.size() + kPublicBytes + kSignatureBytes);
  if (ed25519_sha512_verify(octets(*key), content.size(), octets(content), octets(*signature)) == 0)
    return error(msg::pack_damaged(), msg::take_new_copy());

  // The files are the signer's, who may be anybody: nothing is believed but that they are whole.
  const auto body = uncompressed(content);
  if (!body) return body.problem();
  Pack pack{{}, name_of(*key)};
  Taker taker(*body);
  const auto count = taker.number();
  if (!count || *count > kMaxFiles) return error(msg::pack_damaged());
  for (std::uint64_t k = 0; k < *count; ++k) {
    const auto path_size = taker.number();
    const auto path = path_size ? taker.text(*path_size) : std::nullopt;
    const auto size = path ? taker.number() : std::nullopt;
    const auto content_of = size ? taker.text(*size) : std::nullopt;
    if (!content_of) return error(msg::pack_damaged());
    if (!is_inner_path(*path) || (!pack.files.empty() && *path <= pack.files.back().path))
      return error(msg::pack_path_refused(std::string(path->substr(0, 200))));
    pack.files.push_back({std::string(*path), std::string(*content_of)});
  }
  if (!taker.empty()) return error(msg::pack_damaged());
  return pack;
}

}  // namespace cudalabs
