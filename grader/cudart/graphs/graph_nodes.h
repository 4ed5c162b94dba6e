#pragma once
// Turns a node's parameters into operations.

#include <functional>

#include "grader/cudart/graphs/graph.h"

namespace cudalabs::cudart {

using Maker = std::function<Status(Runtime& runtime, Operation& operation)>;

Maker kernel_of(const cudaKernelNodeParams* params);
Maker copy_of(const cudaMemcpy3DParms* parms);
Maker copy_of(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
Maker copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                     cudaMemcpyKind kind);
Maker copy_from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                       cudaMemcpyKind kind);
Maker set_of(const cudaMemsetParams* parms);
Maker host_call_of(const cudaHostNodeParams* params);
Maker child_of(cudaGraph_t graph);
Maker wait_for(cudaEvent_t event);
Maker record_of(cudaEvent_t event);
/// Also sets the memory's address in the parameters.
Maker allocation_of(cudaMemAllocNodeParams* params);
Maker free_of(void* pointer);
/// Accepts any type of node. Refuses conditional nodes and those of external semaphores by name.
Maker node_of(cudaGraphNodeParams* params);

/// Makes the operation, and replaces the node's operation with it. Error: the node has another type, or the
/// parameters are invalid.
Status change(Runtime& runtime, Node& node, const Maker& make);

}  // namespace cudalabs::cudart
