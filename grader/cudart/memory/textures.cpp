// Texture and surface objects. The program's structures become one description, which the device checks.

#include <algorithm>
#include <map>

#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/arrays.h"

namespace cudalabs::cudart {
namespace {

struct Object {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  bool surface = false;
};

std::map<std::uint64_t, Object>& objects() {
  static auto* const instance = new std::map<std::uint64_t, Object>;
  return *instance;
}

const Object* find_object(std::uint64_t object, bool surface) {
  const auto found = objects().find(object);
  return found == objects().end() || found->second.surface != surface ? nullptr : &found->second;
}

Status no_such_object() { return invalid_value(msg::no_such_texture_object()); }

Status take_channels(const cudaChannelFormatDesc& channels, sim::Texture& texture) {
  Status status = check_channels(channels);
  if (!status.ok()) return status;
  texture.kind = channels.f == cudaChannelFormatKindSigned     ? sim::TexelKind::Signed
                 : channels.f == cudaChannelFormatKindUnsigned ? sim::TexelKind::Unsigned
                                                               : sim::TexelKind::Float;
  texture.bits = static_cast<std::uint32_t>(channels.x);
  texture.channels = channels.y == 0 ? 1 : channels.z == 0 ? 2 : 4;
  return {};
}

Status take_array(cudaArray_const_t handle, sim::Texture& texture) {
  const cudaArray* const array = find_array(handle);
  if (array == nullptr) return invalid_value(msg::no_such_array());
  texture.memory = sim::Texture::Memory::Array;
  texture.address = array->address;
  texture.pitch = array->row_bytes();
  texture.width = static_cast<std::uint32_t>(array->extent.width);
  texture.height = static_cast<std::uint32_t>(array->extent.height);
  texture.depth = static_cast<std::uint32_t>(array->extent.depth);
  texture.layered = (array->flags & cudaArrayLayered) != 0;
  texture.cube = (array->flags & cudaArrayCubemap) != 0;
  return take_channels(array->channels, texture);
}

/// A size above the device's range becomes its maximum, which is too large for the device.
std::uint32_t clamped(std::size_t value) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(value, UINT32_MAX));
}

Status take_resource(Runtime& runtime, const cudaResourceDesc& resource, sim::Texture& texture) {
  switch (resource.resType) {
    case cudaResourceTypeArray: return take_array(resource.res.array.array, texture);
    case cudaResourceTypeMipmappedArray: return runtime.unsupported("a texture object of a mipmapped array");
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      Status status = take_channels(linear.desc, texture);
      if (!status.ok()) return status;
      texture.memory = sim::Texture::Memory::Linear;
      texture.address = reinterpret_cast<std::uint64_t>(linear.devPtr);
      texture.width = clamped(linear.sizeInBytes / texture.texel_bytes());
      texture.pitch = std::uint64_t{texture.width} * texture.texel_bytes();
      return Managed::get().on_device(runtime, texture.address);
    }
    case cudaResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      texture.memory = sim::Texture::Memory::Pitched;
      texture.address = reinterpret_cast<std::uint64_t>(pitched.devPtr);
      texture.pitch = pitched.pitchInBytes;
      texture.width = clamped(pitched.width);
      texture.height = clamped(pitched.height);
      Status status = take_channels(pitched.desc, texture);
      return status.ok() ? Managed::get().on_device(runtime, texture.address) : status;
    }
    default: return invalid_value(msg::unknown_resource_type());
  }
}

Status take_reading(Runtime& runtime, const cudaTextureDesc& how, sim::Texture& texture) {
  if (how.seamlessCubemap != 0 && texture.cube)
    return runtime.unsupported("a texture object with seamlessCubemap");
  if (how.sRGB != 0) return runtime.unsupported("a texture object with sRGB");
  texture.normalized_values = how.readMode == cudaReadModeNormalizedFloat;
  if (texture.normalized_values && texture.kind != sim::TexelKind::Float && texture.bits == 32)
    return {CudaError::InvalidNormSetting, msg::integers_not_normalized()};
  // For linear memory the other fields have no meaning.
  if (texture.memory == sim::Texture::Memory::Linear) return {};
  for (std::size_t axis = 0; axis < 3; ++axis)
    texture.addressing[axis] = static_cast<sim::AddressMode>(std::clamp<int>(how.addressMode[axis], 0, 255));
  texture.linear_filter = how.filterMode == cudaFilterModeLinear;
  texture.normalized_coordinates = how.normalizedCoords != 0 || texture.cube;
  std::copy(std::begin(how.borderColor), std::end(how.borderColor), texture.border.begin());
  if (texture.linear_filter && !texture.reads_floats())
    return {CudaError::InvalidFilterSetting, msg::filter_without_floats()};
  return {};
}

Status make_object(Runtime& runtime, const Object& object, const sim::Texture& texture,
                   unsigned long long* place) {
  protocol::Size made;
  Status status = runtime.exchange(protocol::CreateTexture{texture}, made);
  // A card has them, but our driver calls do not support them.
  if (status.error == CudaError::NotSupported)
    return runtime.unsupported(object.surface ? "cudaCreateSurfaceObject on a card"
                                              : "cudaCreateTextureObject on a card");
  if (!status.ok()) return status;
  objects()[made.value] = object;
  *place = made.value;
  return {};
}

Status destroy(Runtime& runtime, unsigned long long object, bool surface) {
  if (find_object(object, surface) == nullptr) return no_such_object();
  objects().erase(object);
  return runtime.exchange(protocol::DestroyTexture{object});
}

/// Returns a part of an object's description.
template <class Part>
cudaError_t show(const char* call, Part* place, unsigned long long object, bool surface, Part Object::*part) {
  return api(call, Mode::Host, [&](Runtime&) {
    const Object* const found = find_object(object, surface);
    if (place == nullptr || found == nullptr) return no_such_object();
    *place = found->*part;
    return Status{};
  });
}

}  // namespace
}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
  return api("cudaCreateTextureObject", Mode::Host, [&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || how == nullptr)
      return invalid_value(msg::no_texture_arguments());
    if (view != nullptr) return runtime.unsupported("a texture object with a cudaResourceViewDesc");
    sim::Texture texture;
    Status status = take_resource(runtime, *resource, texture);
    if (status.ok()) status = take_reading(runtime, *how, texture);
    return status.ok() ? make_object(runtime, {*resource, *how, false}, texture, object) : status;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api("cudaDestroyTextureObject", Mode::Host,
             [&](Runtime& runtime) { return destroy(runtime, object, false); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* place, cudaTextureObject_t object) {
  return show("cudaGetTextureObjectResourceDesc", place, object, false, &Object::resource);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* place, cudaTextureObject_t object) {
  return show("cudaGetTextureObjectTextureDesc", place, object, false, &Object::texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api("cudaCreateSurfaceObject", Mode::Host, [&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr) return invalid_value(msg::no_surface_arguments());
    if (resource->resType != cudaResourceTypeArray) return invalid_value(msg::surface_without_array());
    sim::Texture texture;
    texture.surface = true;
    Status status = take_array(resource->res.array.array, texture);
    // A card creates a surface even from an array without cudaArraySurfaceLoadStore.
    return status.ok() ? make_object(runtime, {*resource, {}, true}, texture, object) : status;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api("cudaDestroySurfaceObject", Mode::Host,
             [&](Runtime& runtime) { return destroy(runtime, object, true); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* place, cudaSurfaceObject_t object) {
  return show("cudaGetSurfaceObjectResourceDesc", place, object, true, &Object::resource);
}
}
