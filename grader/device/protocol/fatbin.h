#pragma once
// Reads the image that nvcc embeds in an object. Layout (little-endian):
//   header, 16 bytes: u32 magic 0xBA55ED50, u16 version, u16 header size, u64 size of all entries
//   entry: +0 u16 kind (1 PTX, 2 machine code), +4 u32 header size, +8 u64 payload size,
//          +28 u32 architecture (80), +40 u64 flags (0x2000, 0x8000: compressed),
//          +56 u64 uncompressed size; the payload follows the header
// Machine code is an ELF file: the highest byte of sh_info of section .text.NAME is the register count of
// kernel NAME. Since sm_90 it is 0, and the count stands in an entry of section .nv.info:
//   u8 format (4: sized), u8 attribute (0x2f: registers), u16 size (8), u32 symbol, u32 count
// The symbol is the rest of sh_info.
// The bytes come from a submission: everything is checked before it is used.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/sim/base/types.h"

namespace cudalabs {

/// The PTX text of the image for the highest architecture that is not above `architecture` (80 for compute
/// capability 8.0). The view points into `image`. Error: the image is not a fat binary, is truncated or
/// compressed, has only machine code, or has only code for newer devices.
Result<std::string_view> find_ptx(std::span<const std::byte> image, int architecture);

/// The images in a section of a file: a linker may have concatenated several. Views into `section`; the last
/// may be damaged.
std::vector<std::span<const std::byte>> images_in(std::span<const std::byte> section);

/// The lowest architecture for which all images of a section have PTX; 0: there is none, or it is damaged.
int needed_architecture(std::span<const std::byte> section);

/// The oldest architecture for which each nvcc that the grader supports makes machine code. Its registers
/// stand for those of older cards.
inline constexpr int kOldestMachineCode = 75;

/// Register counts from the image's machine code for exactly `architecture`; empty if none is readable.
sim::RegisterCounts find_registers(std::span<const std::byte> image, int architecture);

/// The text that the simulator runs, whatever else the image holds for a card.
Result<std::string_view> find_simulated_ptx(std::span<const std::byte> image);

}  // namespace cudalabs
