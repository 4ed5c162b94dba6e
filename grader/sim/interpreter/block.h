#pragma once
// A block: its warps, their divergence and its barriers. A block is resumable: run() returns after a quantum,
// so that blocks that wait for each other can alternate.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/sim/interpreter/worker.h"
#include "grader/sim/native/native_code.h"
#include "grader/sim/ops/exec.h"
#include "grader/sim/ops/memory/bulk_copy.h"

namespace cudalabs::sim {

/// Instructions, counted at backward branches, before starving lanes run.
inline constexpr std::int64_t kSlice = 4096;
inline constexpr std::uint32_t kNoLimit = 0xFFFFFFFFu;  ///< for a split with no other lanes ahead

/// Data that the blocks of a launch share.
struct LaunchState {
  const Program* program = nullptr;
  const std::vector<std::unique_ptr<Program>>* programs = nullptr;
  LaunchConfig config;
  const Limits* limits = nullptr;
  GlobalMemory* global = nullptr;
  const TextureTable* textures = nullptr;
  const std::byte* params = nullptr;
  std::uint32_t param_bytes = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< stack of each lane
  std::uint64_t grid_id = 0;
  std::uint32_t multiprocessors = 0;
  std::size_t blocks_at_a_time = 0;  ///< as many as the modelled device holds
  bool cooperative = false;
  bool reversed = false;                          ///< blocks and warps start from the last to the first
  std::uint64_t grid_workspace = 0;               ///< device address; cooperative launches only
  std::atomic<std::uint64_t>* changes = nullptr;  ///< memory changes that the workers have reported
  LoadLatencies latencies;
  NativeModule* native = nullptr;        ///< null: everything is interpreted
  std::uint32_t hot = NativeCode::kHot;  ///< a straight run is interpreted this many times first
};

class Block {
 public:
  enum class End : std::uint8_t {
    Done,
    Preempted,
    Hesitates,  ///< it yields before it stores to a word that others may have changed
    Repeats,    ///< its state recurs while memory does not change
    Faulted
  };

