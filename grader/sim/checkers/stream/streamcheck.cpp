// Detects unordered operations of a program on the same memory: no event, wait or synchronization orders
// them. They are on different streams or branches of a graph, or one of them is the host's. This checker
// observes the accesses of kernels, by bytes; the program reports its other operations and their order
// (base/stream_operation.h). Races within one launch are racecheck's task.

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/checkers/base/checker_worker.h"
#include "grader/sim/checkers/stream/stream_shadow.h"
#include "grader/sim/executable/lane_pattern.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The accesses of a launch: a bit for each byte and each of StreamAccess's bits.
class TouchedBytes {
 public:
  static constexpr u64 kPage = 4096;

  void add(u64 begin, u64 bytes, std::uint8_t how) {
    for (u64 end = begin + bytes; begin < end;) {
      const u64 number = begin / kPage;
      const u64 until = std::min(end, (number + 1) * kPage);
      page(number).set(begin % kPage, until - number * kPage, how);
      begin = until;
    }
  }
  void add(const TouchedBytes& more) {
    for (const auto& [number, page] : more.pages_) pages_[number].add(page);
  }
  void clear() {
    pages_.clear();
    recent_ = {};
  }
  [[nodiscard]] bool empty() const { return pages_.empty(); }
  /// Calls each(begin, end, how) for runs of bytes with the same accesses, by address.
  template <class Each>
  void runs(Each each) const {
    u64 begin = 0, end = 0;
    std::uint8_t how = 0;
    for (const auto& [number, page] : pages_) {
      u64 step = 1;
      for (u64 byte = 0; byte < kPage; byte += step) {
        step = byte % 64 == 0 && page.is_even(byte / 64) ? 64 : 1;
        const u64 at = number * kPage + byte;
        const std::uint8_t now = page.at(byte);
        if (at != end || now != how) {
          if (how != 0) each(begin, end, how);
          begin = at;
          how = now;
        }
        end = at + step;
      }
    }
    if (how != 0) each(begin, end, how);
  }

 private:
  struct Page {
    std::array<std::array<u64, kPage / 64>, 3> bits{};

    void set(u64 begin, u64 end, std::uint8_t how) {
      const auto sort = static_cast<std::size_t>(std::countr_zero(unsigned{how}));
      while (begin < end) {
        const u64 until = std::min(end, (begin / 64 + 1) * 64);
        const u64 ones = until - begin == 64 ? ~u64{0} : ((u64{1} << (until - begin)) - 1) << begin % 64;
        bits[sort][begin / 64] |= ones;
        begin = until;
      }
    }
    void add(const Page& more) {
      for (std::size_t sort = 0; sort < bits.size(); ++sort) {
        for (std::size_t i = 0; i < bits[sort].size(); ++i) bits[sort][i] |= more.bits[sort][i];
      }
    }
    /// Were all 64 bytes accessed alike?
    [[nodiscard]] bool is_even(u64 word) const {
      return std::ranges::all_of(bits, [word](const auto& of) { return of[word] == 0 || ~of[word] == 0; });
    }
    [[nodiscard]] std::uint8_t at(u64 byte) const {
      std::uint8_t how = 0;
      for (std::size_t sort = 0; sort < bits.size(); ++sort)
        how |= static_cast<std::uint8_t>((bits[sort][byte / 64] >> byte % 64 & 1) << sort);
      return how;
    }
  };
  Page& page(u64 number) {
    auto& [known, page] = recent_[number % recent_.size()];
    if (page == nullptr || known != number) {
      page = &pages_[number];
      known = number;
    }
    return *page;
  }

  std::map<u64, Page> pages_;
  std::array<std::pair<u64, Page*>, 256> recent_{};  ///< by low bits: a warp's rows lie in many pages
};

struct HeapBlock {
  u64 address = 0, bytes = 0;
};

class StreamWorker : public CheckerWorker {
 public:
  explicit StreamWorker(const LaunchInfo& launch) : CheckerWorker(launch) {}

