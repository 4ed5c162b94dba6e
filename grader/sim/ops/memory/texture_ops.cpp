#include "grader/sim/ops/memory/texture_ops.h"

#include <bit>
#include <cmath>
#include <optional>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ops/memory/memory_access.h"
#include "grader/sim/ops/scalar.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 kCorners = 8;
constexpr i64 kOne = 256;         ///< scale of a fraction
constexpr i64 kOutside = -1;      ///< the border instead of a texel
constexpr double kFar = 1 << 30;  ///< beyond all texels, with the fraction still exact

template <class Function>
void each_lane(u32 mask, const Function& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<u32>(std::countr_zero(mask)));
}

const TextureOp& op_of(const Exec& x, const Inst& inst) {
  return x.activation->program->textures[inst.extra];
}

// ---- which object ----------------------------------------------------------------------------------------

Message name_of(const Texture& texture) {
  if (texture.memory == Texture::Memory::Linear) return msg::texture_linear_memory();
  if (texture.memory == Texture::Memory::Pitched) return msg::texture_pitched_memory();
  if (texture.cube) return msg::texture_cubemap(texture.layered);
  const int dimensions = texture.height == 0 ? 1 : texture.depth == 0 || texture.layered ? 2 : 3;
  return msg::texture_array(texture.layered, dimensions);
}

/// The name of the call in CUDA.
std::string call_of(const TextureOp& op) {
  using enum TextureOp::Kind;
  const bool surface = op.kind == SurfaceLoad || op.kind == SurfaceStore;
  if (op.whole) return "tex1Dfetch()";
  std::string call = surface ? "surf" : "tex";
  call += op.cube ? "Cubemap" : std::to_string(op.dimensions) + "D";
  if (op.layered) call += "Layered";
  if (op.kind == Gather) call += "gather";
  if (surface) call += op.kind == SurfaceLoad ? "read" : "write";
  return call + "()";
}

bool fits(const TextureOp& op, const Texture& t) {
  using enum TextureOp::Kind;
  const bool surface = op.kind == SurfaceLoad || op.kind == SurfaceStore;
  const bool layers = t.layered || (surface && t.cube);  // the faces of a surface are layers
  const bool cube = t.cube && !surface;
  if (op.whole != (t.memory == Texture::Memory::Linear)) return false;
  if (op.whole) return op.dimensions == 1 && !op.layered && !op.cube;
  if (op.layered != layers || op.cube != cube) return false;
  if (op.cube) return true;
  // Many programs create arrays with rows of one for tex1D().
  if (op.dimensions == 1) return op.layered ? t.height == 0 : t.depth == 0;
  if (op.dimensions == 2) return t.height != 0 && (t.depth == 0 || layers);
  return t.depth != 0 && !layers;
}

/// Calls body(texture, lanes) for the lanes of each named object. False: a lane names no object that the
/// instruction can use.
template <class Body>
bool each_object(Exec& x, const TextureOp& op, u32 mask, Body body) {
  u64 objects[kLanes];
  std::memcpy(objects, slot<u64>(x, op.object), sizeof objects);
  using enum TextureOp::Kind;
  const bool surface = op.kind == SurfaceLoad || op.kind == SurfaceStore;
  while (mask != 0) {
    const auto first = static_cast<u32>(std::countr_zero(mask));
    u32 lanes = 0;
    each_lane(mask, [&](u32 lane) { lanes |= u32{objects[lane] == objects[first]} << lane; });
    mask &= ~lanes;
    const Texture* const texture = x.textures->find(objects[first]);
    if (texture == nullptr) {
      x.fail(FaultKind::OutOfBounds, first,
             x.textures->had(objects[first]) ? msg::texture_destroyed(call_of(op), surface)
                                             : msg::texture_never_made(call_of(op), surface),
             msg::texture_lifetime_advice());
      return false;
    }
    if (texture->surface != surface) {
      x.fail(FaultKind::OutOfBounds, first, msg::texture_of_other_kind(call_of(op), surface),
             msg::texture_kind_advice());
      return false;
    }
    if (!fits(op, *texture)) {
      x.fail(FaultKind::OutOfBounds, first, msg::texture_call_unfit(call_of(op), name_of(*texture)),
             op.whole                                     ? msg::fetch_of_linear_advice()
             : texture->memory == Texture::Memory::Linear ? msg::linear_by_fetch_advice()
                                                          : msg::texture_function_advice());
      return false;
    }
    if (!body(*texture, lanes)) return false;
  }
  return true;
}

