#include "grader/sim/native/native_code.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

#ifdef CUDALABS_MACHINE_CODE
#include "grader/sim/native/translator.h"
#endif

namespace cudalabs::sim {

#ifndef CUDALABS_MACHINE_CODE
struct AccessGroup {};
#endif

NativeCode::NativeCode(const Program& program) : program_(program) {}
NativeCode::~NativeCode() = default;

NativeCode* NativeModule::of(const Program& program) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = codes_.try_emplace(&program);
  if (fresh) at->second = NativeCode::make(program);
  return at->second.get();
}

#ifndef CUDALABS_MACHINE_CODE

std::unique_ptr<NativeCode> NativeCode::make(const Program&) { return nullptr; }
std::uint32_t NativeCode::run(NativeContext&, std::uint32_t pc, Lanes) const { return pc; }
void NativeCode::translate(std::uint32_t, Lanes, const std::vector<std::uint32_t>&,
                           const std::vector<Shape>&) {}

#else

namespace {

namespace x86 = asmjit::x86;

constexpr std::size_t kMaxCode = 8192;   // instructions: a longer program is not a typical course kernel
constexpr std::uint32_t kNearlyHot = 8;  // a stretch with this fraction of the heat is nearly hot

/// The widest vectors of this machine. $CUDA_LABS_VECTORS=avx2 limits them, to test both widths on one
/// machine.
std::optional<VectorWidth> machine_vectors() {
  const char* const wanted = std::getenv("CUDA_LABS_VECTORS");
  const bool wide = wanted == nullptr || std::string_view(wanted) != "avx2";
  if (wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return VectorWidth::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorWidth::Avx2;
  return std::nullopt;
}

/// An instruction that does not exist with these operands is a bug in a form: incomplete code must not run.
struct NoSuchInstruction final : asmjit::ErrorHandler {
  void handleError(asmjit::Error, const char* why, asmjit::BaseEmitter*) override {
    throw std::logic_error(std::string("machine code: ") + why);
  }
};

/// Assembles the code that `emit` emits into its own pages. None if the system forbids it.
template <class Emit>
std::optional<CodePages> assemble(Emit emit) {
  asmjit::CodeHolder code;
  if (code.init(asmjit::Environment::host()) != asmjit::kErrorOk) return std::nullopt;
  NoSuchInstruction handler;
  x86::Assembler a(&code);
  a.setErrorHandler(&handler);
  emit(a);
  if (code.flatten() != asmjit::kErrorOk || code.resolveUnresolvedLinks() != asmjit::kErrorOk)
    return std::nullopt;
  CodePages pages(code.codeSize());
  if (pages.data() == nullptr) return std::nullopt;
  if (code.relocateToBase(reinterpret_cast<std::uint64_t>(pages.data())) != asmjit::kErrorOk)
    return std::nullopt;
  if (code.copyFlattenedData(pages.data(), code.codeSize()) != asmjit::kErrorOk || !pages.seal())
    return std::nullopt;
  return pages;
}

/// By offset in the pages: the entry points for jumps from other code.
using Places = std::vector<std::pair<std::uint32_t, std::size_t> >;

const x86::Gp kSaved[] = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};

}  // namespace

std::uint32_t call_handler(NativeContext* context, std::uint32_t pc) {
  Exec& x = *context->exec;
  x.pc = pc;
  const Inst& inst = context->program->code[pc];
  inst.full(x, inst, kAllLanes);
  return x.fault.kind != FaultKind::None ? 1 : 0;
}

std::uint32_t call_masked_handler(NativeContext* context, std::uint32_t pc) {
  Exec& x = *context->exec;
  x.pc = pc;
  const Inst& inst = context->program->code[pc];
  inst.masked(x, inst, context->lanes.mask);
  return x.fault.kind != FaultKind::None ? 1 : 0;
}

void call_look_at_group(NativeContext* context, const AccessGroup* group) {
  constexpr std::uint32_t kRest = 64;
  Shape& leader = context->shapes[group->leader];
  leader.group_rest = kRest;
  leader.group_size = 0;
  if (leader.window_size == 0) return;
  auto low = static_cast<std::int64_t>(leader.window);
  auto high = static_cast<std::int64_t>(leader.window + leader.window_size);
  for (const AccessGroup::Member& m : group->members) {
    const Shape& shape = context->shapes[m.at];
    const std::uint32_t place = (shape.width - 1u) | 3u;
    const bool alike = leader.version != 0 && shape.leader_version == leader.version &&
                       shape.window_size != 0 && shape.pattern == m.pattern &&
                       ((shape.phase ^ (leader.phase + static_cast<std::uint32_t>(m.distance))) & place) == 0;
    if (!alike) return;
    low = std::max(low, static_cast<std::int64_t>(shape.window) - m.distance);
    high = std::min(high, static_cast<std::int64_t>(shape.window + shape.window_size) - m.distance);
  }
  if (low < 0 || low >= high) return;
  if (!group->together.empty()) {
    leader.together = &group->together;
    leader.counted_by = group->leader;
    for (const GroupMember& m : group->together) context->shapes[m.at].counted_by = group->leader;
  }
  leader.group_window = static_cast<std::uint64_t>(low);
  leader.group_size = static_cast<std::uint64_t>(high - low);
}