  [[nodiscard]] bool only_global() const override { return true; }
  [[nodiscard]] bool takes_shared_loads() const override { return true; }
  void access(const WarpAccess& a) override {
    if (a.space != AccessSpace::Global && a.space != AccessSpace::Constant) return;
    const std::uint8_t how = a.kind == AccessKind::Load    ? kStreamRead
                             : a.kind == AccessKind::Store ? kStreamWrite
                                                           : kStreamAtomic;
    const u32 lanes = kept_lanes(a);
    if (lanes == ~0u && evenly_spaced(a, a.addresses)) {
      const u64 distance = a.addresses[1] - a.addresses[0];
      if (distance == 0 || distance == a.width)
        return touched.add(a.addresses[0], u64{a.width} * (distance == 0 ? 1 : kLanes), how);
    }
    for (u32 left = lanes; left != 0; left &= left - 1)
      touched.add(a.addresses[std::countr_zero(left)], a.width, how);
  }
  void heap_allocated(u64 address, u64 bytes) override { heap.push_back({address, bytes}); }

  TouchedBytes touched;
  std::vector<HeapBlock> heap;
};

/// Observes nothing: the program has not reported this launch.
struct Unknowing : WorkerObserver {
  [[nodiscard]] bool every_access() const override { return false; }
  [[nodiscard]] bool watches() const override { return false; }
};

Message name_of(const StreamStep& step) {
  switch (step.told.work) {
    case StreamWork::Host: return msg::operation_host();
    case StreamWork::HostFunction: return msg::operation_host_function();
    case StreamWork::Kernel:
      return step.kernel.empty() ? msg::operation_unnamed_kernel() : msg::operation_kernel(step.kernel);
    default: break;
  }
  if (!step.told.call.empty()) return msg::operation_call(step.told.call);
  switch (step.told.work) {  // a node of a graph
    case StreamWork::Copy: return msg::operation_copy();
    case StreamWork::Set: return msg::operation_memset();
    case StreamWork::Allocate: return msg::operation_allocation();
    default: return msg::operation_free();
  }
}

Message doer(const StreamStep& step) {
  const StreamOperation& told = step.told;
  if (told.work == StreamWork::Host) return name_of(step);
  const char* const kind = told.stream != 0 ? "numbered" : told.by_default ? "default" : "thread";
  return msg::operation_on_stream(name_of(step), told.graph != 0, kind, told.stream);
}

/// As the messages name what it does to the memory.
const char* verb(const StreamStep& step, bool writes) {
  switch (step.told.work) {
    case StreamWork::Allocate: return "allocates";
    case StreamWork::Free: return "frees";
    default: return writes ? "writes" : "reads";
  }
}

FindingSide side(const StreamStep& step, bool writes) {
  FindingSide s;
  s.what = msg::operation_touches(doer(step), verb(step, writes));
  s.by_host = true;
  s.launched = step.told.launched;
  return s;
}

bool is_host(const StreamStep& step) { return step.told.work == StreamWork::Host; }

Message advice_for(const StreamStep& now, const StreamStep& earlier, bool host_writes) {
  const StreamOperation &a = now.told, &b = earlier.told;
  if (is_host(now) || is_host(earlier)) return msg::advice_let_host_wait(host_writes ? "writes" : "reads");
  if (a.graph != 0 && a.graph == b.graph) return msg::advice_add_graph_dependency();
  if (b.staged) return msg::advice_staged_copy(b.call);
  if (a.work == StreamWork::Free || b.work == StreamWork::Free) return msg::advice_free_after_use();
  if (b.work == StreamWork::Allocate) return msg::advice_wait_for_allocation();
  const bool ignores_default = (a.by_default && b.nonblocking) || (b.by_default && a.nonblocking);
  return ignores_default ? msg::advice_nonblocking_stream() : msg::advice_record_event();
}

