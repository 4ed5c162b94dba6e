#pragma once
// CUDA arrays. An array is an allocation of the device: rows and planes without gaps between them. Only the
// program's side knows the type of its elements, and passes it on when it creates texture and surface
// objects.

#include "grader/cudart/runtime.h"

/// The object behind a cudaArray_t. `extent` is in elements; it is 0 for a dimension that the array does not
/// have. The depth of a layered array is its number of layers, of a cubemap its number of faces.
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

/// Null: the program does not have such an array (any more).
const cudaArray* find_array(cudaArray_const_t array);

/// Ok for 1, 2 or 4 equal channels of 8, 16 or 32 bits. Error: cudaErrorInvalidChannelDescriptor.
Status check_channels(const cudaChannelFormatDesc& channels);

/// Replaces the arrays in a copy, if any, with pointers to their memory. Extents and positions, which count
/// elements then, become bytes. Errors: no such array, or a range outside of it.
Status resolve_arrays(cudaMemcpy3DParms& parms);

}  // namespace cudalabs::cudart
