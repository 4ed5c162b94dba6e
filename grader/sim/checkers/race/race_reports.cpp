#include "grader/sim/checkers/race/race_reports.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/sim/executable/source_place.h"
#include "grader/sim/ptx/cfg.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

bool orders(const ptx::Instruction& in, bool lanes) {
  using enum ptx::Mod;
  if (ptx::is_barrier(in.op)) return !in.has(Arrive);
  if (in.op == ptx::Op::Mbarrier) return in.has(TestWait) || in.has(TryWait);
  return lanes && (in.op == ptx::Op::BarWarp || in.has(Sync));
}

/// Can control flow from one instruction to the other, and can it do so without passing a barrier?
struct Ways {
  bool any = false, free = false;
};
Ways ways(const ptx::Function& function, const ptx::Cfg& cfg, std::uint32_t from, std::uint32_t to,
          bool lanes) {
  enum : std::uint8_t { kUnseen, kBehindBarrier, kFree };
  struct Way {
    std::uint32_t block, at;
    bool free;
  };
  std::vector<std::uint8_t> seen(cfg.exit());  // how the beginning of each block was reached
  std::vector<Way> next{{cfg.block_of_instruction[from], from + 1, true}};
  Ways found;
  while (!next.empty()) {
    Way way = next.back();
    next.pop_back();
    const ptx::BasicBlock& block = cfg.blocks[way.block];
    for (; way.at < block.end; ++way.at) {
      found.any |= way.at == to;
      found.free |= way.at == to && way.free;
      way.free = way.free && !orders(function.body[way.at], lanes);
    }
    for (const std::uint32_t successor : block.successors) {
      if (successor == cfg.exit() || seen[successor] >= (way.free ? kFree : kBehindBarrier)) continue;
      seen[successor] = way.free ? kFree : kBehindBarrier;
      next.push_back({successor, cfg.blocks[successor].first, way.free});
    }
  }
  return found;
}

constexpr const char* kNextRound = "with the loop's next round ";

/// Returns "`tile` (shared memory)" for "element 5 of `tile` (shared memory)".
std::string without_element(const std::string& name) {
  return name.starts_with("element ") ? name.substr(name.find(" of ") + 4) : name;
}

/// For the unrolled last warp of a reduction: each of its lines lacks the same barrier.
std::string advice_for_lines(bool is_volatile) {
  return std::string("Lanes of a warp need not run in lockstep") +
         (is_volatile ? ", and volatile does not order them" : "") +
         ": call __syncwarp() between these lines; where one of them reads what lanes write in it, read into "
         "a register, call __syncwarp(), then write.";
}

bool on_the_same_lines(const Finding& a, const Finding& b) {
  const auto at = [](const FindingSide& side) { return std::tie(side.file, side.line); };
  return a.kernel == b.kernel && ((at(a.here) == at(b.here) && at(a.other) == at(b.other)) ||
                                  (at(a.here) == at(b.other) && at(a.other) == at(b.here)));
}

}  // namespace

struct RaceReports::Wording {
  const char* kind;
  const char* who;  // "one warp", "one lane of a warp", "one block"
  const char* other;
  const char* without;
};

RaceReports::Wording RaceReports::wording(Relation r, bool in_shared) {
  switch (r) {
    case Relation::SameWarp:
      return {"between lanes of a warp", "one lane", "another lane of its warp",
              "with no __syncwarp() between"};
    case Relation::OtherBlock: return {"between blocks", "one block", "another block", "in the same launch"};
    default:
      return {in_shared ? "between warps" : "between warps of a block", "one warp",
              "another warp of its block", "with no barrier between"};
  }
}

