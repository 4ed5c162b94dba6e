#include "grader/cudart/graphs/capture.h"

#include <algorithm>
#include <set>
#include <thread>

#include "grader/cudart/graphs/graph.h"
#include "grader/cudart/streams/stream_order.h"

namespace cudalabs::cudart {
namespace {

struct Capture {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  bool into_own_graph = true;  ///< otherwise into a graph that the program named
  std::uint32_t origin = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread = std::this_thread::get_id();
  unsigned long long id = 0;
  bool sound = true;
  /// by stream: the nodes that its next operation depends on
  std::map<std::uint32_t, std::vector<Node*>> last;
};

struct Recorded {
  std::weak_ptr<Capture> capture;  ///< expired: the event cannot be used until it is recorded again
  std::vector<Node*> last;
};

// Never destroyed: destructors of the program may still call us.
struct State {
  std::map<std::uint32_t, std::shared_ptr<Capture>> captures;  ///< by stream
  std::map<std::uint32_t, Recorded> events;                    ///< last recorded in a capture
  /// events last recorded outside of any capture
  std::set<std::uint32_t> outside;
  unsigned long long last_id = 0;
  std::vector<cudaGraphNode_t> shown;  ///< returned by cudaStreamGetCaptureInfo
};
State& state() {
  static auto* const instance = new State;
  return *instance;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

std::shared_ptr<Capture> capture_of(std::uint32_t stream) {
  const auto found = state().captures.find(stream);
  return found == state().captures.end() ? nullptr : found->second;
}

Status spoil(Capture& capture, CudaError error, Message detail) {
  capture.sound = false;
  return {error, std::move(detail)};
}

Status unsound() { return {CudaError::StreamCaptureInvalidated, msg::capture_spoilt()}; }

void end(const std::shared_ptr<Capture>& capture) {
  std::erase_if(state().captures, [&](const auto& entry) { return entry.second == capture; });
}

void join(std::vector<Node*>& last, const std::vector<Node*>& more) {
  for (Node* node : more) {
    if (std::ranges::find(last, node) == last.end()) last.push_back(node);
  }
}

/// True iff all streams of the capture have joined: each node leads to the origin's last operations.
bool all_joined(Capture& capture) {
  std::set<const Node*> reached;
  std::vector<Node*> open = capture.last[capture.origin];
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (reached.insert(node).second)
      open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::ranges::all_of(capture.last, [&](const auto& entry) {
    return std::ranges::all_of(entry.second, [&](const Node* node) { return reached.contains(node); });
  });
}

/// Invalidates every capture for which `forbids(capture)`. Error: there is one.
template <class Forbids>
Status forbid(CudaError error, const Message& detail, Forbids forbids) {
  Status status;
  for (const auto& [stream, capture] : state().captures) {
    if (capture->sound && forbids(*capture)) status = spoil(*capture, error, detail);
  }
  return status;
}

Status begin(std::uint32_t stream, cudaStreamCaptureMode mode, std::shared_ptr<Capture>& capture) {
  if (stream == 0) return {CudaError::StreamCaptureUnsupported, msg::default_stream_captured()};
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return invalid_value(msg::unknown_capture_mode());
  if (capture_of(stream)) return {CudaError::IllegalState, msg::stream_captured_already()};
  capture = std::make_shared<Capture>();
  capture->origin = stream;
  capture->mode = mode;
  capture->id = ++state().last_id;
  capture->last[stream] = {};
  state().captures[stream] = capture;
  return {};
}

Status finish(std::uint32_t stream, cudaGraph_t& graph) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!capture) return {CudaError::IllegalState, msg::no_capture_on_stream()};
  if (capture->origin != stream)
    return spoil(*capture, CudaError::StreamCaptureUnmatched, msg::capture_of_another_stream());
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return spoil(*capture, CudaError::StreamCaptureWrongThread, msg::capture_of_another_thread());
  end(capture);
  if (!capture->sound) return unsound();
  if (!all_joined(*capture)) {
    return {CudaError::StreamCaptureUnjoined, msg::capture_unjoined()};
  }
  graph = capture->into_own_graph ? keep(capture->graph) : capture->graph->handle();
  return {};
}

Status show(std::uint32_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
            const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data, std::size_t* count) {
  if (status == nullptr) return invalid_value(msg::no_place_for("status"));
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (stream == 0) {
    Status forbidden = default_stream_in_capture();
    if (!forbidden.ok()) return forbidden;
  }
  *status = !capture         ? cudaStreamCaptureStatusNone
            : capture->sound ? cudaStreamCaptureStatusActive
                             : cudaStreamCaptureStatusInvalidated;
  if (!capture || !capture->sound) return {};
  if (id != nullptr) *id = capture->id;
  if (graph != nullptr) *graph = capture->graph->handle();
  state().shown.clear();
  for (const Node* node : capture->last[stream]) state().shown.push_back(node->handle());
  if (dependencies != nullptr) *dependencies = state().shown.data();
  if (data != nullptr) *data = nullptr;
  if (count != nullptr) *count = state().shown.size();
  return {};
}

Status named_nodes(const Graph& graph, const cudaGraphNode_t* handles, std::size_t count,
                   std::vector<Node*>& nodes) {
  for (std::size_t i = 0; i < count; ++i) {
    Node* node = Node::find(handles[i]);
    if (node == nullptr || &node->graph != &graph) return no_such_node();
    nodes.push_back(node);
  }
  return {};
}

}  // namespace

