#include "grader/cudart/graphs/graph_nodes.h"

#include <algorithm>
#include <cstring>

#include "grader/cudart/memory/arrays.h"

namespace cudalabs::cudart {
namespace {

Status add(Runtime& runtime, cudaGraphNode_t* place, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
           std::size_t count, const Maker& make) {
  Graph* graph = Graph::find(handle);
  if (graph == nullptr) return no_such_graph();
  if (place == nullptr || (count > 0 && dependencies == nullptr))
    return invalid_value(msg::no_place_for_node_or_no_dependencies());
  std::vector<Node*> after;
  for (std::size_t i = 0; i < count; ++i) {
    Node* node = Node::find(dependencies[i]);
    if (node == nullptr || &node->graph != graph) return no_such_node();
    if (std::ranges::find(after, node) != after.end()) return invalid_value(msg::dependency_named_twice());
    after.push_back(node);
  }
  Operation operation;
  Status status = make(runtime, operation);
  if (status.ok()) *place = graph->add(std::move(operation), std::move(after)).handle();
  return status;
}

cudaError_t add_node(const char* call, cudaGraphNode_t* place, cudaGraph_t graph,
                     const cudaGraphNode_t* dependencies, std::size_t count, const Maker& make) {
  return api(call, Mode::Host,
             [&](Runtime& runtime) { return add(runtime, place, graph, dependencies, count, make); });
}

cudaError_t change_node(const char* call, cudaGraphNode_t handle, const Maker& make) {
  return on_node(call, handle, [&](Runtime& runtime, Node& node) { return change(runtime, node, make); });
}

/// Runs show(runtime, node, operation) if the node's operation has type T.
template <class T, class Show>
cudaError_t show_node(const char* call, cudaGraphNode_t handle, const void* place, Show show) {
  return on_node(call, handle, [&](Runtime& runtime, Node& node) -> Status {
    auto* operation = std::get_if<T>(&node.operation);
    if (operation == nullptr || place == nullptr)
      return invalid_value(msg::node_of_another_type_or_no_place());
    return show(runtime, node, *operation);
  });
}

template <class Params>
Maker or_none(const Params* params, Maker maker) {
  if (params != nullptr) return maker;
  return [](Runtime&, Operation&) { return invalid_value(msg::no_parameters()); };
}

Status part_of_symbol(Runtime& runtime, const void* symbol, std::size_t bytes, std::size_t offset,
                      void*& place) {
  protocol::Range range;
  Status status = resolve_symbol(runtime, symbol, range);
  if (!status.ok()) return status;
  if (offset > range.bytes || bytes > range.bytes - offset) return invalid_value(msg::copy_leaves_variable());
  place = reinterpret_cast<std::byte*>(range.address) + offset;
  return {};
}

Maker refused(const char* what) {
  return [what](Runtime& runtime, Operation&) { return runtime.unsupported(what); };
}

cudaKernelNodeParams plain(const cudaKernelNodeParamsV2& params) {
  return {params.func,           params.gridDim,      params.blockDim,
          params.sharedMemBytes, params.kernelParams, params.extra};
}

}  // namespace

Maker kernel_of(const cudaKernelNodeParams* params) {
  return or_none(params, [params](Runtime& runtime, Operation& operation) {
    KernelOperation kernel;
    Status status = make_kernel(runtime, *params, kernel);
    if (status.ok()) operation = std::move(kernel);
    return status;
  });
}

Maker copy_of(const cudaMemcpy3DParms* parms) {
  return or_none(parms, [parms](Runtime&, Operation& operation) {
    cudaMemcpy3DParms resolved = *parms;
    Status status = resolve_arrays(resolved);
    if (status.ok()) operation = CopyOperation{*parms};
    return status;
  });
}

Maker copy_of(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](Runtime&, Operation& operation) {
    operation = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
    return Status{};
  };
}

Maker copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                     cudaMemcpyKind kind) {
  return [=](Runtime& runtime, Operation& operation) {
    void* place = nullptr;
    Status status = part_of_symbol(runtime, symbol, bytes, offset, place);
    return status.ok() ? copy_of(place, from, bytes, kind)(runtime, operation) : status;
  };
}

