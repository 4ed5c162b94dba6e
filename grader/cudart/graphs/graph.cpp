#include "grader/cudart/graphs/graph.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace cudalabs::cudart {
namespace {

// One for each alternative of Operation, in its order.
constexpr cudaGraphNodeType kTypes[] = {cudaGraphNodeTypeKernel,    cudaGraphNodeTypeMemcpy,
                                        cudaGraphNodeTypeMemset,    cudaGraphNodeTypeHost,
                                        cudaGraphNodeTypeGraph,     cudaGraphNodeTypeEmpty,
                                        cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord,
                                        cudaGraphNodeTypeMemAlloc,  cudaGraphNodeTypeMemFree};
constexpr const char* kTypeNames[] = {"KERNEL", "MEMCPY",     "MEMSET",       "HOST",      "CHILD GRAPH",
                                      "EMPTY",  "EVENT WAIT", "EVENT RECORD", "MEM ALLOC", "MEM FREE"};
static_assert(std::size(kTypes) == std::variant_size_v<Operation>);
static_assert(std::size(kTypeNames) == std::variant_size_v<Operation>);

/// Copies as many values as there is room for, and fills further places with null. Without room it returns
/// only the number.
template <class T>
void hand_out(const std::vector<T>& values, T* places, std::size_t& count) {
  if (places != nullptr) {
    for (std::size_t i = 0; i < count; ++i) places[i] = i < values.size() ? values[i] : T{};
    count = std::min(count, values.size());
  } else {
    count = values.size();
  }
}

struct Edges {
  std::vector<cudaGraphNode_t> from, to;
};

Status hand_out(const Edges& edges, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                std::size_t* count) {
  if (count == nullptr) return invalid_value(msg::no_place_for("number of edges"));
  const std::size_t room = *count;
  hand_out(edges.from, from, *count);
  std::size_t same = room;
  if (to != nullptr) hand_out(edges.to, to, same);
  same = room;
  if (data != nullptr) hand_out(std::vector<cudaGraphEdgeData>(edges.from.size()), data, same);
  return {};
}

Status only_full_edges(Runtime& runtime, const cudaGraphEdgeData* data, std::size_t count) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].type != cudaGraphDependencyTypeDefault || data[i].from_port != 0 || data[i].to_port != 0)
      return runtime.unsupported("a programmatic dependency in a graph");
  }
  return {};
}

std::string dot_of(const Graph& graph, unsigned flags) {
  const bool verbose = (flags & cudaGraphDebugDotFlagsVerbose) != 0;
  std::string text = "digraph dot {\n";
  std::map<const Node*, std::size_t> numbers;
  for (const auto& node : graph.nodes()) {
    const std::size_t number = numbers.size();
    numbers[node.get()] = number;
    std::string label = std::to_string(number) + "\\n" + kTypeNames[node->operation.index()];
    if (const auto* kernel = std::get_if<KernelOperation>(&node->operation)) {
      Function* function = nullptr;
      if (resolve(Runtime::get(), kernel->function, function).ok()) label += "\\n" + function->name;
      if (verbose || (flags & cudaGraphDebugDotFlagsKernelNodeParams) != 0) {
        const auto size = [](const dim3& d) {
          return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z);
        };
        label += "\\n<<<(" + size(kernel->grid) + "),(" + size(kernel->block) + ")," +
                 std::to_string(kernel->shared) + ">>>";
      }
    }
    text += "  node_" + std::to_string(number) + " [shape=record label=\"" + label + "\"];\n";
  }
  for (const auto& node : graph.nodes()) {
    for (const Node* before : node->dependencies) {
      text += "  node_" + std::to_string(numbers[before]) + " -> node_" +
              std::to_string(numbers[node.get()]) + ";\n";
    }
  }
  return text + "}\n";
}

}  // namespace

cudaGraphNodeType Node::type() const { return kTypes[operation.index()]; }

bool UserObject::release(UserObject* object, unsigned count) {
  if (count > object->references) return false;
  object->references -= count;
  if (object->references > 0) return true;
  object->destroy(object->pointer);
  delete object;
  return true;
}

Graph::~Graph() {
  for (const auto& [object, count] : objects) UserObject::release(object, count);
}

Node& Graph::add(Operation operation, std::vector<Node*> dependencies) {
  return *nodes_.emplace_back(std::make_unique<Node>(*this, std::move(operation), std::move(dependencies)));
}

void Graph::remove(Node& node) {
  for (const auto& other : nodes_) std::erase(other->dependencies, &node);
  std::erase_if(nodes_, [&](const auto& entry) { return entry.get() == &node; });
}

