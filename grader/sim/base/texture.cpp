#include "grader/sim/base/texture.h"

#include <algorithm>

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kMaxLinear = 1u << 28;  ///< texels
constexpr std::uint32_t kMaxExtent = 131072;
constexpr std::uint64_t kMaxPitch = std::uint64_t{1} << 32;
constexpr std::uint64_t kAlignment = 512, kPitchAlignment = 32;  ///< as returned by cudaGetDeviceProperties

}  // namespace

std::optional<std::string> texture_problem(const Texture& t) {
  if (t.memory > Texture::Memory::Array || t.kind > TexelKind::Float ||
      std::ranges::any_of(t.addressing, [](AddressMode mode) { return mode > AddressMode::Border; }))
    return "no such kind of memory, of element or of addressing";
  const bool sized = t.bits == 16 || t.bits == 32 || (t.bits == 8 && t.kind != TexelKind::Float);
  if (!sized || (t.channels != 1 && t.channels != 2 && t.channels != 4))
    return "an element has 1, 2 or 4 channels of 8, 16 or 32 bits (floats: of 16 or 32)";
  const bool linear = t.memory == Texture::Memory::Linear;
  if (t.width == 0) return "it has no texels";
  if (t.width > (linear ? kMaxLinear : kMaxExtent) || t.height > kMaxExtent || t.depth > kMaxExtent)
    return "it is larger than the device allows";
  if (linear && (t.height != 0 || t.depth != 0)) return "linear memory has one dimension";
  if (t.memory == Texture::Memory::Pitched && (t.height == 0 || t.depth != 0))
    return "pitched memory has two dimensions";
  if (t.memory != Texture::Memory::Array && (t.layered || t.cube || t.surface))
    return "layers, cubemaps and surfaces are made of arrays";
  if ((t.layered && t.depth == 0) || (t.cube && (t.height != t.width || t.depth == 0 || t.depth % 6 != 0)) ||
      (!t.layered && t.depth != 0 && t.height == 0))
    return "no array has such extents";
  const std::uint64_t row = std::uint64_t{t.width} * t.texel_bytes();
  if (t.pitch > kMaxPitch || t.pitch < row || (t.memory == Texture::Memory::Array && t.pitch != row))
    return "the pitch is shorter than a row, or longer than the device allows";
  if (t.address % kAlignment != 0)
    return "the memory does not begin at a multiple of 512 bytes (textureAlignment)";
  if (t.memory == Texture::Memory::Pitched && t.pitch % kPitchAlignment != 0)
    return "the pitch is no multiple of 32 bytes (texturePitchAlignment)";
  if (t.pitch % t.texel_bytes() != 0) return "the pitch is no multiple of an element";
  if (t.linear_filter && !t.reads_floats())
    return "linear filtering needs an element or a read mode that gives floats";
  if (t.linear_filter && linear) return "linear memory is not filtered";
  if (t.normalized_values && t.kind != TexelKind::Float && t.bits == 32)
    return "integers of 32 bits are not read as normalized floats";
  return std::nullopt;
}

}  // namespace cudalabs::sim
