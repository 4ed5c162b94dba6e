#pragma once
// The operands of one instruction on a texture or surface object, as slots.

#include <array>
#include <cstdint>

namespace cudalabs::sim {

struct TextureOp {
  enum class Kind : std::uint8_t { Read, Gather, SurfaceLoad, SurfaceStore };
  enum class Boundary : std::uint8_t { Trap, Clamp, Zero };  ///< for surfaces
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;

  Kind kind = Kind::Read;
  std::uint8_t dimensions = 1;  ///< for a cubemap 3: a direction
  bool layered = false, cube = false;
  bool whole = false;          ///< Read: coordinates are integers
  std::uint8_t component = 0;  ///< Gather
  Boundary boundary = Boundary::Trap;
  std::uint8_t element_bytes = 4, count = 4;  ///< surfaces: the vector elements of each lane
  std::uint32_t object = 0;                   ///< 64 bits
  std::uint32_t layer = kNoSlot;
  std::array<std::uint32_t, 3> coordinates{};
  /// Registers: kNoSlot for unused elements. 64 bits wide for elements of 8 bytes, otherwise 32.
  std::array<std::uint32_t, 4> data{kNoSlot, kNoSlot, kNoSlot, kNoSlot};
};

}  // namespace cudalabs::sim
