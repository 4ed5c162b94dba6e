#include "grader/cudart/streams/stream_order.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "grader/cudart/memory/pools.h"
#include "grader/cudart/streams/host_access_tracker.h"

namespace cudalabs::cudart {
namespace {

/// The grader's request: "check", "shuffle=SEED" or both.
struct Wanted {
  bool checks = false, shuffles = false;
  std::uint64_t seed = 0;

  Wanted() {
    const char* text = std::getenv("CUDALABS_STREAM_ORDER");
    if (text == nullptr) return;
    const std::string_view words = text;
    checks = words.starts_with("check");
    if (const auto at = words.find("shuffle="); at != std::string_view::npos) {
      shuffles = true;
      seed = std::strtoull(text + at + 8, nullptr, 10);
    }
  }
};
const Wanted& wanted() {
  static const Wanted is;
  return is;
}

/// Calls during which queued operations may keep waiting. Every other call first completes all work of the
/// card. These calls state themselves what they wait for.
constexpr std::string_view kLeaveWaiting[] = {"cudaLaunchKernel",
                                              "cudaLaunchKernelExC",
                                              "cudaLaunchCooperativeKernel",
                                              "cudaGraphLaunch",
                                              "cudaMemcpy",
                                              "cudaMemcpyAsync",
                                              "cudaMemcpy2D",
                                              "cudaMemcpy2DAsync",
                                              "cudaMemcpy3D",
                                              "cudaMemcpy3DAsync",
                                              "cudaMemcpyToSymbol",
                                              "cudaMemcpyToSymbolAsync",
                                              "cudaMemcpyFromSymbol",
                                              "cudaMemcpyFromSymbolAsync",
                                              "cudaMemset",
                                              "cudaMemsetAsync",
                                              "cudaMemset2D",
                                              "cudaMemset2DAsync",
                                              "cudaMemset3D",
                                              "cudaMemset3DAsync",
                                              "cudaStreamCreate",
                                              "cudaStreamCreateWithFlags",
                                              "cudaStreamCreateWithPriority",
                                              "cudaStreamWaitEvent",
                                              "cudaStreamSynchronize",
                                              "cudaStreamQuery",
                                              "cudaStreamBeginCapture",
                                              "cudaStreamEndCapture",
                                              "cudaStreamIsCapturing",
                                              "cudaLaunchHostFunc",
                                              "cudaStreamAddCallback",
                                              "cudaEventCreate",
                                              "cudaEventRecord",
                                              "cudaEventSynchronize",
                                              "cudaEventQuery",
                                              "cudaGraphInstantiate",
                                              "cudaMalloc",
                                              "cudaMallocAsync",
                                              "cudaMallocFromPoolAsync",
                                              "cudaMallocManaged",
                                              "cudaFreeAsync",
                                              "cudaHostAlloc",
                                              "cudaGetDevice",
                                              "cudaSetDevice",
                                              "cudaGetDeviceCount",
                                              "cudaDeviceGetAttribute",
                                              "cudaFuncGetAttributes",
                                              "cudaGetSymbolAddress",
                                              "__cudaGetKernel",
                                              "cudaPointerGetAttributes"};

constexpr std::size_t kMaxWaiting = 4096;  ///< operations in the queue

std::uint32_t at_lane(const std::vector<std::uint32_t>& clock, std::uint32_t lane) {
  return lane < clock.size() ? clock[lane] : 0;
}

void join(std::vector<std::uint32_t>& clock, const std::vector<std::uint32_t>& more) {
  if (clock.size() < more.size()) clock.resize(more.size());
  for (std::size_t lane = 0; lane < more.size(); ++lane) clock[lane] = std::max(clock[lane], more[lane]);
}

bool is_asynchronous(std::string_view call) { return call.ends_with("Async"); }

void finish_at_exit() {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  if (!runtime.connect().ok()) return;
  StreamOrder::get().begin_call(runtime, "");  // completes all work of the card
  StreamOrder::get().end_call(runtime);
}

}  // namespace

bool follows_streams() {
  static const bool follows = wanted().checks || wanted().shuffles;
  return follows;
}
void begin_followed_call(Runtime& runtime, const char* call) { StreamOrder::get().begin_call(runtime, call); }
void end_followed_call(Runtime& runtime) { StreamOrder::get().end_call(runtime); }

bool StreamOrder::checks() { return wanted().checks; }
bool StreamOrder::shuffles() { return wanted().shuffles; }

StreamOrder& StreamOrder::get() {
  static auto* const order = new StreamOrder;
  return *order;
}

StreamOrder::StreamOrder() : random_(wanted().seed) {}

void StreamOrder::begin_call(Runtime& runtime, const char* call) {
  if (depth_++ > 0) return;
  call_ = call;
  ++calls_;
  if (checks()) HostAccessTracker::get().open();
  const bool leave = std::ranges::find(kLeaveWaiting, call_) != std::end(kLeaveWaiting);
  if (!leave) choose_order();
  while (!leave && !queue_.empty()) advance(runtime);
}

void StreamOrder::end_call(Runtime&) {
  if (--depth_ > 0 || !checks()) return;
  std::erase_if(touched_, [this](const Touched& t) { return covers(host_, *t.step); });
  for (const Touched& t : touched_) HostAccessTracker::get().watch(t.range);
  HostAccessTracker::get().close();
}

bool StreamOrder::covers(const std::vector<std::uint32_t>& clock, const Step& step) const {
  return at_lane(clock, step.told.lane) >= step.told.number;
}

void StreamOrder::join(Front& front, const Front& more) const {
  std::erase_if(front, [this](const StepPtr& step) { return step->done && covers(host_, *step); });
  for (const StepPtr& step : more) {
    const bool known = step->done && covers(host_, *step);
    if (!known && std::ranges::find(front, step) == front.end()) front.push_back(step);
  }
}

StreamOrder::Front StreamOrder::front_of(std::uint32_t stream) {
  Front front;
  join(front, streams_[stream].front);
  if (stream == 0) {
    for (const auto& [number, other] : streams_) {
      if (!is_nonblocking(number)) join(front, other.front);
    }
    join(front, gone_);
  } else if (!is_nonblocking(stream)) {
    join(front, streams_[0].front);
  }
  return front;
}

std::uint32_t StreamOrder::lane_for(const std::vector<std::uint32_t>& clock, std::uint32_t preferred) {
  const auto fits = [&](std::uint32_t lane) { return at_lane(clock, lane) >= last_[lane]; };
  if (preferred != 0 && fits(preferred)) return preferred;
  if (const auto free = std::ranges::find_if(free_lanes_, fits); free != free_lanes_.end()) return *free;
  last_.push_back(0);
  const auto lane = static_cast<std::uint32_t>(last_.size() - 1);
  free_lanes_.push_back(lane);
  return lane;
}

StreamOrder::StepPtr StreamOrder::make(std::uint32_t stream, const Front& before, std::uint32_t lane,
                                       sim::StreamWork work, std::string call) {
  auto step = std::make_shared<Step>();
  sim::StreamOperation& told = step->told;
  told.work = work;
  told.call = std::move(call);
  std::tie(told.stream, told.stream_number) = stream_place(stream);
  told.nonblocking = is_nonblocking(stream);
  told.by_default = stream == 0;
  told.clock = host_;
  for (const StepPtr& one : before) {
    cudart::join(told.clock, one->told.clock);
    if (!one->done) step->before.push_back(one);
  }
  ++host_[kHostLane];  // later actions of the host do not happen before it
  told.lane = lane_for(told.clock, lane);
  told.number = ++last_[told.lane];
  if (told.clock.size() <= told.lane) told.clock.resize(told.lane + 1);
  told.clock[told.lane] = told.number;
  if (checks()) told.frames = call_frames();
  return step;
}

Status StreamOrder::perform(Runtime& runtime, const StepPtr& step) {
  if (checks() && step->told.clock.size() <= protocol::kMaxLanes) {
    protocol::StreamOperation message;
    message.operation = step->told;
    protocol::Handle use;
    static_cast<void>(runtime.exchange(std::move(message), use));
  }
  step->done = true;  // a nested call need not wait for it
  step->before.clear();
  const std::function<Status()> act = std::exchange(step->act, nullptr);
  return act ? act() : Status{};
}

Status StreamOrder::issue(Runtime& runtime, const StepPtr& step, bool may_wait) {
  if (!shuffles()) return perform(runtime, step);
  static const bool registered = [this] {
    std::thread([this] { go_on_by_itself(); }).detach();
    return std::atexit(finish_at_exit) == 0;
  }();
  static_cast<void>(registered);
  if (may_wait) {
    queue_.push_back(step);
    if (queue_.size() > kMaxWaiting) advance(runtime);
    return {};
  }
  Status status = finish(runtime, step->before);
  Status own = perform(runtime, step);
  return status.ok() ? own : status;
}

void StreamOrder::advance(Runtime& runtime) {
  if (queue_.empty()) return;
  const auto forget_done = [](const StepPtr& step) {
    std::erase_if(step->before, [](const StepPtr& one) { return one->done; });
    return step->before.empty();
  };
  StepPtr step = queue_.back();
  if (last_first_) {
    // And its dependencies, which are in the queue, too.
    while (!forget_done(step)) step = step->before[random_() % step->before.size()];
  } else {
    std::vector<StepPtr> ready;
    std::ranges::copy_if(queue_, std::back_inserter(ready), forget_done);
    if (!ready.empty()) step = ready[random_() % ready.size()];
  }
  std::erase(queue_, step);
  Status status = perform(runtime, step);
  if (failure_.ok() && !status.ok()) failure_ = std::move(status);
}

void StreamOrder::choose_order() { last_first_ = random_() % 4 != 0; }

Status StreamOrder::finish(Runtime& runtime, const Front& front) {
  choose_order();
  const auto open = [](const StepPtr& step) { return !step->done; };
  while (!queue_.empty() && std::ranges::any_of(front, open)) advance(runtime);
  return take_failure();
}

void StreamOrder::go_on_by_itself() {
  Runtime& runtime = Runtime::get();
  for (std::uint64_t seen = 0;;) {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    const std::lock_guard lock(runtime.mutex);
    if (seen == calls_ && !queue_.empty() && runtime.connect().ok()) {
      begin_call(runtime, "");
      end_call(runtime);
    }
    seen = calls_;
  }
}

Status StreamOrder::take_failure() { return std::exchange(failure_, {}); }

Status StreamOrder::wait_for(Runtime& runtime, const Front& front) {
  Status status = finish(runtime, front);
  for (const StepPtr& step : front) cudart::join(host_, step->told.clock);
  return status;
}

Status StreamOrder::submit(Runtime& runtime, std::uint32_t stream, const Operation& operation) {
  Front front = front_of(stream);
  Status status;
  if (const auto* child = std::get_if<ChildOperation>(&operation)) {
    std::erase_if(launches_, [](const auto& launch) { return launch.first.expired(); });
    Front& earlier = launches_[child->graph];
    join(front, earlier);
    status = submit_graph(runtime, stream, *child->graph, front, ++graphs_);
    earlier = front;
  } else {
    status = submit_one(runtime, stream, operation, front, streams_[stream].lane, 0);
  }
  end_at(stream, std::move(front));
  return status;
}

void StreamOrder::end_at(std::uint32_t stream, Front front) {
  Stream& changed = streams_[stream];
  changed.front = std::move(front);
  if (changed.lane != 0 || changed.front.empty()) return;
  changed.lane = changed.front.front()->told.lane;
  std::erase(free_lanes_, changed.lane);
}

Status StreamOrder::submit_one(Runtime& runtime, std::uint32_t stream, const Operation& operation,
                               Front& front, std::uint32_t lane, std::uint32_t graph) {
  if (const auto* wait = std::get_if<WaitOperation>(&operation)) {
    std::uint32_t event = 0;
    Status status = event_number(wait->event, event);
    if (status.ok()) join(front, events_[event]);
    return status;
  }
  if (const auto* record = std::get_if<RecordOperation>(&operation)) {
    std::uint32_t event = 0;
    Status status = event_number(record->event, event);
    if (!status.ok()) return status;
    const StepPtr step = make(stream, front, lane, sim::StreamWork::HostFunction, {});
    step->act = [&runtime, operation, stream] { return run(runtime, operation, stream); };
    events_[event] = front = {step};
    return issue(runtime, step, true);
  }
  if (std::holds_alternative<EmptyOperation>(operation)) return {};

  const bool asynchronous = graph != 0 || is_asynchronous(call_);
  AccessSet touches;
  auto work = sim::StreamWork::HostFunction;
  std::string call = call_ + "()";
  bool may_wait = true, all_managed = false;
  Operation later = operation;
  std::shared_ptr<std::vector<std::byte>> source;
  if (const auto* kernel = std::get_if<KernelOperation>(&operation)) {
    work = sim::StreamWork::Kernel;
    call.clear();
    all_managed = true;
    if (shuffles()) {
      Status status = check(runtime, *kernel, stream);
      if (!status.ok()) return status;
    }
  } else if (const auto* copy = std::get_if<CopyOperation>(&operation)) {
    work = sim::StreamWork::Copy;
    touches = touches_of(runtime, *copy, asynchronous);
    if (graph != 0) call = "a copy";
    if (touches.wait == HostWait::Before) {
      Status status = wait_for(runtime, front);
      if (!status.ok()) return status;
    }
    if (shuffles() && touches.sound && touches.pageable_source && graph == 0)
      source = take_source(std::get<CopyOperation>(later));
  } else if (const auto* set = std::get_if<SetOperation>(&operation)) {
    work = sim::StreamWork::Set;
    touches = touches_of(runtime, *set, asynchronous);
    if (graph != 0) call = "a memset";
  } else if (const auto* allocation = std::get_if<AllocateOperation>(&operation)) {
    work = sim::StreamWork::Allocate;
    call = "an allocation";
    touches.told.push_back({reinterpret_cast<std::uint64_t>(allocation->memory->pointer()), 0,
                            allocation->memory->bytes(), 1, true});
    may_wait = false;
  } else if (const auto* freed = std::get_if<FreeOperation>(&operation)) {
    work = sim::StreamWork::Free;
    if (graph != 0) call = "a free";
    protocol::Placed range;
    const auto address = reinterpret_cast<std::uint64_t>(freed->pointer);
    if (runtime.exchange(protocol::PointerInfo{address}, range).ok() && range.address == address)
      touches.told.push_back({address, 0, range.bytes, 1, true});
    else
      may_wait = false;  // it reports the error
    may_wait = may_wait && GraphMemory::find(freed->pointer) == nullptr;
  } else {
    // Somebody may wait for its effect without calling the runtime.
    may_wait = false;
  }

  const StepPtr step = make(stream, front, lane, work, std::move(call));
  step->told.graph = graph;
  if (const auto* kernel = std::get_if<KernelOperation>(&operation))
    step->told.launched = kernel->by_stub && graph == 0;
  step->told.staged = touches.wait == HostWait::Before;
  step->told.touches = std::move(touches.told);
  if (all_managed) touches.host = managed_ranges();
  for (const HostRange& range : touches.host) {
    if (checks()) touched_.push_back({range, step});
  }
  const bool acts = std::holds_alternative<HostOperation>(later);
  step->act = [this, &runtime, later = std::move(later), source, stream, step = std::weak_ptr(step), acts] {
    if (acts) acting_ = step.lock();
    Status status = run(runtime, later, stream);
    acting_ = nullptr;
    return status;
  };
  front = {step};
  const bool host_waits = touches.wait == HostWait::Done && graph == 0;
  Status status = issue(runtime, step, may_wait && touches.sound);
  if (status.ok() && host_waits) status = wait_for(runtime, front);
  return status;
}

Status StreamOrder::submit_graph(Runtime& runtime, std::uint32_t stream, const Graph& graph, Front& front,
                                 std::uint32_t number) {
  std::map<const Node*, Front> ends;
  std::set<const Node*> followed;
  const Front start = front;
  const std::vector<Node*> order = graph.order();
  for (const Node* node : order) {
    Front& end = ends[node];
    if (node->dependencies.empty()) end = start;
    for (const Node* before : node->dependencies) {
      join(end, ends[before]);
      followed.insert(before);
    }
    if (!node->enabled) continue;
    const std::uint32_t lane = end.empty() ? streams_[stream].lane : end.front()->told.lane;
    const auto* child = std::get_if<ChildOperation>(&node->operation);
    Status status = child != nullptr ? submit_graph(runtime, stream, *child->graph, end, number)
                                     : submit_one(runtime, stream, node->operation, end, lane, number);
    if (!status.ok()) return status;
  }
  Front last;
  for (const Node* node : order) {
    if (!followed.contains(node)) join(last, ends[node]);
  }
  if (!order.empty()) front = std::move(last);
  return {};
}

Status StreamOrder::record(Runtime& runtime, std::uint32_t event, std::uint32_t stream) {
  const StepPtr step = make(stream, front_of(stream), streams_[stream].lane, sim::StreamWork::HostFunction,
                            "cudaEventRecord()");
  step->act = [&runtime, event, stream, device = stream_device(stream)] {
    Status status = runtime.exchange(protocol::RecordEvent{event, stream});
    if (status.ok() && HostClock::wanted()) HostClock::get().recorded(device, event);
    return status;
  };
  end_at(stream, {step});
  events_[event] = {step};
  return issue(runtime, step, true);
}

void StreamOrder::wait(std::uint32_t stream, std::uint32_t event) {
  if (const auto found = events_.find(event); found != events_.end())
    join(streams_[stream].front, found->second);
}

Status StreamOrder::allocated(Runtime& runtime, const void* pointer, std::uint64_t bytes,
                              std::uint32_t stream) {
  const StepPtr step =
      make(stream, front_of(stream), streams_[stream].lane, sim::StreamWork::Allocate, call_ + "()");
  step->told.touches.push_back({reinterpret_cast<std::uint64_t>(pointer), 0, bytes, 1, true});
  end_at(stream, {step});
  return issue(runtime, step, true);
}

void StreamOrder::forget_stream(std::uint32_t stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  if (found->second.lane != 0) free_lanes_.push_back(found->second.lane);
  // Its work goes on, and the default stream waits for it.
  if (!is_nonblocking(stream)) join(gone_, found->second.front);
  streams_.erase(stream);
}

Status StreamOrder::wait_for_stream(Runtime& runtime, std::uint32_t stream) {
  return wait_for(runtime, front_of(stream));
}

Status StreamOrder::wait_for_event(Runtime& runtime, std::uint32_t event) {
  return wait_for(runtime, events_[event]);
}

Status StreamOrder::wait_for_all(Runtime& runtime) {
  Front all = queue_;
  for (const auto& [number, stream] : streams_) join(all, stream.front);
  Status status = wait_for(runtime, all);
  // Includes streams that are destroyed.
  for (std::uint32_t lane = 1; lane < last_.size(); ++lane) {
    if (host_.size() <= lane) host_.resize(lane + 1);
    host_[lane] = last_[lane];
  }
  return status;
}

Status StreamOrder::ask_for_stream(Runtime& runtime, std::uint32_t stream) {
  const Front front = front_of(stream);
  if (std::ranges::any_of(front, [](const StepPtr& step) { return !step->done; })) advance(runtime);
  if (std::ranges::any_of(front, [](const StepPtr& step) { return !step->done; }))
    return {CudaError::NotReady, {}};
  return wait_for(runtime, front);
}

Status StreamOrder::ask_for_event(Runtime& runtime, std::uint32_t event) {
  const Front front = events_[event];
  if (std::ranges::any_of(front, [](const StepPtr& step) { return !step->done; })) advance(runtime);
  if (std::ranges::any_of(front, [](const StepPtr& step) { return !step->done; }))
    return {CudaError::NotReady, {}};
  return wait_for(runtime, front);
}

Status StreamOrder::begin_host_function(Runtime& runtime, std::uint32_t stream) {
  const StepPtr step =
      make(stream, front_of(stream), streams_[stream].lane, sim::StreamWork::HostFunction, call_ + "()");
  end_at(stream, {step});
  Status status = issue(runtime, step, false);
  acting_ = step;
  return status;
}

sim::StreamUse StreamOrder::host_touches(Runtime& runtime, std::uint64_t address, std::uint64_t bytes,
                                         bool writes, std::uint64_t page, std::uint64_t page_bytes,
                                         std::vector<std::uint64_t> frames) {
  protocol::StreamOperation message;
  sim::StreamOperation& told = message.operation;
  if (acting_) {
    told = acting_->told;
  } else {
    told.work = sim::StreamWork::Host;
    told.clock = host_;
    told.lane = kHostLane;
    told.number = host_[kHostLane];
  }
  told.touches = {{address, 0, bytes, 1, writes}};
  told.frames = std::move(frames);
  told.asked = page;
  told.asked_bytes = page_bytes;
  if (told.clock.size() > protocol::kMaxLanes) return sim::StreamUse::Nobody;
  protocol::Handle use;
  if (!runtime.exchange(std::move(message), use).ok()) return sim::StreamUse::Nobody;
  auto found = static_cast<sim::StreamUse>(use.value);
  // Operations in the queue have not accessed it yet.
  for (const Touched& t : touched_) {
    if (t.step->done || t.range.end <= page || t.range.begin >= page + page_bytes) continue;
    found = std::max(found, t.range.writes ? sim::StreamUse::Writes : sim::StreamUse::Reads);
  }
  return found;
}

}  // namespace cudalabs::cudart
