#include "grader/cudart/streams/stream_access_sets.h"

#include <cstring>

#include "grader/cudart/memory/arrays.h"
#include "grader/cudart/memory/copies.h"

namespace cudalabs::cudart {
namespace {

enum class Place : std::uint8_t { Card, Managed, Pinned, Pageable };

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

Place place_of(Runtime& runtime, const void* pointer) {
  if (Managed::get().contains(pointer)) {
    return Managed::get().pinned_flags(pointer) != nullptr ? Place::Pinned : Place::Managed;
  }
  if (is_device(runtime, pointer)) return Place::Card;
  return Managed::get().pinned_flags(pointer) != nullptr ? Place::Pinned : Place::Pageable;
}

/// Planes of rows, with as few of them as possible.
struct Box {
  std::uint64_t first = 0, pitch = 0, width = 0, rows = 0, plane = 0, planes = 0;

  Box(const cudaPitchedPtr& at, const cudaPos& from, const cudaExtent& extent)
      : first(number(at.ptr) + (from.z * at.ysize + from.y) * at.pitch + from.x),
        pitch(at.pitch),
        width(extent.width),
        rows(extent.height),
        plane(at.ysize * at.pitch),
        planes(extent.depth) {
    if (planes > 1 && plane == rows * pitch) {
      rows *= planes;
      planes = 1;
    }
    if (rows > 1 && pitch == width) {
      width *= rows;
      rows = 1;
    }
  }
  [[nodiscard]] bool empty() const { return width == 0 || rows == 0 || planes == 0; }
  [[nodiscard]] std::uint64_t end() const {
    return first + (planes - 1) * plane + (rows - 1) * pitch + width;
  }
};

void add(AccessSet& touches, const Box& box, bool writes, bool by_host) {
  constexpr std::uint64_t kMaxPlanes = 256;  // of a message
  if (box.planes > kMaxPlanes || box.rows > protocol::kMaxTouchedRows / (2 * box.planes)) return;
  for (std::uint64_t z = 0; z < box.planes; ++z)
    touches.told.push_back({box.first + z * box.plane, box.pitch, box.width, box.rows, writes});
  if (by_host) touches.host.push_back({box.first, box.end(), writes});
}

/// True iff the whole box lies in one allocation.
bool is_inside(Runtime& runtime, const Box& box) {
  protocol::Placed range;
  return runtime.exchange(protocol::PointerInfo{box.first}, range).ok() &&
         box.end() - range.address <= range.bytes;
}

}  // namespace

AccessSet touches_of(Runtime& runtime, const CopyOperation& copy, bool asynchronous) {
  AccessSet touches;
  cudaMemcpy3DParms parms = copy.parms;
  if (!resolve_arrays(parms).ok() || parms.dstPtr.ptr == nullptr || parms.srcPtr.ptr == nullptr) {
    touches.sound = false;
    return touches;
  }
  const Box to(parms.dstPtr, parms.dstPos, parms.extent), from(parms.srcPtr, parms.srcPos, parms.extent);
  if (to.empty() || from.empty()) return touches;
  const Place target = place_of(runtime, reinterpret_cast<const void*>(to.first));
  const Place source = place_of(runtime, reinterpret_cast<const void*>(from.first));
  const bool in = target == Place::Card, out = source == Place::Card;
  if (source != Place::Pageable) add(touches, from, false, !out);
  if (target != Place::Pageable) add(touches, to, true, !in);
  touches.pageable_source = in && source == Place::Pageable;
  const auto fits = [](const Box& box, Place place, bool device) {
    return (place == Place::Card) == device ||
           Managed::get().contains(reinterpret_cast<const void*>(box.first));
  };
  const bool named_in = parms.kind == cudaMemcpyHostToDevice || parms.kind == cudaMemcpyDeviceToDevice;
  const bool named_out = parms.kind == cudaMemcpyDeviceToHost || parms.kind == cudaMemcpyDeviceToDevice;
  touches.sound =
      (parms.kind == cudaMemcpyDefault || (fits(to, target, named_in) && fits(from, source, named_out))) &&
      (!in || is_inside(runtime, to)) && (!out || is_inside(runtime, from));
  // CUDA's "API synchronization behavior".
  if (!in && !out)
    touches.wait = HostWait::Done;
  else if (out && target == Place::Pageable)
    touches.wait = HostWait::Done;
  else if (touches.pageable_source)
    touches.wait = asynchronous ? HostWait::Nothing : HostWait::Before;
  else if (!(in && out) && !asynchronous)
    touches.wait = HostWait::Done;
  return touches;
}

AccessSet touches_of(Runtime& runtime, const SetOperation& set, bool asynchronous) {
  AccessSet touches;
  const cudaMemsetParams& p = set.parms;
  const cudaPitchedPtr at{p.dst, p.pitch, 0, p.height};
  const Box box(at, {}, {p.width * p.elementSize, p.height, 1});
  if (box.empty()) return touches;
  const Place place = place_of(runtime, p.dst);
  touches.sound = place == Place::Managed || (place == Place::Card && is_inside(runtime, box));
  if (place == Place::Pageable) return touches;
  add(touches, box, true, place != Place::Card);
  if (place != Place::Card && !asynchronous) touches.wait = HostWait::Done;
  return touches;
}

std::vector<HostRange> managed_ranges() {
  std::vector<HostRange> ranges;
  for (const auto& [address, bytes] : Managed::get().ranges())
    ranges.push_back({address, address + bytes, true});
  return ranges;
}

std::shared_ptr<std::vector<std::byte>> take_source(CopyOperation& copy) {
  static_cast<void>(resolve_arrays(copy.parms));  // touches_of() has checked that this succeeds
  cudaPitchedPtr& from = copy.parms.srcPtr;
  const Box box(from, copy.parms.srcPos, copy.parms.extent);
  const auto* const begin = reinterpret_cast<const std::byte*>(box.first);
  auto bytes = std::make_shared<std::vector<std::byte>>(begin, begin + (box.end() - box.first));
  from.ptr = reinterpret_cast<void*>(number(bytes->data()) - (box.first - number(from.ptr)));
  return bytes;
}

}  // namespace cudalabs::cudart
