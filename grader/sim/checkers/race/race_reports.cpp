#include "grader/sim/checkers/race/race_reports.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/ptx/cfg.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

bool orders_warps(const ptx::Instruction& in) {
  using enum ptx::Mod;
  if (ptx::is_barrier(in.op)) return !in.has(Arrive);
  return in.op == ptx::Op::Mbarrier && (in.has(TestWait) || in.has(TryWait));
}
bool orders_lanes(const ptx::Instruction& in) { return orders_warps(in) || in.op == ptx::Op::BarWarp; }

/// Lanes wait for each other here, which orders no memory accesses.
bool exchanges(const ptx::Instruction& in) {
  return !ptx::is_barrier(in.op) && in.op != ptx::Op::BarWarp && in.has(ptx::Mod::Sync);
}

/// Can control flow from one instruction to the other, and can it do so without an instruction of a kind?
struct Ways {
  bool any = false, free = false;
};
using InstructionKind = bool (*)(const ptx::Instruction&);
Ways ways(const ptx::Function& function, const ptx::Cfg& cfg, std::uint32_t from, std::uint32_t to,
          InstructionKind is_of_kind) {
  enum : std::uint8_t { kUnseen, kBehindOne, kFree };
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
      way.free = way.free && !is_of_kind(function.body[way.at]);
    }
    for (const std::uint32_t successor : block.successors) {
      if (successor == cfg.exit() || seen[successor] >= (way.free ? kFree : kBehindOne)) continue;
      seen[successor] = way.free ? kFree : kBehindOne;
      next.push_back({successor, cfg.blocks[successor].first, way.free});
    }
  }
  return found;
}

/// Two instructions of one function.
struct CodePair {
  const ptx::Function& function;
  std::uint32_t here = 0, other = 0;  ///< indices into the function's body
  ptx::Cfg cfg;

  [[nodiscard]] Ways way(std::uint32_t from, std::uint32_t to,
                         InstructionKind is_of_kind = orders_warps) const {
    return ways(function, cfg, from, to, is_of_kind);
  }
};

/// Nothing if they are in two functions, or have no place in the function's body.
std::optional<CodePair> code_pair(const auto& here, const auto& other) {
  const Program& program = *here.program;
  if (other.program != &program) return std::nullopt;
  const ptx::Function& function = *program.function;
  const std::uint32_t one = program.source[here.instruction], two = program.source[other.instruction];
  if (std::max(one, two) >= function.body.size()) return std::nullopt;
  return CodePair{function, one, two, ptx::build_cfg(function)};
}

/// "`tile` (shared memory)" for "element 5 of `tile` (shared memory)".
Message without_element(const Message& place) {
  return place.is(msg::memory_element) ? std::get<Messages>(place.arguments()[1])[0] : place;
}

Message did(AccessKind kind) {
  return kind == AccessKind::Atomic ? msg::did_atomic()
         : kind == AccessKind::Load ? msg::did_read()
                                    : msg::did_write();
}

bool on_the_same_lines(const Finding& a, const Finding& b) {
  const auto at = [](const FindingSide& side) { return std::tie(side.file, side.line); };
  return a.kernel == b.kernel && ((at(a.here) == at(b.here) && at(a.other) == at(b.other)) ||
                                  (at(a.here) == at(b.other) && at(a.other) == at(b.here)));
}

}  // namespace

const char* RaceReports::between(const Key& key) {
  return key.relation == Relation::SameWarp     ? "lanes"
         : key.relation == Relation::OtherBlock ? "blocks"
                                                : "warps";
}

std::string RaceReports::kind(const Key& key, bool in_next_round) {
  const char* const between = key.relation == Relation::SameWarp     ? "between lanes of a warp"
                              : key.relation == Relation::OtherBlock ? "between blocks"
                              : key.shared                           ? "between warps"
                                                                     : "between warps of a block";
  const auto conflict = [&] {
    switch (key.conflict) {
      case Conflict::ReadWrite: return "read-write race ";
      case Conflict::WriteWrite: return "write-write race ";
      case Conflict::ReadAtomic: return "read-atomic race ";
      case Conflict::WriteAtomic:
      case Conflict::Overwritten: return "write-atomic race ";
      case Conflict::ReadOnly: return "read-only read of what is written ";
      case Conflict::BlockScope: return "atomic-atomic race ";
      case Conflict::OneInstruction: break;
    }
    return "write-write race in one instruction ";
  };
  return std::string(conflict()) + (in_next_round ? "with the loop's next round " : "") + between;
}

