#pragma once
// What of a program's work is ordered against what: streams, events, graphs, waits of the host, and the rules
// of the default stream and of CUDA's "API synchronization behavior". Only where somebody asks: `grader run
// --check streamcheck` is told each operation with the vector clock that follows from it, and with
// `--shuffle-streams` operations wait in a queue until something needs them, and are done in another order
// that is allowed then. All threads of the host count as one, since nobody sees how they wait for each other.

#include <functional>
#include <memory>
#include <random>
#include <set>

#include "grader/cudart/graph.h"
#include "grader/cudart/stream_touches.h"

namespace cudalabs::cudart {

class StreamOrder {
 public:
  /// An operation. Without --shuffle-streams it is done when it is asked for.
  struct Step {
    sim::StreamOperation told;
    std::vector<std::shared_ptr<Step>> before;  ///< not done yet, and to be done before it
    std::function<Status()> act;
    bool done = false;
  };
  using StepPtr = std::shared_ptr<Step>;
  /// The steps that whoever comes next has to wait for.
  using Front = std::vector<StepPtr>;

  static StreamOrder& get();
  static bool checks();
  static bool shuffles();

  /// A public call begins, and ends. They may be nested.
  void begin_call(Runtime& runtime, const char* call);
  void end_call(Runtime& runtime);

  /// Does it on the stream, or will.
  Status submit(Runtime& runtime, std::uint32_t stream, const Operation& operation);
  Status record(Runtime& runtime, std::uint32_t event, std::uint32_t stream);
  void wait(std::uint32_t stream, std::uint32_t event);
  /// Memory that was allocated for the stream.
  Status allocated(Runtime& runtime, const void* pointer, std::uint64_t bytes, std::uint32_t stream);
  void forget_stream(std::uint32_t stream);
  /// The host waits. Error: what an operation that had waited in the queue ended with.
  Status wait_for_stream(Runtime& runtime, std::uint32_t stream);
  Status wait_for_event(Runtime& runtime, std::uint32_t event);
  Status wait_for_all(Runtime& runtime);
  /// The host asks, which lets the card go on a little. cudaErrorNotReady: it is not done.
  Status ask_for_stream(Runtime& runtime, std::uint32_t stream);
  Status ask_for_event(Runtime& runtime, std::uint32_t event);
  /// The host's function runs in the order of its stream until end_host_function().
  Status begin_host_function(Runtime& runtime, std::uint32_t stream);
  void end_host_function() { acting_ = nullptr; }

  /// The host touches bytes that an operation may touch which it has not waited for. What of the page others
  /// may still touch.
  sim::StreamUse host_touches(Runtime& runtime, std::uint64_t address, std::uint64_t bytes, bool writes,
                              std::uint64_t page, std::uint64_t page_bytes,
                              std::vector<std::uint64_t> frames);

 private:
  struct Stream {
    Front front;
    std::uint32_t lane = 0;  ///< 0: none yet
  };
  /// Of memory of the host that an operation touches.
  struct Touched {
    HostRange range;
    StepPtr step;
  };
  static constexpr std::uint32_t kHostLane = 0;

  StreamOrder();
  /// A program may wait for what a kernel writes without another call: after a while everything is done.
  void go_on_by_itself();
  [[nodiscard]] Front front_of(std::uint32_t stream);
  void end_at(std::uint32_t stream, Front front);
  void join(Front& front, const Front& more) const;
  std::uint32_t lane_for(const std::vector<std::uint32_t>& clock, std::uint32_t preferred);
  [[nodiscard]] bool covers(const std::vector<std::uint32_t>& clock, const Step& step) const;
  StepPtr make(std::uint32_t stream, const Front& before, std::uint32_t lane, sim::StreamWork work,
               std::string call);
  /// Tells and does it.
  Status perform(Runtime& runtime, const StepPtr& step);
  /// Does it now, or lets it wait.
  Status issue(Runtime& runtime, const StepPtr& step, bool may_wait);
  Status submit_one(Runtime& runtime, std::uint32_t stream, const Operation& operation, Front& front,
                    std::uint32_t lane, std::uint32_t graph);
  Status submit_graph(Runtime& runtime, std::uint32_t stream, const Graph& graph, Front& front,
                      std::uint32_t number);
  Status wait_for(Runtime& runtime, const Front& front);
  /// Until all these are done: whatever is ready may be next.
  Status finish(Runtime& runtime, const Front& front);
  void advance(Runtime& runtime);
  void choose_order();
  Status take_failure();

  std::map<std::uint32_t, Stream> streams_;
  Front gone_;  ///< of streams that were destroyed
  std::map<std::uint32_t, Front> events_;
  /// Of executable graphs: one launch of it follows the other, on whatever streams.
  std::map<std::weak_ptr<const Graph>, Front, std::owner_less<>> launches_;
  std::vector<std::uint32_t> last_{0};  ///< by lane: the number of its last operation
  std::vector<std::uint32_t> free_lanes_;
  std::vector<std::uint32_t> host_{1};  ///< the host's clock
  std::vector<Touched> touched_;
  std::vector<StepPtr> queue_;  ///< in the order of issue
  StepPtr acting_;              ///< the host function that runs
  Status failure_;              ///< of what had waited
  std::mt19937_64 random_;
  /// Whatever was asked for last is done as early as may be: most mistakes show then. Else any order.
  bool last_first_ = true;
  std::string call_;
  int depth_ = 0;
  std::uint64_t calls_ = 0;
  std::uint32_t graphs_ = 0;
};

}  // namespace cudalabs::cudart
