// The functions that nvcc's generated code calls before main: it passes each object's fat binary and the
// names of its kernels and variables. Like CUDA's lazy loading, a module is sent to the device at the first
// use of something in it; the runner sends all before the first entry is called.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "grader/cudart/devices.h"

namespace cudalabs::cudart {
namespace {

struct Wrapper {  // layout of __fatDeviceText
  std::uint32_t magic;
  std::uint32_t version;
  const void* image;
  const void* unused;
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kImageMagic = 0xBA55ED50;

struct ManagedVariable {
  void** host_pointer = nullptr;
  std::string name;
};

// Host copies of clang's managed variables (host_defines.h): the linker provides the begin and end of their
// section.
extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern char __start_cudalabs_managed[];
[[gnu::weak, gnu::visibility("hidden")]] extern char __stop_cudalabs_managed[];
}
bool is_managed_shadow(const char* host_variable) {
  return host_variable >= __start_cudalabs_managed && host_variable < __stop_cudalabs_managed;
}

// The linker's names for the begin and end of the program's image.
extern "C" {
extern char __executable_start, end;
}

struct LoadedModule {
  const std::byte* image = nullptr;
  std::uint64_t bytes = 0;
  std::uint32_t number = 0;  ///< 0: not loaded
  bool tried = false;
  Status problem;
  std::vector<ManagedVariable> managed;
  std::vector<void*> shadows;  ///< of managed variables
  std::vector<std::string> managed_names;
};

struct Symbol {
  LoadedModule* module = nullptr;
  std::string name;
  std::map<int, protocol::Range> ranges;  ///< by device
};

struct Registry {
  std::vector<std::unique_ptr<LoadedModule>> modules;
  std::unordered_map<const void*, std::unique_ptr<Function>> functions;  ///< by kernel stub
  std::unordered_map<const void*, Function*> handles;                    ///< by cudaKernel_t
  std::unordered_map<const void*, Symbol> symbols;
  std::unordered_map<const void*, void**> linked;  ///< handles of linked modules, by their wrappers
};

Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

/// The module of the fat binary at `wrapper_address`.
std::unique_ptr<LoadedModule> module_at(const void* wrapper_address) {
  auto module = std::make_unique<LoadedModule>();
  Wrapper wrapper{};
  std::memcpy(&wrapper, wrapper_address, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic || wrapper.image == nullptr) return module;
  module->image = static_cast<const std::byte*>(wrapper.image);
  std::uint32_t magic = 0;
  std::uint16_t header = 0;
  std::uint64_t size = 0;
  std::memcpy(&magic, module->image, sizeof magic);
  std::memcpy(&header, module->image + 6, sizeof header);
  std::memcpy(&size, module->image + 8, sizeof size);
  if (magic == kImageMagic) module->bytes = header + size;
  return module;
}

LoadedModule* module_of(void** handle) {
  for (const auto& module : registry().modules) {
    if (reinterpret_cast<void**>(module.get()) == handle) return module.get();
  }
  return nullptr;
}

Status load(Runtime& runtime, LoadedModule& module) {
  if (module.tried) return module.problem;
  module.tried = true;
  if (module.bytes == 0 || module.bytes > runtime.staging().size()) {
    module.problem = {CudaError::InvalidKernelImage,
                      module.bytes == 0 ? msg::not_a_fat_binary() : msg::gpu_code_too_large()};
  } else {
    std::memcpy(runtime.staging().data(), module.image, module.bytes);
    protocol::Handle number;
    protocol::LoadModule message{module.bytes};
    if (device_count(runtime) > 1) message.managed = module.managed_names;
    module.problem = runtime.exchange(std::move(message), number);
    module.number = number.value;
  }
  if (!module.problem.ok()) {
    print_error(msg::gpu_code_not_loaded(module.problem.detail));
  }
  return module.problem;
}

bool reported_by_managed(cudaError_t error) {
  if (error != cudaSuccess) print_error(msg::managed_variables_unusable());
  return error == cudaSuccess;
}

/// CUDA 13 takes an unregistered address for a kernel handle, and null for a function.
Status not_a_kernel(const void* address) {
  return {address == nullptr ? CudaError::InvalidDeviceFunction : CudaError::InvalidResourceHandle,
          msg::not_a_kernel()};
}

/// Whether a kernel or variable is called so in the source; `registered` is mangled.
bool is_called(std::string_view registered, std::string_view name) {
  const std::string plain = std::to_string(name.size()) + std::string(name);
  return registered == name || registered == "_ZL" + plain || registered.starts_with("_Z" + plain);
}

/// A string with a name where the program of an older year passes one in place of a kernel or variable. The
/// pointer may be anything, so only the program's own image is read, where string literals are.
std::string_view name_at(const void* pointer) {
  constexpr std::size_t kLongest = 256;
  const auto* const text = static_cast<const char*>(pointer);
  if (text < &__executable_start || text >= &end) return {};
  const std::size_t most = std::min<std::size_t>(kLongest, static_cast<std::size_t>(&end - text));
  const std::size_t length = strnlen(text, most);
  return length == most ? std::string_view() : std::string_view(text, length);
}

}  // namespace

void load_modules(Runtime& runtime) {
  for (const auto& module : registry().modules) static_cast<void>(load(runtime, *module));
}

Status resolve(Runtime& runtime, const void* stub_or_handle, Function*& function) {
  Registry& all = registry();
  const auto by_stub = all.functions.find(stub_or_handle);
  if (by_stub != all.functions.end()) {
    function = by_stub->second.get();
  } else if (const auto by_handle = all.handles.find(stub_or_handle); by_handle != all.handles.end()) {
    function = by_handle->second;
  } else {
    const std::string_view name = name_at(stub_or_handle);
    const auto called = std::ranges::find_if(all.functions, [&](const auto& known) {
      return !name.empty() && is_called(known.second->name, name);
    });
    if (called == all.functions.end()) return not_a_kernel(stub_or_handle);
    function = called->second.get();
  }
  if (function->resolved) return {};
  LoadedModule* module = module_of(function->module);
  if (module == nullptr) return {CudaError::InvalidDeviceFunction, msg::kernel_without_module()};
  Status status = load(runtime, *module);
  if (!status.ok()) return status;
  status = runtime.exchange(protocol::GetKernel{module->number, function->name}, function->info);
  const protocol::KernelReply& info = function->info;
  if (info.parameter_sizes.size() != info.parameter_offsets.size() ||
      info.parameter_bytes > protocol::kMaxParameterBytes) {
    return {CudaError::InvalidKernelImage, msg::kernel_parameters_unreadable()};
  }
  function->module_number = module->number;
  function->resolved = status.ok();
  return status;
}

namespace {

Status place_on_device(Runtime& runtime, const void* symbol, protocol::Range& range) {
  auto& symbols = registry().symbols;
  auto found = symbols.find(symbol);
  if (const std::string_view name = found == symbols.end() ? name_at(symbol) : ""; !name.empty())
    found = std::ranges::find_if(symbols, [&](const auto& one) { return is_called(one.second.name, name); });
  if (found == symbols.end()) {
    return {CudaError::InvalidSymbol, msg::not_a_device_variable()};
  }
  Symbol& entry = found->second;
  const auto known = entry.ranges.find(current_device);
  if (known != entry.ranges.end()) {
    range = known->second;
    return {};
  }
  Status status = load(runtime, *entry.module);
  if (status.ok()) status = runtime.exchange(protocol::GetVariable{entry.module->number, entry.name}, range);
  if (status.ok()) entry.ranges[current_device] = range;
  return status;
}

/// nvcc's host code names a managed variable by the value of a pointer, whose address it registers.
const void* registered_name(const void* symbol) {
  for (const auto& module : registry().modules) {
    for (const ManagedVariable& variable : module->managed) {
      if (*variable.host_pointer != nullptr && *variable.host_pointer == symbol) return variable.host_pointer;
    }
  }
  return symbol;
}

}  // namespace

Status resolve_symbol(Runtime& runtime, const void* symbol, protocol::Range& range) {
  Status status = place_on_device(runtime, registered_name(symbol), range);
  // Between launches the host's copy is valid.
  if (status.ok() && is_managed_shadow(static_cast<const char*>(symbol)))
    range.address = reinterpret_cast<std::uint64_t>(symbol);
  return status;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper_address) {
  auto module = module_at(wrapper_address);
  auto** handle = reinterpret_cast<void**>(module.get());
  registry().modules.push_back(std::move(module));
  return handle;
}

/// The module is complete. Host code may read its managed variables at once.
void __cudaRegisterFatBinaryEnd(void** handle) {
  LoadedModule* module = module_of(handle);
  if (module == nullptr || module->shadows.empty()) return;
  const cudaError_t error = api("__managed__ variable", Mode::Host, [&](Runtime& runtime) {
    for (void* const shadow : std::exchange(module->shadows, {})) {
      protocol::Range range;
      Status status = place_on_device(runtime, shadow, range);
      if (status.ok()) status = Managed::get().adopt(runtime, range, shadow);
      if (!status.ok()) return status;
    }
    return Status{};
  });
  reported_by_managed(error);
}

/// Registers a file that was compiled with -rdc=true. Such files share one fat binary, which the grader has
/// linked (toolchain/objects/device_link.h); `register_all` registers this file's kernels and variables.
void cudalabs_register_linked(const void* wrapper_address, void (*register_all)(void**)) {
  void*** const known = &registry().linked[wrapper_address];
  if (*known == nullptr) *known = __cudaRegisterFatBinary(const_cast<void*>(wrapper_address));
  register_all(*known);
  __cudaRegisterFatBinaryEnd(*known);
}

void __cudaUnregisterFatBinary(void**) {}  // the device process frees everything when the program ends

void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  auto function = std::make_unique<Function>();
  function->module = module;
  function->name = name;
  Function* handle = function.get();
  registry().functions[stub] = std::move(function);
  registry().handles[handle] = handle;
}

