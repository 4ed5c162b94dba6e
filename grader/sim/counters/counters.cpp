#include "grader/sim/counters/counters.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "grader/sim/counters/banks.h"
#include "grader/sim/counters/lanes_in_turn.h"
#include "grader/sim/counters/wavefronts.h"
#include "grader/sim/executable/atomic_access.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {
namespace {

/// The pattern of an instruction's last access and its cost. Addresses are relative to lane 0's.
struct LastCost {
  alignas(64) std::uint32_t relative[kLanes] = {};
  std::uint32_t mask = 0, phase = 0;
  AccessSpace space{};                                                  ///< a generic access may change it
  std::uint32_t wavefronts = 0, conflicts = 0, sectors = 0, bytes = 0;  ///< bytes: distinct ones
  std::uint32_t wide_wavefronts = 0, wide_conflicts = 0;                ///< as the hardware counts
  bool part = false;                       ///< of an access counted at another instruction
  std::uint32_t distinct = 0;              ///< distinct sectors of an atomic
  counting::SpinCounts loop;               ///< of an atomic that is a loop; otherwise without iterations
  std::uint64_t layout = 0, accesses = 0;  ///< of shared memory, and how many had it since it was learnt
};

std::uint64_t bytes_of(const WarpAccess& a) {
  return static_cast<std::uint64_t>(std::popcount(a.mask)) * a.width;
}

/// The sectors of 32 bytes that the lanes would need on adjacent elements. Needing fewer sectors is no
/// credit.
std::uint64_t ideal_sectors(const WarpAccess& a, std::uint64_t met) {
  return std::min(met, (bytes_of(a) + kSectorBytes - 1) / kSectorBytes);
}

/// Do all lanes read one of CUDA's own tables?
bool is_of_table(const WarpAccess& a) {
  const auto inside = [&](std::uint64_t address) {
    return std::ranges::any_of(a.program->tables, [&](const DeviceRange& table) {
      return address >= table.begin && address + a.width <= table.begin + table.bytes;
    });
  };
  for (std::uint32_t mask = a.mask; mask != 0; mask &= mask - 1)
    if (!inside(a.addresses[std::countr_zero(mask)])) return false;
  return true;
}

class CounterWorker : public WorkerObserver {
 public:
  struct Instruction {
    LastCost memo;
    std::unique_ptr<LastCost> copied;  ///< the shared half of an asynchronous copy; its global half is `memo`
    Counters counters;
  };

  explicit CounterWorker(const SharedBanks& banks) : banks_(banks) {}

  [[nodiscard]] bool every_access() const override { return false; }

  void access(const WarpAccess& a) override {
    if (a.program != program_) {
      program_ = a.program;
      auto& list = seen_[a.program];
      if (list.empty()) list.resize(a.program->code.size());
      current_ = list.data();
    }
    Instruction& i = current_[a.instruction];
    Counters& c = i.counters;
    switch (a.space) {
      case AccessSpace::Shared: return count_shared(i, a);
      case AccessSpace::Global: return count_global(i, a);
      case AccessSpace::Constant: c.constant_load_instructions += a.repeats; break;
      case AccessSpace::Local:
        (a.kind == AccessKind::Load ? c.local_load_requests : c.local_store_requests) +=
            a.repeats *
            static_cast<std::uint64_t>(counting::local_requests(static_cast<int>(a.width), a.mask));
        break;
    }
  }

  std::unordered_map<const Program*, std::vector<Instruction>> seen_;

  SharedLayouts layouts_;
  LanesInTurn in_turn_;

  void add_layout(LastCost& m) {
    if (m.accesses != 0) layouts_.add(m.layout, std::exchange(m.accesses, 0));
  }

