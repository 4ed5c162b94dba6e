#include "grader/sim/base/texture.h"

#include "grader/diagnostics/messages/faults.h"

#include <algorithm>

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kMaxLinear = 1u << 28;  ///< texels
constexpr std::uint32_t kMaxExtent = 131072;
constexpr std::uint64_t kMaxPitch = std::uint64_t{1} << 32;
constexpr std::uint64_t kAlignment = 512, kPitchAlignment = 32;  ///< as returned by cudaGetDeviceProperties

}  // namespace

std::optional<Message> texture_problem(const Texture& t) {
  if (t.memory > Texture::Memory::Array || t.kind > TexelKind::Float ||
      std::ranges::any_of(t.addressing, [](AddressMode mode) { return mode > AddressMode::Border; }))
    return msg::texture_kind_unknown();
  const bool sized = t.bits == 16 || t.bits == 32 || (t.bits == 8 && t.kind != TexelKind::Float);
  if (!sized || (t.channels != 1 && t.channels != 2 && t.channels != 4)) return msg::texture_channels_wrong();
  const bool linear = t.memory == Texture::Memory::Linear;
  if (t.width == 0) return msg::texture_empty();
  if (t.width > (linear ? kMaxLinear : kMaxExtent) || t.height > kMaxExtent || t.depth > kMaxExtent)
    return msg::texture_too_large();
  if (linear && (t.height != 0 || t.depth != 0)) return msg::texture_linear_dimensions();
  if (t.memory == Texture::Memory::Pitched && (t.height == 0 || t.depth != 0))
    return msg::texture_pitched_dimensions();
  if (t.memory != Texture::Memory::Array && (t.layered || t.cube || t.surface))
    return msg::texture_needs_array();
  if ((t.layered && t.depth == 0) || (t.cube && (t.height != t.width || t.depth == 0 || t.depth % 6 != 0)) ||
      (!t.layered && t.depth != 0 && t.height == 0))
    return msg::texture_extents_wrong();
  const std::uint64_t row = std::uint64_t{t.width} * t.texel_bytes();
  if (t.pitch > kMaxPitch || t.pitch < row || (t.memory == Texture::Memory::Array && t.pitch != row))
    return msg::texture_pitch_wrong();
  if (t.address % kAlignment != 0) return msg::texture_misaligned();
  if (t.memory == Texture::Memory::Pitched && t.pitch % kPitchAlignment != 0)
    return msg::texture_pitch_misaligned();
  if (t.pitch % t.texel_bytes() != 0) return msg::texture_pitch_uneven();
  if (t.linear_filter && !t.reads_floats()) return msg::texture_filter_needs_floats();
  if (t.linear_filter && linear) return msg::texture_linear_unfiltered();
  if (t.normalized_values && t.kind != TexelKind::Float && t.bits == 32)
    return msg::texture_wide_normalized();
  return std::nullopt;
}

}  // namespace cudalabs::sim
