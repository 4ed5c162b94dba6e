#include "grader/cudart/memory/copies.h"

#include <algorithm>
#include <cstring>

namespace cudalabs::cudart {
namespace {

// The simulator's device addresses are in this range, where Linux maps nothing unasked. For a pointer
// outside, no request to the device process is needed.
constexpr std::uint64_t kDeviceWindow = 0x2000'0000'0000, kDeviceWindowEnd = 0x4000'0000'0000;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Cuts a pitched copy into pieces that fit the staging buffer: piece(row, rows, column, width) -> Status.
template <class Piece>
Status in_pieces(std::size_t limit, std::size_t width, std::size_t rows, Piece piece) {
  Status status;
  if (width <= limit) {
    const std::size_t at_once = limit / width;
    for (std::size_t row = 0; row < rows && status.ok(); row += at_once) {
      status = piece(row, std::min(at_once, rows - row), 0, width);
    }
    return status;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < width && status.ok(); column += limit) {
      status = piece(row, 1, column, std::min(limit, width - column));
    }
  }
  return status;
}

}  // namespace

Status copy_in(Runtime& runtime, DeviceRows to, const void* from, std::size_t from_pitch, std::size_t width,
               std::size_t rows, std::uint32_t stream) {
  const std::span<std::byte> staging = runtime.staging();
  const auto* source = static_cast<const std::byte*>(from);
  return in_pieces(
      staging.size(), width, rows,
      [&](std::size_t row, std::size_t count, std::size_t column, std::size_t bytes) {
        for (std::size_t i = 0; i < count; ++i) {
          std::memcpy(staging.data() + i * bytes, source + (row + i) * from_pitch + column, bytes);
        }
        return runtime.exchange(
            protocol::CopyIn{to.address + row * to.pitch + column, to.pitch, bytes, count, 0, stream});
      });
}

Status copy_out(Runtime& runtime, void* to, std::size_t to_pitch, DeviceRows from, std::size_t width,
                std::size_t rows, std::uint32_t stream, const std::vector<std::uint64_t>& frames) {
  const std::span<std::byte> staging = runtime.staging();
  auto* destination = static_cast<std::byte*>(to);
  return in_pieces(
      staging.size(), width, rows,
      [&](std::size_t row, std::size_t count, std::size_t column, std::size_t bytes) {
        Status status = runtime.exchange(protocol::CopyOut{from.address + row * from.pitch + column,
                                                           from.pitch, bytes, count, 0, stream, frames});
        for (std::size_t i = 0; i < count && status.ok(); ++i) {
          std::memcpy(destination + (row + i) * to_pitch + column, staging.data() + i * bytes, bytes);
        }
        return status;
      });
}

bool is_device(Runtime& runtime, const void* pointer) {
  const std::uint64_t address = number(pointer);
  if (address < kDeviceWindow || address >= kDeviceWindowEnd || Managed::get().contains(pointer))
    return false;
  protocol::Placed place;
  return runtime.exchange(protocol::PointerInfo{address}, place).ok();
}

Status copy(Runtime& runtime, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
            std::size_t width, std::size_t rows, cudaMemcpyKind kind, std::uint32_t stream) {
  if (width == 0 || rows == 0) return {};
  if (rows > 1 && (to_pitch < width || from_pitch < width))
    return {CudaError::InvalidPitchValue, msg::pitch_below_width()};
  // Managed memory is host memory between launches, whatever `kind` says.
  bool to_device = false, from_device = false;
  switch (kind) {
    case cudaMemcpyHostToHost: break;
    case cudaMemcpyHostToDevice: to_device = true; break;
    case cudaMemcpyDeviceToHost: from_device = true; break;
    case cudaMemcpyDeviceToDevice: to_device = from_device = true; break;
    case cudaMemcpyDefault:
      to_device = is_device(runtime, to);
      from_device = is_device(runtime, from);
      break;
    default: return {CudaError::InvalidMemcpyDirection, msg::unknown_copy_kind()};
  }
  to_device = to_device && !Managed::get().contains(to);
  from_device = from_device && !Managed::get().contains(from);
  if ((!to_device && (to == nullptr || is_device(runtime, to))) ||
      (!from_device && (from == nullptr || is_device(runtime, from)))) {
    return invalid_value(msg::copy_kind_not_for_pointer());
  }
  if (to_device && from_device) {
    return runtime.exchange(
        protocol::CopyOnDevice{number(to), to_pitch, number(from), from_pitch, width, rows, stream});
  }
  if (to_device) return copy_in(runtime, {number(to), to_pitch}, from, from_pitch, width, rows, stream);
  if (from_device)
    return copy_out(runtime, to, to_pitch, {number(from), from_pitch}, width, rows, stream, call_frames());
  for (std::size_t row = 0; row < rows; ++row) {
    std::memmove(static_cast<std::byte*>(to) + row * to_pitch,
                 static_cast<const std::byte*>(from) + row * from_pitch, width);
  }
  return {};
}

Status set(Runtime& runtime, void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
           std::uint32_t stream) {
  if (width == 0 || rows == 0) return {};
  if (rows > 1 && pitch < width) return {CudaError::InvalidPitchValue, msg::pitch_below_width()};
  if (!Managed::get().contains(to)) {
    return runtime.exchange(
        protocol::Set{number(to), pitch, width, rows, static_cast<std::uint8_t>(value), stream});
  }
  for (std::size_t row = 0; row < rows; ++row)
    std::memset(static_cast<std::byte*>(to) + row * pitch, value, width);
  return {};
}

}  // namespace cudalabs::cudart
