// For lanes with adjacent addresses racecheck handles many cells at once, and it receives loads of shared
// memory in lists. With random accesses the findings must equal those of handling each lane and each load
// alone. The same holds for initcheck, and for the check for races between blocks of large launches, on two
// workers.

#include "grader/sim/checkers/race/racecheck.h"

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "grader/sim/checkers/race/block_races.h"
#include "grader/sim/executable/lane_pattern.h"
#include "grader/sim/executable/program.h"
#include "tests/harness/catch.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kGlobalBytes = 3 * 4096, kSharedBytes = 4096, kWarpsOfBlock = 3;

struct TwinOperation {
  const char* text;
  AccessKind kind;
  AccessSpace space;
  std::uint32_t elements, element_bytes;
};
constexpr auto kLoad = AccessKind::Load, kStore = AccessKind::Store;
constexpr auto kGlobal = AccessSpace::Global, kShared = AccessSpace::Shared;
constexpr std::array kOperations{
    TwinOperation{"ld.global.u32 %r1, [%rd1];", kLoad, kGlobal, 1, 4},
    TwinOperation{"st.global.u32 [%rd1], %r1;", kStore, kGlobal, 1, 4},
    TwinOperation{"ld.shared.u32 %r1, [tile];", kLoad, kShared, 1, 4},
    TwinOperation{"st.shared.u32 [tile], %r1;", kStore, kShared, 1, 4},
    TwinOperation{"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];", kLoad, kGlobal, 4, 4},
    TwinOperation{"st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};", kStore, kGlobal, 4, 4},
    TwinOperation{"ld.global.u64 %rd2, [%rd1];", kLoad, kGlobal, 1, 8},
    TwinOperation{"st.shared.v2.u32 [tile], {%r1, %r2};", kStore, kShared, 2, 4},
    TwinOperation{"ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile];", kLoad, kShared, 4, 4},
    TwinOperation{"ld.shared.u8 %r1, [tile];", kLoad, kShared, 1, 1},
    // narrower than a word: the checker then tracks that page of memory by byte
    TwinOperation{"ld.global.u8 %r1, [%rd1];", kLoad, kGlobal, 1, 1},
    TwinOperation{"st.global.u16 [%rd1], %rs1;", kStore, kGlobal, 1, 2},
    TwinOperation{"st.shared.u8 [tile], %r1;", kStore, kShared, 1, 1},
    // read-only loads, and accesses that other threads can observe
    TwinOperation{"ld.global.nc.u32 %r1, [%rd1];", kLoad, kGlobal, 1, 4},
    TwinOperation{"ld.volatile.global.u32 %r5, [%rd1];", kLoad, kGlobal, 1, 4},
    TwinOperation{"st.volatile.global.u32 [%rd1], %r1;", kStore, kGlobal, 1, 4},
    TwinOperation{"atom.global.add.u32 %r1, [%rd1], 1;", AccessKind::Atomic, kGlobal, 1, 4},
    TwinOperation{"red.global.add.u32 [%rd1], 1;", AccessKind::Atomic, kGlobal, 1, 4},
    TwinOperation{"atom.global.exch.b32 %r6, [%rd1], 0;", AccessKind::Atomic, kGlobal, 1, 4},
    TwinOperation{"atom.shared.add.u32 %r1, [tile], 1;", AccessKind::Atomic, kShared, 1, 4},
    // a part of the result is discarded
    TwinOperation{"ld.global.v4.u32 {%r1, %r2, %r3, %r7}, [%rd1];", kLoad, kGlobal, 4, 4},
};
/// This many operations at the beginning are ordinary. Programs with mostly ordered accesses use only these.
constexpr std::size_t kUsual = 9;

/// `partly`: it reads all elements of the last load but one. Then lists are handled at once.
std::string kernel(bool partly) {
  std::string text =
      ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
      ".reg .b16 %rs<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<3>;\n.shared .align 16 .b8 tile[4096];\n"
      "ld.param.u64 %rd1, [in];\n mov.u32 %r1, 0;\n mov.u32 %r2, 0;\n mov.u32 %r3, 0;\n mov.u32 %r4, 0;\n"
      " mov.u64 %rd2, 0;\n mov.u16 %rs1, 0;\n bra behind;\n";
  int line = 0;  // the findings of one line would be merged
  for (const TwinOperation& operation : kOperations)
    text += ".loc 1 " + std::to_string(++line) + " 0\n" + operation.text + "\n";
  // Uses the loaded values.
  text += "add.u32 %r1, %r1, %r2;\n add.u32 %r1, %r3, %r4;\n add.u64 %rd2, %rd2, %rd2;\n";
  if (!partly) text += "add.u32 %r1, %r1, %r7;\n";
  return text +
         "st.global.u32 [%rd1], %r1;\n st.global.u64 [%rd1], %rd2;\nbehind: ret;\n}\n.file 1 \"k.cu\"\n";
}

