#include "grader/sim/native/liveness.h"

#include <algorithm>
#include <deque>

#include "grader/sim/native/known.h"

namespace cudalabs::sim {
namespace {

/// By instruction: can control reach it from elsewhere than the previous instruction?
std::vector<bool> entries(const Program& program) {
  const auto& code = program.code;
  std::vector<bool> entry(code.size() + 1);
  entry[0] = true;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].flow == Flow::Branch) entry[code[i].target] = true;
    if (code[i].run == 0) entry[i] = entry[i + 1] = true;
  }
  for (const auto& table : program.branch_tables) {
    for (const std::uint32_t target : table) entry[target] = true;
  }
  return entry;
}

/// The instructions that may run after `at`; the end of the code is not included.
std::vector<std::uint32_t> successors(const Program& program, std::uint32_t at) {
  const Inst& i = program.code[at];
  std::vector<std::uint32_t> next;
  const bool always = i.guard == kNone;
  const bool leaves =
      i.flow == Flow::Branch || i.flow == Flow::Exit || i.flow == Flow::Return || i.flow == Flow::BranchTable;
  if (!leaves || !always) next.push_back(at + 1);
  if (i.flow == Flow::Branch) next.push_back(i.target);
  if (i.flow == Flow::BranchTable) {
    const auto& table = program.branch_tables[i.target];
    next.insert(next.end(), table.begin(), table.end());
  }
  return next;
}

constexpr std::uint32_t kWordBits = 64;
std::uint64_t bit(std::uint32_t number) { return std::uint64_t{1} << (number % kWordBits); }

}  // namespace

std::vector<Stretch> stretches(const Program& program) {
  const std::vector<bool> entry = entries(program);
  std::vector<Stretch> found;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    if (!entry[i] || program.code[i].run == 0) continue;
    std::uint32_t end = i + 1;
    while (end < program.code.size() && !entry[end] && program.code[end].run > 0) ++end;
    found.push_back({i, end});
  }
  return found;
}

Liveness::Liveness(const Program& program) {
  const auto count = static_cast<std::uint32_t>(program.code.size());
  const auto number = [&](std::uint32_t slot) {
    return number_.try_emplace(slot, static_cast<std::uint32_t>(number_.size())).first->second;
  };
  for (std::uint32_t i = 0; i < count; ++i) effects(program, i, number, number);
  const std::size_t words = (number_.size() + kWordBits - 1) / kWordBits;

  // Backward analysis over the blocks of the flow graph, until nothing changes.
  const std::vector<bool> entry = entries(program);
  std::vector<std::uint32_t> begins, block_of(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (entry[i] || (i > 0 && program.code[i - 1].flow > Flow::Checked)) begins.push_back(i);
    block_of[i] = static_cast<std::uint32_t>(begins.size() - 1);
  }
  struct FlowBlock {
    Bits read, written, in;
    std::vector<std::uint32_t> before;
  };
  std::vector<FlowBlock> blocks(begins.size(), {Bits(words), Bits(words), Bits(words), {}});
  std::vector<std::vector<std::uint32_t>> after(begins.size());
  for (std::uint32_t b = 0; b < begins.size(); ++b) {
    const std::uint32_t end = b + 1 < begins.size() ? begins[b + 1] : count;
    FlowBlock& block = blocks[b];
    for (std::uint32_t i = begins[b]; i < end; ++i) {
      const bool known = effects(
          program, i,
          [&](std::uint32_t slot) {
            const std::uint32_t n = number_[slot];
            block.read[n / kWordBits] |= bit(n) & ~block.written[n / kWordBits];
          },
          [](std::uint32_t) {});
      if (!known) {
        for (std::size_t w = 0; w < words; ++w) block.read[w] |= ~block.written[w];
      }
      effects(
          program, i, [](std::uint32_t) {},
          [&](std::uint32_t slot) {
            const std::uint32_t n = number_[slot];
            block.written[n / kWordBits] |= bit(n);
          });
    }
    for (const std::uint32_t next : successors(program, end - 1)) {
      if (next >= count) continue;
      after[b].push_back(block_of[next]);
      blocks[block_of[next]].before.push_back(b);
    }
    block.in = block.read;
  }
  std::deque<std::uint32_t> work;
  std::vector<bool> queued(begins.size(), true);
  for (std::uint32_t b = 0; b < begins.size(); ++b) work.push_front(b);
  while (!work.empty()) {
    const std::uint32_t b = work.front();
    work.pop_front();
    queued[b] = false;
    bool grew = false;
    for (const std::uint32_t next : after[b]) {
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t in = blocks[b].in[w] | (blocks[next].in[w] & ~blocks[b].written[w]);
        grew = grew || in != blocks[b].in[w];
        blocks[b].in[w] = in;
      }
    }
    if (!grew) continue;
    for (const std::uint32_t p : blocks[b].before) {
      if (!queued[p]) work.push_back(p);
      queued[p] = true;
    }
  }
  for (std::uint32_t b = 0; b < begins.size(); ++b) wanted_.emplace(begins[b], std::move(blocks[b].in));
}

bool Liveness::wanted(std::uint32_t at, std::uint32_t slot) const {
  const auto block = wanted_.find(at);
  const auto number = number_.find(slot);
  if (number == number_.end()) return false;  // it is never read
  return block == wanted_.end() || (block->second[number->second / kWordBits] & bit(number->second)) != 0;
}

}  // namespace cudalabs::sim