// ---- where a coordinate falls ----------------------------------------------------------------------------

i64 modulo(i64 value, i64 by) {
  const i64 rest = value % by;
  return rest < 0 ? rest + by : rest;
}

/// The texel for `index` among `count` texels; kOutside: the border.
i64 wrapped(i64 index, i64 count, AddressMode mode) {
  switch (mode) {
    case AddressMode::Wrap: return modulo(index, count);
    case AddressMode::Mirror: {
      const i64 place = modulo(index, 2 * count);
      return place < count ? place : 2 * count - 1 - place;
    }
    case AddressMode::Border: return index < 0 || index >= count ? kOutside : index;
    case AddressMode::Clamp: break;
  }
  return std::clamp<i64>(index, 0, count - 1);
}

/// One dimension of one lane: two texels, and the weight of the second one, of 256.
struct Place {
  i64 texels[2] = {0, 0};
  i64 second = 0;
};

Place place_of(const Texture& t, u32 axis, u32 count, float coordinate, bool two) {
  // Repeating modes need normalized coordinates.
  AddressMode mode = t.addressing[axis];
  const bool repeats = mode == AddressMode::Wrap || mode == AddressMode::Mirror;
  if (repeats && !t.normalized_coordinates) mode = AddressMode::Clamp;
  double at = t.normalized_coordinates ? double{coordinate} * count : double{coordinate};
  at = std::isnan(at) ? 0 : std::clamp(at, -kFar, kFar);
  Place place;
  i64 first = static_cast<i64>(std::floor(at));
  if (two) {
    const i64 fixed = static_cast<i64>(std::floor((at - 0.5) * kOne + 0.5));
    first = fixed >> 8;
    place.second = fixed & (kOne - 1);
  }
  place.texels[0] = wrapped(first, count, mode);
  place.texels[1] = wrapped(first + 1, count, mode);
  return place;
}

/// Number of axes of the texels that are read. A one-dimensional texture is filtered like a row of a
/// two-dimensional one at y = 0, which includes half of the row before the first; layers of one are not.
/// Observed on an H100 (2026-11-26).
u32 axes_of(const TextureOp& op, const Texture& t) {
  if (op.cube) return 2;
  if (op.dimensions != 1 || op.whole || op.layered || !t.linear_filter) return op.dimensions;
  const Place rows = place_of(t, 1, t.rows(), 0, true);
  return rows.texels[0] == rows.texels[1] ? 1 : 2;
}

/// Weights of the corners, with a sum of 256. Products of two fractions are rounded to 256ths with halves up,
/// products of three with halves down; the adjacent texels get the remainder. This matches an H100
/// (2026-11-26), as far as measured: for three fractions only multiples of 1/16.
void weigh(u32 axes, const Place* places, i64* weights) {
  const u32 corners = 1u << axes;
  for (u32 corner = 0; corner < corners; ++corner) {
    const int fractions = std::popcount(corner);
    i64 product = fractions == 0 ? kOne : 1;
    for (u32 axis = 0; axis < axes; ++axis)
      if ((corner >> axis & 1) != 0) product *= places[axis].second;
    const int shift = fractions == 0 ? 0 : 8 * (fractions - 1);
    const i64 half = (i64{1} << shift) / 2;
    weights[corner] = (product + half - (fractions == 3 ? 1 : 0)) >> shift;
  }
  for (u32 axis = 0; axis < axes; ++axis)
    for (u32 corner = 0; corner < corners; ++corner)
      if ((corner >> axis & 1) == 0) weights[corner] -= weights[corner | 1u << axis];
  // Three rounded products may exceed the sum by one; no weight may be negative.
  for (u32 corner = 0; corner < corners; ++corner) {
    if (weights[corner] >= 0) continue;
    *std::max_element(weights, weights + corners) += weights[corner];
    weights[corner] = 0;
  }
}