std::string RaceReports::advice(Conflict c, Relation r, bool is_volatile) const {
  if (c == Conflict::OneInstruction) {
    return "Only one of the values survives, and which one is undefined: give each thread an element of its "
           "own, or use an atomic operation.";
  }
  if (c == Conflict::ReadOnly) {
    return "__ldg(), textures, and pointers that are const and __restrict__, are for what nobody writes in "
           "this "
           "launch: "
           "their cache may hold the old value. Read it as usual, or in the next kernel.";
  }
  if (r == Relation::SameWarp) {
    return std::string("Lanes of a warp need not run in lockstep") +
           (is_volatile ? ", and volatile does not order them" : "") + ": put __syncwarp() between the two.";
  }
  if (c == Conflict::BlockScope) {
    return "Take an atomic operation of the whole card: atomicAdd() instead of atomicAdd_block(), "
           "cuda::thread_scope_device instead of cuda::thread_scope_block.";
  }
  const bool atomic = c == Conflict::ReadAtomic || c == Conflict::WriteAtomic;
  if (c == Conflict::Overwritten && r != Relation::OtherBlock)
    return "Put __syncthreads() between the two, where all threads of the block reach it.";
  if (r == Relation::OtherBlock) {
    return c == Conflict::WriteAtomic || c == Conflict::Overwritten
               ? "Blocks run in any order, and whoever writes may undo what others "
                 "have added: set the element before the "
                 "launch (cudaMemset, or a kernel of its own)."
           : atomic ? is_volatile ? "It is read while others may still change it: read it once they have "
                                    "told that they are done, or in the next kernel."
                                  : "Make both accesses atomic, or read in the next kernel."
           : launch_.config.cooperative
               ? "Put grid.sync() between the two, where all threads of all blocks reach it."
           : talks()
               ? "Put __threadfence() between the store and the atomic operation, or flag, that tells the "
                 "other block, and another one behind a loop that looks at a flag; __threadfence_block() is "
                 "for the own block alone. Or split the work into two kernels."
               : "Blocks run in any order: let each write elements of its own, use atomic operations, or "
                 "split the work into two kernels.";
  }
  return std::string("Put __syncthreads() between the two, where all threads of the block reach it") +
         (atomic ? ", or make both accesses atomic." : ".");
}

/// Do blocks check whether others are done?
bool RaceReports::talks() const {
  return std::ranges::any_of(sites_, [](const Site& s) { return s.asks || s.looks; });
}

std::string RaceReports::round_advice(const std::string& behind, bool lanes, bool read_first) {
  if (lanes)
    return "Lanes of a warp need not run in lockstep: put __syncwarp() " + behind +
           ", at the end of the loop.";
  return "Put __syncthreads() " + behind +
         ", at the end of the loop, where all threads of the block reach it: without it a warp that is done "
         "begins the next round and " +
         (read_first ? "writes what others still read." : "reads what others have not written yet.");
}

/// For a read and a write in a loop, possibly unrolled: the access that comes first, if the other belongs to
/// the previous round, because a barrier separates this one from the other in the same round. Null: this is
/// not the case. The order in which they were observed says little, because warps take turns.
const RaceReports::Party* RaceReports::before_next_round(const Key& key) const {
  if (key.conflict != Conflict::ReadWrite || key.relation == Relation::OtherBlock) return nullptr;
  const Program& program = *sites_[key.here.site].program;
  if (sites_[key.other.site].program != &program) return nullptr;
  const ptx::Function& function = *program.function;
  const auto index = [&](const Party& party) { return program.source[sites_[party.site].instruction]; };
  if (std::max(index(key.here), index(key.other)) >= function.body.size()) return nullptr;
  const ptx::Cfg cfg = ptx::build_cfg(function);
  const bool lanes = key.relation == Relation::SameWarp;
  const Ways on = ways(function, cfg, index(key.here), index(key.other), lanes);
  const Ways back = ways(function, cfg, index(key.other), index(key.here), lanes);
  if (on.free == back.free) return nullptr;
  const Party &first = on.free ? key.here : key.other, &second = on.free ? key.other : key.here;

  const auto place = [&](std::uint32_t pc) -> SourcePlace { return suspect_place(program, pc); };
  const SourcePlace from = place(sites_[first.site].instruction), to = place(sites_[second.site].instruction);
  if (to.line == 0 || from.file != to.file || to.line >= from.line) return nullptr;
  // The line of `first` must have been executed before.
  const ptx::Access access = ptx::access_of(function.body[index(second)]);
  for (std::uint32_t pc = 0; pc < program.source.size(); ++pc) {
    const std::uint32_t i = program.source[pc];
    if (i >= index(first) || ptx::access_of(function.body[i]) != access) continue;
    const SourcePlace other = place(pc);
    if (other.line == to.line && other.file == to.file)
      return index(second) > index(first) || (on.any && back.any) ? &first : nullptr;
  }
  return nullptr;
}

