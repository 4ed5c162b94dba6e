#include "grader/simulator/run/launch.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "grader/simulator/ops/memory_access.h"
#include "grader/simulator/run/device_launches.h"

namespace cudalabs::sim {
namespace {

constexpr std::int64_t kQuantum = 1 << 22;          // then a block that waits for another gives way
constexpr std::int64_t kWaitingQuantum = 1 << 16;   // where they surely do, or one has given way before
constexpr std::int64_t kReversedQuantum = 1 << 16;  // then it seems to wait for blocks before it
/// Warp instructions that a worker did and kept to itself; of a small limit a small part.
constexpr std::uint64_t kMostUntold = 1 << 16, kLeastParts = 1 << 10;
/// Of one worker at a time, as long as one of its blocks gets on: about as many as a large card holds, which
/// is how many share work that they draw from a counter.
constexpr std::uint64_t kResidentThreads = 1 << 18;
constexpr std::uint64_t kResidentBytes = 128ull << 20;  // of shared and local memory and registers

std::size_t most_resident(const LaunchState& launch) {
  const auto threads = static_cast<std::uint64_t>(launch.config.block.count());
  const std::uint64_t warps = (threads + kLanes - 1) / kLanes;
  const std::uint64_t bytes = launch.shared_bytes + warps * (launch.program->frame_bytes +
                                                             kLanes * std::uint64_t{launch.local_bytes});
  return static_cast<std::size_t>(std::max<std::uint64_t>(
      1,
      std::min(kResidentThreads / std::max<std::uint64_t>(warps * kLanes, 1), kResidentBytes / (bytes + 1))));
}

/// The blocks that nobody has begun yet. Who has one of so many takes it from the end that he wants: workers
/// that take from both ends at once neither skip a block nor begin one twice.
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

/// What the workers share while a launch runs.
struct Shared {
  Shared(std::uint64_t first, std::uint64_t end) : waiting(first, end) {}

