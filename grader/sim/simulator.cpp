#include "grader/sim/simulator.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "grader/diagnostics/messages/faults.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/account.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/base/launch_limits.h"
#include "grader/sim/counters/counters.h"
#include "grader/sim/interpreter/launch.h"
#include "grader/sim/lower/block_order.h"
#include "grader/sim/lower/lower.h"
#include "grader/sim/lower/shared_scope.h"
#include "grader/sim/memory/global_memory.h"
#include "grader/sim/timing/schedule/issue.h"

namespace cudalabs::sim {
namespace {

class LoadedModule : public Module {
 public:
  LoadedModule(GlobalMemory& memory, std::shared_ptr<bool> alive)
      : memory_(memory), alive_(std::move(alive)) {}
  ~LoadedModule() override {
    if (!*alive_) return;  // the simulator and its memory no longer exist
    for (const std::uint64_t a : owned_) memory_.release(a);
  }
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  Result<void> load(std::string_view text, std::string name, const RegisterCounts& registers,
                    const SharedVariables& shared) {
    auto parsed = ptx::parse(text, std::move(name));
    if (!parsed) return parsed.problem();
    ptx_ = std::make_unique<ptx::Module>(std::move(*parsed));
    give_kernels_their_shared(*ptx_);
    for (ptx::Function& function : ptx_->functions) order_blocks(function);
    constexpr std::uint64_t kConstantLimit = 64 * 1024;  // ptxas refuses more for every device
    std::uint64_t constant_bytes = 0;
    for (const ptx::Variable& v : ptx_->variables)
      constant_bytes += v.space == ptx::Space::Const ? v.size : 0;
    if (constant_bytes > kConstantLimit) {
      return error(msg::constant_memory_full(constant_bytes, kConstantLimit), msg::use_constant_memory_for());
    }
    LowerContext context;
    for (const ptx::Variable& v : ptx_->variables) {
      std::uint64_t address = 0;
      const bool constant = v.space == ptx::Space::Const;
      if ((v.space == ptx::Space::Global || constant) && v.size > 0) {
        const bool is_shared = std::ranges::find(shared.names, v.name) != shared.names.end();
        if (is_shared && shared.first != nullptr) address = address_of(v.name, *shared.first);
        if (address == 0) {
          auto a = place(v, constant);
          if (!a) return a.problem();
          address = *a;
          if (is_shared) memory_.grant(address, kAllDevices);
        }
        variables_.push_back({v.name, address, v.size, constant});
      }
      context.variable_addresses.push_back(address);
    }
    for (std::size_t i = 0; i < ptx_->variables.size(); ++i) {
      for (const auto& r : ptx_->variables[i].relocations) {
        std::uint64_t value = 0;
        if (r.symbol_kind == ptx::SymbolKind::Function)
          value = function_address(r.symbol);
        else if (r.symbol_kind == ptx::SymbolKind::ModuleVariable)
          value = context.variable_addresses[r.symbol];
        value += static_cast<std::uint64_t>(r.addend);
        if (context.variable_addresses[i] == 0 || r.bytes > 8 || r.offset + r.bytes > ptx_->variables[i].size)
          continue;
        if (std::ranges::find(owned_, context.variable_addresses[i]) == owned_.end()) continue;
        std::memcpy(memory_.host(context.variable_addresses[i] + r.offset), &value, r.bytes);
      }
    }
    auto programs = lower(*ptx_, context);
    if (!programs) return programs.problem();
    programs_ = std::move(*programs);
    for (const auto& p : programs_) {
      if (p) issue_.emplace(p.get(), issue_costs(*p));
      if (!p || !p->is_entry) continue;
      if (const auto known = registers.find(p->name); known != registers.end()) {
        p->info.registers = known->second;
        p->info.registers_known = true;
      }
      kernels_.push_back(p->info);
    }
    return {};
  }

  [[nodiscard]] const std::vector<KernelInfo>& kernels() const override { return kernels_; }
  [[nodiscard]] const std::vector<VariableInfo>& variables() const override { return variables_; }
  [[nodiscard]] int target() const override { return ptx_->target_sm; }
  [[nodiscard]] const std::vector<std::unique_ptr<Program>>& programs() const { return programs_; }
  /// Null: there is no such kernel.
  [[nodiscard]] const Program* program(std::string_view kernel) const {
    const auto found =
        std::ranges::find_if(programs_, [&](const auto& p) { return p && p->is_entry && p->name == kernel; });
    return found == programs_.end() ? nullptr : found->get();
  }
  [[nodiscard]] NativeModule* native() const { return native_.get(); }
  /// By instruction: the cost of one execution.
  [[nodiscard]] const std::vector<IssueCounts>& issue(const Program& program) const {
    return issue_.at(&program);
  }