Finding RaceReports::finding(const Key& key, const Seen<Example>& seen) const {
  const Example& e = seen.example;
  const Wording w = wording(key.relation, key.shared);
  Finding f;
  f.checker = Checker::Racecheck;
  const bool lanes_apart = key.relation == Relation::SameWarp && key.conflict != Conflict::OneInstruction;
  // Code that relies on lockstep works on many devices; the other races are wrong on all.
  if (lanes_apart) f.severity = Severity::Warning;
  f.kernel = launch_.program->kernel;
  f.count = seen.count;
  const auto did = [](AccessKind kind) {
    return kind == AccessKind::Atomic ? "changed atomically" : kind == AccessKind::Load ? "read" : "written";
  };
  const bool here_atomic = key.here.kind == AccessKind::Atomic;
  const bool there_atomic = key.other.kind == AccessKind::Atomic;
  f.here = side(key.here.site, did(key.here.kind), seen.block, e.thread);
  f.other = side(key.other.site, did(key.other.kind), e.other_block, e.other_thread);
  const std::string name = key.shared
                               ? name_shared(key.here.site, static_cast<std::uint32_t>(e.address), e.width)
                               : name_global(key.here.site, e.address, e.width);
  std::string what, kind;
  const bool strong = sites_[key.here.site].strong || sites_[key.other.site].strong;
  const bool plain = key.conflict == Conflict::ReadWrite || key.conflict == Conflict::WriteWrite;
  // All accesses that one barrier orders are one bug: reads and writes, possibly by several statements.
  f.bug = (plain ? "" : std::to_string(static_cast<int>(key.conflict)) + ' ') + w.kind + " on " +
          without_element(name);
  if (lanes_apart) f.advice_for_all = advice_for_lines(strong);
  bool swap = false;  // order: the reader first; the plain access before the atomic one; otherwise by place
  switch (key.conflict) {
    case Conflict::ReadWrite:
      kind = "read-write race ";
      what = std::string(w.who) + " reads it and " + w.other + " writes it";
      swap = key.other.kind == AccessKind::Load;
      if (const Party* first = before_next_round(key)) {
        const bool read_first = first->kind == AccessKind::Load;
        const std::string behind = read_first ? "behind the read" : "behind the write";
        const bool lanes = key.relation == Relation::SameWarp;
        f.kind = kind + kNextRound + w.kind;
        f.message = "race on " + name + ": " + w.who + (read_first ? " reads it and " : " writes it and ") +
                    w.other + (read_first ? " writes it" : " reads it") +
                    " in the loop's next round, with no " + (lanes ? "__syncwarp() " : "barrier ") + behind;
        f.advice = round_advice(behind, lanes, read_first);
        if (!lanes) f.bug += kNextRound;
        if (first == &key.other) std::swap(f.here, f.other);
        return f;
      }
      break;
    case Conflict::WriteWrite:
      kind = "write-write race ";
      what = std::string(w.who) + " and " + w.other + " write different values to it";
      swap = std::tie(f.other.file, f.other.line) < std::tie(f.here.file, f.here.line);
      break;
    case Conflict::ReadAtomic:
    case Conflict::WriteAtomic:
      kind = key.conflict == Conflict::ReadAtomic ? "read-atomic race " : "write-atomic race ";
      what = std::string(w.who) +
             (key.conflict == Conflict::ReadAtomic ? " reads it and " : " writes it and ") + w.other +
             " changes it atomically";
      swap = here_atomic;
      break;
    case Conflict::Overwritten:
      kind = "write-atomic race ";
      what =
          std::string(w.who) + " overwrites it and " + w.other + " adds to it, atomically but in any order";
      swap = !sites_[key.here.site].overwrites;
      break;
    case Conflict::ReadOnly:
      kind = "read-only read of what is written ";
      what = std::string(w.who) + " reads it through the read-only cache, in the launch that writes it";
      swap = true;
      break;
    case Conflict::BlockScope:
      kind = "atomic-atomic race ";
      what = std::string(w.who) + " and " + w.other +
             " change it by an operation that is atomic within a block only";
      swap = !sites_[key.here.site].within_block;
      break;
    case Conflict::OneInstruction:
      kind = "write-write race in one instruction ";
      what = "several lanes of a warp write different values to it at once";
      swap = true;  // the lower lane first
      break;
  }
  f.kind = kind + w.kind;
  const bool by_order = key.conflict != Conflict::OneInstruction && key.conflict != Conflict::ReadOnly;
  f.message = "race on " + name + ": " + what + (by_order ? std::string(", ") + w.without : "");
  f.advice = advice(key.conflict, key.relation, strong);
  const auto bulk = [&](const Party& party) { return instruction(party.site).op == ptx::Op::CpAsyncBulk; };
  if (key.relation != Relation::OtherBlock && (bulk(key.here) || bulk(key.other))) {
    const Party& copy = bulk(key.here) ? key.here : key.other;
    f.advice = copy.kind == AccessKind::Load
                   ? "A bulk copy goes on beside its thread: put __syncthreads() between the writes and the "
                     "copy, and let its thread wait for its group (cp.async.bulk.wait_group.read) before a "
                     "__syncthreads() behind which the memory is written again."
                   : "A bulk copy goes on beside its thread: what it writes is there for those who have "
                     "waited for the phase of its barrier (bar.wait()).";
    f.advice_for_all.clear();
  }
  // `counter++` by many threads: a barrier between its read and its write would not help.
  const bool one_place = f.here.line == f.other.line && f.here.file == f.other.file && f.here.line != 0;
  if (one_place && !here_atomic && !there_atomic && by_order &&
      (e.crowded || key.relation != Relation::SameWarp)) {
    const std::string atomic =
        "f all these threads are to change the same element, use an atomic operation such as atomicAdd().";
    // A round of a tree with a missing barrier is also on one line.
    const bool barrier_first = key.relation != Relation::OtherBlock && !e.crowded;
    f.advice =
        barrier_first ? f.advice.english() + " Or, i" + atomic : "I" + atomic + " " + f.advice.english();
    if (key.conflict == Conflict::WriteWrite)
      f.advice =
          "They have the same index: compare what each makes it of with the element that it is to write. " +
          f.advice.english();
  } else if (one_place && key.relation == Relation::SameWarp && key.conflict == Conflict::ReadWrite) {
    f.advice =
        "Lanes of a warp need not run in lockstep: read into a register, then call __syncwarp(), then "
        "write, and only by the lanes whose values are used.";
  }
  // A fence is missing at the store, whichever block reads the value.
  const bool handed = key.conflict == Conflict::ReadWrite && key.relation == Relation::OtherBlock &&
                      !launch_.config.cooperative && talks();
  if (swap != handed) std::swap(f.here, f.other);
  return f;
}

