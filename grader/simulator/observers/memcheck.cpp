#include "grader/simulator/observers/memcheck.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace cudalabs::sim {
namespace {

class Memcheck : public CheckerObserver {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo&) override { return std::make_unique<Nothing>(); }
  void merge(WorkerObserver&) override {}
  [[nodiscard]] std::unique_ptr<WorkerObserver> lone_worker(const LaunchInfo&) const override {
    return nullptr;
  }

  void ended(std::span<const std::uint64_t> left) override {
    if (left.empty()) return;
    const std::uint64_t sum = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
    const auto bytes = [](std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); };
    Finding f;
    f.checker = Checker::Memcheck;
    f.kind = "leak";
    f.message = left.size() == 1
                    ? "an allocation of " + bytes(sum) + " was never freed"
                    : std::to_string(left.size()) + " allocations were never freed, " + bytes(sum) +
                          " in all; the largest has " + bytes(*std::max_element(left.begin(), left.end()));
    f.advice = "Call cudaFree for every pointer from cudaMalloc before the program ends.";
    f.count = left.size();
    found.add(std::move(f));
  }

 private:
  struct Nothing : WorkerObserver {
    [[nodiscard]] bool every_access() const override { return false; }
  };
};

}  // namespace

std::unique_ptr<CheckerObserver> make_memcheck() { return std::make_unique<Memcheck>(); }

}  // namespace cudalabs::sim
