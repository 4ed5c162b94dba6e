#include "grader/sim/interpreter/launch.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/interpreter/device_launches.h"
#include "grader/sim/interpreter/kernel_output.h"
#include "grader/sim/ops/memory/memory_access.h"

namespace cudalabs::sim {
namespace {

constexpr std::int64_t kQuantum = 1 << 22;          // then a block that waits for another yields
constexpr std::int64_t kWaitingQuantum = 1 << 16;   // if blocks certainly wait, or one has yielded before
constexpr std::int64_t kReversedQuantum = 1 << 16;  // then it seems to wait for earlier blocks
/// Warp instructions that a worker may execute before it reports them; less if the limit is small.
constexpr std::uint64_t kMaxUnflushed = 1 << 16, kMinParts = 1 << 10;
/// Resident blocks of a worker as long as one of its blocks makes progress: about as many threads as a large
/// device holds, because that many share work that they draw from a counter.
constexpr std::uint64_t kResidentThreads = 1 << 18;
constexpr std::uint64_t kResidentBytes = 128ull << 20;  // shared and local memory, and registers

std::size_t most_resident(const LaunchState& launch) {
  const auto threads = static_cast<std::uint64_t>(launch.config.block.count());
  const std::uint64_t warps = (threads + kLanes - 1) / kLanes;
  const std::uint64_t bytes = launch.shared_bytes + warps * (launch.program->frame_bytes +
                                                             kLanes * std::uint64_t{launch.local_bytes});
  return static_cast<std::size_t>(std::max<std::uint64_t>(
      1,
      std::min(kResidentThreads / std::max<std::uint64_t>(warps * kLanes, 1), kResidentBytes / (bytes + 1))));
}

/// The blocks that have not started. A worker takes a block from either end; concurrent takes from both ends
/// neither skip a block nor start one twice.
class alignas(64) Waiting {
 public:
  Waiting(std::uint64_t first, std::uint64_t end) : first_(first), end_(end), all_(end - first) {}
  std::optional<std::uint64_t> take(bool from_end) {
    if (taken_.fetch_add(1) >= all_) return std::nullopt;
    return from_end ? end_.fetch_sub(1) - 1 : first_.fetch_add(1);
  }
  [[nodiscard]] std::uint64_t left() const { return all_ - std::min<std::uint64_t>(taken_, all_); }

 private:
  std::atomic<std::uint64_t> taken_{0}, first_, end_;
  const std::uint64_t all_;
};

/// Data that the workers share while a launch runs.
struct Shared {
  Shared(std::uint64_t first, std::uint64_t end) : waiting(first, end) {}