  // This line goes from worker to worker once a block, what workers have told now and then, the rest seldom.
  Waiting waiting;
  alignas(64) std::atomic<std::uint64_t> done{0};                         // blocks
  std::atomic<std::uint64_t> used{0};                                     // warp instructions
  std::atomic<std::uint64_t> changes{0};                                  // of memory
  alignas(64) std::atomic<std::uint64_t> first_fault{~std::uint64_t{0}};  // block index
  std::atomic<bool> forward{false};  // they are no longer reversed, because one waits
  std::mutex mutex;
  Fault fault;  // of first_fault
  /// By worker: what its blocks wait for, all of them.
  struct Standstill {
    bool finished = false, stuck = false;
    std::uint64_t changes = 0;  // launch-wide, when it came to a stand
    std::uint64_t blocks = 0, first = 0;
  };
  std::vector<Standstill> standstills;
  std::map<std::uint64_t, std::string> printed;  // by block: the first that together are as long as is kept
  std::size_t printed_bytes = 0;
};

constexpr std::size_t kMostPrinted = std::size_t{8} << 20;

/// What lies behind the first 8 MiB is not kept, whichever block comes first.
void keep_printed(Shared& shared, std::uint64_t block, const std::string& text) {
  const std::lock_guard lock(shared.mutex);
  shared.printed_bytes += text.size();
  shared.printed.emplace(block, text);
  while (shared.printed_bytes - shared.printed.rbegin()->second.size() >= kMostPrinted) {
    shared.printed_bytes -= shared.printed.rbegin()->second.size();
    shared.printed.erase(std::prev(shared.printed.end()));
  }
}

/// Of equals the first block is the longest one, in whatever order they come.
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

/// Of a kernel that did not finish; `limit`: warp instructions that it had, 0 if its time was
/// over. What has finished blocks is slow, what has finished none may never end: that it repeats
/// itself would have been told.
Fault out_of_time(const Block& block, std::uint64_t limit, std::uint64_t done, std::uint64_t blocks) {
  const std::string within = limit == 0
                                 ? "in the time it has"
                                 : "within " + std::to_string(limit / 1000000) + " million warp instructions";
  if (done > 0 && done < blocks) {
    return block.whereabouts(
        FaultKind::InstructionLimit,
        "the kernel is too slow: " + std::to_string(done) + " of its " + std::to_string(blocks) +
            " blocks had finished, and it was to finish " + within,
        "It does far more work than this size needs: look for a loop in which every thread "
        "does what others do too, for more blocks than the size needs, and for work that "
        "few threads do alone.");
  }
  return block.whereabouts(
      FaultKind::InstructionLimit, "the kernel did not finish " + within,
      "The loop around this line never ends, or runs far too long: check its condition and its "
      "step, and share the work among more threads.");
}

/// What a worker has done since it told the others.
struct Untold {
  std::uint64_t done = 0, used = 0;
};

/// And what it has changed in memory. What all have used, as far as is known.
std::uint64_t tell(Shared& shared, Worker& worker, Untold& untold) {
  const std::uint64_t changes = worker.changes();
  shared.changes += changes - worker.changes_told;
  worker.changes_told = changes;
  shared.done += untold.done;
  const std::uint64_t used = shared.used += untold.used;
  untold = {};
  return used;
}

/// Worker `number` has nothing but `resident` blocks that repeat themselves since `changes`. True if the same
/// holds for all workers, and nothing has changed since: then the block that is first of all takes the blame.
bool all_stuck(Shared& shared, std::size_t number, std::uint64_t changes,
               const std::deque<std::unique_ptr<Block>>& resident) {
  const std::lock_guard lock(shared.mutex);
  if (shared.changes != changes) return false;  // by one who has finished since
  Shared::Standstill& mine = shared.standstills[number];
  mine.stuck = true;
  mine.changes = changes;
  mine.blocks = resident.size();
  const auto before = [](const auto& a, const auto& b) { return a->index() < b->index(); };
  const Block& first = **std::min_element(resident.begin(), resident.end(), before);
  mine.first = first.index();
  std::uint64_t blocks = 0, lowest = mine.first;
  for (const Shared::Standstill& s : shared.standstills) {
    if (s.finished) continue;
    if (!s.stuck || s.changes != mine.changes) return false;
    blocks += s.blocks;
    lowest = std::min(lowest, s.first);
  }
  if (lowest != mine.first) return false;  // its worker will come here too
  if (lowest < shared.first_fault) {
    shared.first_fault = lowest;
    shared.fault = first.endless(blocks - 1, shared.waiting.left());
  }
  return true;
}

/// Tells the observers whose turn it is, and asks which of them must now see each access.
void resume(Worker& worker, std::uint64_t block) {
  for (auto& observer : worker.observers) observer->resume_block(block);
  worker.ask_observers();
}

/// One worker: takes blocks in order and runs each to its end. A block that
/// uses up its quantum may be waiting for a later one, so the worker then opens
/// another and lets them take turns, as the blocks resident on a card do.
void work(const LaunchState& launch, const LaunchOptions& options, std::size_t number, Worker& worker,
          Shared& shared) {
  const std::uint64_t blocks = launch.config.grid.count();
  const std::uint64_t allowed =
      options.max_warp_instructions == 0 ? ~std::uint64_t{0} : options.max_warp_instructions;
  std::deque<std::unique_ptr<Block>> resident;
  bool exhausted = false;
  const auto open = [&](std::size_t limit) {
    if (exhausted || resident.size() >= limit) return false;
    const std::optional<std::uint64_t> b = shared.waiting.take(launch.reversed && !shared.forward);
    // Blocks before the first fault are still run, so that
    // the fault reported is always that of the lowest block.
    if (!b || (*b > shared.first_fault && !launch.reversed)) {
      exhausted = true;
      return false;
    }
    resident.push_back(std::make_unique<Block>(launch, worker, *b));
    return true;
  };
  // In reverse, those may have begun that a card would have begun last.
  const std::size_t card = launch.reversed || launch.cooperative ? ~std::size_t{0} : launch.blocks_at_a_time;
  const std::size_t most = std::min(most_resident(launch), card);
  if (launch.cooperative) {
    while (open(blocks)) {
    }
  }
  bool waits = launch.cooperative;  // a block for another, as far as is known
  std::size_t repeating = 0;        // blocks one after the other that did, over the same state of memory ...
  std::uint64_t standing = 0;       // ... which is this
  Untold untold;
  std::uint64_t used = 0;  // by all, when this one told them last
  while (!resident.empty() || open(most)) {
    std::unique_ptr<Block> block = std::move(resident.front());
    resident.pop_front();
    if (block->index() > shared.first_fault) continue;
    resume(worker, block->index());
    const std::int64_t usual = launch.reversed ? (shared.forward ? kReversedQuantum / 16 : kReversedQuantum)
                               : waits         ? kWaitingQuantum
                                               : kQuantum;
    const std::int64_t whole =
        allowed < static_cast<std::uint64_t>(usual) ? static_cast<std::int64_t>(allowed + 1) : usual;
    std::int64_t quantum = whole;
    const Block::End end = block->run(quantum);
    const bool waited = end == Block::End::Preempted || end == Block::End::Repeats;
    const bool gave_way = waited || end == Block::End::Hesitates;
    if (waited) shared.forward = true;
    waits = waits || waited;
    untold.used += static_cast<std::uint64_t>(whole - quantum);
    if (end == Block::End::Done) {
      ++untold.done;
      add(worker.lengths, {block->length(), block->length(), block->index()});
    }
    if (!gave_way) ++worker.exec.changes;  // that it ended counts as a change of memory
    const bool cancelled = options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed);
    // What one worker does is its own as long as nothing hangs on it: a word that all write once a block is
    // what many workers would wait for.
    if (gave_way || cancelled || untold.used >= std::min(kMostUntold, allowed / kLeastParts) ||
        used + untold.used > allowed)
      used = tell(shared, worker, untold);
    if (!block->printed().empty() && !gave_way) keep_printed(shared, block->index(), block->printed());
    if (end == Block::End::Faulted) {
      record_fault(shared, block->index(), block->fault());
      continue;
    }
    if (cancelled || used > allowed) {
      if (gave_way || !exhausted || !resident.empty()) {
        record_fault(shared, block->index(),
                     out_of_time(*block, cancelled ? 0 : options.max_warp_instructions, shared.done, blocks));
      }
      return;
    }
    const std::uint64_t changes = shared.changes;
    const bool stands = end == Block::End::Repeats && block->repeats_since() == changes;
    if (gave_way) resident.push_back(std::move(block));
    repeating = !stands ? 0 : repeating > 0 && standing == changes ? repeating + 1 : 1;
    standing = changes;
    const auto newest_first = [&] { std::rotate(resident.begin(), resident.end() - 1, resident.end()); };
    if (repeating >= resident.size() && stands) {
      if (open(card)) {  // whom they wait for may be yet to come
        newest_first();
      } else if ((exhausted || resident.size() >= card) && all_stuck(shared, number, standing, resident)) {
        break;
      }
    } else if (gave_way && open(most)) {
      newest_first();
      repeating = 0;  // one of them has not had its turn
    }
  }
  tell(shared, worker, untold);
  const std::lock_guard lock(shared.mutex);
  shared.standstills[number].finished = true;
}

/// A server of many cores must not need more memory for a kernel than a notebook does.
unsigned workers_that_fit(const LaunchState& launch) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of local memory, of all workers
  const std::uint64_t a_block = launch.config.block.count() * launch.local_bytes + 1;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(kMostBytes / a_block, 1, UINT32_MAX));
}

