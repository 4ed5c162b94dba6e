#pragma once
// What one instruction on a texture or surface object works on, its operands as slots.

#include <array>
#include <cstdint>

namespace cudalabs::sim {

struct TextureOp {
  enum class Kind : std::uint8_t { Read, Gather, SurfaceLoad, SurfaceStore };
  enum class Boundary : std::uint8_t { Trap, Clamp, Zero };  ///< of surfaces
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;

  Kind kind = Kind::Read;
  std::uint8_t dimensions = 1;  ///< of a cubemap 3: a direction
  bool layered = false, cube = false;
  bool whole = false;          ///< Read: coordinates are whole numbers
  std::uint8_t component = 0;  ///< Gather
  Boundary boundary = Boundary::Trap;
  std::uint8_t element_bytes = 4, count = 4;  ///< surfaces: of a lane, the elements of a vector
  std::uint32_t object = 0;                   ///< 64 bits
  std::uint32_t layer = kNoSlot;
  std::array<std::uint32_t, 3> coordinates{};
  /// Registers: kNoSlot where nothing is wanted. 64 bits wide for elements of 8 bytes, else 32.
  std::array<std::uint32_t, 4> data{kNoSlot, kNoSlot, kNoSlot, kNoSlot};
};

}  // namespace cudalabs::sim
