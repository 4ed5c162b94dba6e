// A block's report about itself: where a thread is, which warps wait where, and whether any state still
// changes.

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

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
    fault_.message =
        "grid.sync() in a kernel that was launched by <<<...>>>: its blocks need not all run at a time";
    fault_.advice =
        "Launch it by cudaLaunchCooperativeKernel(), with no more blocks than "
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor() says fit; or end the kernel where all blocks must "
        "meet, and launch a second one.";
    return;
  }
  using By = SuspectPlace::By;
  const By by = suspect_place(*split.activation->program, pc).by;
  if (by == By::ItsLine) return;
  fault_.message.add(
      std::string("the compiler has joined accesses of several lines into this one, and the line shown ") +
      (by == By::Use      ? "uses what is read"
       : by == By::Making ? "makes what is stored"
                          : "is one near them"));
}

Fault Block::whereabouts(FaultKind kind, std::string message, std::string advice) const {
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

/// Returns "warps 0-3 in a loop (line 12), lanes 8-15 of warp 4 at __syncthreads() (line 20)".
std::string Block::who_waits_where() const {
  struct Group {
    std::string where;
    std::vector<std::uint32_t> warps;
    std::string divided;  ///< "lanes 0-7 of warp 2"
  };
  std::vector<Group> groups;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const bool whole = warps_[w].splits.size() == 1;
    std::vector<WarpFragment> splits = warps_[w].splits;
    std::sort(splits.begin(), splits.end(), [](const WarpFragment& a, const WarpFragment& b) {
      return std::countr_zero(a.mask) < std::countr_zero(b.mask);
    });
    for (const WarpFragment& s : splits) {
      const Inst& i = s.activation->program->code[s.pc];
      std::string where = polls(s) ? "for a phase of a cuda::barrier" : "in a loop";
      if (s.state == WarpFragment::State::AtSync) where = "at a warp-wide call";
      if (s.state == WarpFragment::State::AtBarrier) {
        const std::uint32_t id = barrier_number(i, s.activation->frame, std::countr_zero(s.mask));
        where = id == 0 ? "at __syncthreads()" : "at barrier " + std::to_string(id);
      }
      const SourcePlace place = source_place(*s.activation->program, s.pc);
      if (place.line != 0) where += " (line " + std::to_string(place.line) + ")";
      const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
        return whole && g.divided.empty() && g.where == where;
      });
      Group& group = found != groups.end() ? *found : groups.emplace_back();
      group.where = where;
      if (whole) {
        group.warps.push_back(w);
        continue;
      }
      std::vector<std::uint32_t> lanes;
      each(s.mask, [&](std::uint32_t l) { lanes.push_back(l); });
      group.divided =
          (lanes.size() == 1 ? "lane " : "lanes ") + ranges_of(lanes) + " of warp " + std::to_string(w);
    }
  }
  constexpr std::size_t kListed = 6;
  std::string text;
  for (std::size_t g = 0; g < std::min(groups.size(), kListed); ++g) {
    if (g > 0) text += ", ";
    const Group& group = groups[g];
    text += group.divided.empty() ? (group.warps.size() == 1 ? "warp " : "warps ") + ranges_of(group.warps)
                                  : group.divided;
    text += " " + group.where;
  }
  if (groups.size() > kListed) text += ", and others";
  return text;
}

void Block::deadlock() {
  fault_ =
      whereabouts(FaultKind::Deadlock,
                  "deadlock: everybody who is left in the block waits at a barrier that cannot open: " +
                      who_waits_where(),
                  "The number of threads that a named barrier waits for must be the number that reaches it.");
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
                       "deadlock: the card holds " + std::to_string(others + 1) +
                           " blocks of this kernel at a time, all of which wait for others, and " +
                           std::to_string(left) + " have not begun: " + who_waits_where(),
                       "Launch no more blocks than fit at a time "
                       "(cudaOccupancyMaxActiveBlocksPerMultiprocessor() says how many "
                       "a multiprocessor holds), or wait only for blocks with lower numbers.");
  }
  bool phases = false;
  for (const Warp& warp : warps_) phases |= std::any_of(warp.splits.begin(), warp.splits.end(), polls);
  std::string message = (phases ? "deadlock, nothing changes any more: "
                                : "the kernel never ends, nothing changes any more: ") +
                        who_waits_where();
  if (others > 0) {
    message += "; " + std::to_string(others) + (others == 1 ? " other block waits" : " other blocks wait") +
               " like this";
  }
  const std::uint32_t barrier = worker_.exec.asked_for;
  if (phases && barrier != kNone && std::uint64_t{barrier} + 8 <= launch_.shared_bytes) {
    if (const auto bytes = missing_bytes(shared_ + barrier)) {
      return whereabouts(FaultKind::Deadlock, std::move(message),
                         "The bytes that expect_tx or barrier_arrive_tx() announces must be those of the "
                         "copies that complete on the barrier: " +
                             std::to_string(std::abs(*bytes)) +
                             (*bytes < 0 ? " more have come than were announced." : " are still to come."));
    }
  }
  if (phases) {
    return whereabouts(FaultKind::Deadlock, std::move(message),
                       "The number given to init() must be the number of threads that arrive in each phase.");
  }
  if (!looks()) {
    return whereabouts(
        FaultKind::InstructionLimit, std::move(message),
        "Check the condition and the step of the loop. If it waits for another thread: it reads no memory, "
        "as a plain variable is loaded once, before the loop. Read it by volatile or an atomic operation.");
  }
  return whereabouts(
      FaultKind::InstructionLimit, std::move(message),
      "Check the condition and the step of the loop. If it waits for another thread, nobody is "
      "left to write what it waits for: that thread has finished, or waits itself.");
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