  // One worker after the other writes this cache line once for each block; the next ones change less often.
  Waiting waiting;
  std::atomic<std::uint64_t> resident{0};          ///< blocks of all workers, if a device could not hold all
  alignas(64) std::atomic<std::uint64_t> done{0};  // blocks
  std::atomic<std::uint64_t> used{0};              // warp instructions
  std::atomic<std::uint64_t> changes{0};           // of memory
  alignas(64) std::atomic<std::uint64_t> first_fault{~std::uint64_t{0}};  // block index
  std::atomic<bool> forward{false};  // blocks are no longer reversed, because one waits
  std::mutex mutex;
  Fault fault;  // of first_fault
  /// By worker: what all of its blocks wait for.
  struct DeadlockState {
    bool finished = false, stuck = false;
    std::uint64_t changes = 0;  // launch-wide, when the worker stopped making progress
    std::uint64_t blocks = 0, first = 0;
  };
  std::vector<DeadlockState> standstills;
};

/// The longest block; for equal lengths the one with the lowest index, regardless of the order of completion.
void add(Lengths& lengths, const Lengths& more) {
  lengths.all += more.all;
  if (more.longest < lengths.longest || (more.longest == lengths.longest && more.block > lengths.block))
    return;
  lengths.longest = more.longest;
  lengths.block = more.block;
}

void record_fault(Shared& shared, std::uint64_t block, const Fault& fault) {
  const std::lock_guard lock(shared.mutex);
  if (block >= shared.first_fault) return;
  shared.first_fault = block;
  shared.fault = fault;
}

/// The fault of a kernel that did not finish. `limit`: its budget of warp instructions, or 0 if its time ran
/// out. A kernel that has finished blocks is slow; one that has not may never end. A kernel that repeats
/// itself is reported elsewhere.
Fault out_of_time(const Block& block, std::uint64_t limit, std::uint64_t done, std::uint64_t blocks) {
  Message within = limit == 0 ? msg::within_time() : msg::within_instructions(limit / 1000000);
  if (done > 0 && done < blocks) {
    return block.whereabouts(FaultKind::InstructionLimit,
                             msg::kernel_too_slow(done, blocks, std::move(within)),
                             msg::kernel_too_slow_advice());
  }
  return block.whereabouts(FaultKind::InstructionLimit, msg::kernel_unfinished(std::move(within)),
                           msg::loop_too_long_advice());
}

/// A worker's progress since its last report to the others.
struct UnflushedStats {
  std::uint64_t done = 0, used = 0;
};

/// Reports it together with the worker's memory changes. Returns the instructions that all workers have
/// reported.
std::uint64_t tell(Shared& shared, Worker& worker, UnflushedStats& unflushed) {
  const std::uint64_t changes = worker.changes();
  shared.changes += changes - worker.changes_reported;
  worker.changes_reported = changes;
  shared.done += unflushed.done;
  const std::uint64_t used = shared.used += unflushed.used;
  unflushed = {};
  return used;
}

/// Worker `number` has only `resident` blocks that repeat themselves since `changes`. True if the same holds
/// for all workers, and memory has not changed since: then the block with the lowest index is reported.
bool all_stuck(Shared& shared, std::size_t number, std::uint64_t changes,
               const std::deque<std::unique_ptr<Block>>& resident) {
  const std::lock_guard lock(shared.mutex);
  if (shared.changes != changes) return false;  // a worker that has finished has changed memory since
  Shared::DeadlockState& mine = shared.standstills[number];
  mine.stuck = true;
  mine.changes = changes;
  mine.blocks = resident.size();
  const auto before = [](const auto& a, const auto& b) { return a->index() < b->index(); };
  const Block& first = **std::min_element(resident.begin(), resident.end(), before);
  mine.first = first.index();
  std::uint64_t blocks = 0, lowest = mine.first;
  for (const Shared::DeadlockState& s : shared.standstills) {
    if (s.finished) continue;
    if (!s.stuck || s.changes != mine.changes) return false;
    blocks += s.blocks;
    lowest = std::min(lowest, s.first);
  }
  if (lowest != mine.first) return false;  // its worker will get here too
  if (lowest < shared.first_fault) {
    shared.first_fault = lowest;
    shared.fault = first.endless(blocks - 1, shared.waiting.left());
  }
  return true;
}

/// Notifies the observers which block continues, and asks which of them must see each access.
void resume(Worker& worker, std::uint64_t block) {
  for (auto& observer : worker.observers) observer->resume_block(block);
  worker.ask_observers();
}

/// The loop of one worker: takes blocks in order and runs each to its end. A block that uses up its quantum
/// may be waiting for a later one, so the worker then starts another and alternates between them, like the
/// resident blocks of a device.
class WorkerLoop {
 public:
  WorkerLoop(const LaunchState& launch, const LaunchOptions& options, std::size_t number, Worker& worker,
             Shared& shared)
      : launch_(launch),
        options_(options),
        number_(number),
        worker_(worker),
        shared_(shared),
        allowed_(options.max_warp_instructions == 0 ? ~std::uint64_t{0} : options.max_warp_instructions),
        limited_(!launch.cooperative && launch.config.grid.count() > launch.blocks_at_a_time),
        most_(most_resident(launch)),
        waits_(launch.cooperative) {}

  void run() {
    if (launch_.cooperative) {
      while (open(launch_.config.grid.count())) {
      }
    }
    while (!resident_.empty() || open(most_)) {
      std::unique_ptr<Block> block = std::move(resident_.front());
      resident_.pop_front();
      if (block->index() > shared_.first_fault) {
        leave_device();
        continue;
      }
      const Next next = run_block(std::move(block));
      if (next == Next::GiveUp) return;
      if (next == Next::Stop) break;
    }
    tell(shared_, worker_, unflushed_);
    const std::lock_guard lock(shared_.mutex);
    shared_.standstills[number_].finished = true;
  }

 private:
  enum class Next : std::uint8_t {
    Continue,
    Stop,    ///< all blocks of all workers wait for each other
    GiveUp,  ///< the launch takes too long
  };

