#include "grader/sim/counters/access_map.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "grader/sim/counters/wavefronts.h"
#include "grader/sim/executable/memory_names.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/executable/source_place.h"

namespace cudalabs::sim {
namespace {

/// How the hardware performs an atomic. If a warp combines its operands first, one lane remains.
AtomicForm form_of(const WarpAccess& a) {
  return a.kind == AccessKind::Atomic ? a.program->atomics[a.program->source[a.instruction]] : AtomicForm{};
}
std::uint32_t reaching_lanes(const WarpAccess& a) {
  return form_of(a).combined ? a.mask & (~a.mask + 1) : a.mask;
}

/// The wavefronts of the access if its lanes were spread over the banks.
std::uint64_t ideal_wavefronts(const WarpAccess& a) {
  using Form = AtomicForm::Kind;
  const auto width = static_cast<int>(a.width);
  const std::uint32_t lanes = reaching_lanes(a);
  if (a.kind != AccessKind::Atomic) {
    const auto kind =
        a.kind == AccessKind::Load ? counting::SharedAccess::Load : counting::SharedAccess::Store;
    return static_cast<std::uint64_t>(counting::shared_minimum(width, a.offsets, lanes, kind));
  }
  std::array<std::uint32_t, kLanes> spread{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) spread[lane] = lane * std::max(a.width, 4u);
  if (form_of(a).kind == Form::Loop) {
    const counting::SpinCounts counts = counting::shared_spin(std::max(width, 4), spread.data(), lanes);
    return static_cast<std::uint64_t>(counts.load_wavefronts + counts.atomic_wavefronts);
  }
  const auto kind = form_of(a).kind == Form::CompareAndSwap ? counting::SharedAccess::AtomicCas
                                                            : counting::SharedAccess::Atomic;
  return static_cast<std::uint64_t>(counting::shared_wavefronts(width, spread.data(), lanes, kind));
}

std::uint32_t degree_of(const SharedExample& access) {
  std::uint32_t degree = 0;
  for (const std::uint32_t pass : passes(access)) {
    for (const auto& words : bank_load(access, pass))
      degree = std::max(degree, static_cast<std::uint32_t>(words.size()));
  }
  return degree;
}

std::uint64_t sectors_of_distinct(const WarpAccess& a) {
  std::array<std::uint64_t, kLanes> addresses{};
  std::size_t count = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (a.mask >> lane & 1) addresses[count++] = a.addresses[lane];
  }
  const auto end = addresses.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(addresses.begin(), end);
  const auto distinct = static_cast<std::uint64_t>(std::unique(addresses.begin(), end) - addresses.begin());
  return (distinct * a.width + kSectorBytes - 1) / kSectorBytes;
}

/// The lane distances of an instruction's last access: an access with the same distances costs the same.
struct LastAccess {
  std::array<std::uint64_t, kLanes> relative{};
  std::uint32_t mask = 0, phase = 0;  ///< 0: nothing is remembered
  AccessSpace space{};
  std::uint32_t degree = 0;
  std::uint64_t ideal = 0;  ///< wavefronts or sectors

  template <class T>
  [[nodiscard]] bool fits(const WarpAccess& a, const T* at) const {
    const T base = at[std::countr_zero(a.mask)];
    if (mask != a.mask || space != a.space || phase != (base & 3)) return false;
    std::uint64_t differ = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      differ |= (a.mask >> lane & 1) != 0 ? relative[lane] ^ static_cast<T>(at[lane] - base) : 0;
    return differ == 0;
  }
  template <class T>
  void keep(const WarpAccess& a, const T* at) {
    const T base = at[std::countr_zero(a.mask)];
    mask = a.mask;
    space = a.space;
    phase = static_cast<std::uint32_t>(base & 3);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) relative[lane] = static_cast<T>(at[lane] - base);
  }
};

class AccessWorker : public WorkerObserver {
 public:
  void resume_block(std::uint64_t block) override { block_ = block; }

  void access(const WarpAccess& a) override {
    if (a.space == AccessSpace::Local || a.space == AccessSpace::Constant) return;
    if (a.program != program_) {
      program_ = a.program;
      auto& sites = sites_[a.program];
      auto& memos = memos_[a.program];
      sites.resize(a.program->code.size());
      memos.resize(a.program->code.size());
      current_ = sites.data();
      memo_ = memos.data();
    }
    AccessMap::Site& site = current_[a.instruction];
    LastAccess& memo = memo_[a.instruction];
    if (a.space == AccessSpace::Global) {
      if (!memo.fits(a, a.addresses)) {
        memo.keep(a, a.addresses);
        memo.ideal = sectors_of_distinct(a);
      }
      site.global_ideal_sectors += memo.ideal * a.repeats;
      return;
    }
    if (!memo.fits(a, a.offsets)) {
      memo.keep(a, a.offsets);
      memo.degree = degree_of(example(a));
      memo.ideal = ideal_wavefronts(a);
    }
    site.shared_accesses += a.repeats;
    site.shared_ideal_wavefronts += memo.ideal * a.repeats;
    const auto lower = [&] { return std::tie(block_, a.warp) < std::tie(site.block, site.worst.warp); };
    if (memo.degree < site.worst.degree || (memo.degree == site.worst.degree && !lower())) return;
    site.worst = example(a);
    site.worst.degree = memo.degree;
    site.block = block_;
  }

