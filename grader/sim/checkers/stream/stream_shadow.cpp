#include "grader/sim/checkers/stream/stream_shadow.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cudalabs::sim {
namespace {

constexpr std::size_t kMaxTaken = 1024;

bool covers(const std::vector<std::uint32_t>& clock, std::uint32_t lane, std::uint32_t number) {
  return lane < clock.size() && clock[lane] >= number;
}

/// Merges `more` into `clock`. True if the clock has grown.
bool join(std::vector<std::uint32_t>& clock, const std::vector<std::uint32_t>& more) {
  if (clock.size() < more.size()) clock.resize(more.size());
  bool grown = false;
  for (std::size_t lane = 0; lane < more.size(); ++lane) {
    if (clock[lane] >= more[lane]) continue;
    clock[lane] = more[lane];
    grown = true;
  }
  return grown;
}

}  // namespace

void StreamShadow::begin(StreamOperation operation) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const TakenAsOrdered& one : taken_)
      grown |= covers(operation.clock, one.lane, one.number) && join(operation.clock, one.clock);
  }
  known_.clear();
  current_ = std::make_shared<StreamStep>(StreamStep{std::move(operation), {}});
}

bool StreamShadow::ordered(const StreamStep& earlier) const {
  return &earlier == current_.get() || covers(current_->told.clock, earlier.told.lane, earlier.told.number);
}

void StreamShadow::split(std::uint64_t at) {
  const auto after = runs_.upper_bound(at);
  HistoryPtr there = after == runs_.begin() ? nullptr : std::prev(after)->second;
  runs_.try_emplace(at, std::move(there));
}

void StreamShadow::add_race(const StreamStepPtr& earlier, bool earlier_writes, bool writes,
                            std::uint64_t begin, std::uint64_t end) {
  // All host operations between two calls have one number.
  const auto known = std::ranges::find_if(races_, [&](const StreamRace& r) {
    return r.earlier->told.lane == earlier->told.lane && r.earlier->told.number == earlier->told.number;
  });
  if (known == races_.end()) {
    races_.push_back({earlier, earlier_writes, writes, begin, end});
    return;
  }
  known->earlier_writes |= earlier_writes;
  known->writes |= writes;
  known->begin = std::min(known->begin, begin);
  known->end = std::max(known->end, end);
}

StreamShadow::HistoryPtr StreamShadow::next(const HistoryPtr& history, std::uint8_t how, std::uint64_t begin,
                                            std::uint64_t end) {
  static const History kNone;
  const History& old = history ? *history : kNone;
  const bool writes = (how & kStreamWrite) != 0, changes = (how & ~kStreamRead) != 0;
  if (old.write && !ordered(*old.write)) add_race(old.write, true, changes, begin, end);
  for (const StreamStepPtr& step : old.reads) {
    if (changes && !ordered(*step)) add_race(step, false, true, begin, end);
  }
  for (const StreamStepPtr& step : old.atomics) {
    if (how != kStreamAtomic && !ordered(*step)) add_race(step, true, writes, begin, end);
  }
  // The same run of histories occurs repeatedly.
  auto& [kept, result] = known_[{history.get(), how}];
  if (result) return result;
  kept = history;  // keeps its address in use
  auto made = std::make_shared<History>();
  if (writes) {
    made->write = current_;
  } else {
    made->write = old.write;
    const auto still = [this](const std::vector<StreamStepPtr>& steps) {
      std::vector<StreamStepPtr> left;
      // An operation ordered behind this one is ordered behind these, too.
      std::ranges::copy_if(steps, std::back_inserter(left),
                           [this](const StreamStepPtr& step) { return !ordered(*step); });
      return left;
    };
    made->reads = (how & kStreamRead) != 0 ? still(old.reads) : old.reads;
    made->atomics = (how & kStreamAtomic) != 0 ? still(old.atomics) : old.atomics;
    if ((how & kStreamRead) != 0) made->reads.push_back(current_);
    if ((how & kStreamAtomic) != 0) made->atomics.push_back(current_);
  }
  result = std::move(made);
  return result;
}

void StreamShadow::touch(std::uint64_t begin, std::uint64_t end, std::uint8_t how) {
  if (!current_ || begin >= end) return;
  split(begin);
  split(end);
  auto run = runs_.find(begin);
  const auto last = runs_.find(end);
  const auto before = run == runs_.begin() ? HistoryPtr() : std::prev(run)->second;
  HistoryPtr previous = before;
  while (run != last) {
    const std::uint64_t until = std::next(run)->first;
    run->second = next(run->second, how, run->first, until);
    const bool alike = run->second == previous;
    previous = run->second;
    run = alike ? runs_.erase(run) : std::next(run);
  }
  if (last->second == previous) runs_.erase(last);
}

std::vector<StreamRace> StreamShadow::take_races() {
  std::vector<StreamRace> races = std::exchange(races_, {});
  // A wait for the last of several consecutive operations waits for all of them.
  std::vector<StreamRace> told;
  for (const StreamRace& race : races) {
    const bool behind = std::ranges::any_of(races, [&](const StreamRace& other) {
      return other.earlier != race.earlier &&
             covers(other.earlier->told.clock, race.earlier->told.lane, race.earlier->told.number);
    });
    if (!behind) told.push_back(race);
  }
  for (const StreamRace& race : told) {
    if (taken_.size() >= kMaxTaken) taken_.erase(taken_.begin());
    taken_.push_back({current_->told.lane, current_->told.number, race.earlier->told.clock});
    join(current_->told.clock, race.earlier->told.clock);
  }
  return told;
}

StreamUse StreamShadow::use(std::uint64_t begin, std::uint64_t end) const {
  StreamUse use = StreamUse::Nobody;
  if (!current_) return use;
  auto run = runs_.upper_bound(begin);
  if (run != runs_.begin()) --run;
  for (; run != runs_.end() && run->first < end; ++run) {
    if (!run->second) continue;
    const History& history = *run->second;
    const auto open = [this](const StreamStepPtr& step) { return !ordered(*step); };
    if ((history.write && open(history.write)) || std::ranges::any_of(history.atomics, open))
      return StreamUse::Writes;
    if (std::ranges::any_of(history.reads, open)) use = StreamUse::Reads;
  }
  return use;
}

void StreamShadow::forget(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end || runs_.empty()) return;
  split(begin);
  split(end);
  const auto last = runs_.find(end);
  runs_.erase(std::next(runs_.find(begin)), last);
  runs_[begin] = nullptr;
}

}  // namespace cudalabs::sim