  /// Starts a block. False: there is none, this worker has `limit` of them, or a device could hold no more.
  bool open(std::size_t limit = ~std::size_t{0}) {
    if (exhausted_ || resident_.size() >= limit) return false;
    if (!enter_device()) return false;
    const std::optional<std::uint64_t> b = shared_.waiting.take(launch_.reversed && !shared_.forward);
    // Blocks before the first fault still run, so that the reported fault is always that of the lowest block.
    if (!b || (*b > shared_.first_fault && !launch_.reversed)) {
      exhausted_ = true;
      leave_device();
      return false;
    }
    resident_.push_back(std::make_unique<Block>(launch_, worker_, *b));
    return true;
  }

  /// False: a device could hold no more blocks. A worker that asks in vain must not take the place of another
  /// even for a moment: that one might then stop too, and leave blocks that nobody runs.
  bool enter_device() {
    if (!limited_) return true;
    std::uint64_t held = shared_.resident;
    while (held < launch_.blocks_at_a_time)
      if (shared_.resident.compare_exchange_weak(held, held + 1)) return true;
    return false;
  }
  void leave_device() {
    if (limited_) --shared_.resident;
  }

  /// The warp instructions that a block may execute at once.
  [[nodiscard]] std::int64_t quantum() const {
    const std::int64_t usual = launch_.reversed ? (shared_.forward ? kReversedQuantum / 16 : kReversedQuantum)
                               : waits_         ? kWaitingQuantum
                                                : kQuantum;
    return allowed_ < static_cast<std::uint64_t>(usual) ? static_cast<std::int64_t>(allowed_ + 1) : usual;
  }

  Next run_block(std::unique_ptr<Block> block) {
    resume(worker_, block->index());
    const std::int64_t whole = quantum();
    std::int64_t left = whole;
    const Block::End end = block->run(left);
    const bool waited = end == Block::End::Preempted || end == Block::End::Repeats;
    const bool gave_way = waited || end == Block::End::Hesitates;
    if (waited) shared_.forward = true;
    waits_ = waits_ || waited;
    unflushed_.used += static_cast<std::uint64_t>(whole - left);
    if (end == Block::End::Done) {
      ++unflushed_.done;
      add(worker_.lengths, {block->length(), block->length(), block->index()});
    }
    if (!gave_way) leave_device();
    if (!gave_way) ++worker_.exec.changes;  // the end of a block counts as a memory change
    const bool cancelled = options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed);
    // A worker keeps its progress local while nobody needs it: if all workers wrote a shared word after each
    // block, they would contend for it.
    if (gave_way || cancelled || unflushed_.used >= std::min(kMaxUnflushed, allowed_ / kMinParts) ||
        used_ + unflushed_.used > allowed_)
      used_ = tell(shared_, worker_, unflushed_);
    if (end == Block::End::Faulted) {
      record_fault(shared_, block->index(), block->fault());
      return Next::Continue;
    }
    if (cancelled || used_ > allowed_) {
      if (gave_way || !exhausted_ || !resident_.empty()) {
        record_fault(shared_, block->index(),
                     out_of_time(*block, cancelled ? 0 : options_.max_warp_instructions, shared_.done,
                                 launch_.config.grid.count()));
      }
      return Next::GiveUp;
    }
    return wait_turn(std::move(block), end, gave_way);
  }

  /// Puts a block that gave way behind the others, and starts another block where that may help.
  Next wait_turn(std::unique_ptr<Block> block, Block::End end, bool gave_way) {
    const std::uint64_t changes = shared_.changes;
    const bool stands = end == Block::End::Repeats && block->repeats_since() == changes;
    if (gave_way) resident_.push_back(std::move(block));
    repeating_ = !stands ? 0 : repeating_ > 0 && standing_ == changes ? repeating_ + 1 : 1;
    standing_ = changes;
    const auto newest_first = [&] { std::rotate(resident_.begin(), resident_.end() - 1, resident_.end()); };
    if (repeating_ >= resident_.size() && stands) {
      if (open()) {  // the block that they wait for may not have started
        newest_first();
      } else if (all_stuck(shared_, number_, standing_, resident_)) {
        return Next::Stop;
      }
    } else if (gave_way && open(most_)) {
      newest_first();
      repeating_ = 0;  // one of them has not run yet
    }
    return Next::Continue;
  }