/// The face that a direction meets, and the place on it, by the guide's table. The table leaves ties between
/// axes open: there z precedes y, y precedes x, no direction meets the middle of face 4, also with -0, and a
/// NaN counts as 0. Measured on an H100, 2026-11-26.
struct Face {
  i64 face = 0;
  float s = 0, t = 0;
};
Face face_of(float x, float y, float z) {
  for (float* along : {&x, &y, &z})
    if (std::isnan(*along)) *along = 0;
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const auto make = [](i64 face, float s, float t, float m) {
    if (m == 0) m = 1;
    return Face{face, (s / m + 1) / 2, (t / m + 1) / 2};
  };
  if (az >= ax && az >= ay) return z < 0 ? make(5, -x, -y, az) : make(4, x, -y, az);
  if (ay >= ax) return y < 0 ? make(3, x, -z, ay) : make(2, x, z, ay);
  return x < 0 ? make(1, z, -y, ax) : make(0, -z, -y, ax);
}

// ---- what a texel holds ----------------------------------------------------------------------------------

struct Coordinates {
  float values[3][kLanes];
  std::int32_t whole[kLanes];
  std::int32_t layer[kLanes];
};

Coordinates coordinates_of(Exec& x, const TextureOp& op) {
  Coordinates c{};
  if (op.whole) {
    std::memcpy(c.whole, slot<u32>(x, op.coordinates[0]), sizeof c.whole);
  } else {
    for (u32 axis = 0; axis < op.dimensions; ++axis)
      std::memcpy(c.values[axis], slot<u32>(x, op.coordinates[axis]), sizeof c.values[axis]);
  }
  if (op.layer != TextureOp::kNoSlot) std::memcpy(c.layer, slot<u32>(x, op.layer), sizeof c.layer);
  return c;
}

/// The texels of each lane, and their weights, which add up to 256.
struct Footprint {
  u64 addresses[kCorners][kLanes];
  i64 weights[kCorners][kLanes];
  u32 read[kCorners] = {};    ///< lanes
  u32 border[kCorners] = {};  ///< likewise: lanes that use the border's colour instead
};

void find_texels(const TextureOp& op, const Texture& t, const Coordinates& c, u32 lanes, Footprint& f) {
  const bool two = t.linear_filter || op.kind == TextureOp::Kind::Gather;
  const u32 axes = axes_of(op, t);
  each_lane(lanes, [&](u32 lane) {
    float at[3] = {c.values[0][lane], c.values[1][lane], c.values[2][lane]};
    i64 plane = 0;
    if (op.cube) {
      const Face face = face_of(at[0], at[1], at[2]);
      at[0] = face.s;
      at[1] = face.t;
      plane = face.face;
    }
    if (op.layered) {
      const i64 layers = t.cube ? t.depth / 6 : t.depth;
      // A negative layer counts as a large one, as on an H100.
      plane += std::min<i64>(static_cast<u32>(c.layer[lane]), layers - 1) * (t.cube ? 6 : 1);
    }
    const u32 counts[3] = {t.width, t.rows(), t.planes()};
    Place places[3];
    for (u32 axis = 0; axis < axes; ++axis) places[axis] = place_of(t, axis, counts[axis], at[axis], two);
    const u32 corners = two ? 1u << axes : 1;
    i64 weights[kCorners];
    std::fill(weights, weights + corners, 1);
    if (t.linear_filter && op.kind != TextureOp::Kind::Gather) weigh(axes, places, weights);
    for (u32 corner = 0; corner < corners; ++corner) {
      i64 texel[3] = {0, 0, plane};
      bool outside = false;
      for (u32 axis = 0; axis < axes; ++axis) {
        texel[axis] = places[axis].texels[corner >> axis & 1];
        outside |= texel[axis] == kOutside;
      }
      f.weights[corner][lane] = weights[corner];
      if (weights[corner] == 0) continue;
      (outside ? f.border : f.read)[corner] |= 1u << lane;
      if (outside) continue;
      const u64 row = static_cast<u64>(texel[2]) * t.rows() + static_cast<u64>(texel[1]);
      f.addresses[corner][lane] = t.address + row * t.pitch + static_cast<u64>(texel[0]) * t.texel_bytes();
    }
  });
}