class Streamcheck : public CheckerObserver {
 public:
  [[nodiscard]] bool ordered() const override { return false; }
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    global_ = launch.global;
    if (!shadow_.current() || shadow_.current()->told.work != StreamWork::Kernel)
      return std::make_unique<Unknowing>();
    if (shadow_.current()->kernel.empty()) shadow_.current()->kernel = launch.program->kernel;
    return std::make_unique<StreamWorker>(launch);
  }
  void merge(WorkerObserver& worker) override {
    const auto* seen = dynamic_cast<const StreamWorker*>(&worker);
    if (seen == nullptr) return;
    touched_.add(seen->touched);
    // The device's allocator reuses memory of kernels' malloc in any order.
    for (const HeapBlock& block : seen->heap) {
      u64& bytes = heap_[block.address];
      bytes = std::max(bytes, block.bytes);
    }
  }
  [[nodiscard]] std::unique_ptr<WorkerObserver> single_block_worker(const LaunchInfo&) const override {
    return nullptr;
  }

  void begin_call() override {
    touched_.clear();
    shadow_ = {};  // another program numbers its operations anew
  }
  void allocated(DevicePtr pointer, u64 bytes) override {
    settle();
    heap_.clear_from(pointer, bytes);
    allocations_[pointer] = bytes;
    shadow_.forget(pointer, pointer + bytes);
  }
  void freed(DevicePtr pointer) override {
    settle();
    const auto found = allocations_.find(pointer);
    if (found == allocations_.end()) return;
    shadow_.forget(pointer, pointer + found->second);
    allocations_.erase(found);
  }
  StreamUse operation(const StreamOperation& operation) override {
    settle();
    shadow_.begin(operation);
    for (const StreamTouch& touch : operation.touches) {
      for (u64 row = 0; row < touch.rows; ++row) {
        const u64 begin = touch.address + row * touch.pitch;
        shadow_.touch(begin, begin + touch.width, touch.writes ? kStreamWrite : kStreamRead);
      }
    }
    tell();
    return operation.asked_bytes == 0 ? StreamUse::Nobody
                                      : shadow_.use(operation.asked, operation.asked + operation.asked_bytes);
  }
  void settle() override {
    if (touched_.empty()) return;
    touched_.runs([this](u64 begin, u64 end, std::uint8_t how) {
      if (!heap_.holds(begin)) shadow_.touch(begin, end, how);
    });
    touched_.clear();
    tell();
  }

 private:
  /// Blocks that kernels have allocated by malloc.
  class Heap {
   public:
    u64& operator[](u64 address) { return blocks_[address]; }
    [[nodiscard]] bool holds(u64 address) const {
      const auto after = blocks_.upper_bound(address);
      return after != blocks_.begin() && address - std::prev(after)->first < std::prev(after)->second;
    }
    void clear_from(u64 address, u64 bytes) {
      blocks_.erase(blocks_.lower_bound(address), blocks_.lower_bound(address + bytes));
    }

   private:
    std::map<u64, u64> blocks_;  ///< address -> bytes
  };

  void tell() {
    if (!shadow_.current()) return;
    for (const StreamRace& race : shadow_.take_races()) found.add(finding(race, *shadow_.current()));
  }

  /// Returns "bytes 0 to 4095 of the 4096-byte allocation".
  [[nodiscard]] Message memory(u64 begin, u64 end) const {
    u64 base = begin;
    Message what;
    const auto after = allocations_.upper_bound(begin);
    if (after != allocations_.begin() && begin - std::prev(after)->first < std::prev(after)->second) {
      base = std::prev(after)->first;
      what = msg::memory_allocation(std::prev(after)->second);
    } else if (global_ != nullptr && global_->is_device(begin)) {
      base = global_->find(begin).begin;
      const std::string label = global_->label(begin);
      what = label.empty() ? msg::memory_of_device() : msg::memory_variable(label);
    } else {
      return msg::memory_pinned(end - begin);
    }
    return end - begin == 1 ? msg::memory_byte(begin - base, what)
                            : msg::memory_bytes(begin - base, end - 1 - base, what);
  }

  [[nodiscard]] Finding finding(const StreamRace& race, const StreamStep& now) const {
    const StreamStep& earlier = *race.earlier;
    const bool host = is_host(now) || is_host(earlier);
    Finding f;
    f.checker = Checker::Streamcheck;
    // On most devices the data has arrived by then.
    if (earlier.told.staged && !host) f.severity = Severity::Warning;
    f.kind = host ? "race with the host" : "race between operations";
    const Message place = memory(race.begin, race.end);
    const char *does = verb(now, race.writes), *did = verb(earlier, race.earlier_writes);
    f.message = host ? msg::race_with_host(place, doer(now), does, doer(earlier), did)
                     : msg::race_between_operations(place, doer(now), does, doer(earlier), did);
    f.advice = advice_for(now, earlier, is_host(now) ? race.writes : race.earlier_writes);
    f.here = side(now, race.writes);
    f.other = side(earlier, race.earlier_writes);
    f.frames = now.told.frames;
    f.other_frames = earlier.told.frames;
    return f;
  }

  StreamShadow shadow_;
  TouchedBytes touched_;  ///< by the last kernel, not in `shadow_` yet
  Heap heap_;
  std::map<u64, u64> allocations_;
  const GlobalMemory* global_ = nullptr;
};

}  // namespace

std::unique_ptr<CheckerObserver> make_streamcheck() { return std::make_unique<Streamcheck>(); }

}  // namespace cudalabs::sim
