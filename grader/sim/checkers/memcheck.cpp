// Host memory errors: allocations that are never freed. Accesses out of bounds are faults of the launch
// itself and need no checker.

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/checkers/base/checker_worker.h"

namespace cudalabs::sim {
namespace {

/// `row`: msg::leak or msg::leak_in_kernel.
Finding leak(const std::vector<std::uint64_t>& sizes, const decltype(msg::leak)& row) {
  Finding f;
  f.checker = Checker::Memcheck;
  f.message = row(sizes.size(), std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}),
                  *std::ranges::max_element(sizes));
  f.count = sizes.size();
  return f;
}

/// A block that a kernel has allocated by malloc.
struct HeapBlock {
  std::uint64_t bytes = 0;
  FindingSide side;
  std::string kernel;
};
using Heap = std::map<std::uint64_t, HeapBlock>;  ///< by address

/// Observes a kernel that may call malloc.
class HeapWorker : public CheckerWorker {
 public:
  HeapWorker(const LaunchInfo& launch, Heap& heap) : CheckerWorker(launch), heap_(heap) {}

  [[nodiscard]] bool takes_shared_loads() const override { return true; }
  [[nodiscard]] bool every_step() const override { return true; }
  void resume_block(std::uint64_t block) override { block_ = block; }
  void step(const WarpStep& step) override {
    site_ = site(step.program, step.instruction);
    thread_ = step.warp * kLanes + static_cast<std::uint32_t>(std::countr_zero(step.mask | 1u << 31));
  }
  void heap_allocated(std::uint64_t address, std::uint64_t bytes) override {
    heap_[address] = {bytes, side(site_, msg::did_allocate(), block_, thread_), launch_.program->kernel};
  }
  void heap_freed(std::uint64_t address) override { heap_.erase(address); }

 private:
  Heap& heap_;
  std::uint64_t block_ = 0;
  std::uint32_t site_ = 0, thread_ = 0;  ///< the current instruction, and its lowest thread
};

class Memcheck : public CheckerObserver {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    if (launch.program->needs_block_order) return std::make_unique<HeapWorker>(launch, heap_);
    return std::make_unique<Nothing>();
  }
  void merge(WorkerObserver&) override {}
  [[nodiscard]] std::unique_ptr<WorkerObserver> single_block_worker(const LaunchInfo&) const override {
    return nullptr;
  }

  void ended(std::span<const Leak> left) override {
    // One finding for the allocations of each call, or for all if their calls are unknown.
    std::map<std::vector<std::uint64_t>, std::vector<std::uint64_t>> by_call;
    for (const Leak& one : left) by_call[one.frames].push_back(one.bytes);
    for (const auto& [frames, sizes] : by_call) {
      Finding f = leak(sizes, msg::leak);
      f.kind = "leak";
      f.advice = msg::advice_cuda_free();
      f.frames = frames;
      found.add(std::move(f));
    }
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::vector<const HeapBlock*>> by_line;
    for (const auto& [address, block] : heap_)
      by_line[{block.kernel, block.side.file, block.side.line}].push_back(&block);
    for (const auto& [line, blocks] : by_line) {
      std::vector<std::uint64_t> sizes;
      for (const HeapBlock* block : blocks) sizes.push_back(block->bytes);
      Finding f = leak(sizes, msg::leak_in_kernel);
      f.kind = "leak of a kernel";
      f.advice = msg::advice_free_in_kernel();
      f.kernel = blocks.front()->kernel;
      f.here = blocks.front()->side;
      found.add(std::move(f));
    }
    heap_.clear();
  }

 private:
  struct Nothing : WorkerObserver {
    [[nodiscard]] bool every_access() const override { return false; }
  };
  Heap heap_;
};

}  // namespace

std::unique_ptr<CheckerObserver> make_memcheck() { return std::make_unique<Memcheck>(); }

}  // namespace cudalabs::sim