/// Finds an element by an integer index; beyond the end it reads as zero.
void find_element(const Texture& t, const Coordinates& c, u32 lanes, Footprint& f) {
  each_lane(lanes, [&](u32 lane) {
    const i64 index = c.whole[lane];
    f.weights[0][lane] = 1;
    if (index < 0 || index >= t.width) return;
    f.read[0] |= 1u << lane;
    f.addresses[0][lane] = t.address + static_cast<u64>(index) * t.texel_bytes();
  });
}

u32 raw_channel(const Texture& t, const std::byte* texel, u32 channel) {
  u32 raw = 0;
  const u32 bytes = t.bits / 8;
  std::memcpy(&raw, texel + std::size_t{channel} * bytes, bytes);
  if (t.kind == TexelKind::Signed && bytes < 4) {
    const u32 unused = 32 - t.bits;
    raw = static_cast<u32>(static_cast<std::int32_t>(raw << unused) >> unused);
  }
  return raw;
}

/// For textures that are read as floats.
double value_of(const Texture& t, u32 raw) {
  if (t.kind == TexelKind::Float)
    return t.bits == 16 ? scalar::half_to_float(static_cast<std::uint16_t>(raw)) : std::bit_cast<float>(raw);
  const double most = static_cast<double>((u64{1} << (t.bits - (t.kind == TexelKind::Signed ? 1 : 0))) - 1);
  if (t.kind == TexelKind::Signed) return std::max(static_cast<std::int32_t>(raw) / most, -1.0);
  return raw / most;
}

/// One texel of some lanes.
struct Texels {
  u32 raw[4][kLanes];
};

/// Reads the texels of one corner. False: an address is not allocated.
bool read_corner(Exec& x, const Inst& inst, const Texture& t, const u64* addresses, u32 lanes,
                 Texels& texels) {
  std::memcpy(x.addresses, addresses, sizeof x.addresses);
  patch_inactive(x.addresses, lanes);
  if (!check_global(x, inst, lanes, t.texel_bytes(), AccessKind::Load)) return false;
  observe(x, x.observers, AccessKind::Load, AccessSpace::Global, t.texel_bytes(), lanes);
  each_lane(lanes, [&](u32 lane) {
    for (u32 channel = 0; channel < t.channels; ++channel)
      texels.raw[channel][lane] = raw_channel(t, x.global_host + addresses[lane], channel);
  });
  return true;
}

void put(Exec& x, const TextureOp& op, u32 channel, u32 lane, u32 bits) {
  if (op.data[channel] != TextureOp::kNoSlot) slot<u32>(x, op.data[channel])[lane] = bits;
}

/// Integers read as fractions are mixed in 16 bits: measured for bytes on an H100 (2026-11-26).
double mixed(const Texture& t, double value) {
  if (t.kind == TexelKind::Float) return value;
  const double most = t.kind == TexelKind::Signed ? 32767 : 65535;
  return std::floor(value * most + 0.5) / most;
}

void blend(Exec& x, const TextureOp& op, const Texture& t, const Footprint& f, const Texels* texels,
           u32 lanes, u32 corners) {
  const bool floats = t.reads_floats();
  const double whole = corners == 1 ? 1 : kOne;
  each_lane(lanes, [&](u32 lane) {
    for (u32 channel = 0; channel < 4; ++channel) {
      if (channel >= t.channels) {
        put(x, op, channel, lane, 0);  // including the fourth one, as on an H100
        continue;
      }
      double sum = 0;
      u32 bits = 0;
      for (u32 corner = 0; corner < corners; ++corner) {
        const bool border = (f.border[corner] >> lane & 1) != 0;
        if (!border && (f.read[corner] >> lane & 1) == 0) continue;
        const u32 raw = border ? std::bit_cast<u32>(t.border[channel]) : texels[corner].raw[channel][lane];
        const double value = border ? double{t.border[channel]} : value_of(t, raw);
        sum += value * static_cast<double>(f.weights[corner][lane]);
        bits = raw;
      }
      // A single float texel keeps its bits, whatever number they represent.
      const bool kept = !floats || (corners == 1 && t.kind == TexelKind::Float && t.bits == 32);
      put(x, op, channel, lane,
          kept ? bits : std::bit_cast<u32>(static_cast<float>(corners == 1 ? sum : mixed(t, sum / whole))));
    }
  });
}