/// Two checkers that receive the same accesses: `together` in batches, `apart` one by one.
struct Twins {
  std::unique_ptr<CheckerObserver> together, apart;
  std::unique_ptr<WorkerObserver> by_runs, by_cells;

  Twins(std::unique_ptr<CheckerObserver> a, std::unique_ptr<CheckerObserver> b, const LaunchInfo& launch,
        DevicePtr memory)
      : together(std::move(a)), apart(std::move(b)) {
    for (auto* checker : {together.get(), apart.get()}) checker->allocated(memory, kGlobalBytes);
    by_runs = together->worker(launch);
    by_cells = apart->worker(launch);
  }
  template <class Tell>
  void tell(Tell tell) {
    tell(*by_runs);
    tell(*by_cells);
  }
  static std::string text(CheckerObserver& checker, WorkerObserver& worker) {
    checker.merge(worker);
    std::string all;
    for (const Finding& f : checker.found.take()) all += f.text() + ", " + std::to_string(f.count) + "\n";
    return all;
  }
};

/// The races between blocks of a launch on two workers.
struct BlockRacesOfTwo {
  BlockRacesOfTwo(const LaunchInfo& launch, std::span<const DeviceRange> inputs, bool whole_runs)
      : workers{BlockRaces(launch, inputs, whole_runs), BlockRaces(launch, inputs, whole_runs)},
        all(launch, inputs, whole_runs) {}
  std::string text() {
    for (BlockRaces& worker : workers) all.join(worker);
    FindingList found;
    all.finish(found);
    std::string text;
    for (const Finding& f : found.take()) text += f.text() + ", " + std::to_string(f.count) + "\n";
    return text;
  }
  std::array<BlockRaces, 2> workers;
  BlockRaces all;
};

