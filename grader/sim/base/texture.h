#pragma once
// A texture or surface object: the memory that kernels access through it, and the mapping of coordinates to
// its elements. Source of all rules: CUDA C++ Programming Guide 13, chapters on texture memory and texture
// fetching. Unspecified behaviour is as on an H100 (2026-11-26); docs/programs.md lists what has not been
// measured.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "grader/base/message.h"

namespace cudalabs::sim {

enum class TexelKind : std::uint8_t { Signed, Unsigned, Float };
/// Numbered as cudaTextureAddressMode.
enum class AddressMode : std::uint8_t { Wrap, Clamp, Mirror, Border };

/// Extents are in texels, 0 for missing dimensions. Rows are consecutive, as are planes: a plane is a slice
/// of a volume, a layer, or a face of a cubemap.
struct Texture {
  enum class Memory : std::uint8_t {
    Linear,   ///< read by integer coordinates only (tex1Dfetch)
    Pitched,  ///< two-dimensional memory of the program
    Array,    ///< from cudaMallocArray
  };
  bool surface = false;  ///< only the members for the positions of texels are valid
  Memory memory = Memory::Linear;
  std::uint64_t address = 0, pitch = 0;  ///< pitch: bytes from one row to the next
  std::uint32_t width = 0, height = 0, depth = 0;
  bool layered = false, cube = false;  ///< depth counts layers, faces, or the faces of all layers
  TexelKind kind = TexelKind::Float;
  std::uint32_t channels = 1, bits = 32;  ///< bits: of each channel
  std::array<AddressMode, 3> addressing{};
  bool linear_filter = false, normalized_coordinates = false;
  bool normalized_values = false;  ///< integers are read as floats in [0, 1] or [-1, 1]
  std::array<float, 4> border{};

  [[nodiscard]] std::uint32_t texel_bytes() const { return channels * bits / 8; }
  [[nodiscard]] std::uint32_t rows() const { return height != 0 ? height : 1; }
  [[nodiscard]] std::uint32_t planes() const { return depth != 0 ? depth : 1; }
  /// Bytes from the first texel to the end of the last one.
  [[nodiscard]] std::uint64_t bytes() const {
    return (std::uint64_t{planes()} * rows() - 1) * pitch + std::uint64_t{width} * texel_bytes();
  }
  /// Are the results floats, whatever the instruction's type?
  [[nodiscard]] bool reads_floats() const { return kind == TexelKind::Float || normalized_values; }
};

/// Why there can be no such texture; none of its numbers is trusted. If this returns nothing, bytes() does
/// not overflow, and with an aligned address every texel is aligned to its size.
std::optional<Message> texture_problem(const Texture& texture);

/// The existing objects, by the handles that kernels use: numbers that are never reused.
class TextureTable {
 public:
  std::uint64_t add(const Texture& texture) {
    textures_.emplace(++last_, texture);
    return last_;
  }
  bool remove(std::uint64_t handle) { return textures_.erase(handle) != 0; }
  /// Null: there is no such object.
  [[nodiscard]] const Texture* find(std::uint64_t handle) const {
    const auto found = textures_.find(handle);
    return found == textures_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool had(std::uint64_t handle) const { return handle != 0 && handle <= last_; }

 private:
  std::unordered_map<std::uint64_t, Texture> textures_;
  std::uint64_t last_ = 0;
};

}  // namespace cudalabs::sim