  std::unordered_map<const Program*, std::vector<AccessMap::Site>> sites_;

 private:
  static SharedExample example(const WarpAccess& a) {
    SharedExample e;
    e.kind = a.kind;
    e.width = a.width;
    e.mask = reaching_lanes(a);
    e.lanes_share = a.kind != AccessKind::Atomic || form_of(a).kind == AtomicForm::Kind::Increment;
    e.warp = a.warp;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if (e.mask >> lane & 1) e.offsets[lane] = a.offsets[lane];
    return e;
  }

  std::unordered_map<const Program*, std::vector<LastAccess>> memos_;
  const Program* program_ = nullptr;
  AccessMap::Site* current_ = nullptr;
  LastAccess* memo_ = nullptr;
  std::uint64_t block_ = 0;
};

void name_variable(SharedExample& example, const Program& kernel) {
  const std::uint32_t offset = example.offsets[static_cast<std::size_t>(std::countr_zero(example.mask))];
  for (const SharedVariable& v : kernel.shared_variables) {
    if (offset < v.offset || offset - v.offset >= v.bytes) continue;
    example.variable = plain_name(v.name);
    example.variable_offset = v.offset;
  }
}

}  // namespace

std::unique_ptr<WorkerObserver> AccessMap::worker(const LaunchInfo& launch) {
  kernel_ = launch.program;
  grid_ = launch.config.grid;
  return std::make_unique<AccessWorker>();
}

void AccessMap::merge(WorkerObserver& worker) {
  for (const auto& [program, list] : static_cast<AccessWorker&>(worker).sites_) {
    auto& sums = sites_[program];
    sums.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      Site& sum = sums[i];
      const Site& site = list[i];
      sum.shared_accesses += site.shared_accesses;
      sum.shared_ideal_wavefronts += site.shared_ideal_wavefronts;
      sum.global_ideal_sectors += site.global_ideal_sectors;
      const auto lower = [&] {
        return std::tie(site.block, site.worst.warp) < std::tie(sum.block, sum.worst.warp);
      };
      if (site.worst.degree > sum.worst.degree || (site.worst.degree == sum.worst.degree && lower())) {
        sum.worst = site.worst;
        sum.block = site.block;
      }
    }
  }
}

std::vector<LineAccesses> AccessMap::lines() const {
  struct Sum {
    LineAccesses line;
    std::uint64_t block = 0;
    const std::string* function = nullptr;
    std::size_t instruction = 0;
  };
  std::map<std::pair<std::string, std::uint32_t>, Sum> sums;
  for (const auto& [program, sites] : sites_) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Site& site = sites[i];
      if (site.shared_accesses == 0 && site.global_ideal_sectors == 0) continue;
      const SourcePlace place = source_place(*program, static_cast<std::uint32_t>(i));
      if (place.line == 0) continue;
      Sum& sum = sums[{place.file, place.line}];
      sum.line.shared_accesses += site.shared_accesses;
      sum.line.shared_ideal_wavefronts += site.shared_ideal_wavefronts;
      sum.line.global_ideal_sectors += site.global_ideal_sectors;
      if (site.worst.degree == 0 || site.worst.degree < sum.line.worst.degree) continue;
      const auto before = [&, &program = program] {
        return std::tie(site.block, site.worst.warp, program->name, i) <
               std::tie(sum.block, sum.line.worst.warp, *sum.function, sum.instruction);
      };
      if (site.worst.degree > sum.line.worst.degree || before()) {
        sum.line.worst = site.worst;
        sum.block = site.block;
        sum.function = &program->name;
        sum.instruction = i;
      }
    }
  }
  std::vector<LineAccesses> lines;
  for (auto& [place, sum] : sums) {
    LineAccesses& line = lines.emplace_back(std::move(sum.line));
    line.file = place.first;
    line.line = place.second;
    if (line.worst.mask == 0) continue;
    line.worst.block = {static_cast<std::uint32_t>(sum.block % grid_.x),
                        static_cast<std::uint32_t>(sum.block / grid_.x % grid_.y),
                        static_cast<std::uint32_t>(sum.block / grid_.x / grid_.y)};
    name_variable(line.worst, *kernel_);
  }
  return lines;
}

}  // namespace cudalabs::sim