 private:
  /// Allocates the variable's memory, with its initial content.
  Result<std::uint64_t> place(const ptx::Variable& v, bool constant) {
    const std::string shown = demangle(v.name, true);
    auto a = memory_.allocate(v.size, constant ? msg::constant_variable(shown) : msg::device_variable(shown));
    if (!a) return a;
    owned_.push_back(*a);
    std::memset(memory_.host(*a), 0, v.size);
    if (!v.initial.empty()) {
      std::memcpy(memory_.host(*a), v.initial.data(), std::min<std::uint64_t>(v.initial.size(), v.size));
    }
    const std::uint32_t devices[] = {memory_.cards().selected(), memory_.cards().count()};
    if (v.name == kDevicesVariable && v.size == sizeof devices)
      std::memcpy(memory_.host(*a), devices, sizeof devices);
    return a;
  }

  /// 0: the module has no such variable.
  static std::uint64_t address_of(const std::string& variable, const Module& module) {
    const auto found = std::ranges::find(module.variables(), variable, &VariableInfo::name);
    return found == module.variables().end() ? 0 : found->address;
  }

  GlobalMemory& memory_;
  std::shared_ptr<bool> alive_;
  std::vector<std::uint64_t> owned_;
  std::unique_ptr<ptx::Module> ptx_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::unordered_map<const Program*, std::vector<IssueCounts>> issue_;
  std::unique_ptr<NativeModule> native_ = std::make_unique<NativeModule>();
  std::vector<KernelInfo> kernels_;
  std::vector<VariableInfo> variables_;
};

/// While a kernel runs, hides memory that its device may not access.
class Hiding {
 public:
  Hiding(GlobalMemory& memory, std::uint32_t& running) : memory_(memory), running_(running) {
    if (running_++ == 0) memory_.hide();
  }
  ~Hiding() {
    if (--running_ == 0) memory_.show();
  }
  Hiding(const Hiding&) = delete;
  Hiding& operator=(const Hiding&) = delete;