  const LaunchState& launch_;
  const LaunchOptions& options_;
  const std::size_t number_;
  Worker& worker_;
  Shared& shared_;
  const std::uint64_t allowed_;  ///< warp instructions of the launch
  const bool limited_;           ///< a device could not hold all blocks of the launch
  const std::size_t most_;       ///< resident blocks of this worker as long as one of them makes progress
  std::deque<std::unique_ptr<Block>> resident_;
  bool exhausted_ = false;
  bool waits_;                  ///< a block is known to wait for another
  std::size_t repeating_ = 0;   ///< consecutive blocks that repeated themselves since ...
  std::uint64_t standing_ = 0;  ///< ... this number of memory changes
  UnflushedStats unflushed_;
  std::uint64_t used_ = 0;  ///< reported by all workers at this worker's last report
};

/// The limit keeps a server with many cores from using more memory for a kernel than a notebook.
unsigned workers_that_fit(const LaunchState& launch) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  // local memory of all workers
  const std::uint64_t a_block = launch.config.block.count() * launch.local_bytes + 1;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(kMaxBytes / a_block, 1, UINT32_MAX));
}

/// Adds element by element; `sums` may still be empty.
void add(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& more) {
  sums.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
}

}  // namespace

LaunchEnd run_launch(const LaunchState& launch, const LaunchOptions& options) {
  const std::uint64_t blocks = launch.config.grid.count();
  // Barriers of the whole grid need all blocks in one worker, as does everything that depends on the order of
  // blocks.
  const bool ordered = launch.cooperative || launch.program->needs_block_order ||
                       (options.reversed && launch.program->looks_again) ||
                       std::any_of(options.observers.begin(), options.observers.end(),
                                   [](const Observer* o) { return o->ordered(); });
  unsigned threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  threads =
      ordered || options.only_block ? 1 : static_cast<unsigned>(std::min<std::uint64_t>(threads, blocks));
  threads = std::min(threads, workers_that_fit(launch));

  const LaunchInfo info{launch.program, launch.config, launch.global, {launch.params, launch.param_bytes}};
  const std::vector<Observer*>& observers = options.observers;
  DeviceLaunches launches(launch, options);
  KernelOutput output(launch.config.limits);
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned t = 0; t < threads; ++t) {
    auto& w = workers.emplace_back(std::make_unique<Worker>());
    w->exec.global = launch.global;
    w->exec.global_host = launch.global->host(0);
    w->exec.launches = &launches;
    w->exec.output = &output;
    w->exec.textures = launch.textures;
    w->native = launch.native;
    for (Observer* o : observers) w->observers.push_back(o->worker(info));
  }
  Shared shared(options.only_block.value_or(0), options.only_block ? *options.only_block + 1 : blocks);
  shared.standstills.resize(threads);
  LaunchState state = launch;
  state.reversed = options.reversed && !launch.cooperative && !options.only_block;
  state.changes = &shared.changes;
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 1; t < threads; ++t) {
      pool.emplace_back([&, t] { WorkerLoop(state, options, t, *workers[t], shared).run(); });
    }
    WorkerLoop(state, options, 0, *workers[0], shared).run();
  }

  for (auto& w : workers) {
    for (auto& [program, tally] : w->tallies) {
      for (std::uint32_t i = 0; i < tally->shapes.size(); ++i) {
        const auto tell = [&](auto& shapes) {
          for (auto& shape : shapes) report_repeats(w->exec, *program, i, shape);
        };
        report_repeats(w->exec, *program, i, tally->shapes[i]);
        if (tally->other_shapes[i]) tell(tally->other_shapes[i]->of);
        if (tally->partial_shapes[i]) tell(tally->partial_shapes[i]->of);
      }
    }
  }
  LaunchEnd end;
  end.fault = shared.fault;
  for (const auto& w : workers) add(end.lengths, w->lengths);
  for (std::size_t o = 0; o < observers.size(); ++o) {
    for (auto& w : workers) observers[o]->merge(*w->observers[o]);
  }
  for (const auto& program : *launch.programs) {
    if (!program) continue;
    Executions sums{program.get(), {}, {}, {}};
    for (auto& w : workers) {
      const auto it = w->tallies.find(program.get());
      if (it == w->tallies.end()) continue;
      const Tally& t = *it->second;
      add(sums.warps, t.executions());
      add(sums.idle_lanes, t.idle());
      add(sums.divided, t.divided);
    }
    if (!sums.warps.empty()) end.executions.push_back(std::move(sums));
  }
  end.printed = output.take_printed();
  end.notes = output.notes(launch.program->kernel);
  end.children = launches.take_work();
  end.refused_children = launches.take_refused();
  return end;
}

}  // namespace cudalabs::sim
