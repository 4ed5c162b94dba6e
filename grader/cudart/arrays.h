#pragma once
// CUDA arrays. An array is an allocation of the device, row after row and plane after plane without gaps.
// What its elements are, the program's side alone knows, and texture and surface objects are told.

#include "grader/cudart/runtime.h"

/// What a cudaArray_t points at. `extent` is in elements, 0 where the array has no such dimension; the
/// depth of a layered array is its layers, of a cubemap its faces.
struct cudaArray {
  std::uint64_t address = 0;
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;

  [[nodiscard]] std::size_t element_bytes() const {
    return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
  }
  [[nodiscard]] std::size_t row_bytes() const { return extent.width * element_bytes(); }
  [[nodiscard]] std::size_t rows() const { return extent.height != 0 ? extent.height : 1; }
  [[nodiscard]] std::size_t planes() const { return extent.depth != 0 ? extent.depth : 1; }
  [[nodiscard]] std::size_t bytes() const { return row_bytes() * rows() * planes(); }
};

namespace cudalabs::cudart {

/// Null: the program has no such array (any more).
const cudaArray* find_array(cudaArray_const_t array);

/// Ok for 1, 2 or 4 channels of 8, 16 or 32 bits that are alike. Error: cudaErrorInvalidChannelDescriptor.
Status check_channels(const cudaChannelFormatDesc& channels);

/// Puts the memory of arrays, if a copy names some, in the place of pointers: extents and positions, which
/// count elements then, become bytes. Errors: no such array, or what it has not.
Status resolve_arrays(cudaMemcpy3DParms& parms);

}  // namespace cudalabs::cudart
