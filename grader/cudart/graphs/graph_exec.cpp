// Executable graphs: copies whose nodes are named by the nodes from which they were copied.

#include <algorithm>

#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/graphs/graph_nodes.h"

namespace cudalabs::cudart {
namespace {

struct Executable : Named<Executable, cudaGraphExec_t> {
  static constexpr std::uint64_t kTag = 0x4758'0000'0000;
  std::shared_ptr<Graph> graph;
  cudaGraph_t source = nullptr;
  unsigned long long flags = 0;
};

std::map<cudaGraphExec_t, std::unique_ptr<Executable>>& executables() {
  static auto* const instance = new std::map<cudaGraphExec_t, std::unique_ptr<Executable>>;
  return *instance;
}

Status instantiate(Runtime& runtime, cudaGraphExec_t* place, cudaGraph_t handle, unsigned long long flags) {
  const Graph* graph = Graph::find(handle);
  if (place == nullptr) return invalid_value(msg::no_place_for("graph"));
  if (graph == nullptr) return no_such_graph();
  constexpr unsigned long long kKnown =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  if ((flags & ~kKnown) != 0) return invalid_value(msg::unknown_flag("flag"));
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return runtime.unsupported("a graph that kernels launch");
  if (graph->order().size() != graph->nodes().size()) return invalid_value(msg::dependency_cycle());
  if (graph->allocates() &&
      std::ranges::any_of(executables(), [&](const auto& entry) { return entry.second->source == handle; })) {
    return {CudaError::NotSupported, msg::allocating_graph_instantiated_twice()};
  }
  auto made = std::make_unique<Executable>();
  made->graph = graph->copy();
  made->source = handle;
  made->flags = flags;
  *place = made->handle();
  executables()[*place] = std::move(made);
  return {};
}

Status no_such_executable() { return invalid_value(msg::no_such_executable_graph()); }

template <class Body>
cudaError_t on_executable(const char* call, cudaGraphExec_t handle, Body body) {
  return api(call, Mode::Host, [&](Runtime& runtime) -> Status {
    Executable* executable = Executable::find(handle);
    return executable == nullptr ? no_such_executable() : body(runtime, *executable);
  });
}

template <class Body>
cudaError_t on_copied_node(const char* call, cudaGraphExec_t handle, cudaGraphNode_t origin, Body body) {
  return on_executable(call, handle, [&](Runtime& runtime, Executable& executable) -> Status {
    Node* node = executable.graph->copy_of(origin);
    return node == nullptr ? invalid_value(msg::node_not_instantiated()) : body(runtime, *node);
  });
}

cudaError_t change_copied(const char* call, cudaGraphExec_t executable, cudaGraphNode_t node,
                          const Maker& make) {
  return on_copied_node(call, executable, node,
                        [&](Runtime& runtime, Node& copied) { return change(runtime, copied, make); });
}

/// Compares two graphs: the reason why the nodes of `now` cannot take the parameters of those in `next`.
cudaGraphExecUpdateResult compare(const Graph& now, const Graph& next, const Node*& node) {
  std::map<const Node*, std::size_t> places;
  for (std::size_t i = 0; i < now.nodes().size(); ++i) places[now.nodes()[i].get()] = i;
  for (std::size_t i = 0; i < next.nodes().size(); ++i) places[next.nodes()[i].get()] = i;
  const auto dependencies = [&](const Node& of) {
    std::vector<std::size_t> result;
    for (const Node* before : of.dependencies) result.push_back(places[before]);
    std::ranges::sort(result);
    return result;
  };
  node = nullptr;
  if (now.nodes().size() != next.nodes().size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < next.nodes().size(); ++i) {
    const Node &old = *now.nodes()[i], &young = *next.nodes()[i];
    node = &young;
    if (dependencies(old) != dependencies(young)) return cudaGraphExecUpdateErrorTopologyChanged;
    if (old.type() != young.type()) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old.type() == cudaGraphNodeTypeMemAlloc || old.type() == cudaGraphNodeTypeMemFree)
      return cudaGraphExecUpdateErrorNotSupported;
    if (const auto* child = std::get_if<ChildOperation>(&old.operation)) {
      const Graph& other = *std::get<ChildOperation>(young.operation).graph;
      const auto result = compare(*child->graph, other, node);
      if (result != cudaGraphExecUpdateSuccess) return result;
    }
  }
  return cudaGraphExecUpdateSuccess;
}

void take_over(const Graph& now, const Graph& next) {
  for (std::size_t i = 0; i < next.nodes().size(); ++i) {
    Operation& operation = now.nodes()[i]->operation;
    const Operation& from = next.nodes()[i]->operation;
    if (const auto* child = std::get_if<ChildOperation>(&operation))
      take_over(*child->graph, *std::get<ChildOperation>(from).graph);
    else
      operation = from;
  }
}

/// Before the next launch allocates memory again, somebody must have freed an earlier launch's allocations.
Status free_left(Runtime& runtime, const Executable& executable) {
  for (const auto& node : executable.graph->nodes()) {
    const auto* allocation = std::get_if<AllocateOperation>(&node->operation);
    if (allocation == nullptr || !allocation->memory->live()) continue;
    if ((executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0)
      return invalid_value(msg::graph_memory_not_freed());
    Status status = allocation->memory->end(runtime);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace
}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return api("cudaGraphInstantiate", Mode::Host,
             [&](Runtime& runtime) { return instantiate(runtime, executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  return api("cudaGraphInstantiateWithParams", Mode::Host, [&](Runtime& runtime) {
    if (params == nullptr) return invalid_value(msg::no_parameters());
    Status status = instantiate(runtime, executable, graph, params->flags);
    params->errNode_out = nullptr;
    params->result_out = status.ok() ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return status;
  });
}
CUDALABS_PTSZ(cudaGraphInstantiateWithParams);

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return on_executable("cudaGraphExecGetFlags", executable, [&](Runtime&, const Executable& asked) {
    if (flags == nullptr) return invalid_value(msg::no_place_for("flags"));
    *flags = asked.flags;
    return Status{};
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return api("cudaGraphLaunch", Mode::Async, [&](Runtime& runtime) -> Status {
    const Executable* executable = Executable::find(handle);
    if (executable == nullptr) return no_such_executable();
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    if (!status.ok()) return status;
    if (!is_captured(number)) {
      status = free_left(runtime, *executable);
      return status.ok() ? submit(runtime, number, ChildOperation{executable->graph}) : status;
    }
    if (executable->graph->allocates()) return {CudaError::NotSupported, msg::allocating_graph_captured()};
    auto copied = executable->graph->copy();
    copied->child = true;
    return submit(runtime, number, ChildOperation{std::move(copied)});
  });
}
CUDALABS_PTSZ(cudaGraphLaunch);

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return on_executable("cudaGraphUpload", executable, [](Runtime&, const Executable&) { return Status{}; });
}
CUDALABS_PTSZ(cudaGraphUpload);

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api("cudaGraphExecDestroy", Mode::Host, [&](Runtime&) {
    return executables().erase(executable) != 0 ? Status{} : no_such_executable();
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return on_executable("cudaGraphExecUpdate", executable, [&](Runtime&, Executable& changed) -> Status {
    const Graph* next = Graph::find(graph);
    if (next == nullptr) return no_such_graph();
    const Node* node = nullptr;
    const cudaGraphExecUpdateResult result = compare(*changed.graph, *next, node);
    const bool good = result == cudaGraphExecUpdateSuccess;
    if (info != nullptr) {
      *info = {};
      info->result = result;
      if (!good && node != nullptr) info->errorNode = node->handle();
    }
    if (!good) return {CudaError::GraphExecUpdateFailure, msg::graph_differs()};
    take_over(*changed.graph, *next->copy());
    return {};
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
  return change_copied("cudaGraphExecNodeSetParams", executable, node, node_of(params));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  return change_copied("cudaGraphExecKernelNodeSetParams", executable, node, kernel_of(params));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parms) {
  return change_copied("cudaGraphExecMemcpyNodeSetParams", executable, node, copy_of(parms));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return change_copied("cudaGraphExecMemcpyNodeSetParams1D", executable, node,
                       copy_of(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
  return change_copied("cudaGraphExecMemcpyNodeSetParamsToSymbol", executable, node,
                       copy_to_symbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       void* to, const void* symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
  return change_copied("cudaGraphExecMemcpyNodeSetParamsFromSymbol", executable, node,
                       copy_from_symbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parms) {
  return change_copied("cudaGraphExecMemsetNodeSetParams", executable, node, set_of(parms));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
  return change_copied("cudaGraphExecHostNodeSetParams", executable, node, host_call_of(params));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return change_copied("cudaGraphExecEventRecordNodeSetEvent", executable, node, record_of(event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return change_copied("cudaGraphExecEventWaitNodeSetEvent", executable, node, wait_for(event));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return on_copied_node(
      "cudaGraphExecChildGraphNodeSetParams", executable, node, [&](Runtime&, Node& copied) -> Status {
        const Graph* next = Graph::find(child);
        const auto* now = std::get_if<ChildOperation>(&copied.operation);
        const Node* different = nullptr;
        if (next == nullptr) return no_such_graph();
        if (now == nullptr || compare(*now->graph, *next, different) != cudaGraphExecUpdateSuccess)
          return invalid_value(msg::child_graph_differs());
        take_over(*now->graph, *next->copy());
        return {};
      });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned enabled) {
  return on_copied_node("cudaGraphNodeSetEnabled", executable, node, [&](Runtime&, Node& copied) {
    const cudaGraphNodeType type = copied.type();
    if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemset && type != cudaGraphNodeTypeMemcpy)
      return invalid_value(msg::node_cannot_be_disabled());
    copied.enabled = enabled != 0;
    return Status{};
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned* enabled) {
  return on_copied_node("cudaGraphNodeGetEnabled", executable, node, [&](Runtime&, const Node& copied) {
    if (enabled == nullptr) return invalid_value(msg::no_place_for("answer"));
    *enabled = copied.enabled ? 1 : 0;
    return Status{};
  });
}
}
