#pragma once
// Common parts of several copying calls.

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {

/// True iff the pointer points to device memory that the host cannot access.
bool is_device(Runtime& runtime, const void* pointer);

/// Any copy of `rows` rows of `width` bytes. `kind` decides which side is on the device, as in cudaMemcpy2D.
Status copy(Runtime& runtime, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
            std::size_t width, std::size_t rows, cudaMemcpyKind kind, std::uint32_t stream);

/// Sets rows of device or managed memory to a byte.
Status set(Runtime& runtime, void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
           std::uint32_t stream);

}  // namespace cudalabs::cudart