void __cudaRegisterVar(void** module, char* host_variable, char*, const char* name, int, std::size_t, int,
                       int) {
  LoadedModule* owner = module_of(module);
  registry().symbols[host_variable] = Symbol{owner, name, {}};
  if (owner == nullptr || !is_managed_shadow(host_variable)) return;
  owner->shadows.push_back(host_variable);
  owner->managed_names.emplace_back(name);
}

void __cudaRegisterHostVar(void** module, const char* name, char* host_variable, std::size_t size) {
  __cudaRegisterVar(module, host_variable, nullptr, name, 0, size, 0, 0);
}

void __cudaRegisterManagedVar(void** module, void** host_pointer, char*, const char* name, int, std::size_t,
                              int, int) {
  LoadedModule* owner = module_of(module);
  if (owner == nullptr) return;
  owner->managed.push_back({host_pointer, name});
  owner->managed_names.emplace_back(name);
  registry().symbols[host_pointer] = Symbol{owner, name, {}};
}

/// Called before the program first accesses a __managed__ variable of the module: sets the pointers to them.
char __cudaInitModule(void** handle) {
  LoadedModule* module = module_of(handle);
  if (module == nullptr) return 0;
  const cudaError_t error = api("__managed__ variable", Mode::Host, [&](Runtime& runtime) {
    for (ManagedVariable& variable : module->managed) {
      if (*variable.host_pointer != nullptr) continue;
      protocol::Range range;
      Status status = place_on_device(runtime, variable.host_pointer, range);
      if (status.ok()) status = Managed::get().adopt(runtime, range);
      if (!status.ok()) return status;
      *variable.host_pointer = reinterpret_cast<void*>(range.address);
    }
    return Status{};
  });
  return reported_by_managed(error) ? 1 : 0;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  return api("__cudaGetKernel", Mode::Host, [&](Runtime&) {
    const auto found = registry().functions.find(stub);
    if (found == registry().functions.end()) {
      return not_a_kernel(stub);
    }
    *kernel = reinterpret_cast<cudaKernel_t>(found->second.get());
    return Status{};
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* stub) { return __cudaGetKernel(kernel, stub); }
}