std::shared_ptr<Graph> Graph::copy() const {
  auto result = std::make_shared<Graph>();
  std::map<const Node*, Node*> copies;
  for (const auto& node : nodes_) {
    Operation operation = node->operation;
    if (auto* nested = std::get_if<ChildOperation>(&operation)) {
      nested->graph = nested->graph->copy();
      nested->graph->child = true;
    }
    Node& copied = result->add(std::move(operation), {});
    copied.origin = node->handle();
    copied.enabled = node->enabled;
    copied.attributes = node->attributes;
    copies[node.get()] = &copied;
  }
  // A node may depend on a younger one.
  for (const auto& node : nodes_) {
    for (const Node* before : node->dependencies) copies[node.get()]->dependencies.push_back(copies[before]);
  }
  result->objects = objects;
  for (const auto& [object, count] : objects) object->references += count;
  return result;
}

Node* Graph::copy_of(cudaGraphNode_t handle) const {
  for (const auto& node : nodes_) {
    if (node->origin == handle) return node.get();
    if (const auto* nested = std::get_if<ChildOperation>(&node->operation)) {
      if (Node* found = nested->graph->copy_of(handle)) return found;
    }
  }
  return nullptr;
}

std::vector<Node*> Graph::order() const {
  std::vector<Node*> sorted;
  std::set<const Node*> done;
  for (bool any = true; any;) {
    any = false;
    for (const auto& node : nodes_) {
      if (done.contains(node.get()) ||
          !std::ranges::all_of(node->dependencies, [&](const Node* before) { return done.contains(before); }))
        continue;
      sorted.push_back(node.get());
      any = done.insert(node.get()).second;
    }
  }
  return sorted;
}

bool Graph::allocates() const {
  return std::ranges::any_of(nodes_, [](const auto& node) {
    return std::holds_alternative<AllocateOperation>(node->operation) ||
           std::holds_alternative<FreeOperation>(node->operation);
  });
}

Status run(Runtime& runtime, const Graph& graph, std::uint32_t stream) {
  Status status;
  for (const Node* node : graph.order()) {
    if (!status.ok()) break;
    if (node->enabled) status = run(runtime, node->operation, stream);
  }
  return status;
}

std::map<cudaGraph_t, std::shared_ptr<Graph>>& owned_graphs() {
  static auto* const instance = new std::map<cudaGraph_t, std::shared_ptr<Graph>>;
  return *instance;
}