/// The four surrounding texels, counter-clockwise from the lower left.
void gather(Exec& x, const TextureOp& op, const Texture& t, const Footprint& f, const Texels* texels,
            u32 lanes) {
  constexpr u32 kOrder[4] = {2, 3, 1, 0};
  const u32 channel = op.component;
  each_lane(lanes, [&](u32 lane) {
    for (u32 k = 0; k < 4; ++k) {
      const u32 corner = kOrder[k];
      const bool border = (f.border[corner] >> lane & 1) != 0;
      u32 bits = 0;
      if (channel < t.channels && border) {
        bits = std::bit_cast<u32>(t.border[channel]);
      } else if (channel < t.channels) {
        bits = texels[corner].raw[channel][lane];
        if (t.reads_floats()) bits = std::bit_cast<u32>(static_cast<float>(value_of(t, bits)));
      }
      put(x, op, k, lane, bits);
    }
  });
}

void texture(Exec& x, const Inst& inst, u32 mask) {
  const TextureOp& op = op_of(x, inst);
  const Coordinates coordinates = coordinates_of(x, op);
  each_object(x, op, mask, [&](const Texture& t, u32 lanes) {
    Footprint f;
    if (op.whole)
      find_element(t, coordinates, lanes, f);
    else
      find_texels(op, t, coordinates, lanes, f);
    const bool gathers = op.kind == TextureOp::Kind::Gather;
    const u32 corners = op.whole || !(t.linear_filter || gathers) ? 1 : 1u << axes_of(op, t);
    Texels texels[kCorners];
    for (u32 corner = 0; corner < corners; ++corner) {
      if (f.read[corner] == 0) continue;
      if (!read_corner(x, inst, t, f.addresses[corner], f.read[corner], texels[corner])) return false;
    }
    if (gathers)
      gather(x, op, t, f, texels, lanes);
    else
      blend(x, op, t, f, texels, lanes, corners);
    return true;
  });
}

// ---- surfaces --------------------------------------------------------------------------------------------

/// Byte address in the surface, or inside = false if the lane's access is skipped.
struct SurfacePlace {
  u64 address = 0;
  bool inside = false;
};

/// False: the access is outside of the surface, and the instruction traps.
bool place_in(const TextureOp& op, const Texture& t, i64 byte, i64 y, i64 z, SurfacePlace& place) {
  const i64 width = i64{op.element_bytes} * op.count;
  const i64 most[3] = {static_cast<i64>(t.pitch) - width, i64{t.rows()} - 1, i64{t.planes()} - 1};
  i64 at[3] = {byte, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] >= 0 && at[axis] <= most[axis]) continue;
    if (op.boundary == TextureOp::Boundary::Trap) return false;
    if (op.boundary == TextureOp::Boundary::Zero || most[axis] < 0) return true;
    at[axis] = std::clamp<i64>(at[axis], 0, most[axis]);
  }
  place.inside = true;
  place.address = t.address + (static_cast<u64>(at[2]) * t.rows() + static_cast<u64>(at[1])) * t.pitch +
                  static_cast<u64>(at[0]);
  return true;
}

