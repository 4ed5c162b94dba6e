#pragma once
// Other calls that change the statistics of memory pools.

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {

/// The memory is freed, by any call.
void freed_from_pool(const void* pointer);
/// The host has waited for a stream, an event or the device: pools release memory that they need not keep.
void synchronized_pools();
template <class Message>
Status synchronize(Runtime& runtime, Message message) {
  Status status = runtime.exchange(message);
  if (status.ok()) synchronized_pools();
  return status;
}

}  // namespace cudalabs::cudart
