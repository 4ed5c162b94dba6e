#pragma once
// Registers and addresses of the machine code's data, and the width of its vector registers.

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>

#include "grader/sim/native/native_code.h"

namespace cudalabs::sim {

/// Bytes of a vector register.
enum class VectorWidth : std::uint8_t { Avx2 = 32, Avx512 = 64 };

constexpr std::uint32_t bytes(VectorWidth width) { return static_cast<std::uint32_t>(width); }
/// Number of vector registers for a slot with lanes of this many bits.
constexpr std::uint32_t parts_of(VectorWidth width, std::uint32_t bits) {
  return bits * kLanes / 8 / bytes(width);
}

/// Registers with constant content from the entry to the exit.
namespace fixed {
inline const asmjit::x86::Gp context = asmjit::x86::rbx, frame = asmjit::x86::r12, shapes = asmjit::x86::r13,
                             global = asmjit::x86::r14, shared = asmjit::x86::r15, runs = asmjit::x86::rbp;
}

inline asmjit::x86::Mem in_frame(std::uint32_t offset, std::uint32_t size) {
  return asmjit::x86::Mem(fixed::frame, static_cast<std::int32_t>(offset), size);
}
inline asmjit::x86::Mem in_context(std::size_t offset, std::uint32_t size) {
  return asmjit::x86::Mem(fixed::context, static_cast<std::int32_t>(offset), size);
}
/// A member of the running lanes, if only some of a warp run.
inline asmjit::x86::Mem of_lanes(std::size_t member, std::uint32_t size) {
  return in_context(offsetof(NativeContext, lanes) + member, size);
}
/// A member of the shape of the access `at`, at `offset`.
inline asmjit::x86::Mem in_shape(std::uint32_t at, std::size_t offset, std::uint32_t size) {
  return asmjit::x86::Mem(fixed::shapes, static_cast<std::int32_t>(at * sizeof(Shape) + offset), size);
}

}  // namespace cudalabs::sim