Message RaceReports::message(const Key& key, const Message& place) {
  const bool lanes = key.relation == Relation::SameWarp, blocks = key.relation == Relation::OtherBlock;
  switch (key.conflict) {
    case Conflict::ReadWrite:
      return lanes    ? msg::race_between_lanes(place)
             : blocks ? msg::race_between_blocks(place)
                      : msg::race_between_warps(place);
    case Conflict::WriteWrite:
      return lanes    ? msg::race_of_writes_between_lanes(place)
             : blocks ? msg::race_of_writes_between_blocks(place)
                      : msg::race_of_writes_between_warps(place);
    case Conflict::ReadAtomic: return msg::race_of_read_with_atomic(place, between(key));
    case Conflict::WriteAtomic: return msg::race_of_write_with_atomic(place, between(key));
    case Conflict::Overwritten: return msg::race_of_overwrite_with_atomic(place, between(key));
    case Conflict::ReadOnly: return msg::race_through_read_only_cache(place, between(key));
    case Conflict::BlockScope: return msg::race_of_block_scope_atomics(place);
    case Conflict::OneInstruction: break;
  }
  return msg::race_in_one_instruction(place);
}

Message RaceReports::advice_between_blocks(Conflict conflict, bool is_volatile) const {
  if (conflict == Conflict::WriteAtomic || conflict == Conflict::Overwritten)
    return msg::advice_set_before_launch();
  if (conflict == Conflict::ReadAtomic)
    return is_volatile ? msg::advice_read_when_done() : msg::advice_both_atomic();
  if (launch_.config.cooperative) return msg::advice_grid_sync_between();
  return talks() ? msg::advice_threadfence() : msg::advice_split_between_blocks();
}

Message RaceReports::advice(const Key& key, bool is_volatile) const {
  const bool in_block = key.relation != Relation::OtherBlock;
  const auto bulk = [&](const Party& party) { return instruction(party.site).op == ptx::Op::CpAsyncBulk; };
  if (in_block && (bulk(key.here) || bulk(key.other))) {
    const Party& copy = bulk(key.here) ? key.here : key.other;
    return copy.kind == AccessKind::Load ? msg::advice_bulk_copy_reads() : msg::advice_bulk_copy_writes();
  }
  if (key.conflict == Conflict::OneInstruction) return msg::advice_one_value_survives();
  if (key.conflict == Conflict::ReadOnly) return msg::advice_read_only_cache();
  if (key.relation == Relation::SameWarp) {
    const std::uint32_t line = line_behind_exchange(key);
    return line != 0 ? msg::advice_exchange_is_no_fence(line) : msg::advice_syncwarp_between(is_volatile);
  }
  if (key.conflict == Conflict::BlockScope) return msg::advice_atomic_of_whole_device();
  if (!in_block) return advice_between_blocks(key.conflict, is_volatile);
  const bool atomic = key.conflict == Conflict::ReadAtomic || key.conflict == Conflict::WriteAtomic;
  if (atomic) return msg::advice_syncthreads_or_atomic();
  const std::uint32_t line = line_of_rounds(key);
  return line != 0 ? msg::advice_syncthreads_in_round(line) : msg::advice_syncthreads_between();
}

std::uint32_t RaceReports::line_behind_exchange(const Key& key) const {
  const auto code = code_pair(sites_[key.here.site], sites_[key.other.site]);
  if (!code) return 0;
  const auto is_behind = [&](std::uint32_t from, std::uint32_t to) {
    const Ways way = code->way(from, to, exchanges);
    return way.any && !way.free;
  };
  if (is_behind(code->other, code->here)) return suspect_of(key.here).line;
  return is_behind(code->here, code->other) ? suspect_of(key.other).line : 0;
}

bool RaceReports::has_rounds(const Key& key) const {
  const auto code = code_pair(sites_[key.here.site], sites_[key.other.site]);
  if (!code) return true;
  if (code->way(code->here, code->other).any && code->way(code->other, code->here).any) return true;
  return stores_in_line_of(key.here) > 1;
}

SourcePlace RaceReports::suspect_of(const Party& party) const {
  const auto& site = sites_[party.site];
  return suspect_place(*site.program, site.instruction);
}