  Block(const LaunchState& launch, Worker& worker, std::uint64_t index);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Continues until the block is done, faults, or has used about `quantum` warp instructions (counted at
  /// backward branches). It subtracts what it used.
  End run(std::int64_t& quantum);

  [[nodiscard]] std::uint64_t index() const { return index_; }
  /// Warp instructions so far, counted at backward branches.
  [[nodiscard]] std::uint64_t length() const { return length_; }
  [[nodiscard]] const Fault& fault() const { return fault_; }
  /// The position of the first live warp, for the message about a launch that exceeds its time.
  [[nodiscard]] Fault whereabouts(FaultKind kind, Message message, Message advice) const;
  /// The fault of a block that repeats itself, as do `others`, when no block is left that could change
  /// anything, or when the device has no room for the remaining blocks although blocks are `left`.
  [[nodiscard]] Fault endless(std::uint64_t others, std::uint64_t left) const;
  /// The number of launch-wide memory changes at the time when it began to repeat itself.
  [[nodiscard]] std::uint64_t repeats_since() const { return cycle_.changes; }

 private:
  enum class Stop : std::uint8_t { Waiting, Blocked, Exited, Preempted, Faulted };
  struct BarrierState {
    std::uint32_t arrived_threads = 0;
    std::uint32_t red = 0;
    bool red_started = false;
  };

  Activation* activate(const Program& program, Activation* caller, std::uint32_t root_of);
  void release(Activation* activation);
  enum class Slots : std::uint8_t { All, OfBlock };
  void fill_frame(Activation& activation, std::uint32_t warp, Slots slots);
  void fill_kernel_frame(Activation& activation, std::uint32_t warp);

  void report_step(std::uint32_t pc, std::uint32_t mask);
  /// Sets the data of a warp that handlers use and that does not depend on its activation.
  void begin_turn(std::uint32_t warp) {
    Exec& x = worker_.exec;
    x.warp = warp;
    x.copies = &warps_[warp].copies;
    x.time = &warps_[warp].time;
    x.local = local_storage_.data() + std::size_t{warp} * kLanes * launch_.local_bytes;
  }
  /// The warp that runs in this turn of a round, or the turn of this warp.
  [[nodiscard]] std::uint32_t in_turn(std::uint32_t turn) const {
    return launch_.reversed ? static_cast<std::uint32_t>(warps_.size()) - 1 - turn : turn;
  }
  Stop run_warp(std::uint32_t warp, std::int64_t& quantum);
  bool hesitates(Warp& warp);
  void fill_context();
  [[nodiscard]] static std::int64_t slice_after_sides(const Warp& warp, std::size_t split);
  bool run_native(const NativeCode& code, Warp& warp, std::size_t split, std::uint32_t limit,
                  std::uint32_t& pc, std::int64_t& quantum, std::int64_t& slice);
  /// Points the worker's executor to this block.
  void take_executor();
  bool run_together(std::int64_t& quantum, std::int64_t usual_turn, std::uint32_t& left, bool& goes_on);
  Stop leave_together(std::uint32_t warp, bool ends, std::int64_t& turn);
  void settle_together();
  [[nodiscard]] bool stand_together(const NativeCode*& code);
  void step(Warp& warp, std::size_t split, std::uint32_t limit, std::int64_t& quantum, std::int64_t& slice);
  struct Cursor;
  bool run_straight(Cursor& at, const Inst& first);
  bool run_flow(Cursor& at, const Inst& inst, std::uint32_t lanes);
  bool run_branch(Cursor& at, const Inst& inst, std::uint32_t lanes);
  bool run_poll(Cursor& at, const Inst& inst, std::uint32_t lanes);
  bool run_warp_sync(Cursor& at, const Inst& inst, std::uint32_t lanes);
  void run_branch_table(Cursor& at, const Inst& inst, std::uint32_t lanes);
  void merge(Warp& warp);
  std::size_t choose(Warp& warp, bool fair, std::uint32_t& limit) const;
  void exit_lanes(Warp& warp, std::size_t split, std::uint32_t lanes);
  void call(Warp& warp, std::size_t split, const Inst& inst, std::uint32_t mask);
  void return_from(Warp& warp, std::size_t split, std::uint32_t mask);
  void pass_sync(Warp& warp, std::size_t split, std::uint32_t ready);
  bool resolve_waiting(Warp& warp);
  void arrive(std::uint32_t warp_index, std::size_t split);
  bool release_all();
  bool release_barriers();
  void report_sync(const Warp& warp, std::uint32_t mask, bool apart);
  void report_opening(const Warp& first, std::uint32_t warp, std::uint32_t id, bool counted);
  void raise(const WarpFragment& split, std::uint32_t pc, const PendingFault& pending);
  [[nodiscard]] Fault locate(const Activation& activation, std::uint32_t pc, std::uint32_t lane,
                             std::uint32_t warp) const;
  void deadlock();
  [[nodiscard]] Message who_waits_where() const;
  [[nodiscard]] bool looks() const;
  [[nodiscard]] std::uint64_t state() const;
  bool repeats(std::uint64_t changes);

  const LaunchState& launch_;
  Worker& worker_;
  std::uint64_t index_;
  std::array<std::uint32_t, 3> ctaid_{};
  std::uint32_t threads_ = 0;
  std::vector<Warp> warps_;
  std::vector<std::byte> shared_storage_, local_storage_;
  std::byte* shared_ = nullptr;
  std::unique_ptr<BulkCopies> bulk_;
  std::array<BarrierState, kClusterBarrier + 1> barriers_{};
  LoadTimes load_times_;
  Fault fault_;
  std::uint64_t turns_ = 0, clock_ = 0, length_ = 0;
  std::uint32_t next_warp_ = 0;
  bool hesitated_ = false;  ///< one of its warps yielded in this turn
  bool turn_over_ = false;  ///< the running warp's turn ends, even if its other lanes could run
  /// The search for a recurring state.
  struct Cycle {
    std::uint64_t state = 0, changes = ~std::uint64_t{0};
    bool known = false;  ///< the state is set
    std::uint32_t age = 0, lifetime = 1;
    bool asking = false;             ///< all warps have been polling for the end of a phase ...
    std::uint64_t asking_since = 0;  ///< ... since this clock
  } cycle_;
  /// While run_together() runs: the index in Worker::together whose turn it is, the pc where it and the later
  /// ones were before, and the barrier that the earlier ones have reached.
  struct Standing {
    bool runs = false;
    std::size_t turn = 0;
    std::uint32_t from = 0, barrier = kNone;
  } standing_;
  std::uint32_t turns_since_look_ = 0;
  std::int64_t used_since_look_ = 0;
};

/// The runtime functions that kernels call, such as printf and a failed assert. Faults are left in x.
void call_builtin(Exec& x, const CallSite& site, std::uint32_t mask);

}  // namespace cudalabs::sim
