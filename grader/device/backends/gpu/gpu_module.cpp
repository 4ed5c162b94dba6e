#include "grader/device/backends/gpu/gpu_module.h"

#include <algorithm>
#include <array>

#include "grader/device/protocol/fatbin.h"
#include "grader/device/server/card_ptx.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/ptx/parse/lexer.h"

namespace cudalabs::gpu {
namespace {

struct Variable {
  std::string name;
  bool is_constant = false;
};

/// The variables that PTX defines at module level. The driver finds a variable only by its name, and lists
/// none.
std::vector<Variable> variables_of(std::string_view ptx) {
  std::vector<Variable> variables;
  ptx::Lexer lexer(ptx);
  int depth = 0;
  bool declared = false, constant = false, external = false;
  for (ptx::Token token = lexer.next();
       token.kind != ptx::TokenKind::End && token.kind != ptx::TokenKind::Bad; token = lexer.next()) {
    if (token.is("{") || token.is("(")) ++depth;
    if (token.is("}") || token.is(")")) --depth;
    if (depth > 0) continue;
    if (token.is(";")) {
      declared = external = false;
    } else if (token.kind == ptx::TokenKind::Dotted) {
      if (token.text == "extern") external = true;
      if (token.text == "global" || token.text == "const") {
        declared = true;
        constant = token.text == "const";
      }
    } else if (declared && token.kind == ptx::TokenKind::Identifier) {
      if (!external) variables.push_back({std::string(token.text), constant});
      declared = false;
    }
  }
  return variables;
}

/// True iff a second module of this text computes the same as the first: all its variables are constants that
/// the compiler made, such as the format strings of printf, and no directive bounds the blocks of its
/// kernels.
bool repeatable(std::string_view ptx) {
  constexpr std::array kConstants{"_$_str", "__const_$_", "__cudart_"};
  return ptx.find(".maxntid") == std::string_view::npos && ptx.find(".reqntid") == std::string_view::npos &&
         std::ranges::all_of(variables_of(ptx), [&](const Variable& variable) {
           return std::ranges::any_of(kConstants,
                                      [&](const char* begin) { return variable.name.starts_with(begin); });
         });
}

/// `registers`: the limit per thread; 0: no limit.
Status compile(Context& context, const void* image, std::uint32_t registers, CUmodule& module) {
  std::array<char, 4096> log{};
  // Line numbers are for profilers and debuggers; the code is the same without.
  std::array<CUjit_option, 4> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                                      CU_JIT_GENERATE_LINE_INFO, CU_JIT_MAX_REGISTERS};
  const auto number = [](std::uintptr_t value) { return reinterpret_cast<void*>(value); };
  std::array<void*, 4> values{log.data(), number(log.size() - 1), number(1), number(registers)};
  const auto count = static_cast<unsigned>(registers == 0 ? options.size() - 1 : options.size());
  Status status = context.run(
      [&] { return context.driver.load_module(&module, image, count, options.data(), values.data()); });
  if (!status.ok() && log.front() != '\0') status.detail = msg::card_compiler_says(status.detail, log.data());
  return status;
}

}  // namespace

Answer<std::shared_ptr<DeviceModule>> GpuModule::load(const std::shared_ptr<Context>& context,
                                                      std::span<const std::byte> image, bool simulated_code) {
  using Loaded = std::shared_ptr<DeviceModule>;
  const sim::Limits& limits = context->properties().limits;
  const int capability = limits.compute_major * 10 + limits.compute_minor;
  const auto ptx = simulated_code ? find_simulated_ptx(image) : find_ptx(image, capability);
  if (simulated_code && !ptx)
    return failure<Loaded>(CudaError::NoKernelImageForDevice, in_full(ptx.problem()));
  // Our toolchain makes the fat binary around clang's code, and the driver's reader understands only
  // NVIDIA's.
  const bool clangs = ptx && by_clang(*ptx);
  const bool as_text = simulated_code || clangs;
  const std::string text = clangs    ? ptx_for_card(*ptx, capability)
                           : as_text ? std::string(*ptx)
                                     : std::string();
  CUmodule module = nullptr;
  Status status =
      compile(*context, as_text ? text.c_str() : static_cast<const void*>(image.data()), 0, module);
  if (!status.ok()) return failure<Loaded>(status.error, std::move(status.detail));
  const std::shared_ptr<GpuModule> loaded(new GpuModule(context, module));
  // The driver's compiler gives clang's code more registers than nvcc's code of the same kernel. Large blocks
  // of it would not start, though every course expects them to.
  if (clangs && repeatable(*ptx)) loaded->text_ = text;
  status = loaded->find_kernels();
  if (!status.ok()) return failure<Loaded>(status.error, status.detail);
  // Without PTX there is only machine code. It runs, but we cannot read its variables' names.
  if (ptx) loaded->find_variables(*ptx);
  return answer<Loaded>(loaded);
}