std::size_t RaceReports::stores_in_line_of(const Party& party) const {
  const Program& program = *sites_[party.site].program;
  const ptx::Function& function = *program.function;
  const SourcePlace line = suspect_of(party);
  std::size_t stores = 0;
  for (std::uint32_t pc = 0; pc < program.source.size(); ++pc) {
    const std::uint32_t i = program.source[pc];
    if (i >= function.body.size() || ptx::access_of(function.body[i]) != ptx::Access::Store) continue;
    const SourcePlace at = suspect_place(program, pc);
    stores += at.line == line.line && at.file == line.file ? 1 : 0;
  }
  return stores;
}

std::uint32_t RaceReports::line_of_rounds(const Key& key) const {
  if (key.conflict != Conflict::ReadWrite) return 0;
  const bool here_reads = key.here.kind == AccessKind::Load;
  const Party &read = here_reads ? key.here : key.other, &write = here_reads ? key.other : key.here;
  const auto code = code_pair(sites_[read.site], sites_[write.site]);
  if (!code) return 0;
  const std::size_t stores = stores_in_line_of(read);
  // Several stores: the loop is unrolled.
  const bool loops = stores > 1 || (stores == 1 && code->way(code->here, code->here).any);
  const bool behind = code->way(code->other, code->here).any && !code->way(code->here, code->other).any;
  return loops && behind ? suspect_of(read).line : 0;
}

Messages RaceReports::advice_at_one_place(const Key& key, const Example& example, const Message& usual,
                                          std::uint32_t line) const {
  const bool by_order = key.conflict != Conflict::OneInstruction && key.conflict != Conflict::ReadOnly;
  const bool atomic = key.here.kind == AccessKind::Atomic || key.other.kind == AccessKind::Atomic;
  const bool lanes = key.relation == Relation::SameWarp;
  if (atomic || !by_order || (lanes && !example.crowded)) {
    return lanes && key.conflict == Conflict::ReadWrite ? msg::advice_read_into_register() : usual;
  }
  // A round of a tree, whose elements each belong to one thread.
  if (!lanes && key.conflict == Conflict::ReadWrite && key.relation != Relation::OtherBlock &&
      !example.crowded)
    return has_rounds(key) ? Messages(msg::advice_syncthreads_after_round(line))
                           : Messages(msg::advice_read_before_barrier());
  // `counter++` by many threads: a barrier between its read and its write would not help.
  const bool barrier_first = key.relation != Relation::OtherBlock && !example.crowded;
  const Message use_atomic = msg::advice_atomic_on_one_element(barrier_first);
  Messages advice;
  if (key.conflict == Conflict::WriteWrite) advice.add(msg::advice_same_index());
  advice.add(barrier_first ? usual : use_atomic);
  advice.add(barrier_first ? use_atomic : usual);
  return advice;
}

/// Do blocks check whether others are done?
bool RaceReports::talks() const {
  return std::ranges::any_of(sites_, [](const Site& s) { return s.asks || s.looks; });
}

/// For a read and a write in a loop, possibly unrolled: the access that comes first, if the other belongs to
/// the previous round, because a barrier separates this one from the other in the same round. Null: this is
/// not the case. The order in which they were observed says little, because warps take turns.
const RaceReports::Party* RaceReports::before_next_round(const Key& key) const {
  if (key.conflict != Conflict::ReadWrite || key.relation == Relation::OtherBlock) return nullptr;
  const auto code = code_pair(sites_[key.here.site], sites_[key.other.site]);
  if (!code) return nullptr;
  const bool lanes = key.relation == Relation::SameWarp;
  const InstructionKind orders = lanes ? orders_lanes : orders_warps;
  const Ways on = code->way(code->here, code->other, orders);
  const Ways back = code->way(code->other, code->here, orders);
  if (on.free == back.free) return nullptr;
  const Party &first = on.free ? key.here : key.other, &second = on.free ? key.other : key.here;
  const std::uint32_t first_at = on.free ? code->here : code->other,
                      second_at = on.free ? code->other : code->here;

  const SourcePlace from = suspect_of(first), to = suspect_of(second);
  if (to.line == 0 || from.file != to.file || to.line >= from.line) return nullptr;
  // The line of `first` must have been executed before.
  const Program& program = *sites_[first.site].program;
  const auto& body = code->function.body;
  const ptx::Access access = ptx::access_of(body[second_at]);
  for (std::uint32_t pc = 0; pc < program.source.size(); ++pc) {
    const std::uint32_t i = program.source[pc];
    if (i >= first_at || ptx::access_of(body[i]) != access) continue;
    const SourcePlace other = suspect_place(program, pc);
    if (other.line == to.line && other.file == to.file)
      return second_at > first_at || (on.any && back.any) ? &first : nullptr;
  }
  return nullptr;
}