bool is_captured(std::uint32_t stream) { return capture_of(stream) != nullptr; }

void forget_capture(std::uint32_t stream) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (capture && capture->origin == stream)
    end(capture);
  else
    state().captures.erase(stream);
}

Status submit(Runtime& runtime, std::uint32_t stream, Operation operation) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!capture) {
    Status status = stream == 0 ? default_stream_in_capture() : Status{};
    if (!status.ok()) return status;
    return follows_streams() ? StreamOrder::get().submit(runtime, stream, operation)
                             : run(runtime, operation, stream);
  }
  if (!capture->sound) return unsound();
  Node& node = capture->graph->add(std::move(operation), capture->last[stream]);
  capture->last[stream] = {&node};
  return {};
}

Status record_in_capture(std::uint32_t event, std::uint32_t stream, bool& done) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  done = capture != nullptr;
  if (!done) {
    state().events.erase(event);
    state().outside.insert(event);
    return stream == 0 ? default_stream_in_capture() : Status{};
  }
  if (!capture->sound) return unsound();
  state().events[event] = {capture, capture->last[stream]};
  state().outside.erase(event);
  return {};
}

Status wait_in_capture(std::uint32_t event, std::uint32_t stream, bool& done) {
  const std::shared_ptr<Capture> waiting = capture_of(stream);
  const auto found = state().events.find(event);
  done = waiting != nullptr || found != state().events.end();
  if (found == state().events.end()) {
    if (!waiting) return stream == 0 ? default_stream_in_capture() : Status{};
    if (!waiting->sound) return unsound();
    if (!state().outside.contains(event)) return {};  // never recorded: there is nothing to wait for
    return spoil(*waiting, CudaError::StreamCaptureIsolation, msg::event_outside_capture());
  }
  const std::shared_ptr<Capture> recorded = found->second.capture.lock();
  if (!recorded || capture_of(recorded->origin) != recorded)
    return invalid_value(msg::event_of_ended_capture());
  if (waiting && waiting != recorded) {
    recorded->sound = false;
    return spoil(*waiting, CudaError::StreamCaptureMerge, msg::event_in_another_capture());
  }
  if (!recorded->sound) return unsound();
  if (stream == 0)
    return spoil(*recorded, CudaError::StreamCaptureImplicit, msg::default_stream_joins_capture());
  state().captures[stream] = recorded;
  join(recorded->last[stream], found->second.last);
  return {};
}

Status unsafe_in_capture() {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return {};
  return forbid(
      CudaError::StreamCaptureUnsupported, msg::call_waits_in_capture(), [](const Capture& capture) {
        const bool ours = capture.thread == std::this_thread::get_id();
        return (ours && capture.mode != cudaStreamCaptureModeRelaxed) ||
               (capture.mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal);
      });
}

