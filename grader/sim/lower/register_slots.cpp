#include "grader/sim/lower/register_slots.h"

#include <algorithm>
#include <array>
#include <queue>

#include "grader/sim/ptx/cfg.h"

namespace cudalabs::sim {
namespace {

/// Bit sets of all registers, one row for each block.
class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t bits) : words_((bits + 63) / 64), data_(rows * words_) {}
  void set(std::size_t row, std::size_t bit) {
    data_[row * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  void clear(std::size_t row, std::size_t bit) {
    data_[row * words_ + bit / 64] &= ~(std::uint64_t{1} << bit % 64);
  }
  [[nodiscard]] bool get(std::size_t row, std::size_t bit) const {
    return (data_[row * words_ + bit / 64] >> bit % 64 & 1) != 0;
  }
  [[nodiscard]] std::uint64_t* row(std::size_t r) { return data_.data() + r * words_; }
  [[nodiscard]] std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> data_;
};

struct Span {
  std::uint32_t first = 0xFFFFFFFFu, last = 0;
  void reach(std::uint32_t at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
};

/// By register: the range of code in which it may hold a live value. Each lane executes the code separately,
/// and has a separate part of a slot: a property of one thread holds for a warp, however it diverges. Empty
/// if the analysis takes too long: usually each block is visited a few times, but a program can be written so
/// that it is visited as often as there are registers.
std::vector<Span> live_spans(const ptx::Function& function, const ptx::Cfg& cfg, const Dataflow& flow,
                             bool& reads_unwritten) {
  const std::size_t blocks = cfg.blocks.size(), registers = function.registers.size();
  BitRows wanted(blocks, registers), written(blocks, registers);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].end; ++i) {
      for (const std::uint32_t r : flow.read[i]) {
        if (!written.get(b, r)) wanted.set(b, r);
      }
      // An instruction with a guard leaves the old value in other lanes.
      if (function.body[i].has_guard) continue;
      for (const std::uint32_t r : flow.written[i]) written.set(b, r);
    }
  }
  std::vector<std::vector<std::uint32_t>> predecessors(blocks);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    for (const std::uint32_t s : cfg.blocks[b].successors) {
      if (s != cfg.exit()) predecessors[s].push_back(b);
    }
  }
  std::vector<Span> spans(registers);
  std::vector<std::uint32_t> work;
  std::vector<bool> queued(blocks, true);
  for (std::uint32_t b = 0; b < blocks; ++b) work.push_back(b);
  std::uint64_t left = std::uint64_t{1} << 30;  // words
  while (!work.empty()) {                       // `wanted` grows to the live-in registers of each block
    const std::uint32_t b = work.back();
    work.pop_back();
    queued[b] = false;
    for (const std::uint32_t p : predecessors[b]) {
      if (left < wanted.words()) return {};
      left -= wanted.words();
      bool grew = false;
      const std::uint64_t* const from = wanted.row(b);
      std::uint64_t* const to = wanted.row(p);
      const std::uint64_t* const defined = written.row(p);
      for (std::size_t w = 0; w < wanted.words(); ++w) {
        const std::uint64_t more = from[w] & ~defined[w] & ~to[w];
        to[w] |= more;
        grew |= more != 0;
      }
      if (grew && !queued[p]) {
        queued[p] = true;
        work.push_back(p);
      }
    }
  }
  const std::uint64_t* const at_entry = wanted.row(0);
  reads_unwritten = std::any_of(at_entry, at_entry + wanted.words(), [](std::uint64_t w) { return w != 0; });
  for (std::uint32_t b = 0; b < blocks; ++b) {
    for (std::uint32_t r = 0; r < registers; ++r) {
      if (!wanted.get(b, r)) continue;
      spans[r].reach(cfg.blocks[b].first);
      for (const std::uint32_t p : predecessors[b]) spans[r].reach(cfg.blocks[p].end - 1);
      if (b == 0) spans[r].reach(0);
    }
    for (std::uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].end; ++i) {
      for (const std::uint32_t r : flow.read[i]) spans[r].reach(i);
      for (const std::uint32_t r : flow.written[i]) spans[r].reach(i);
    }
  }
  return spans;
}

}  // namespace

RegisterSlots share_slots(const ptx::Function& function, const Dataflow& flow) {
  RegisterSlots result;
  result.shared.assign(function.registers.size(), RegisterSlots::kOwn);
  if (function.body.empty()) return result;
  const ptx::Cfg cfg = ptx::build_cfg(function);
  constexpr std::size_t kTooLarge = std::size_t{1} << 28;  // bits
  if (cfg.blocks.size() * function.registers.size() > kTooLarge) return result;
  const std::vector<Span> spans = live_spans(function, cfg, flow, result.reads_unwritten);
  if (spans.empty()) return result;

  std::vector<std::uint32_t> by_start;
  for (std::uint32_t r = 0; r < spans.size(); ++r) {
    if (spans[r].first <= spans[r].last && function.registers[r].type != ptx::Type::Pred)
      by_start.push_back(r);
  }
  std::stable_sort(by_start.begin(), by_start.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return spans[a].first < spans[b].first; });
  struct Width {
    using Ending = std::pair<std::uint32_t, std::uint32_t>;  // end of the value, number
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy;
    std::vector<std::uint32_t> free;  // the last freed one is most likely in the cache
    std::uint32_t count = 0;
  };
  std::array<Width, 2> widths;
  for (const std::uint32_t r : by_start) {
    Width& width = widths[ptx::size_of(function.registers[r].type) == 8 ? 1 : 0];
    // An instruction may write parts of its result while it still reads: a slot is only free behind it.
    while (!width.busy.empty() && width.busy.top().first < spans[r].first) {
      width.free.push_back(width.busy.top().second);
      width.busy.pop();
    }
    std::uint32_t number = width.count;
    if (width.free.empty()) {
      ++width.count;
    } else {
      number = width.free.back();
      width.free.pop_back();
    }
    result.shared[r] = number;
    width.busy.push({spans[r].last, number});
  }
  return result;
}

}  // namespace cudalabs::sim