void RaceReports::tell_of_next_round(const Key& key, const Party& first, const Message& place, Finding& f) {
  const bool lanes = key.relation == Relation::SameWarp;
  const char* const access = first.kind == AccessKind::Load ? "read" : "write";
  f.message = msg::race_with_next_round(place, between(key), access);
  f.advice = lanes ? msg::advice_syncwarp_at_loop_end(access) : msg::advice_syncthreads_at_loop_end(access);
  if (!lanes) f.bug += " in the next round";
  if (&first == &key.other) std::swap(f.here, f.other);
}

/// The reader stands first, the plain access before the atomic one; otherwise the order is that of the
/// source.
bool RaceReports::other_first(const Key& key, const Finding& f) const {
  switch (key.conflict) {
    case Conflict::ReadWrite: {
      // A fence is missing at the store, whichever block reads the value.
      const bool store_first = key.relation == Relation::OtherBlock && !launch_.config.cooperative && talks();
      return (key.other.kind == AccessKind::Load) != store_first;
    }
    case Conflict::WriteWrite:
      return std::tie(f.other.file, f.other.line) < std::tie(f.here.file, f.here.line);
    case Conflict::ReadAtomic:
    case Conflict::WriteAtomic: return key.here.kind == AccessKind::Atomic;
    case Conflict::Overwritten: return !sites_[key.here.site].overwrites;
    case Conflict::BlockScope: return !sites_[key.here.site].within_block;
    case Conflict::ReadOnly:
    case Conflict::OneInstruction: break;  // the lower lane first
  }
  return true;
}

Finding RaceReports::finding(const Key& key, const Seen<Example>& seen) const {
  const Example& e = seen.example;
  const bool lanes_apart = key.relation == Relation::SameWarp && key.conflict != Conflict::OneInstruction;
  const bool strong = sites_[key.here.site].strong || sites_[key.other.site].strong;
  const bool plain = key.conflict == Conflict::ReadWrite || key.conflict == Conflict::WriteWrite;
  const Message place = key.shared
                            ? name_shared(key.here.site, static_cast<std::uint32_t>(e.address), e.width)
                            : name_global(key.here.site, e.address, e.width);
  Finding f;
  f.checker = Checker::Racecheck;
  // Code that relies on lockstep works on many devices; the other races are wrong on all.
  if (lanes_apart) f.severity = Severity::Warning;
  f.kernel = launch_.program->kernel;
  f.count = seen.count;
  f.here = side(key.here.site, did(key.here.kind), seen.block, e.thread);
  f.other = side(key.other.site, did(key.other.kind), e.other_block, e.other_thread);
  const Party* const first = before_next_round(key);
  f.kind = kind(key, first != nullptr);
  // All accesses that one barrier orders are one bug: reads and writes, possibly by several statements.
  f.bug = (plain ? "" : std::to_string(static_cast<int>(key.conflict)) + ' ') + between(key) + " on " +
          packed(without_element(place));
  // For the unrolled last warp of a reduction: each of its lines lacks the same barrier.
  if (lanes_apart) f.advice_for_all = msg::advice_syncwarp_between_lines(strong);
  if (first != nullptr) {
    tell_of_next_round(key, *first, place, f);
    return f;
  }
  f.message = message(key, place);
  const Message usual = advice(key, strong);
  if (usual.is(msg::advice_bulk_copy_reads) || usual.is(msg::advice_bulk_copy_writes))
    f.advice_for_all.clear();
  const bool one_place = f.here.line == f.other.line && f.here.file == f.other.file && f.here.line != 0;
  f.advice = one_place ? advice_at_one_place(key, e, usual, f.here.line) : usual;
  if (other_first(key, f)) std::swap(f.here, f.other);
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
    return !f.message.contains(msg::race_with_next_round);
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