/// Sends random accesses to both checkers when the launch begins.
class RandomAccesses {
 public:
  RandomAccesses(const LaunchInfo& launch, DevicePtr memory, std::byte* global, std::uint32_t seed)
      : launch_(launch),
        memory_(memory),
        global_(global),
        random_(seed),
        races_(make_racecheck(), make_racecheck_by_cells(), launch, memory),
        unwritten_(make_initcheck(), make_initcheck(), launch, memory),
        input_{memory + 512, 300},
        between_blocks_(launch, {&input_, 1}, true),
        between_blocks_by_words_(launch, {&input_, 1}, false) {
    const auto& body = launch.program->function->body;
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < launch.program->code.size(); ++i) {
      const ptx::Op op = body[launch.program->source[i]].op;
      // If an instruction became several, the last one counts.
      if (!launch.program->code[i].counted) continue;
      if (op == ptx::Op::Ld || op == ptx::Op::St || op == ptx::Op::Atom || op == ptx::Op::Red)
        found.push_back(i);
    }
    REQUIRE(found.size() == kOperations.size() + 3);  // one for the parameter and two at the end
    places_.assign(found.begin() + 1, found.end() - 2);
  }

  void run() {
    const std::size_t usable = chance(60) ? kUsual : kOperations.size();
    for (std::size_t n = 2 + below(4); n > 0; --n) used_.push_back(below(usable));
    const std::uint32_t barriers = 2 + below(40), strangers = chance(50) ? 0 : 8, syncs = 2 + below(20);
    lines_ = 1 + below(chance(70) ? 2 : 12);
    if (chance(30)) over_page_ = 4096 - 64 * below(12);
    if (chance(30)) return some_ordered();
    enter(0);
    for (int events = chance(40) ? 100 : 15; events > 0; --events) {
      const std::uint32_t warp = below(kWarpsOfBlock);
      if (chance(barriers)) {
        BarrierOpening opening;
        opening.program = launch_.program;
        opening.whole = chance(85);
        opening.warps = opening.whole ? (1u << kWarpsOfBlock) - 1 : 3;
        opening.id = opening.whole ? 0 : 1;
        all([&](WorkerObserver& w) { w.barrier(opening); });
      } else if (chance(syncs)) {
        synchronize(warp);
      } else if (chance(strangers)) {
        if (chance(30)) {
          all([&](WorkerObserver& w) { w.end_block(); });
          ended_ |= 1u << block_;
        }
        std::uint32_t next = below(8);
        while ((ended_ >> next & 1) != 0) next = (next + 1) % 32;
        enter(next);
      } else if (chance(strangers)) {
        const bool within_block = chance(50);
        all([&](WorkerObserver& w) { w.fence(warp, within_block); });
      } else if (chance(15)) {
        list(warp);
      } else {
        access(warp, used_[below(used_.size())], below(10));
      }
    }
  }
  /// A warp reads its data again, some lanes after a `.sync`, before another warp stores to them.
  void some_ordered() {
    enter(0);
    lines_ = 1;
    const std::size_t load = chance(50) ? 0 : 2;  // from global or shared memory
    for (int reads = 2 + below(3); reads > 0; --reads) {
      access(1, load, 0);
      synchronize(1);
    }
    access(0, load + 1, 0);
  }

  void compare() {
    const std::string races = Twins::text(*races_.apart, *races_.by_cells);
    CHECK(Twins::text(*races_.together, *races_.by_runs) == races);
    const std::string unwritten = Twins::text(*unwritten_.apart, *unwritten_.by_cells);
    CHECK(Twins::text(*unwritten_.together, *unwritten_.by_runs) == unwritten);
    const std::string between_blocks = between_blocks_by_words_.text();
    CHECK(between_blocks_.text() == between_blocks);
    blocks_race = !between_blocks.empty();
    silent = races.empty();
  }

  bool silent = false, blocks_race = false;

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  std::uint32_t mask() {
    const std::uint32_t first = below(kLanes), lanes = 1 + below(kLanes - first);
    const std::uint32_t run = (lanes == kLanes ? ~0u : (1u << lanes) - 1) << first;
    const auto any = static_cast<std::uint32_t>(random_());
    return chance(70) || (run & any) == 0 ? run : run & any;
  }
  template <class Tell>
  void all(Tell tell) {
    races_.tell(tell);
    unwritten_.tell(tell);
    for (BlockRacesOfTwo* of : {&between_blocks_, &between_blocks_by_words_}) tell(of->workers[block_ % 2]);
  }
  void enter(std::uint32_t block) {
    block_ = block;
    all([&](WorkerObserver& w) { w.resume_block(block); });
  }

  void synchronize(std::uint32_t warp) {
    std::array<std::uint32_t, kLanes> members{};
    WarpSync sync;
    sync.program = launch_.program;
    sync.warp = warp;
    sync.mask = chance(50) ? kAllLanes : mask();
    members.fill(sync.mask);
    sync.members = members.data();
    all([&](WorkerObserver& w) { w.warp_sync(sync); });
  }

  /// Addresses of 32 lanes from the start of the memory; `pattern`: one of ten.
  std::array<std::uint32_t, kLanes> places(std::uint32_t width, std::uint32_t bytes, std::uint32_t pattern) {
    const std::uint32_t span = kLanes * width;
    std::uint32_t begin = below(lines_) * 128 % (bytes - 2 * span);
    if (chance(40)) begin += below(32) * 4;
    if (bytes == kGlobalBytes) begin += over_page_;
    begin = begin / width * width;
    std::array<std::uint32_t, kLanes> at{};
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      at[i] = begin + (pattern < 5    ? i
                       : pattern == 5 ? 0
                       : pattern == 6 ? i % 16                // two rows at one place,
                       : pattern == 7 ? i % 16 + i / 16 * 24  // or at two
                       : pattern == 8 ? (kLanes - 1 - i)
                                      : i / 4 * 5 + i % 4) *
                          width;
    }
    return at;
  }

  void access(std::uint32_t warp, std::size_t which, std::uint32_t pattern) {
    const TwinOperation& operation = kOperations[which];
    const bool shared = operation.space == AccessSpace::Shared;
    WarpAccess a;
    a.kind = operation.kind;
    a.space = operation.space;
    a.width = operation.elements * operation.element_bytes;
    a.mask = chance(70) ? kAllLanes : mask();
    a.program = launch_.program;
    a.instruction = places_[which];
    a.warp = warp;
    auto offsets = places(a.width, shared ? kSharedBytes : kGlobalBytes, pattern);
    const auto first = static_cast<std::uint32_t>(std::countr_zero(a.mask));
    std::array<std::uint64_t, kLanes> addresses{};
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if ((a.mask >> i & 1) == 0) offsets[i] = offsets[first];
      addresses[i] = memory_ + offsets[i];
    }
    a.offsets = offsets.data();
    a.addresses = addresses.data();
    std::byte* const begin = shared ? shared_[block_ % 32].data() : global_;
    const auto from = reinterpret_cast<std::uintptr_t>(begin) - (shared ? 0 : memory_);
    a.memory = reinterpret_cast<const std::byte*>(from);
    // Few different values, because a store of the value that is already there is harmless.
    std::array<std::array<std::uint64_t, kLanes>, 4> values{};
    const bool same = chance(50);
    for (auto& of_lanes : values)
      for (std::uint64_t& value : of_lanes) value = same ? 1 : below(2);
    StoreData data;
    data.program = a.program;
    data.instruction = a.instruction;
    data.count = static_cast<std::uint8_t>(operation.elements);
    data.element_bytes = static_cast<std::uint8_t>(operation.element_bytes);
    // Words are adjacent, as in a register.
    std::array<std::array<std::uint32_t, kLanes>, 4> words{};
    for (std::size_t e = 0; e < words.size(); ++e) std::ranges::copy(values[e], words[e].begin());
    const bool narrow = operation.element_bytes == 4;
    data.lane_bytes = narrow ? 4 : 8;
    for (std::size_t e = 0; e < operation.elements; ++e)
      data.elements[e] = narrow ? reinterpret_cast<const std::byte*>(words[e].data())
                                : reinterpret_cast<const std::byte*>(values[e].data());
    if (a.kind == AccessKind::Store && chance(90)) a.stored = &data;
    all([&](WorkerObserver& w) { w.access(a); });
    if (a.kind != AccessKind::Store) return;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      for (std::size_t e = 0; (a.mask >> i & 1) != 0 && e < operation.elements; ++e)
        std::memcpy(begin + offsets[i] + e * operation.element_bytes, &values[e][i], operation.element_bytes);
    }
  }

  /// Sends several loads of shared memory in one call to checkers that support it.
  void list(std::uint32_t warp) {
    std::vector<SharedLoad> loads;
    for (std::uint32_t n = 1 + below(12); n > 0; --n) {
      const std::uint32_t which = chance(30) ? 8 : chance(10) ? 9 : 2;
      const std::uint32_t width = kOperations[which].elements * kOperations[which].element_bytes;
      const std::uint32_t span = kLanes * width;
      const std::uint32_t first = below(lines_) * 128 % (kSharedBytes - 2 * span) + (chance(30) ? width : 0);
      loads.push_back({places_[which], first, chance(40) ? 0 : width, width});
    }
    const SharedLoads told{launch_.program, warp, loads};
    for (Twins* twins : {&races_, &unwritten_}) {
      twins->by_runs->shared_loads(told);
      for (const SharedLoad& load : loads) {
        std::array<std::uint32_t, kLanes> offsets;
        twins->by_cells->access(by_itself(told, load, offsets));
      }
    }
  }

  const LaunchInfo& launch_;
  const DevicePtr memory_;
  std::byte* const global_;
  std::mt19937 random_;
  Twins races_, unwritten_;
  const DeviceRange input_;
  BlockRacesOfTwo between_blocks_, between_blocks_by_words_;
  std::vector<std::uint32_t> places_;  ///< of kOperations in Program::code
  std::vector<std::size_t> used_;
  std::uint32_t over_page_ = 0;  ///< offset of accesses to global memory: some cross the end of a page
  std::uint32_t lines_ = 1, block_ = 0, ended_ = 0;
  std::array<std::array<std::byte, kSharedBytes>, 32> shared_{};
};

struct TwinDriver : Observer {
  DevicePtr memory = 0;
  std::byte* global = nullptr;
  int silent = 0, loud = 0, between_blocks = 0;

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
      INFO("program " << seed);
      const auto program = std::make_unique<RandomAccesses>(launch, memory, global, seed);
      program->run();
      program->compare();
      ++(program->silent ? silent : loud);
      between_blocks += program->blocks_race ? 1 : 0;
    }
    return std::make_unique<WorkerObserver>();
  }
  void merge(WorkerObserver&) override {}
};

}  // namespace

TEST_CASE("what is looked at together is looked at as by lanes and cells", "[together]") {
  TextKernel text(kernel(GENERATE(false, true)));
  TwinDriver driver;
  driver.memory = text.zeros(kGlobalBytes);
  driver.global = text.simulator.bytes(driver.memory, kGlobalBytes).data();
  LaunchOptions options;
  options.threads = 1;
  options.observers = {&driver};
  text.launch(driver.memory, 1, kWarpsOfBlock * kLanes, options);
  CHECK(driver.silent >= 50);
  CHECK(driver.loud >= 100);
  CHECK(driver.between_blocks >= 100);
}

}  // namespace cudalabs::sim