/// Element by element; `sums` may be empty yet.
void add(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& more) {
  sums.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
}

}  // namespace

LaunchEnd run_launch(const LaunchState& launch, const LaunchOptions& options) {
  const std::uint64_t blocks = launch.config.grid.count();
  // Barriers of the whole grid need all blocks in one place;
  // so does everything that depends on the order of blocks.
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
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned t = 0; t < threads; ++t) {
    auto& w = workers.emplace_back(std::make_unique<Worker>());
    w->exec.global = launch.global;
    w->exec.global_host = launch.global->host(0);
    w->exec.launches = &launches;
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
      pool.emplace_back([&, t] { work(state, options, t, *workers[t], shared); });
    }
    work(state, options, 0, *workers[0], shared);
  }

  for (auto& w : workers) {
    for (auto& [program, tally] : w->tallies) {
      for (std::uint32_t i = 0; i < tally->shapes.size(); ++i) {
        const auto tell = [&](auto& shapes) {
          for (auto& shape : shapes) tell_repeats(w->exec, *program, i, shape);
        };
        tell_repeats(w->exec, *program, i, tally->shapes[i]);
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
  for (const auto& [block, printed] : shared.printed) end.printed += printed;
  end.children = launches.take_work();
  end.refused_children = launches.take_refused();
  return end;
}

}  // namespace cudalabs::sim
