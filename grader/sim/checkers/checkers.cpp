#include "grader/sim/checkers/checkers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/checkers/sampled_checkers.h"

namespace cudalabs::sim {
namespace {

using Maker = std::unique_ptr<CheckerObserver> (*)();
constexpr std::array<Maker, kCheckers.size()> kMakers{
#define CUDALABS_CHECKER(checker, name, ...) make_##name,
#include "grader/sim/checkers/base/checkers.def"
#undef CUDALABS_CHECKER
};

}  // namespace

Result<CheckerSet> parse_checkers(std::string_view names) {
  CheckerSet set = 0;
  while (true) {
    const std::size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    CheckerSet known = 0;
    std::string list = "all";
    for (const CheckerInfo& c : kCheckers) {
      if (name == c.name || name == "all") known |= checker_bit(c.checker);
      list += ", " + std::string(c.name);
    }
    if (known == 0) return error(msg::no_such_checker(name), msg::advice_checkers(list));
    set |= known;
    if (comma == std::string_view::npos) return set;
    names.remove_prefix(comma + 1);
  }
}

Checkers::Checkers(CheckerSet set) {
  for (const CheckerInfo& c : kCheckers) {
    if ((set & checker_bit(c.checker)) == 0) continue;
    checkers_.push_back(kMakers[static_cast<std::size_t>(c.checker)]());
    if (c.checker == Checker::Racecheck) racecheck_ = checkers_.back().get();
  }
}

std::vector<Observer*> Checkers::observers() const {
  std::vector<Observer*> out;
  for (const auto& c : checkers_) out.push_back(c.get());
  return out;
}

std::unique_ptr<LaunchObserver> Checkers::sampling_observer(std::span<const DeviceRange> inputs,
                                                            bool between_blocks, std::uint64_t launch) const {
  std::vector<CheckerObserver*> checkers;
  for (const auto& c : checkers_) checkers.push_back(c.get());
  return make_sampling_observer(std::move(checkers), between_blocks ? racecheck_ : nullptr, inputs, launch);
}

void Checkers::allocated(DevicePtr pointer, std::uint64_t bytes) {
  for (auto& c : checkers_) c->allocated(pointer, bytes);
}
void Checkers::begin_call() {
  for (auto& checker : checkers_) checker->begin_call();
}
void Checkers::expected(const DeviceRange& output) {
  for (auto& checker : checkers_) checker->expected(output);
}
void Checkers::freed(DevicePtr pointer) {
  for (auto& c : checkers_) c->freed(pointer);
}
void Checkers::written(DevicePtr pointer, std::uint64_t bytes) {
  for (auto& c : checkers_) c->written(pointer, bytes);
}
void Checkers::launched_unwatched() {
  for (auto& c : checkers_) c->launched_unwatched();
}
void Checkers::copied(DevicePtr to, DevicePtr from, std::uint64_t bytes) {
  for (auto& c : checkers_) c->copied(to, from, bytes);
}
void Checkers::read_by_host(const DeviceRange& bytes, std::span<const std::uint64_t> frames) {
  for (auto& c : checkers_) c->read_by_host(bytes, frames);
}
StreamUse Checkers::operation(const StreamOperation& operation) {
  StreamUse use = StreamUse::Nobody;
  for (auto& c : checkers_) use = std::max(use, c->operation(operation));
  return use;
}
void Checkers::ended(std::span<const Leak> left) {
  for (auto& c : checkers_) c->ended(left);
}

std::vector<Finding> Checkers::take() {
  std::vector<Finding> out;
  for (auto& c : checkers_) {
    c->settle();
    for (Finding& f : c->found.take()) out.push_back(std::move(f));
  }
  // An uninitialized read may follow from a race: the writer has not run yet because nobody waits for it.
  std::vector<Finding> races;
  std::ranges::copy_if(out, std::back_inserter(races), [](const Finding& f) {
    return f.checker == Checker::Racecheck && f.severity == Severity::Error;
  });
  std::erase_if(out, [&](const Finding& f) {
    const auto here = [&](const FindingSide& s) {
      return s.line == f.here.line && s.line != 0 && s.file == f.here.file;
    };
    return f.message.contains(msg::unwritten_shared_read) &&
           std::ranges::any_of(races, [&](const Finding& race) {
             return race.kernel == f.kernel &&
                    (here(race.here) || here(race.other) || std::ranges::any_of(race.more, here));
           });
  });
  std::ranges::stable_sort(out, {}, &Finding::severity);
  return out;
}

}  // namespace cudalabs::sim