 private:
  GlobalMemory& memory_;
  std::uint32_t& running_;  ///< kernels
};

constexpr std::uint32_t kWorkspaceBytes = 256;  // of the grid barrier

/// The local memory of each thread. A card's driver makes room for frames whose number is known, whatever the
/// limit is.
std::uint32_t stack_of(const Program& program, const KernelLimits& limits) {
  constexpr std::uint64_t kMost = std::uint64_t{512} << 10;  // local memory that CUDA gives a thread
  if (program.deepest_stack) return *program.deepest_stack;
  return std::max(program.stack_bytes, static_cast<std::uint32_t>(std::min(limits.stack_bytes, kMost)));
}

}  // namespace

struct Simulator::Impl {
  Impl(const Limits& l, std::uint32_t cards) : limits(l), memory(l.global_bytes, cards) {}
  ~Impl() { *alive = false; }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Limits limits;
  GlobalMemory memory;
  TextureTable textures;
  std::shared_ptr<bool> alive = std::make_shared<bool>(true);
  std::uint64_t launches = 0, workspace = 0;
  std::uint32_t running = 0;  ///< launches: a kernel may wait for another
};

Simulator::Simulator(const Limits& limits, std::uint32_t cards)
    : impl_(std::make_unique<Impl>(limits, cards)) {}
Simulator::~Simulator() = default;
const Limits& Simulator::limits() const { return impl_->limits; }

Result<std::shared_ptr<Module>> Simulator::load(std::string_view ptx, std::string name,
                                                const RegisterCounts& registers,
                                                const SharedVariables& shared) {
  auto module = std::make_shared<LoadedModule>(impl_->memory, impl_->alive);
  if (auto done = module->load(ptx, std::move(name), registers, shared); !done) return done.problem();
  return std::shared_ptr<Module>(std::move(module));
}

Result<DevicePtr> Simulator::allocate(std::uint64_t bytes) { return impl_->memory.allocate(bytes); }
Result<DevicePtr> Simulator::share(std::uint64_t bytes, int file) { return impl_->memory.share(bytes, file); }
void Simulator::poison(bool extremes) { impl_->memory.poison(extremes); }
Result<void> Simulator::free(DevicePtr pointer) { return impl_->memory.free(pointer); }
void Simulator::quarantine(DevicePtr pointer, bool aside) { impl_->memory.quarantine(pointer, aside); }
bool Simulator::valid(DevicePtr pointer, std::uint64_t bytes) const {
  return impl_->memory.find(pointer).holds(pointer, bytes);
}
std::span<std::byte> Simulator::bytes(DevicePtr pointer, std::uint64_t count) {
  if (!valid(pointer, count)) return {};
  return {impl_->memory.host(pointer), count};
}
Result<std::uint64_t> Simulator::add_texture(const Texture& texture) {
  if (auto problem = texture_problem(texture)) return error(*std::move(problem));
  if (!valid(texture.address, texture.bytes())) return error(msg::texture_memory_outside());
  return impl_->textures.add(texture);
}
bool Simulator::remove_texture(std::uint64_t object) { return impl_->textures.remove(object); }
std::uint64_t Simulator::bytes_in_use() const { return impl_->memory.bytes_in_use(); }

void Simulator::select(std::uint32_t card) { impl_->memory.cards().select(card); }
void Simulator::set_reach(std::uint32_t card, std::uint32_t peer, bool reaches) {
  impl_->memory.cards().set_reach(card, peer, reaches);
}
void Simulator::grant(DevicePtr pointer, std::uint32_t cards) { impl_->memory.grant(pointer, cards); }
std::optional<std::uint32_t> Simulator::card_of(DevicePtr pointer) const {
  return impl_->memory.card_of(pointer);
}
bool Simulator::reaches(std::uint32_t card, DevicePtr pointer) const {
  return impl_->memory.reaches(card, pointer);
}

Result<LaunchResult> Simulator::launch(const Module& module, std::string_view kernel,
                                       const LaunchConfig& config, std::span<const std::byte> parameters,
                                       const LaunchOptions& options) {
  const auto& loaded = dynamic_cast<const LoadedModule&>(module);
  const Program* const program = loaded.program(kernel);
  if (program == nullptr) return error(msg::kernel_unknown(kernel));
  // Nobody calls cudaFuncSetAttribute here: a kernel may use all shared memory of the device.
  const Limits& limits = impl_->limits;
  if (auto refused = refuse_launch(limits, program->info, config, limits.max_shared_bytes)) {
    return error(std::move(refused->why));
  }
  if (parameters.size() < program->info.parameter_bytes) {
    return error(msg::launch_refused(
        demangle(kernel, true), msg::parameters_missing(parameters.size(), program->info.parameter_bytes)));
  }

  LaunchState state;
  state.program = program;
  state.programs = &loaded.programs();
  state.config = config;
  state.limits = &limits;
  state.global = &impl_->memory;
  state.textures = &impl_->textures;
  state.params = parameters.data();
  state.param_bytes = program->info.parameter_bytes;
  state.shared_bytes = config.dynamic_shared_bytes != 0
                           ? program->dynamic_shared_offset + config.dynamic_shared_bytes
                           : program->static_shared_bytes;
  state.local_bytes = stack_of(*program, config.limits);
  state.grid_id = ++impl_->launches;
  state.multiprocessors = limits.multiprocessors;
  state.blocks_at_a_time =
      std::size_t{limits.multiprocessors} *
      std::max(1u, resident_blocks(limits, program->info, static_cast<std::uint32_t>(config.block.count()),
                                   config.dynamic_shared_bytes));
  state.cooperative = config.cooperative;
  state.latencies = options.latencies;
  if (options.engine != Engine::Interpreter) state.native = loaded.native();
  if (options.engine == Engine::Native) state.hot = 1;
  if (config.cooperative) {
    if (impl_->workspace == 0) {
      auto w = impl_->memory.allocate(kWorkspaceBytes, msg::grid_barrier_workspace());
      if (!w) return w.problem();
      impl_->workspace = *w;
      impl_->memory.grant(*w, kAllDevices);
    }
    std::memset(impl_->memory.host(impl_->workspace), 0, kWorkspaceBytes);
    state.grid_workspace = impl_->workspace;
  }
  const Hiding hiding(impl_->memory, impl_->running);
  CounterObserver traffic(options.banks);
  LaunchOptions watched = options;
  watched.observers.insert(watched.observers.begin(), &traffic);
  LaunchEnd end = run_launch(state, watched);
  if (!end.printed.empty() && options.print) options.print(end.printed);
  if (!end.printed.empty() && !options.print) std::fwrite(end.printed.data(), 1, end.printed.size(), stdout);
  LaunchResult result = account(
      end, traffic, [&](const Program& p) -> const std::vector<IssueCounts>& { return loaded.issue(p); },
      options.by_line);
  result.children = std::move(end.children);
  result.refused_children = std::move(end.refused_children);
  result.notes = std::move(end.notes);
  return result;
}

bool Simulator::look_again(const Module& module, std::string_view kernel, const LaunchConfig& config,
                           std::span<const std::byte> parameters, const LaunchOptions& options) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
  const Program* const program = dynamic_cast<const LoadedModule&>(module).program(kernel);
  // What it would wait for has run already.
  if (program == nullptr || program->waits_for_children) return false;
  // Another block may free a kernel's allocation.
  if (impl_->memory.bytes_in_all_use() > kMaxBytes || impl_->memory.kernels_allocated() ||
      impl_->memory.shares())
    return false;
  const std::vector<std::byte> before = impl_->memory.contents();
  LaunchOptions silent = options;
  silent.print = [](std::string_view) {};
  const bool launched = static_cast<bool>(launch(module, kernel, config, parameters, silent));
  impl_->memory.restore(before);
  return launched;
}

}  // namespace cudalabs::sim