cudaGraph_t keep(std::shared_ptr<Graph> graph) {
  const cudaGraph_t handle = graph->handle();
  owned_graphs()[handle] = std::move(graph);
  return handle;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return api("cudaGraphCreate", Mode::Host, [&](Runtime&) {
    if (graph == nullptr || flags != 0) return invalid_value(msg::no_place_for_graph_or_flags());
    *graph = keep(std::make_shared<Graph>());
    return Status{};
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api("cudaGraphDestroy", Mode::Host,
             [&](Runtime&) { return owned_graphs().erase(graph) != 0 ? Status{} : no_such_graph(); });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return on_graph("cudaGraphClone", graph, [&](Runtime&, Graph& original) -> Status {
    if (clone == nullptr) return invalid_value(msg::no_place_for("graph"));
    if (original.allocates()) return {CudaError::NotSupported, msg::allocating_graph_cloned()};
    *clone = keep(original.copy());
    return {};
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return on_graph("cudaGraphNodeFindInClone", clone, [&](Runtime&, Graph& cloned) {
    const Node* found = cloned.copy_of(original);
    if (node == nullptr || found == nullptr) return invalid_value(msg::no_copy_of_node());
    *node = found->handle();
    return Status{};
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return on_node("cudaGraphNodeGetType", node, [&](Runtime&, Node& asked) {
    if (type == nullptr) return invalid_value(msg::no_place_for("type"));
    *type = asked.type();
    return Status{};
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return on_graph("cudaGraphGetNodes", graph, [&](Runtime&, Graph& asked) {
    if (count == nullptr) return invalid_value(msg::no_place_for("number of nodes"));
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : asked.nodes()) all.push_back(node->handle());
    hand_out(all, nodes, *count);
    return Status{};
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return on_graph("cudaGraphGetRootNodes", graph, [&](Runtime&, Graph& asked) {
    if (count == nullptr) return invalid_value(msg::no_place_for("number of nodes"));
    std::vector<cudaGraphNode_t> roots;
    for (const auto& node : asked.nodes()) {
      if (node->dependencies.empty()) roots.push_back(node->handle());
    }
    hand_out(roots, nodes, *count);
    return Status{};
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
  return on_graph("cudaGraphGetEdges", graph, [&](Runtime&, Graph& asked) {
    Edges edges;
    for (const auto& node : asked.nodes()) {
      for (const Node* before : node->dependencies) {
        edges.from.push_back(before->handle());
        edges.to.push_back(node->handle());
      }
    }
    return hand_out(edges, from, to, data, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, std::size_t* count) {
  return on_node("cudaGraphNodeGetDependencies", node, [&](Runtime&, Node& asked) {
    Edges edges;
    for (const Node* before : asked.dependencies) edges.from.push_back(before->handle());
    return hand_out(edges, dependencies, nullptr, data, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, std::size_t* count) {
  return on_node("cudaGraphNodeGetDependentNodes", node, [&](Runtime&, Node& asked) {
    Edges edges;
    for (const auto& other : asked.graph.nodes()) {
      if (std::ranges::find(other->dependencies, &asked) != other->dependencies.end())
        edges.from.push_back(other->handle());
    }
    return hand_out(edges, dependents, nullptr, data, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     std::size_t count) {
  return on_graph("cudaGraphAddDependencies", graph, [&](Runtime& runtime, Graph& changed) {
    Status status = only_full_edges(runtime, data, count);
    for (std::size_t i = 0; i < count && status.ok(); ++i) {
      Node *before = Node::find(from[i]), *after = Node::find(to[i]);
      if (before == nullptr || after == nullptr || &before->graph != &changed || &after->graph != &changed)
        return no_such_node();
      if (std::ranges::find(after->dependencies, before) != after->dependencies.end())
        return invalid_value(msg::dependency_exists());
      after->dependencies.push_back(before);
    }
    return status;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        std::size_t count) {
  return on_graph("cudaGraphRemoveDependencies", graph, [&](Runtime& runtime, Graph& changed) {
    Status status = only_full_edges(runtime, data, count);
    for (std::size_t i = 0; i < count && status.ok(); ++i) {
      Node *before = Node::find(from[i]), *after = Node::find(to[i]);
      if (before == nullptr || after == nullptr || &after->graph != &changed) return no_such_node();
      if (std::erase(after->dependencies, before) == 0) return invalid_value(msg::dependency_missing());
    }
    return status;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return on_node("cudaGraphDestroyNode", node, [&](Runtime&, Node& gone) -> Status {
    if (gone.graph.allocates()) return {CudaError::NotSupported, msg::allocating_graph_keeps_nodes()};
    gone.graph.remove(gone);
    return {};
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return on_graph("cudaGraphDebugDotPrint", graph, [&](Runtime&, Graph& shown) -> Status {
    const std::string text = dot_of(shown, flags);
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return {CudaError::OperatingSystem, msg::graph_file_not_written()};
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written
               ? Status{}
               : Status{CudaError::OperatingSystem, msg::graph_file_not_written()};
  });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return api("cudaUserObjectCreate", Mode::Host, [&](Runtime&) {
    if (object == nullptr || destroy == nullptr || references == 0 || flags != cudaUserObjectNoDestructorSync)
      return invalid_value(msg::bad_user_object());
    auto* made = new UserObject;
    made->pointer = pointer;
    made->destroy = destroy;
    made->references = references;
    *object = made->handle();
    return Status{};
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count) {
  return api("cudaUserObjectRetain", Mode::Host, [&](Runtime&) {
    UserObject* object = UserObject::find(handle);
    if (object == nullptr || count == 0) return invalid_value(msg::no_user_object_or_no_reference());
    object->references += count;
    return Status{};
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count) {
  return api("cudaUserObjectRelease", Mode::Host, [&](Runtime&) {
    UserObject* object = UserObject::find(handle);
    if (object == nullptr || count == 0 || !UserObject::release(object, count))
      return invalid_value(msg::no_user_object_or_too_few_references());
    return Status{};
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t handle, unsigned count,
                                      unsigned flags) {
  return on_graph("cudaGraphRetainUserObject", graph, [&](Runtime&, Graph& owner) {
    UserObject* object = UserObject::find(handle);
    if (object == nullptr || count == 0 || (flags != 0 && flags != cudaGraphUserObjectMove))
      return invalid_value(msg::no_user_object_reference_or_flag());
    owner.objects[object] += count;
    if (flags == 0) object->references += count;
    return Status{};
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t handle, unsigned count) {
  return on_graph("cudaGraphReleaseUserObject", graph, [&](Runtime&, Graph& owner) {
    UserObject* object = UserObject::find(handle);
    const auto held = owner.objects.find(object);
    if (object == nullptr || held == owner.objects.end() || count == 0 || held->second < count)
      return invalid_value(msg::graph_has_fewer_references());
    held->second -= count;
    if (held->second == 0) owner.objects.erase(held);
    UserObject::release(object, count);
    return Status{};
  });
}
}