void call_report_unflushed(NativeContext* context) { report_unflushed(*context->exec); }

/// Two code pieces shared by all machine code: the entry, and the exit with the next instruction in eax.
struct NativeCode::Ways {
  CodePages pages;
  std::size_t out = 0;  ///< offset of the exit in the pages

  /// Created once; without pages if the system provides none then. Never destroyed: a process may end while a
  /// thread still runs machine code.
  static const Ways& get() {
    static const Ways& ways = *new Ways(make());
    return ways;
  }

 private:
  static Ways make() {
    Ways ways;
    auto pages = assemble([&](x86::Assembler& a) {
      for (const x86::Gp& r : kSaved) a.push(r);
      a.sub(x86::rsp, 8);  // a call needs an aligned stack
      a.mov(fixed::context, x86::rdi);
      const auto member = [&](std::size_t offset) {
        return x86::qword_ptr(fixed::context, static_cast<std::int32_t>(offset));
      };
      a.mov(fixed::frame, member(offsetof(NativeContext, frame)));
      a.mov(fixed::shapes, member(offsetof(NativeContext, shapes)));
      a.mov(fixed::global, member(offsetof(NativeContext, global)));
      a.mov(fixed::shared, member(offsetof(NativeContext, shared)));
      a.mov(fixed::runs, member(offsetof(NativeContext, runs)));
      a.jmp(x86::rsi);
      ways.out = a.offset();
      a.vzeroupper();
      a.add(x86::rsp, 8);
      for (std::size_t k = std::size(kSaved); k-- > 0;) a.pop(kSaved[k]);
      a.ret();
    });
    if (pages) ways.pages = std::move(*pages);
    return ways;
  }
};

std::unique_ptr<NativeCode> NativeCode::make(const Program& program) {
  const auto vectors = machine_vectors();
  if (!vectors || program.code.size() > kMaxCode) return nullptr;
  std::unique_ptr<NativeCode> native(new NativeCode(program));
  native->vectors_ = *vectors;
  return native;
}

std::uint32_t NativeCode::run(NativeContext& context, std::uint32_t pc, Lanes lanes) const {
  Entry* const of = entries(lanes).load(std::memory_order_acquire);
  context.entries = reinterpret_cast<void* const*>(of);
  return enter_(&context, of[pc].load(std::memory_order_acquire));
}

/// Creates the shared parts before the first translation. False: machine code is not possible.
bool NativeCode::begin() {
  if (of_all_.load(std::memory_order_relaxed) != nullptr) return true;
  const Ways& ways = Ways::get();
  if (ways.pages.data() == nullptr) return false;
  stretches_ = stretches(program_);
  liveness_.emplace(program_);
  enter_ = reinterpret_cast<std::uint32_t (*)(NativeContext*, void*)>(ways.pages.data());
  leave_ = ways.pages.data() + ways.out;
  const std::size_t size = program_.code.size() + 1;
  kept_entries_ = std::vector<Entry>(2 * size);
  for (Entry& entry : kept_entries_) entry.store(leave_, std::memory_order_relaxed);
  of_some_.store(kept_entries_.data() + size, std::memory_order_release);
  of_all_.store(kept_entries_.data(), std::memory_order_release);
  return true;
}

void NativeCode::translate(std::uint32_t pc, Lanes lanes, const std::vector<std::uint32_t>& heat,
                           const std::vector<Shape>& shapes) {
  if (lanes == Lanes::Some && vectors_ == VectorWidth::Avx2) return;
  const std::lock_guard lock(mutex_);
  if (has(pc, lanes) || !begin()) return;
  std::vector<Stretch> chosen;
  for (const Stretch& s : stretches_) {
    if (!has(s.begin, lanes) && (s.begin == pc || heat[s.begin] >= kHot / kNearlyHot)) chosen.push_back(s);
  }
  if (chosen.empty()) return;
  Places places;
  auto pages = assemble([&](x86::Assembler& a) {
    std::unordered_map<std::uint32_t, asmjit::Label> labels;
    for (const Stretch& s : chosen) labels.emplace(s.begin, a.newLabel());
    const asmjit::Label leave = a.newLabel();
    Translator translator(
        a, vectors_, program_, *liveness_, shapes,
        [&](std::uint32_t at) {
          const auto found = labels.find(at);
          return found == labels.end() ? nullptr : &found->second;
        },
        leave, groups_);
    for (const Stretch& s : chosen) {
      a.align(asmjit::AlignMode::kCode, 16);
      a.bind(labels.at(s.begin));
      places.emplace_back(s.begin, a.offset());
      translator.translate(s, lanes);
    }
    a.bind(leave);
    a.mov(x86::rcx, reinterpret_cast<std::uint64_t>(leave_));
    a.jmp(x86::rcx);
  });
  if (!pages) return;
  Entry* const of = entries(lanes).load(std::memory_order_relaxed);
  for (const auto& [begin, offset] : places)
    of[begin].store(pages->data() + offset, std::memory_order_release);
  pages_.push_back(std::move(*pages));
}

#endif  // CUDALABS_MACHINE_CODE

}  // namespace cudalabs::sim
