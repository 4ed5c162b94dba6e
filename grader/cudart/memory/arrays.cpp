#include "grader/cudart/memory/arrays.h"

#include <array>
#include <set>

#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/texture_limits.h"

namespace cudalabs::cudart {
namespace {

std::set<const cudaArray*>& arrays() {
  static auto* const instance = new std::set<const cudaArray*>;
  return *instance;
}

Status no_such_array() { return invalid_value(msg::no_such_array()); }

/// Checks the extent against the limits of the array kind that flags and extent describe. Error: there is no
/// such kind, or it is too large.
Status check_extent(const cudaExtent& extent, unsigned flags) {
  const bool layered = (flags & cudaArrayLayered) != 0, cube = (flags & cudaArrayCubemap) != 0;
  const bool deep = extent.depth != 0;
  if (extent.width == 0) return invalid_value(msg::array_without_width());
  if (layered && !deep) return invalid_value(msg::array_without_layers());
  if (cube) {
    if (extent.width != extent.height) return invalid_value(msg::cubemap_not_square());
    if (layered ? extent.depth % 6 != 0 : extent.depth != 6)
      return invalid_value(msg::cubemap_without_six_faces());
  }
  if (deep && extent.height == 0 && !layered) return invalid_value(msg::array_without_height());
  const auto larger = [&](cudaDeviceAttr width, cudaDeviceAttr height, cudaDeviceAttr depth) {
    const auto most = [](cudaDeviceAttr attribute) {
      return static_cast<std::size_t>(texture_limit(attribute));
    };
    return extent.width > most(width) || extent.height > most(height) || extent.depth > most(depth);
  };
  constexpr cudaDeviceAttr kNone = cudaDevAttrWarpSize;  // the kind has no such dimension
  using Attributes = std::array<cudaDeviceAttr, 3>;
  const Attributes most =
      cube ? Attributes{cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredWidth,
                        cudaDevAttrMaxTextureCubemapLayeredLayers}
      : layered && extent.height == 0
          ? Attributes{cudaDevAttrMaxTexture1DLayeredWidth, kNone, cudaDevAttrMaxTexture1DLayeredLayers}
      : layered ? Attributes{cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                             cudaDevAttrMaxTexture2DLayeredLayers}
      : deep    ? Attributes{cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight,
                          cudaDevAttrMaxTexture3DDepth}
      : (flags & cudaArrayTextureGather) != 0
          ? Attributes{cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight, kNone}
      : extent.height != 0 ? Attributes{cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight, kNone}
      : (flags & cudaArraySurfaceLoadStore) != 0 ? Attributes{cudaDevAttrMaxSurface1DWidth, kNone, kNone}
                                                 : Attributes{cudaDevAttrMaxTexture1DWidth, kNone, kNone};
  if (larger(most[0], most[1], most[2])) return invalid_value(msg::array_too_large());
  return {};
}

/// `sparse` names what the call does not support.
Status allocate(Runtime& runtime, const char* sparse, cudaArray_t* array,
                const cudaChannelFormatDesc* channels, cudaExtent extent, unsigned flags) {
  if (array == nullptr || channels == nullptr) return invalid_value(msg::no_place_for_array_or_no_channels());
  if ((flags & (cudaArraySparse | cudaArrayDeferredMapping)) != 0) return runtime.unsupported(sparse);
  constexpr unsigned kKnown = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                              cudaArrayTextureGather | cudaArrayColorAttachment;
  if ((flags & ~kKnown) != 0) return invalid_value(msg::unknown_flag("flag"));
  Status status = unsafe_in_capture();
  if (status.ok()) status = check_channels(*channels);
  if (status.ok()) status = check_extent(extent, flags);
  if (!status.ok()) return status;
  cudaArray made{0, *channels, extent, flags};
  protocol::Range range;
  status = runtime.exchange(protocol::Allocate{made.bytes()}, range);
  if (!status.ok()) return status;
  made.address = range.address;
  *array = new cudaArray(made);
  arrays().insert(*array);
  return {};
}

/// The address in the array at that many bytes and rows from its beginning.
std::byte* place_in(const cudaArray& array, std::size_t offset, std::size_t row) {
  return reinterpret_cast<std::byte*>(array.address + row * array.row_bytes() + offset);
}

/// Rows of `width` bytes of the array's first plane.
struct Rows {
  void* pointer = nullptr;
  std::size_t pitch = 0;
};
Status rows_of(cudaArray_const_t handle, std::size_t offset, std::size_t row, std::size_t width,
               std::size_t height, Rows& rows) {
  const cudaArray* const array = find_array(handle);
  if (array == nullptr) return no_such_array();
  const std::size_t pitch = array->row_bytes();
  if (offset > pitch || width > pitch - offset || row > array->rows() || height > array->rows() - row)
    return invalid_value(msg::copy_leaves_array());
  rows = {place_in(*array, offset, row), pitch};
  return {};
}

/// The rows of `count` bytes from that position on; they may continue in further rows.
Status bytes_of(cudaArray_const_t handle, std::size_t offset, std::size_t row, std::size_t count,
                Rows& rows) {
  const cudaArray* const array = find_array(handle);
  if (array == nullptr) return no_such_array();
  const std::size_t plane = array->row_bytes() * array->rows();
  if (row >= array->rows() || offset >= array->row_bytes() ||
      count > plane - row * array->row_bytes() - offset)
    return invalid_value(msg::copy_leaves_array());
  rows = {place_in(*array, offset, row), count};
  return {};
}

/// find(to, from) -> Status finds the rows.
template <class Find>
cudaError_t copy_rows(const char* call, Mode mode, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      cudaStream_t stream, Find find) {
  return on_stream(call, mode, stream, [&](Runtime& runtime, std::uint32_t number) {
    Rows to, from;
    Status status = find(to, from);
    if (!status.ok()) return status;
    return submit(runtime, number,
                  copy_of_rows(to.pointer, to.pitch, from.pointer, from.pitch, width, height, kind));
  });
}

Rows host_rows(const void* pointer, std::size_t pitch) { return {const_cast<void*>(pointer), pitch}; }

}  // namespace

const cudaArray* find_array(cudaArray_const_t array) {
  const auto found = arrays().find(array);
  return found == arrays().end() ? nullptr : *found;
}

Status check_channels(const cudaChannelFormatDesc& c) {
  const bool plain = c.f == cudaChannelFormatKindSigned || c.f == cudaChannelFormatKindUnsigned ||
                     c.f == cudaChannelFormatKindFloat;
  const bool one = c.y == 0 && c.z == 0 && c.w == 0;
  const bool two = c.y == c.x && c.z == 0 && c.w == 0;
  const bool four = c.y == c.x && c.z == c.x && c.w == c.x;
  const bool sized = c.x == 16 || c.x == 32 || (c.x == 8 && c.f != cudaChannelFormatKindFloat);
  if (plain && sized && (one || two || four)) return {};
  return {CudaError::InvalidChannelDescriptor, msg::bad_channels()};
}

Status resolve_arrays(cudaMemcpy3DParms& parms) {
  std::size_t element = 0;
  const cudaExtent extent = parms.extent;
  const auto resolve = [&](cudaArray_t& handle, cudaPos& position, cudaPitchedPtr& pointer) -> Status {
    if (handle == nullptr) return {};
    if (pointer.ptr != nullptr) return invalid_value(msg::copy_of_array_and_pointer());
    const cudaArray* const array = find_array(handle);
    if (array == nullptr) return no_such_array();
    if (element != 0 && element != array->element_bytes()) return invalid_value(msg::array_elements_differ());
    element = array->element_bytes();
    const auto leaves = [](std::size_t at, std::size_t count, std::size_t all) {
      return at > all || count > all - at;
    };
    if (leaves(position.x, extent.width, array->extent.width) ||
        leaves(position.y, extent.height, array->rows()) || leaves(position.z, extent.depth, array->planes()))
      return invalid_value(msg::copy_leaves_array());
    pointer = {place_in(*array, 0, 0), array->row_bytes(), array->row_bytes(), array->rows()};
    position.x *= element;
    handle = nullptr;
    return {};
  };
  Status status = resolve(parms.srcArray, parms.srcPos, parms.srcPtr);
  if (status.ok()) status = resolve(parms.dstArray, parms.dstPos, parms.dstPtr);
  if (status.ok() && element != 0) parms.extent.width *= element;
  return status;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, std::size_t width,
                            std::size_t height, unsigned flags) {
  return api("cudaMallocArray", Mode::Sync, [&](Runtime& runtime) {
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0)
      return invalid_value(msg::layers_need_3d_array());
    return allocate(runtime, "cudaMallocArray of a sparse array", array, desc, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
  return api("cudaMalloc3DArray", Mode::Sync, [&](Runtime& runtime) {
    return allocate(runtime, "cudaMalloc3DArray of a sparse array", array, desc, extent, flags);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api("cudaFreeArray", Mode::Sync, [&](Runtime& runtime) {
    Status status = unsafe_in_capture();
    if (!status.ok() || array == nullptr) return status;
    const cudaArray* const found = find_array(array);
    // An H100 returns this error for an array that was freed (2026-11-26).
    if (found == nullptr) return Status{CudaError::ContextIsDestroyed, no_such_array().detail};
    status = runtime.exchange(protocol::Free{found->address});
    arrays().erase(found);
    delete found;
    return status;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return api("cudaArrayGetInfo", Mode::Host, [&](Runtime&) {
    const cudaArray* const found = find_array(array);
    if (found == nullptr) return no_such_array();
    if (desc != nullptr) *desc = found->channels;
    if (extent != nullptr) *extent = found->extent;
    if (flags != nullptr) *flags = found->flags;
    return Status{};
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return api("cudaGetChannelDesc", Mode::Host, [&](Runtime&) {
    if (desc == nullptr) return invalid_value(msg::no_place_for("channels"));
    const cudaArray* const found = find_array(array);
    if (found == nullptr) return no_such_array();
    *desc = found->channels;
    return Status{};
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t offset, std::size_t row, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2DToArray", Mode::Sync, width, height, kind, nullptr, [&](Rows& t, Rows& f) {
    f = host_rows(from, pitch);
    return rows_of(to, offset, row, width, height, t);
  });
}
CUDALABS_PTDS(cudaMemcpy2DToArray);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t offset, std::size_t row, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DToArrayAsync", Mode::Async, width, height, kind, stream,
                   [&](Rows& t, Rows& f) {
                     f = host_rows(from, pitch);
                     return rows_of(to, offset, row, width, height, t);
                   });
}
CUDALABS_PTSZ(cudaMemcpy2DToArrayAsync);

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t offset,
                                  std::size_t row, std::size_t width, std::size_t height,
                                  cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2DFromArray", Mode::Sync, width, height, kind, nullptr, [&](Rows& t, Rows& f) {
    t = host_rows(to, pitch);
    return rows_of(from, offset, row, width, height, f);
  });
}
CUDALABS_PTDS(cudaMemcpy2DFromArray);

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from,
                                       std::size_t offset, std::size_t row, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DFromArrayAsync", Mode::Async, width, height, kind, stream,
                   [&](Rows& t, Rows& f) {
                     t = host_rows(to, pitch);
                     return rows_of(from, offset, row, width, height, f);
                   });
}
CUDALABS_PTSZ(cudaMemcpy2DFromArrayAsync);

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_offset, std::size_t to_row,
                                     cudaArray_const_t from, std::size_t from_offset, std::size_t from_row,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2DArrayToArray", Mode::Sync, width, height, kind, nullptr,
                   [&](Rows& t, Rows& f) {
                     const Status status = rows_of(to, to_offset, to_row, width, height, t);
                     return status.ok() ? rows_of(from, from_offset, from_row, width, height, f) : status;
                   });
}
CUDALABS_PTDS(cudaMemcpy2DArrayToArray);

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t offset, std::size_t row, const void* from,
                              std::size_t count, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpyToArray", Mode::Sync, count, 1, kind, nullptr, [&](Rows& t, Rows& f) {
    f = host_rows(from, count);
    return bytes_of(to, offset, row, count, t);
  });
}
CUDALABS_PTDS(cudaMemcpyToArray);

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t offset, std::size_t row, const void* from,
                                   std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows("cudaMemcpyToArrayAsync", Mode::Async, count, 1, kind, stream, [&](Rows& t, Rows& f) {
    f = host_rows(from, count);
    return bytes_of(to, offset, row, count, t);
  });
}
CUDALABS_PTSZ(cudaMemcpyToArrayAsync);

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t offset, std::size_t row,
                                std::size_t count, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpyFromArray", Mode::Sync, count, 1, kind, nullptr, [&](Rows& t, Rows& f) {
    t = host_rows(to, count);
    return bytes_of(from, offset, row, count, f);
  });
}
CUDALABS_PTDS(cudaMemcpyFromArray);

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t offset, std::size_t row,
                                     std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows("cudaMemcpyFromArrayAsync", Mode::Async, count, 1, kind, stream, [&](Rows& t, Rows& f) {
    t = host_rows(to, count);
    return bytes_of(from, offset, row, count, f);
  });
}
CUDALABS_PTSZ(cudaMemcpyFromArrayAsync);

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_offset, std::size_t to_row,
                                   cudaArray_const_t from, std::size_t from_offset, std::size_t from_row,
                                   std::size_t count, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpyArrayToArray", Mode::Sync, count, 1, kind, nullptr, [&](Rows& t, Rows& f) {
    const Status status = bytes_of(to, to_offset, to_row, count, t);
    return status.ok() ? bytes_of(from, from_offset, from_row, count, f) : status;
  });
}
CUDALABS_PTDS(cudaMemcpyArrayToArray);
}