bool RaceReports::is_meant(const Key& key) const {
  const bool atomic = key.conflict == Conflict::ReadAtomic || key.conflict == Conflict::WriteAtomic;
  const bool lanes = key.relation == Relation::SameWarp;
  // A polling access expects changes, and volatile or relaxed accesses are meant to be concurrent with them;
  // only lanes of one warp cannot rely on this.
  const auto expects = [&](const Party& party) {
    const Site& s = sites_[party.site];
    return party.kind == AccessKind::Atomic || (s.looks && (atomic || !s.takes));
  };
  // In shared memory, volatile stores are just as often part of a tree without its barriers.
  const bool may = atomic || !key.shared || key.conflict == Conflict::ReadWrite;
  if (!lanes && may && key.conflict <= Conflict::WriteAtomic && expects(key.here) && expects(key.other))
    return true;
  // Accesses that CUDA's memory model calls atomic never race with each other, in any lanes.
  const auto is_atomic = [&](const Party& party) {
    return party.kind == AccessKind::Atomic || sites_[party.site].ordered;
  };
  return lanes && !key.shared && is_atomic(key.here) && is_atomic(key.other);
}

void RaceReports::finish(FindingList& found) {
  // If warps race, lanes of a warp usually do too; one barrier orders both.
  for (auto& [key, seen] : seen_) {
    if (key.relation != Relation::OtherWarp) continue;
    for (const auto& [here, other] : {std::pair{key.here, key.other}, std::pair{key.other, key.here}}) {
      const auto within = seen_.find({key.conflict, Relation::SameWarp, key.shared, here, other});
      if (within == seen_.end()) continue;
      seen.count += within->second.count;
      within->second.count = 0;
    }
  }
  std::vector<Finding> findings;
  for (const auto& [key, seen] : seen_) {
    if (seen.count == 0) continue;
    // `old = *p; do ... atomicCAS(p, old, ...)`: the first read is a guess that the swap checks. The same
    // holds for `if (v < *p) atomicMin(p, v)`: a stale value only causes an atomic that changes nothing.
    const bool guess = key.conflict == Conflict::ReadAtomic &&
                       ((sites_[key.here.site].guess && sites_[key.other.site].checks_guess) ||
                        (sites_[key.other.site].guess && sites_[key.here.site].checks_guess));
    if (!guess) findings.push_back(finding(key, seen));
  }
  // If there is no barrier at all, report the race within a round first.
  const auto of_next_round = std::stable_partition(findings.begin(), findings.end(), [](const Finding& f) {
    return f.kind.find(kNextRound) == std::string::npos;
  });
  for (auto next = of_next_round; next != findings.end(); ++next) {
    const auto within = std::find_if(findings.begin(), of_next_round, [&](const Finding& f) {
      return f.severity == next->severity && on_the_same_lines(f, *next);
    });
    if (within == of_next_round) continue;
    within->count += next->count;
    next->count = 0;
  }
  for (Finding& f : findings) {
    if (f.count != 0) found.add(std::move(f));
  }
}

}  // namespace cudalabs::sim