Maker copy_from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                       cudaMemcpyKind kind) {
  return [=](Runtime& runtime, Operation& operation) {
    void* place = nullptr;
    Status status = part_of_symbol(runtime, symbol, bytes, offset, place);
    return status.ok() ? copy_of(to, place, bytes, kind)(runtime, operation) : status;
  };
}

Maker set_of(const cudaMemsetParams* parms) {
  return or_none(parms, [parms](Runtime&, Operation& operation) {
    if (parms->elementSize != 1 && parms->elementSize != 2 && parms->elementSize != 4)
      return invalid_value(msg::element_size_not_supported());
    operation = SetOperation{*parms};
    return Status{};
  });
}

Maker host_call_of(const cudaHostNodeParams* params) {
  return or_none(params, [params](Runtime&, Operation& operation) {
    if (params->fn == nullptr) return invalid_value(msg::no_function());
    operation = HostOperation{*params};
    return Status{};
  });
}

Maker child_of(cudaGraph_t handle) {
  return [handle](Runtime&, Operation& operation) -> Status {
    const Graph* graph = Graph::find(handle);
    if (graph == nullptr) return no_such_graph();
    if (graph->allocates()) return {CudaError::NotSupported, msg::allocating_child_graph()};
    auto copied = graph->copy();
    copied->child = true;
    operation = ChildOperation{std::move(copied)};
    return {};
  };
}

Maker wait_for(cudaEvent_t event) {
  return [event](Runtime&, Operation& operation) {
    std::uint32_t number = 0;
    operation = WaitOperation{event};
    return event_number(event, number);
  };
}

Maker record_of(cudaEvent_t event) {
  return [event](Runtime&, Operation& operation) {
    std::uint32_t number = 0;
    operation = RecordOperation{event};
    return event_number(event, number);
  };
}

Maker allocation_of(cudaMemAllocNodeParams* params) {
  return or_none(params, [params](Runtime& runtime, Operation& operation) {
    if (params->bytesize == 0) return invalid_value(msg::empty_allocation());
    AllocateOperation allocation;
    Status status = GraphMemory::make(runtime, params->bytesize, allocation.memory);
    if (!status.ok()) return status;
    params->dptr = allocation.memory->pointer();
    allocation.parms = *params;
    operation = std::move(allocation);
    return status;
  });
}

Maker free_of(void* pointer) {
  return [pointer](Runtime&, Operation& operation) {
    if (GraphMemory::find(pointer) == nullptr) return invalid_value(msg::not_graph_memory());
    operation = FreeOperation{pointer};
    return Status{};
  };
}

