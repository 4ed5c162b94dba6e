#include "grader/cudart/graph.h"

#include <map>
#include <memory>

namespace cudalabs::cudart {
namespace {

using Graph = std::vector<StreamWork>;

/// Handles are numbers in the clothes of pointers, as those of streams.
template <class Handle>
class Graphs {
 public:
  explicit Graphs(std::uint64_t tag) : tag_(tag) {}
  Handle keep(std::shared_ptr<Graph> graph) {
    all_[++last_] = std::move(graph);
    return reinterpret_cast<Handle>(tag_ + last_);
  }
  /// Null: there is no such graph.
  std::shared_ptr<Graph> find(Handle handle) const {
    const auto found = all_.find(reinterpret_cast<std::uint64_t>(handle) - tag_);
    return found == all_.end() ? nullptr : found->second;
  }
  bool forget(Handle handle) { return all_.erase(reinterpret_cast<std::uint64_t>(handle) - tag_) != 0; }

 private:
  std::uint64_t tag_, last_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Graph>> all_;
};

// Never destroyed: destructors of the program may still call us.
struct State {
  std::map<std::uint32_t, std::shared_ptr<Graph>> captures;  ///< by stream
  std::map<std::uint32_t, std::shared_ptr<Graph>> events;    ///< by event: what it was recorded in
  std::map<std::shared_ptr<Graph>, std::uint32_t> origins;   ///< the stream where a capture began
  Graphs<cudaGraph_t> graphs{0x4752'0000'0000};
  Graphs<cudaGraphExec_t> executables{0x4758'0000'0000};
};
State& state() {
  static auto* const instance = new State;
  return *instance;
}

Status no_such_graph() { return {CudaError::InvalidValue, "no such graph, or destroyed before"}; }

Status instantiate(cudaGraphExec_t* executable, cudaGraph_t handle) {
  const auto graph = state().graphs.find(handle);
  if (executable == nullptr) return invalid_value("no place for the graph");
  if (!graph) return no_such_graph();
  *executable = state().executables.keep(std::make_shared<Graph>(*graph));
  return {};
}

}  // namespace

bool is_captured(std::uint32_t stream) { return state().captures.count(stream) != 0; }

Status submit(Runtime& runtime, std::uint32_t stream, StreamWork work) {
  const auto capture = state().captures.find(stream);
  if (capture == state().captures.end()) return work(runtime, stream);
  capture->second->push_back(std::move(work));
  return {};
}

bool record_in_capture(std::uint32_t event, std::uint32_t stream) {
  const auto capture = state().captures.find(stream);
  if (capture == state().captures.end()) {
    state().events.erase(event);
    return false;
  }
  state().events[event] = capture->second;
  return true;
}

bool wait_in_capture(std::uint32_t event, std::uint32_t stream) {
  const auto recorded = state().events.find(event);
  // After its capture an event has never been recorded, and nobody waits for it.
  if (recorded == state().events.end()) return false;
  if (state().origins.count(recorded->second) != 0) state().captures[stream] = recorded->second;
  return true;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return on_stream("cudaStreamBeginCapture", Mode::Host, stream,
                   [](Runtime&, std::uint32_t number) -> Status {
                     if (number == 0)
                       return invalid_value("the default stream cannot be captured: create one");
                     auto& capture = state().captures[number];
                     if (capture) return invalid_value("the stream is being captured already");
                     capture = std::make_shared<Graph>();
                     state().origins[capture] = number;
                     return {};
                   });
}
CUDALABS_PTSZ(cudaStreamBeginCapture);

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return on_stream("cudaStreamEndCapture", Mode::Host, stream, [&](Runtime&, std::uint32_t number) -> Status {
    if (graph == nullptr) return invalid_value("no place for the graph");
    const auto capture = state().captures.find(number);
    if (capture == state().captures.end() || state().origins[capture->second] != number)
      return invalid_value("no capture began on this stream");
    const std::shared_ptr<Graph> done = capture->second;
    std::erase_if(state().captures, [&](const auto& entry) { return entry.second == done; });
    state().origins.erase(done);
    *graph = state().graphs.keep(done);
    return {};
  });
}
CUDALABS_PTSZ(cudaStreamEndCapture);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return on_stream(
      "cudaStreamIsCapturing", Mode::Host, stream, [&](Runtime&, std::uint32_t number) -> Status {
        if (status == nullptr) return invalid_value("no place for the status");
        *status = is_captured(number) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
        return {};
      });
}
CUDALABS_PTSZ(cudaStreamIsCapturing);

// Other threads' captures are none of ours: every mode allows the same.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return api("cudaGraphInstantiate", Mode::Host, [&](Runtime&) { return instantiate(executable, graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return api("cudaGraphInstantiateWithFlags", Mode::Host,
             [&](Runtime&) { return instantiate(executable, graph); });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return api("cudaGraphLaunch", Mode::Async, [&](Runtime& runtime) -> Status {
    const auto graph = state().executables.find(executable);
    if (!graph) return no_such_graph();
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    for (auto work = graph->begin(); status.ok() && work != graph->end(); ++work)
      status = submit(runtime, number, *work);
    return status;
  });
}
CUDALABS_PTSZ(cudaGraphLaunch);

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return api("cudaGraphUpload", Mode::Host, [&](Runtime&) -> Status {
    return state().executables.find(executable) ? Status{} : no_such_graph();
  });
}
CUDALABS_PTSZ(cudaGraphUpload);

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api("cudaGraphDestroy", Mode::Host,
             [&](Runtime&) -> Status { return state().graphs.forget(graph) ? Status{} : no_such_graph(); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api("cudaGraphExecDestroy", Mode::Host, [&](Runtime&) -> Status {
    return state().executables.forget(executable) ? Status{} : no_such_graph();
  });
}
}
