#include "grader/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace cudalabs {
namespace {

constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

using State = std::array<std::uint32_t, 8>;

void add_block(State& state, const unsigned char* bytes) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(bytes + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State done{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += done[i];
}

#if defined(__x86_64__)
bool has_instructions() {
  constexpr unsigned kFeatures = 7, kSha = 1U << 29;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3") &&
         __get_cpuid_count(kFeatures, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

/// Uses the processor's SHA instructions, which keep the eight words as a b e f and c d g h (lanes from the
/// highest to the lowest) and do two rounds each.
[[gnu::target("sha,sse4.1")]] void add_blocks_by_instructions(State& state, const unsigned char* bytes,
                                                              std::size_t count) {
  const auto load = [](const void* from) __attribute__((always_inline, target("sha,sse4.1"))) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);  // words are big-endian
  const __m128i cdab = _mm_shuffle_epi32(load(state.data()), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(state.data() + 4), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count > 0; --count, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      __m128i& next = w[i % 4];  // four words; it held those of 16 words ago
      const __m128i last = w[(i + 3) % 4];
      if (i < 4)
        next = _mm_shuffle_epi8(load(bytes + 16 * i), order);
      else
        next = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(next, w[(i + 1) % 4]),
                                                  _mm_alignr_epi8(last, w[(i + 2) % 4], 4)),
                                    last);
      const __m128i added = _mm_add_epi32(next, load(kRound.data() + static_cast<std::ptrdiff_t>(4) * i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#else
bool has_instructions() { return false; }
void add_blocks_by_instructions(State&, const unsigned char*, std::size_t) {}
#endif

}  // namespace

Sha256::Sha256(bool portably) : portably_(portably) {
  static const bool can = has_instructions();
  portably_ = portably_ || !can;
}

void Sha256::blocks(const unsigned char* bytes, std::size_t count) {
  if (!portably_) return add_blocks_by_instructions(state_, bytes, count);
  for (; count > 0; --count, bytes += buffer_.size()) add_block(state_, bytes);
}

Sha256& Sha256::add(std::string_view bytes) {
  total_ += bytes.size();
  while (!bytes.empty()) {
    std::size_t taken = std::min(bytes.size(), buffer_.size() - filled_);
    if (filled_ == 0 && taken == buffer_.size()) {
      const std::size_t whole = bytes.size() / buffer_.size();
      blocks(reinterpret_cast<const unsigned char*>(bytes.data()), whole);
      taken = whole * buffer_.size();
    } else {
      std::memcpy(buffer_.data() + filled_, bytes.data(), taken);
      filled_ += taken;
      if (filled_ == buffer_.size()) {
        blocks(buffer_.data(), 1);
        filled_ = 0;
      }
    }
    bytes.remove_prefix(taken);
  }
  return *this;
}

Sha256& Sha256::add_part(std::string_view bytes) {
  add(std::to_string(bytes.size()));
  add(":");
  return add(bytes);
}

std::string Sha256::hex() {
  const std::uint64_t bits = total_ * 8;
  add(std::string_view("\x80", 1));
  while (filled_ != 56) add(std::string_view("\0", 1));
  for (int shift = 56; shift >= 0; shift -= 8) {
    const char byte = static_cast<char>(bits >> shift);
    add(std::string_view(&byte, 1));
  }
  std::string text;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  }
  return text;
}

}  // namespace cudalabs