Maker node_of(cudaGraphNodeParams* params) {
  if (params == nullptr) return or_none(params, {});
  switch (params->type) {
    case cudaGraphNodeTypeKernel:
      return [params](Runtime& runtime, Operation& operation) {
        const cudaKernelNodeParams kernel = plain(params->kernel);
        return kernel_of(&kernel)(runtime, operation);
      };
    case cudaGraphNodeTypeMemcpy: return copy_of(&params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return [params](Runtime& runtime, Operation& operation) {
        const auto& p = params->memset;
        const cudaMemsetParams rows{p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
        return set_of(&rows)(runtime, operation);
      };
    case cudaGraphNodeTypeHost:
      return [params](Runtime& runtime, Operation& operation) {
        const cudaHostNodeParams call{params->host.fn, params->host.userData};
        return host_call_of(&call)(runtime, operation);
      };
    case cudaGraphNodeTypeGraph: return child_of(params->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return [](Runtime&, Operation& operation) {
        operation = EmptyOperation{};
        return Status{};
      };
    case cudaGraphNodeTypeWaitEvent: return wait_for(params->eventWait.event);
    case cudaGraphNodeTypeEventRecord: return record_of(params->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return [params](Runtime& runtime, Operation& operation) {
        auto& p = params->alloc;
        cudaMemAllocNodeParams allocation{p.poolProps, p.accessDescs, p.accessDescCount, p.bytesize, nullptr};
        Status status = allocation_of(&allocation)(runtime, operation);
        p.dptr = allocation.dptr;
        return status;
      };
    case cudaGraphNodeTypeMemFree: return free_of(params->free.dptr);
    case cudaGraphNodeTypeConditional: return refused("a conditional node of a graph");
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait: return refused("a graph's node for an external semaphore");
    default: return [](Runtime&, Operation&) { return invalid_value(msg::unknown_node_type()); };
  }
}

Status change(Runtime& runtime, Node& node, const Maker& make) {
  Operation operation;
  Status status = make(runtime, operation);
  if (!status.ok()) return status;
  if (operation.index() != node.operation.index()) return invalid_value(msg::node_of_another_type());
  if (std::holds_alternative<AllocateOperation>(operation) ||
      std::holds_alternative<FreeOperation>(operation))
    return {CudaError::NotSupported, msg::allocating_node_changed()};
  node.operation = std::move(operation);
  return {};
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* data, std::size_t count, cudaGraphNodeParams* params) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].type != cudaGraphDependencyTypeDefault)
      return add_node("cudaGraphAddNode", node, graph, dependencies, count,
                      refused("a programmatic dependency in a graph"));
  }
  return add_node("cudaGraphAddNode", node, graph, dependencies, count, node_of(params));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return change_node("cudaGraphNodeSetParams", node, node_of(params));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
  return add_node("cudaGraphAddEmptyNode", node, graph, dependencies, count,
                  [](Runtime&, Operation& operation) {
                    operation = EmptyOperation{};
                    return Status{};
                  });
}

// ---- kernels

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* params) {
  return add_node("cudaGraphAddKernelNode", node, graph, dependencies, count, kernel_of(params));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return change_node("cudaGraphKernelNodeSetParams", node, kernel_of(params));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  return show_node<KernelOperation>("cudaGraphKernelNodeGetParams", node, params,
                                    [&](Runtime& runtime, Node& shown, KernelOperation& kernel) {
                                      Function* function = nullptr;
                                      Status status = resolve(runtime, kernel.function, function);
                                      if (!status.ok()) return status;
                                      shown.arguments.clear();
                                      for (const std::uint32_t offset : function->info.parameter_offsets)
                                        shown.arguments.push_back(kernel.parameters.data() + offset);
                                      *params = {const_cast<void*>(kernel.function),
                                                 kernel.grid,
                                                 kernel.block,
                                                 static_cast<unsigned>(kernel.shared),
                                                 shown.arguments.data(),
                                                 nullptr};
                                      return status;
                                    });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  return show_node<KernelOperation>("cudaGraphKernelNodeSetAttribute", node, value,
                                    [&](Runtime& runtime, Node& changed, KernelOperation& kernel) {
                                      Status status = take_attribute(runtime, attribute, *value, kernel);
                                      if (status.ok()) changed.attributes[attribute] = *value;
                                      return status;
                                    });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  return show_node<KernelOperation>("cudaGraphKernelNodeGetAttribute", node, value,
                                    [&](Runtime&, Node& shown, KernelOperation& kernel) {
                                      *value = {};
                                      const auto found = shown.attributes.find(attribute);
                                      if (found != shown.attributes.end()) *value = found->second;
                                      if (attribute == cudaLaunchAttributeCooperative)
                                        value->cooperative = kernel.cooperative ? 1 : 0;
                                      return Status{};
                                    });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return show_node<KernelOperation>(
      "cudaGraphKernelNodeCopyAttributes", to, from, [&](Runtime&, Node& changed, KernelOperation& kernel) {
        const Node* source = Node::find(from);
        const auto* model = source == nullptr ? nullptr : std::get_if<KernelOperation>(&source->operation);
        if (model == nullptr) return no_such_node();
        changed.attributes = source->attributes;
        kernel.cooperative = model->cooperative;
        return Status{};
      });
}

