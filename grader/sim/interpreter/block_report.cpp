// A block's report about itself: where a thread is, which warps wait where, and whether any state still
// changes.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/executable/source_place.h"
#include "grader/sim/interpreter/block.h"
#include "grader/sim/interpreter/lanes.h"
#include "grader/sim/ops/memory/mbarrier.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

/// Returns "0-3, 7".
std::string ranges_of(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(numbers[i]);
    if (end - i > 1) text += (end - i > 2 ? "-" : ", ") + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

/// True for lanes that have just polled whether a phase of a barrier in shared memory has ended.
bool polls(const WarpFragment& s) {
  return s.state == WarpFragment::State::Ready && s.pc > 0 &&
         s.activation->program->code[s.pc - 1].flow == Flow::Poll;
}

/// "in a loop (line 12)": where these lanes of a warp wait.
Message where_waits(const WarpFragment& s) {
  const std::uint32_t line = source_place(*s.activation->program, s.pc).line;
  if (s.state == WarpFragment::State::AtSync) return msg::waits_at_warp_call(line);
  if (s.state == WarpFragment::State::AtBarrier) {
    const Inst& i = s.activation->program->code[s.pc];
    const std::uint32_t id = barrier_number(i, s.activation->frame, std::countr_zero(s.mask));
    return id == 0 ? msg::waits_at_syncthreads(line) : msg::waits_at_barrier(id, line);
  }
  return polls(s) ? msg::waits_for_phase(line) : msg::waits_in_loop(line);
}

/// In warp instructions of a block: about ten milliseconds on a device.
constexpr std::uint64_t kLongestWait = std::uint64_t{1} << 24;

/// Hashes whole words: fast, and two different states collide once in 2^64.
class Fingerprint {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
    state_ ^= state_ >> 29;
  }
  void add(const std::byte* data, std::size_t bytes) {
    std::uint64_t word = 0;
    for (; bytes >= sizeof word; data += sizeof word, bytes -= sizeof word) {
      std::memcpy(&word, data, sizeof word);
      add(word);
    }
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ull;
};

}  // namespace

Fault Block::locate(const Activation& activation, std::uint32_t pc, std::uint32_t lane,
                    std::uint32_t warp) const {
  Fault f;
  f.kernel = launch_.program->kernel;
  const SuspectPlace place = suspect_place(*activation.program, pc);
  f.file = place.file;
  f.line = place.line;
  f.block = ctaid_;
  const std::uint32_t t = warp * kLanes + lane;
  const Dim3& b = launch_.config.block;
  f.thread = {t % b.x, t / b.x % b.y, t / b.x / b.y};
  return f;
}

void Block::raise(const WarpFragment& split, std::uint32_t pc, const PendingFault& pending) {
  if (fault_.kind != FaultKind::None) return;
  fault_ = locate(*split.activation, pc, pending.lane, worker_.exec.warp);
  fault_.kind = pending.kind;
  fault_.message = pending.message;
  fault_.advice = pending.advice;
  // A grid barrier tests this register for its workspace, and traps if there is none.
  const auto asks_for_grid = [](const ConstantSlot& c) {
    return c.source == SlotSource::Special && c.special == ptx::Special::EnvReg1;
  };
  if (pending.kind == FaultKind::Trap && !launch_.cooperative &&
      std::ranges::any_of(split.activation->program->constants, asks_for_grid)) {
    fault_.message = msg::grid_sync_without_cooperation();
    fault_.advice = msg::cooperative_launch_advice();
    return;
  }
  using By = SuspectPlace::By;
  const By by = suspect_place(*split.activation->program, pc).by;
  if (by == By::ItsLine) return;
  fault_.message = msg::fault_of_joined_accesses(std::move(fault_.message), by == By::Use      ? "use"
                                                                            : by == By::Making ? "making"
                                                                                               : "near");
}

Fault Block::whereabouts(FaultKind kind, Message message, Message advice) const {
  Fault f;
  f.kernel = launch_.program->kernel;  // for a block that has just ended nothing else is known
  f.block = ctaid_;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].splits.empty()) continue;
    const WarpFragment& s = warps_[w].splits.front();
    f = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)), w);
    break;
  }
  f.kind = kind;
  f.message = std::move(message);
  f.advice = std::move(advice);
  return f;
}

/// "warps 0-3 in a loop (line 12), lanes 8-15 of warp 4 at __syncthreads() (line 20)"
Message Block::who_waits_where() const {
  struct Group {
    Message where;
    std::vector<std::uint32_t> warps;
    std::vector<std::uint32_t> lanes;  ///< of one warp, if not all of its lanes wait there
  };
  std::vector<Group> groups;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const bool whole = warps_[w].splits.size() == 1;
    std::vector<WarpFragment> splits = warps_[w].splits;
    std::sort(splits.begin(), splits.end(), [](const WarpFragment& a, const WarpFragment& b) {
      return std::countr_zero(a.mask) < std::countr_zero(b.mask);
    });
    for (const WarpFragment& s : splits) {
      Message where = where_waits(s);
      const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
        return whole && g.lanes.empty() && g.where == where;
      });
      Group& group = found != groups.end() ? *found : groups.emplace_back();
      group.where = std::move(where);
      group.warps.push_back(w);
      if (!whole) each(s.mask, [&](std::uint32_t l) { group.lanes.push_back(l); });
    }
  }
  std::array<Message, 6> listed;
  for (std::size_t g = 0; g < std::min(groups.size(), listed.size()); ++g) {
    Group& group = groups[g];
    listed[g] = group.lanes.empty()
                    ? msg::warps_wait(group.warps.size(), ranges_of(group.warps), std::move(group.where))
                    : msg::lanes_wait(group.lanes.size(), ranges_of(group.lanes), group.warps.front(),
                                      std::move(group.where));
  }
  const bool more = groups.size() > listed.size();
  return msg::who_waits(listed[0], listed[1], listed[2], listed[3], listed[4], listed[5], more);
}