GpuModule::~GpuModule() {
  for (const auto& [registers, module] : smaller_) {
    static_cast<void>(context_->run([&, module = module] { return context_->driver.unload_module(module); }));
  }
  static_cast<void>(context_->run([this] { return context_->driver.unload_module(module_); }));
}

CUfunction GpuModule::function(std::uint32_t kernel, std::uint32_t threads) const {
  const CUfunction whole = functions_.at(kernel);
  if (text_.empty() || threads <= fitting_[kernel]) return whole;
  constexpr std::uint32_t kWarp = 32, kGranularity = 8;  // for registers: a warp gets them in units of 256
  const std::uint32_t warps = (threads + kWarp - 1) / kWarp;
  const std::uint32_t registers =
      context_->properties().limits.registers_per_block / (warps * kWarp) / kGranularity * kGranularity;
  auto known = smaller_.find(registers);
  if (known == smaller_.end()) {
    CUmodule module = nullptr;
    if (!compile(*context_, text_.c_str(), registers, module).ok()) return whole;
    known = smaller_.emplace(registers, module).first;
  }
  CUfunction smaller = nullptr;
  const Status found = context_->run([&] {
    return context_->driver.module_function(&smaller, known->second, kernels_[kernel].name.c_str());
  });
  return found.ok() ? smaller : whole;  // the driver then refuses the launch in its own words
}

Status GpuModule::find_kernels() {
  const Driver& driver = context_->driver;
  unsigned count = 0;
  Status status = context_->run([&] { return driver.module_function_count(&count, module_); });
  functions_.resize(count);
  if (status.ok() && count > 0) {
    status = context_->run([&] { return driver.module_functions(functions_.data(), count, module_); });
  }
  if (!status.ok()) return status;
  for (const CUfunction function : functions_) {
    sim::KernelInfo info;
    const char* name = nullptr;
    status = context_->run([&] { return driver.function_name(&name, function); });
    if (!status.ok()) return status;
    info.name = name;
    info.demangled = sim::demangle(info.name, false);
    std::size_t offset = 0, size = 0;
    for (std::size_t p = 0; driver.function_parameter(function, p, &offset, &size) == CUDA_SUCCESS; ++p) {
      info.parameter_offsets.push_back(static_cast<std::uint32_t>(offset));
      info.parameter_sizes.push_back(static_cast<std::uint32_t>(size));
      info.parameter_bytes = std::max(info.parameter_bytes, static_cast<std::uint32_t>(offset + size));
    }
    const auto attribute = [&](CUfunction_attribute which) {
      int value = 0;
      static_cast<void>(driver.function_attribute(&value, which, function));
      return static_cast<std::uint32_t>(value);
    };
    info.static_shared_bytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    info.local_bytes = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    info.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
    info.max_threads = attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    fitting_.push_back(info.max_threads);
    if (!text_.empty()) info.max_threads = context_->properties().limits.max_threads_per_block;
    kernels_.push_back(std::move(info));
  }
  return {};
}

void GpuModule::find_variables(std::string_view ptx) {
  for (Variable& variable : variables_of(ptx)) {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    // The compiler may have removed a variable that no kernel uses.
    if (context_->driver.module_variable(&address, &bytes, module_, variable.name.c_str()) == CUDA_SUCCESS)
      variables_.push_back({std::move(variable.name), address, bytes, variable.is_constant});
  }
}

}  // namespace cudalabs::gpu