Status stream_asked_in_capture(std::uint32_t stream) {
  if (const std::shared_ptr<Capture> capture = capture_of(stream))
    return spoil(*capture, CudaError::StreamCaptureUnsupported, msg::stream_captured());
  Status status = stream == 0 ? default_stream_in_capture() : Status{};
  return status.ok() ? unsafe_in_capture() : status;
}

Status event_asked_in_capture(std::uint32_t event) {
  const auto found = state().events.find(event);
  if (found == state().events.end()) return unsafe_in_capture();
  const std::shared_ptr<Capture> capture = found->second.capture.lock();
  if (!capture) return invalid_value(msg::event_last_recorded_in_capture());
  return spoil(*capture, CudaError::CapturedEvent, msg::event_in_capture());
}

Status device_asked_in_capture() {
  return forbid(CudaError::StreamCaptureUnsupported, msg::call_waits_in_capture(),
                [](const Capture&) { return true; });
}

Status default_stream_in_capture() {
  return forbid(CudaError::StreamCaptureImplicit, msg::default_stream_used_in_capture(),
                [](const Capture& capture) { return !is_nonblocking(capture.origin); });
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return on_stream("cudaStreamBeginCapture", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    std::shared_ptr<Capture> capture;
    return begin(number, mode, capture);
  });
}
CUDALABS_PTSZ(cudaStreamBeginCapture);

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                          std::size_t count, cudaStreamCaptureMode mode) {
  return on_stream("cudaStreamBeginCaptureToGraph", Mode::Host, stream,
                   [&](Runtime&, std::uint32_t number) -> Status {
                     const auto owned = owned_graphs().find(handle);
                     if (owned == owned_graphs().end()) return no_such_graph();
                     std::vector<Node*> first;
                     Status status = named_nodes(*owned->second, dependencies, count, first);
                     std::shared_ptr<Capture> capture;
                     if (status.ok()) status = begin(number, mode, capture);
                     if (!status.ok()) return status;
                     capture->graph = owned->second;
                     capture->into_own_graph = false;
                     capture->last[number] = std::move(first);
                     return status;
                   });
}
CUDALABS_PTSZ(cudaStreamBeginCaptureToGraph);

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return on_stream("cudaStreamEndCapture", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (graph == nullptr) return invalid_value(msg::no_place_for("graph"));
    *graph = nullptr;
    return finish(number, *graph);
  });
}
CUDALABS_PTSZ(cudaStreamEndCapture);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return on_stream("cudaStreamIsCapturing", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    return show(number, status, nullptr, nullptr, nullptr, nullptr, nullptr);
  });
}
CUDALABS_PTSZ(cudaStreamIsCapturing);

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data,
                                     std::size_t* count) {
  return on_stream("cudaStreamGetCaptureInfo", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    return show(number, status, id, graph, dependencies, data, count);
  });
}
CUDALABS_PTSZ(cudaStreamGetCaptureInfo);

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, std::size_t count, unsigned flags) {
  return on_stream("cudaStreamUpdateCaptureDependencies", Mode::Host, stream,
                   [&](Runtime&, std::uint32_t number) -> Status {
                     const std::shared_ptr<Capture> capture = capture_of(number);
                     if (!capture) return {CudaError::IllegalState, msg::stream_not_captured()};
                     if (flags > cudaStreamSetCaptureDependencies)
                       return invalid_value(msg::unknown_flag("flag"));
                     std::vector<Node*> nodes;
                     Status status = named_nodes(*capture->graph, dependencies, count, nodes);
                     if (!status.ok()) return status;
                     if (flags == cudaStreamSetCaptureDependencies) capture->last[number].clear();
                     join(capture->last[number], nodes);
                     return status;
                   });
}
CUDALABS_PTSZ(cudaStreamUpdateCaptureDependencies);

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api("cudaThreadExchangeStreamCaptureMode", Mode::Host, [&](Runtime&) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
      return invalid_value(msg::unknown_capture_mode());
    std::swap(*mode, thread_mode);
    return Status{};
  });
}
}