void move_elements(Exec& x, const TextureOp& op, u64 address, u32 lane) {
  for (u32 e = 0; e < op.count; ++e) {
    if (op.data[e] == TextureOp::kNoSlot) continue;
    const bool wide = op.element_bytes == 8;
    std::byte* const memory = x.global_host + address + std::size_t{e} * op.element_bytes;
    std::byte* const lanes = x.frame + op.data[e];
    std::byte* const data = lanes + std::size_t{lane} * (wide ? 8 : 4);
    if (op.kind == TextureOp::Kind::SurfaceStore) {
      std::memcpy(memory, data, op.element_bytes);
      continue;
    }
    if (!wide) std::memset(data, 0, 4);
    std::memcpy(data, memory, op.element_bytes);
  }
}

void clear_elements(Exec& x, const TextureOp& op, u32 lane) {
  const std::size_t bytes = op.element_bytes == 8 ? 8 : 4;
  for (u32 e = 0; e < op.count; ++e)
    if (op.data[e] != TextureOp::kNoSlot) std::memset(x.frame + op.data[e] + lane * bytes, 0, bytes);
}

void report_stored(Exec& x, const TextureOp& op) {
  StoreData& data = x.stored;
  data.program = x.activation->program;
  data.instruction = x.pc;
  data.count = op.count;
  data.element_bytes = op.element_bytes;
  data.lane_bytes = op.element_bytes == 8 ? 8 : 4;
  for (u32 e = 0; e < op.count; ++e) data.elements[e] = x.frame + op.data[e];
}

void surface(Exec& x, const Inst& inst, u32 mask) {
  const TextureOp& op = op_of(x, inst);
  const bool store = op.kind == TextureOp::Kind::SurfaceStore;
  std::int32_t at[3][kLanes] = {}, layer[kLanes] = {};
  for (u32 axis = 0; axis < op.dimensions; ++axis)
    std::memcpy(at[axis], slot<u32>(x, op.coordinates[axis]), sizeof at[axis]);
  if (op.layer != TextureOp::kNoSlot) std::memcpy(layer, slot<u32>(x, op.layer), sizeof layer);
  const u32 width = u32{op.element_bytes} * op.count;
  const AccessKind kind = store ? AccessKind::Store : AccessKind::Load;
  if (store && !x.every_access.empty()) report_stored(x, op);
  each_object(x, op, mask, [&](const Texture& t, u32 lanes) {
    u32 inside = 0, trapped = 0, between = 0;
    each_lane(lanes, [&](u32 lane) {
      SurfacePlace place;
      const i64 plane = op.layered ? layer[lane] : at[2][lane];
      if (!place_in(op, t, at[0][lane], at[1][lane], plane, place)) trapped |= 1u << lane;
      inside |= u32{place.inside} << lane;
      between |= u32{at[0][lane] % static_cast<std::int32_t>(width) != 0} << lane;
      x.addresses[lane] = place.address;
    });
    if (trapped != 0) {
      const auto lane = static_cast<u32>(std::countr_zero(trapped));
      const std::int32_t plane = op.layered ? layer[lane] : at[2][lane];
      x.fail(FaultKind::OutOfBounds, lane,
             msg::surface_out_of_bounds(call_of(op), at[0][lane], t.pitch, at[1][lane],
                                        op.dimensions > 1 ? t.rows() : 0, plane, t.planes(),
                                        op.layered           ? "layer"
                                        : op.dimensions == 3 ? "plane"
                                                             : "none"),
             msg::surface_bounds_advice());
      return false;
    }
    if ((between & inside) != 0) {
      const auto lane = static_cast<u32>(std::countr_zero(between & inside));
      x.fail(FaultKind::Misaligned, lane, msg::surface_between_elements(call_of(op), width, at[0][lane]),
             msg::surface_bytes_advice());
      return false;
    }
    if (!store) each_lane(lanes & ~inside, [&](u32 lane) { clear_elements(x, op, lane); });
    if (inside == 0) return true;
    patch_inactive(x.addresses, inside);
    if (!check_global(x, inst, inside, width, kind)) return false;
    observe(x, x.observers, kind, AccessSpace::Global, width, inside);
    each_lane(inside, [&](u32 lane) { move_elements(x, op, x.addresses[lane], lane); });
    return true;
  });
}

}  // namespace

Handler texture_handler() { return texture; }
Handler surface_handler() { return surface; }

}  // namespace cudalabs::sim
