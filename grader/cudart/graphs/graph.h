#pragma once
// Graphs: operations and their dependencies. A launch does the operations one after the other on its stream,
// in an order that satisfies every dependency.

#include <functional>
#include <map>

#include "grader/cudart/streams/operations.h"

namespace cudalabs::cudart {

/// Objects behind handles. Like a stream's, a handle is a number with a pointer's type. Numbers are never
/// used again, so a stale handle names nothing.
template <class T, class Handle>
class Named {
 public:
  Named() : handle_(reinterpret_cast<Handle>(T::kTag + ++last())) { all()[handle_] = static_cast<T*>(this); }
  ~Named() { all().erase(handle_); }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
  [[nodiscard]] Handle handle() const { return handle_; }
  /// Null: there is no such object.
  static T* find(Handle handle) {
    const auto found = all().find(handle);
    return found == all().end() ? nullptr : found->second;
  }

 private:
  // Never destroyed: destructors of the program may still call us.
  static std::map<Handle, T*>& all() {
    static auto* const instance = new std::map<Handle, T*>;
    return *instance;
  }
  static std::uint64_t& last() {
    static std::uint64_t number = 0;
    return number;
  }
  Handle handle_;
};

struct Node : Named<Node, cudaGraphNode_t> {
  static constexpr std::uint64_t kTag = 0x474e'0000'0000;
  Node(Graph& owner, Operation what, std::vector<Node*> after)
      : graph(owner), operation(std::move(what)), dependencies(std::move(after)) {}
  [[nodiscard]] cudaGraphNodeType type() const;

  Graph& graph;
  Operation operation;
  std::vector<Node*> dependencies;
  cudaGraphNode_t origin = nullptr;  ///< the node from which this one was copied
  bool enabled = true;
  /// the attributes that were set for a kernel
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
  std::vector<void*> arguments;  ///< addresses of the arguments that the program was shown
};

struct UserObject : Named<UserObject, cudaUserObject_t> {
  static constexpr std::uint64_t kTag = 0x474f'0000'0000;
  void* pointer = nullptr;
  cudaHostFn_t destroy = nullptr;
  unsigned references = 0;
  /// Drops references; the last one destroys the object. False: there are not so many.
  static bool release(UserObject* object, unsigned count);
};

class Graph : public Named<Graph, cudaGraph_t> {
 public:
  static constexpr std::uint64_t kTag = 0x4752'0000'0000;
  Graph() = default;
  ~Graph();
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  Node& add(Operation operation, std::vector<Node*> dependencies);
  void remove(Node& node);
  /// Copies child graphs and references, too; a node's `origin` is the node from which it was copied.
  [[nodiscard]] std::shared_ptr<Graph> copy() const;
  /// Null: there is no such copy.
  [[nodiscard]] Node* copy_of(cudaGraphNode_t node) const;
  /// A topological order of the nodes, the older first. It is shorter than nodes() if there is a cycle.
  [[nodiscard]] std::vector<Node*> order() const;
  [[nodiscard]] bool allocates() const;

  std::map<UserObject*, unsigned> objects;
  bool child = false;  ///< it belongs to a node, and is destroyed with it

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
};

Status run(Runtime& runtime, const Graph& graph, std::uint32_t stream);

/// The graphs that the program owns.
std::map<cudaGraph_t, std::shared_ptr<Graph>>& owned_graphs();
cudaGraph_t keep(std::shared_ptr<Graph> graph);

inline Status no_such_graph() { return invalid_value(msg::no_such_graph()); }
inline Status no_such_node() { return invalid_value(msg::no_such_node()); }

/// Runs body(runtime, graph) with the graph that the handle names.
template <class Body>
cudaError_t on_graph(const char* call, cudaGraph_t handle, Body body) {
  return api(call, Mode::Host, [&](Runtime& runtime) -> Status {
    Graph* graph = Graph::find(handle);
    return graph == nullptr ? no_such_graph() : body(runtime, *graph);
  });
}
template <class Body>
cudaError_t on_node(const char* call, cudaGraphNode_t handle, Body body) {
  return api(call, Mode::Host, [&](Runtime& runtime) -> Status {
    Node* node = Node::find(handle);
    return node == nullptr ? no_such_node() : body(runtime, *node);
  });
}

}  // namespace cudalabs::cudart