 private:
  void count_shared(Instruction& i, const WarpAccess& a) {
    LastCost& m = i.memo;
    Counters& c = i.counters;
    if (a.form == AccessForm::Copy) return count_copy(i, a);
    if (!same_shared(m, a)) learn_shared(m, a);
    m.accesses += a.repeats;
    const auto lanes = static_cast<std::uint64_t>(std::popcount(a.mask));
    (a.kind == AccessKind::Load    ? c.shared_load_bytes
     : a.kind == AccessKind::Store ? c.shared_store_bytes
                                   : c.shared_atomic_bytes) += a.repeats * a.width * lanes;
    if (a.kind != AccessKind::Atomic) c.shared_distinct_bytes += a.repeats * m.bytes;
    if (a.kind != AccessKind::Atomic && lanes <= kFewLanes && a.form == AccessForm::Lanes) in_turn_.add(a, c);
    if (a.kind == AccessKind::Load) {
      if (a.form == AccessForm::Lanes) c.source_shared_load_instructions += a.repeats;
      c.source_shared_load_wavefronts += a.repeats * m.wavefronts;
      c.source_shared_load_bank_conflicts += a.repeats * m.conflicts;
      if (a.form == AccessForm::Lanes && !m.part) c.shared_load_instructions += a.repeats;
      c.shared_load_wavefronts += a.repeats * m.wide_wavefronts;
      c.shared_load_bank_conflicts += a.repeats * m.wide_conflicts;
    } else if (a.kind == AccessKind::Store) {
      if (a.form == AccessForm::Lanes) c.source_shared_store_instructions += a.repeats;
      c.source_shared_store_wavefronts += a.repeats * m.wavefronts;
      c.source_shared_store_bank_conflicts += a.repeats * m.conflicts;
      if (a.form == AccessForm::Lanes && !m.part) c.shared_store_instructions += a.repeats;
      c.shared_store_wavefronts += a.repeats * m.wide_wavefronts;
      c.shared_store_bank_conflicts += a.repeats * m.wide_conflicts;
    } else if (m.loop.iterations == 0) {
      c.shared_atomic_instructions += a.repeats;
      c.shared_atomic_wavefronts += a.repeats * m.wavefronts;
      c.shared_atomic_bank_conflicts += a.repeats * m.conflicts;
    } else {
      const auto times = [&](int count) { return a.repeats * static_cast<std::uint64_t>(count); };
      c.shared_atomic_instructions += times(m.loop.iterations);
      c.shared_atomic_wavefronts += times(m.loop.atomic_wavefronts);
      // Each iteration completes the lanes that do not collide.
      c.shared_atomic_bank_conflicts += times(m.loop.iterations - 1);
      for (auto* instructions : {&c.shared_load_instructions, &c.source_shared_load_instructions})
        *instructions += times(m.loop.iterations);
      for (auto* wavefronts : {&c.shared_load_wavefronts, &c.source_shared_load_wavefronts})
        *wavefronts += times(m.loop.load_wavefronts);
      for (auto* conflicts : {&c.shared_load_bank_conflicts, &c.source_shared_load_bank_conflicts})
        *conflicts += times(m.loop.load_conflicts);
    }
  }
  void count_global(Instruction& i, const WarpAccess& a) {
    LastCost& m = i.memo;
    Counters& c = i.counters;
    if (!same_global(m, a)) learn_global(m, a);
    if (a.kind == AccessKind::Load) {
      c.global_load_requests += a.repeats;
      c.global_load_sectors += a.repeats * m.sectors;
      c.global_load_ideal_sectors += a.repeats * ideal_sectors(a, m.sectors);
      if (!a.program->tables.empty() && is_of_table(a)) {
        c.table_load_requests += a.repeats;
        c.table_load_sectors += a.repeats * m.sectors;
        c.table_load_ideal_sectors += a.repeats * ideal_sectors(a, m.sectors);
      } else {
        c.global_load_bytes += a.repeats * std::min(bytes_of(a), m.sectors * kSectorBytes);
        c.global_load_distinct_bytes += a.repeats * m.bytes;
      }
    } else if (a.kind == AccessKind::Store) {
      c.global_store_requests += a.repeats;
      c.global_store_sectors += a.repeats * m.sectors;
      c.global_store_bytes += a.repeats * std::min(bytes_of(a), m.sectors * kSectorBytes);
      c.global_store_distinct_bytes += a.repeats * m.bytes;
      c.global_store_ideal_sectors += a.repeats * ideal_sectors(a, m.sectors);
    } else {
      c.global_atomic_requests += a.repeats;
      c.global_atomic_sectors += a.repeats * m.sectors;
      c.global_atomic_distinct_sectors += a.repeats * m.distinct;
      c.global_atomic_ideal_sectors += a.repeats * ideal_sectors(a, m.distinct);
    }
  }
  void count_copy(Instruction& i, const WarpAccess& a) {
    const bool first = i.copied == nullptr;
    if (first) i.copied = std::make_unique<LastCost>();
    if (first || !same_shared(*i.copied, a)) learn_shared(*i.copied, a);
    i.copied->accesses += a.repeats;
    Counters& c = i.counters;
    c.shared_copied_bytes += a.repeats * bytes_of(a);
    c.shared_copy_wavefronts += a.repeats * i.copied->wavefronts;
    c.shared_copy_bank_conflicts += a.repeats * i.copied->conflicts;
  }
  // A pattern shifted by whole words costs the same, because the banks only rotate. `phase` is the remainder
  // below a word (shared) or below a sector (global).
  static bool same_shared(const LastCost& m, const WarpAccess& a) {
    const std::uint32_t base = a.offsets[0];
    std::uint32_t differ = (m.mask ^ a.mask) | (m.phase ^ (base & 3)) | (m.space != a.space ? 1u : 0u);
    for (std::uint32_t l = 0; l < kLanes; ++l) differ |= m.relative[l] ^ (a.offsets[l] - base);
    return differ == 0;
  }
  void count_passes(int width, const std::uint32_t* offsets, std::uint32_t active,
                    counting::SharedAccess kind, std::uint32_t& wavefronts, std::uint32_t& conflicts) const {
    const bool wide = banks_.bytes == 8;
    if (wide && (kind == counting::SharedAccess::Load || kind == counting::SharedAccess::Store)) {
      const BankPasses cost = bank_passes_of(banks_, static_cast<std::uint32_t>(width), offsets, active);
      wavefronts = cost.wavefronts;
      conflicts = cost.wavefronts - cost.least;
      return;
    }
    const int passes = counting::shared_wavefronts(width, offsets, active, kind);
    wavefronts = static_cast<std::uint32_t>(passes);
    conflicts = static_cast<std::uint32_t>(counting::shared_conflicts(passes, width, offsets, active, kind));
  }
  void learn_shared(LastCost& m, const WarpAccess& a) {
    add_layout(m);
    m.layout = layout_of(a);
    const std::uint32_t base = a.offsets[0];
    for (std::uint32_t l = 0; l < kLanes; ++l) m.relative[l] = a.offsets[l] - base;
    m.mask = a.mask;
    m.phase = base & 3;
    m.space = a.space;
    if (a.kind == AccessKind::Atomic) return learn_shared_atomic(m, a);
    m.bytes = counting::distinct_bytes(a.offsets, a.width, a.mask);
    const auto width = static_cast<int>(a.width);
    const auto kind = a.form == AccessForm::Matrices ? counting::SharedAccess::Matrix
                      : a.kind == AccessKind::Load   ? counting::SharedAccess::Load
                                                     : counting::SharedAccess::Store;
    count_passes(width, a.offsets, a.mask, kind, m.wavefronts, m.conflicts);
    m.wide_wavefronts = m.wavefronts;
    m.wide_conflicts = m.conflicts;
    if (a.form != AccessForm::Lanes) return;
    // If several instructions are one hardware access, the first carries the whole cost.
    const WideAccess wide = a.program->wide_access(a.program->source[a.instruction]);
    m.part = wide.part;
    if (wide.part) m.wide_wavefronts = m.wide_conflicts = 0;
    if (wide.width == 0) return;
    std::uint32_t aligned[kLanes];
    for (std::uint32_t l = 0; l < kLanes; ++l) aligned[l] = a.offsets[l] & ~(wide.width - 1u);
    count_passes(wide.width, aligned, a.mask, kind, m.wide_wavefronts, m.wide_conflicts);
  }
  void learn_shared_atomic(LastCost& m, const WarpAccess& a) const {
    using Kind = AtomicForm::Kind;
    const Kind form = atomic_form(a).kind;
    const std::uint32_t lanes = atomic_lanes(a);
    if (form == Kind::Loop) {
      std::uint32_t words[kLanes];  // a 16-bit add swaps the word that contains its half
      for (std::uint32_t l = 0; l < kLanes; ++l) words[l] = a.offsets[l] & ~3u;
      m.loop = counting::shared_spin(a.width == 8 ? 8 : 4, words, lanes);
      return;
    }
    const auto kind = form == Kind::Increment        ? counting::SharedAccess::AtomicIncrement
                      : form == Kind::CompareAndSwap ? counting::SharedAccess::AtomicCas
                                                     : counting::SharedAccess::Atomic;
    count_passes(static_cast<int>(a.width), a.offsets, lanes, kind, m.wavefronts, m.conflicts);
  }
  static bool same_global(const LastCost& m, const WarpAccess& a) {
    const std::uint64_t base = a.addresses[0];
    std::uint64_t differ = (m.mask ^ a.mask) | (m.phase ^ (base & 31)) | (m.space != a.space ? 1u : 0u);
    for (std::uint32_t l = 0; l < kLanes; ++l) differ |= m.relative[l] ^ (a.addresses[l] - base);
    return differ == 0;
  }
  static void learn_global(LastCost& m, const WarpAccess& a) {
    const std::uint64_t base = a.addresses[0];
    std::uint64_t wide = 0;
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      m.relative[l] = static_cast<std::uint32_t>(a.addresses[l] - base);
      wide |= (a.addresses[l] - base) >> 32;
    }
    m.mask = wide == 0 ? a.mask : 0;  // distances beyond 32 bits are not cached
    m.phase = base & 31;
    m.space = a.space;
    m.sectors = static_cast<std::uint32_t>(a.kind == AccessKind::Atomic
                                               ? counting::global_atomic_sectors(a.addresses, atomic_lanes(a))
                                               : counting::global_sectors(a.addresses, a.mask));
    m.distinct = a.kind == AccessKind::Atomic
                     ? static_cast<std::uint32_t>(counting::global_sectors(a.addresses, atomic_lanes(a)))
                     : 0;
    m.bytes = counting::distinct_bytes(a.addresses, a.width, a.mask);
  }

  const SharedBanks banks_;
  const Program* program_ = nullptr;
  Instruction* current_ = nullptr;
};

}  // namespace

std::unique_ptr<WorkerObserver> CounterObserver::worker(const LaunchInfo&) {
  return std::make_unique<CounterWorker>(banks_);
}

void CounterObserver::merge(WorkerObserver& worker) {
  auto& from = static_cast<CounterWorker&>(worker);
  from.in_turn_.end();
  for (auto& [program, list] : from.seen_) {
    auto& sums = by_instruction_[program];
    sums.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      from.add_layout(list[i].memo);
      if (list[i].copied) from.add_layout(*list[i].copied);
      sums[i] += list[i].counters;
    }
  }
  for (const LayoutCount& count : from.layouts_.counts()) shared_layouts_.add(count.layout, count.accesses);
}

const std::vector<Counters>& CounterObserver::of(const Program& program) const {
  static const std::vector<Counters> kNothing;
  const auto it = by_instruction_.find(&program);
  return it == by_instruction_.end() ? kNothing : it->second;
}

}  // namespace cudalabs::sim