// ---- copies and sets

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* parms) {
  return add_node("cudaGraphAddMemcpyNode", node, graph, dependencies, count, copy_of(parms));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return add_node("cudaGraphAddMemcpyNode1D", node, graph, dependencies, count,
                  copy_of(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count,
                                           const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  return add_node("cudaGraphAddMemcpyNodeToSymbol", node, graph, dependencies, count,
                  copy_to_symbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                             const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
  return add_node("cudaGraphAddMemcpyNodeFromSymbol", node, graph, dependencies, count,
                  copy_from_symbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parms) {
  return change_node("cudaGraphMemcpyNodeSetParams", node, copy_of(parms));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  return change_node("cudaGraphMemcpyNodeSetParams1D", node, copy_of(to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return change_node("cudaGraphMemcpyNodeSetParamsToSymbol", node,
                     copy_to_symbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind) {
  return change_node("cudaGraphMemcpyNodeSetParamsFromSymbol", node,
                     copy_from_symbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parms) {
  return show_node<CopyOperation>("cudaGraphMemcpyNodeGetParams", node, parms,
                                  [&](Runtime&, Node&, const CopyOperation& volume) {
                                    *parms = volume.parms;
                                    return Status{};
                                  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* parms) {
  return add_node("cudaGraphAddMemsetNode", node, graph, dependencies, count, set_of(parms));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parms) {
  return change_node("cudaGraphMemsetNodeSetParams", node, set_of(parms));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parms) {
  return show_node<SetOperation>("cudaGraphMemsetNodeGetParams", node, parms,
                                 [&](Runtime&, Node&, const SetOperation& rows) {
                                   *parms = rows.parms;
                                   return Status{};
                                 });
}

// ---- the host, child graphs, events, memory

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* params) {
  return add_node("cudaGraphAddHostNode", node, graph, dependencies, count, host_call_of(params));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  return change_node("cudaGraphHostNodeSetParams", node, host_call_of(params));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  return show_node<HostOperation>("cudaGraphHostNodeGetParams", node, params,
                                  [&](Runtime&, Node&, const HostOperation& host) {
                                    *params = host.parms;
                                    return Status{};
                                  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, std::size_t count,
                                       cudaGraph_t child) {
  return add_node("cudaGraphAddChildGraphNode", node, graph, dependencies, count, child_of(child));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return show_node<ChildOperation>("cudaGraphChildGraphNodeGetGraph", node, graph,
                                   [&](Runtime&, Node&, const ChildOperation& child) {
                                     *graph = child.graph->handle();
                                     return Status{};
                                   });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        cudaEvent_t event) {
  return add_node("cudaGraphAddEventRecordNode", node, graph, dependencies, count, record_of(event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change_node("cudaGraphEventRecordNodeSetEvent", node, record_of(event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return show_node<RecordOperation>("cudaGraphEventRecordNodeGetEvent", node, event,
                                    [&](Runtime&, Node&, const RecordOperation& record) {
                                      *event = record.event;
                                      return Status{};
                                    });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                      cudaEvent_t event) {
  return add_node("cudaGraphAddEventWaitNode", node, graph, dependencies, count, wait_for(event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change_node("cudaGraphEventWaitNodeSetEvent", node, wait_for(event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return show_node<WaitOperation>("cudaGraphEventWaitNodeGetEvent", node, event,
                                  [&](Runtime&, Node&, const WaitOperation& wait) {
                                    *event = wait.event;
                                    return Status{};
                                  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     cudaMemAllocNodeParams* params) {
  return add_node("cudaGraphAddMemAllocNode", node, graph, dependencies, count, allocation_of(params));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return show_node<AllocateOperation>("cudaGraphMemAllocNodeGetParams", node, params,
                                      [&](Runtime&, Node&, const AllocateOperation& allocation) {
                                        *params = allocation.parms;
                                        return Status{};
                                      });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count, void* pointer) {
  return add_node("cudaGraphAddMemFreeNode", node, graph, dependencies, count, free_of(pointer));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* place) {
  return show_node<FreeOperation>("cudaGraphMemFreeNodeGetParams", node, place,
                                  [&](Runtime&, Node&, const FreeOperation& freed) {
                                    std::memcpy(place, &freed.pointer, sizeof freed.pointer);
                                    return Status{};
                                  });
}
}
