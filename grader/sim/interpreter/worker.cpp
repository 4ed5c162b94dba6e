#include "grader/sim/interpreter/worker.h"

#include <algorithm>

namespace cudalabs::sim {

Tally& Worker::find_tally(const Program& program) {
  auto& t = tallies[&program];
  if (!t) {
    t = std::make_unique<Tally>();
    t->executed.resize(program.code.size());
    t->runs.resize(program.code.size() + 1);
    t->idle_lanes.resize(program.code.size());
    t->idle_runs.resize(program.code.size() + 1);
    t->divided.resize(program.code.size());
    t->ranges.resize(program.code.size());
    t->shapes.resize(program.code.size());
    t->other_shapes.resize(program.code.size());
    t->partial_shapes.resize(program.code.size());
    if (native != nullptr) t->native = native->of(program);
    if (t->native != nullptr) {
      t->heat.resize(program.code.size());
      t->heat_by_some.resize(program.code.size());
    }
  }
  return *t;
}

void Worker::ask_observers() {
  const bool unseen = exec.every_access.empty(), shared_unseen = exec.every_shared.empty();
  exec.observers.clear();
  exec.every_access.clear();
  exec.every_shared.clear();
  exec.shapes_only.clear();
  exec.every_step.clear();
  for (auto& observer : observers) {
    if (!observer->watches()) continue;
    exec.observers.push_back(observer.get());
    (observer->every_access() ? exec.every_access : exec.shapes_only).push_back(observer.get());
    if (observer->every_step()) exec.every_step.push_back(observer.get());
    if (observer->every_access() && !observer->only_global()) exec.every_shared.push_back(observer.get());
  }
  const bool unflushed_before = !exec.unflushed_loads.empty();
  exec.unflushed_loads = {};
  if (exec.every_access.size() == 1) exec.unflushed_loads = exec.every_access.front()->unflushed_loads();
  const bool kept = exec.unflushed.kept;
  exec.unflushed.kept = !exec.every_shared.empty() && exec.every_step.empty() &&
                        std::all_of(exec.every_shared.begin(), exec.every_shared.end(),
                                    [](const WorkerObserver* o) { return o->takes_shared_loads(); });
  // Windows are only valid for accesses that nobody observes individually, or that may be reported later.
  const bool reported_again =
      (kept && !exec.unflushed.kept && !exec.every_shared.empty()) ||
      (unflushed_before && exec.unflushed_loads.empty() && !exec.every_access.empty());
  if ((unseen && !exec.every_access.empty()) || (shared_unseen && !exec.every_shared.empty()) ||
      reported_again) {
    for (auto& [program, tally] : tallies) tally->forget_windows();
  }
}

bool Worker::outworn() const {
  return std::any_of(exec.every_access.begin(), exec.every_access.end(),
                     [](const WorkerObserver* o) { return !o->watches(); });
}

std::uint64_t Worker::changes() const {
  std::uint64_t sum = exec.changes;
  for (const auto& [program, tally] : tallies) {
    const std::vector<std::uint64_t> executed = tally->executions();
    for (const std::uint32_t store : program->stores) sum += executed[store];
  }
  return sum;
}

}  // namespace cudalabs::sim