void Block::deadlock() {
  fault_ = whereabouts(FaultKind::Deadlock, msg::deadlock_at_barrier(who_waits_where()),
                       msg::named_barrier_advice());
}

/// Does the loop of the first live warp load anything that others may change?
bool Block::looks() const {
  const auto live = std::ranges::find_if(warps_, [](const Warp& w) { return !w.splits.empty(); });
  if (live == warps_.end()) return true;
  const WarpFragment& split = live->splits.front();
  const Program& program = *split.activation->program;
  const std::vector<ptx::Instruction>& body = program.function->body;
  const std::uint32_t at = program.source[std::min<std::size_t>(split.pc, program.source.size() - 1)];
  for (std::uint32_t end = at; end < body.size(); ++end) {
    const ptx::Instruction& in = body[end];
    if (in.op != ptx::Op::Bra || in.operands[0].label > at) continue;
    return std::any_of(
        body.begin() + in.operands[0].label, body.begin() + end, [](const ptx::Instruction& i) {
          const ptx::Access access = ptx::access_of(i);
          return i.op == ptx::Op::Call || (access != ptx::Access::None && i.space != ptx::Space::Param);
        });
  }
  return true;
}

Fault Block::endless(std::uint64_t others, std::uint64_t left) const {
  if (left > 0) {
    return whereabouts(FaultKind::Deadlock,
                       msg::deadlock_of_resident_blocks(others + 1, left, who_waits_where()),
                       msg::resident_blocks_advice());
  }
  bool phases = false;
  for (const Warp& warp : warps_) phases |= std::any_of(warp.splits.begin(), warp.splits.end(), polls);
  Message message = phases ? msg::deadlock_of_phases(who_waits_where(), others)
                           : msg::kernel_endless(who_waits_where(), others);
  const std::uint32_t barrier = worker_.exec.asked_for;
  if (phases && barrier != kNone && std::uint64_t{barrier} + 8 <= launch_.shared_bytes) {
    if (const auto bytes = missing_bytes(shared_ + barrier)) {
      return whereabouts(
          FaultKind::Deadlock, std::move(message),
          *bytes < 0 ? msg::bytes_over_announced_advice(-*bytes) : msg::bytes_to_come_advice(*bytes));
    }
  }
  if (phases) {
    return whereabouts(FaultKind::Deadlock, std::move(message), msg::mbarrier_arrivals_advice());
  }
  if (!looks()) {
    return whereabouts(FaultKind::InstructionLimit, std::move(message), msg::loop_reads_nothing_advice());
  }
  return whereabouts(FaultKind::InstructionLimit, std::move(message), msg::loop_waits_advice());
}

/// A hash of the state that determines the block's future as long as memory does not change: the positions of
/// all warps, and all registers and local memory.
std::uint64_t Block::state() const {
  Fingerprint print;
  for (const Warp& warp : warps_) {
    print.add(warp.splits.size());
    for (const WarpFragment& s : warp.splits) {
      print.add(std::uint64_t{s.pc} << 32 | s.mask);
      print.add(static_cast<std::uint64_t>(s.state));
      for (const Activation* a = s.activation; a != nullptr; a = a->caller) {
        print.add(a->return_pc);
        print.add(a->frame, a->program->frame_bytes);
      }
    }
  }
  print.add(local_storage_.data(), local_storage_.size());
  return print.value();
}

/// True if the block has returned to an earlier state, and memory has not changed since: then it will do so
/// forever, unless another block changes something. This is Brent's cycle detection: the reference state is
/// renewed at increasing intervals.
bool Block::repeats(std::uint64_t changes) {
  if (changes != cycle_.changes) {  // the usual case, which avoids hashing all registers
    cycle_ = {};
    cycle_.changes = changes;
    return false;
  }
  const std::uint64_t now = state();
  if (cycle_.known && now == cycle_.state) return true;
  // A loop that reads a timer never returns to a state. If all warps poll for the end of a phase, only a
  // memory change ends it, and only elapsed time could make them give up; so they get a time limit.
  const bool asking =
      std::ranges::all_of(warps_, [](const Warp& warp) { return std::ranges::all_of(warp.splits, polls); });
  if (asking && !cycle_.asking) cycle_.asking_since = worker_.exec.clock;
  cycle_.asking = asking;
  if (asking && worker_.exec.clock - cycle_.asking_since > kLongestWait) return true;
  if (!cycle_.known || ++cycle_.age >= cycle_.lifetime) {
    cycle_.lifetime = cycle_.known ? 2 * cycle_.lifetime : 1;
    cycle_.known = true;
    cycle_.state = now;
    cycle_.age = 0;
  }
  return false;
}

}  // namespace cudalabs::sim
