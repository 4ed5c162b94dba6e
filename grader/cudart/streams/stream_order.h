#pragma once
// Computes the happens-before order of a program's work from streams, events, graphs, waits of the host, and
// the rules of the default stream and of CUDA's "API synchronization behavior". Used only on request: `grader
// run --check streamcheck` gets each operation with its vector clock. With `--shuffle-streams` operations
// wait in a queue until something needs them, and run in another allowed order. All threads of the host count
// as one, since their synchronisation is not visible.

#include <functional>
#include <memory>
#include <random>
#include <set>

#include "grader/cudart/graphs/graph.h"
#include "grader/cudart/streams/stream_access_sets.h"

namespace cudalabs::cudart {

class StreamOrder {
 public:
  /// An operation. Without --shuffle-streams it runs at once.
  struct Step {
    sim::StreamOperation told;
    std::vector<std::shared_ptr<Step>> before;  ///< pending steps that must run before it
    std::function<Status()> act;
    bool done = false;
  };
  using StepPtr = std::shared_ptr<Step>;
  /// The steps that the next operation has to wait for.
  using Front = std::vector<StepPtr>;

  static StreamOrder& get();
  static bool checks();
  static bool shuffles();

  /// Begin and end a public call. Calls may be nested.
  void begin_call(Runtime& runtime, const char* call);
  void end_call(Runtime& runtime);

  /// Runs it on the stream, now or later.
  Status submit(Runtime& runtime, std::uint32_t stream, const Operation& operation);
  Status record(Runtime& runtime, std::uint32_t event, std::uint32_t stream);
  void wait(std::uint32_t stream, std::uint32_t event);
  /// Memory was allocated for the stream.
  Status allocated(Runtime& runtime, const void* pointer, std::uint64_t bytes, std::uint32_t stream);
  void forget_stream(std::uint32_t stream);
  /// The host waits. Error: the error of an operation that had waited in the queue.
  Status wait_for_stream(Runtime& runtime, std::uint32_t stream);
  Status wait_for_event(Runtime& runtime, std::uint32_t event);
  Status wait_for_all(Runtime& runtime);
  /// The host asks, which lets the card make some progress. cudaErrorNotReady: the work is not done.
  Status ask_for_stream(Runtime& runtime, std::uint32_t stream);
  Status ask_for_event(Runtime& runtime, std::uint32_t event);
  /// The host's function runs in the order of its stream until end_host_function().
  Status begin_host_function(Runtime& runtime, std::uint32_t stream);
  void end_host_function() { acting_ = nullptr; }

  /// The host accesses bytes that a pending operation may access. Returns the part of the page that other
  /// operations may still access.
  sim::StreamUse host_touches(Runtime& runtime, std::uint64_t address, std::uint64_t bytes, bool writes,
                              std::uint64_t page, std::uint64_t page_bytes,
                              std::vector<std::uint64_t> frames);

 private:
  struct Stream {
    Front front;
    std::uint32_t lane = 0;  ///< 0: none yet
  };
  /// Host memory that an operation accesses.
  struct Touched {
    HostRange range;
    StepPtr step;
  };
  /// An operation before it has its place in the order.
  struct Plan {
    Operation operation;
    sim::StreamWork work = sim::StreamWork::HostFunction;
    std::string call;
    AccessSet touches;
    bool may_wait = true;
    std::shared_ptr<std::vector<std::byte>> source;  ///< what it copies, if that was read before
  };
  static constexpr std::uint32_t kHostLane = 0;

  StreamOrder();
  /// A program may wait for a kernel's writes without another call: after a while all operations run.
  void go_on_by_itself();
  [[nodiscard]] Front front_of(std::uint32_t stream);
  void end_at(std::uint32_t stream, Front front);
  void join(Front& front, const Front& more) const;
  std::uint32_t lane_for(const std::vector<std::uint32_t>& clock, std::uint32_t preferred);
  [[nodiscard]] bool covers(const std::vector<std::uint32_t>& clock, const Step& step) const;
  StepPtr make(std::uint32_t stream, const Front& before, std::uint32_t lane, sim::StreamWork work,
               std::string call);
  /// Reports and runs it.
  Status perform(Runtime& runtime, const StepPtr& step);
  /// Runs it now, or queues it.
  Status issue(Runtime& runtime, const StepPtr& step, bool may_wait);
  Status submit_one(Runtime& runtime, std::uint32_t stream, const Operation& operation, Front& front,
                    std::uint32_t lane, std::uint32_t graph);
  /// Finds out what the plan's operation does and touches. A copy may wait for the steps of `front` first.
  Status prepare(Runtime& runtime, std::uint32_t stream, const Front& front, std::uint32_t graph, Plan& plan);
  Status submit_graph(Runtime& runtime, std::uint32_t stream, const Graph& graph, Front& front,
                      std::uint32_t number);
  Status wait_for(Runtime& runtime, const Front& front);
  /// Runs steps until all these are done; any step that is ready may be next.
  Status finish(Runtime& runtime, const Front& front);
  void advance(Runtime& runtime);
  void choose_order();
  Status take_failure();

  std::map<std::uint32_t, Stream> streams_;
  Front gone_;  ///< of streams that were destroyed
  std::map<std::uint32_t, Front> events_;
  /// For executable graphs: launches of one graph run in order, on any streams.
  std::map<std::weak_ptr<const Graph>, Front, std::owner_less<>> launches_;
  std::vector<std::uint32_t> last_{0};  ///< by lane: the number of its last operation
  std::vector<std::uint32_t> free_lanes_;
  std::vector<std::uint32_t> host_{1};  ///< the host's clock
  std::vector<Touched> touched_;
  std::vector<StepPtr> queue_;  ///< in the order of issue
  StepPtr acting_;              ///< the running host function
  Status failure_;              ///< of a queued operation
  std::mt19937_64 random_;
  /// Runs the newest operation as early as possible: most mistakes show then. Otherwise, any order.
  bool last_first_ = true;
  std::string call_;
  int depth_ = 0;
  std::uint64_t calls_ = 0;
  std::uint32_t graphs_ = 0;
};

}  // namespace cudalabs::cudart
