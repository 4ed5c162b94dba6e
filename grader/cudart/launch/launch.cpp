#include <cstring>
#include <span>
#include <utility>

#include "grader/cudart/devices.h"
#include "grader/cudart/graphs/capture.h"

namespace cudalabs::cudart {
namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

/// <<<...>>> pushes a configuration, the kernel's stub pops it.
thread_local std::vector<Configuration> configurations;
/// The stub that popped a configuration is about to launch.
thread_local bool popped = false;

cudaError_t launch(const char* call, const void* stub_or_handle, const Configuration& configuration,
                   void** arguments, std::span<const cudaLaunchAttribute> attributes) {
  return api(call, Mode::Async, [&](Runtime& runtime) -> Status {
    std::uint32_t stream = 0;
    KernelOperation kernel;
    kernel.by_stub = std::exchange(popped, false);
    const cudaKernelNodeParams params{
        const_cast<void*>(stub_or_handle), configuration.grid, configuration.block, 0, arguments, nullptr};
    Status status = make_kernel(runtime, params, kernel);
    kernel.shared = configuration.shared;
    for (const cudaLaunchAttribute& attribute : attributes) {
      if (status.ok()) status = take_attribute(runtime, attribute.id, attribute.val, kernel);
    }
    if (status.ok()) status = stream_number(configuration.stream, stream);
    // CUDA's guide says that such a launch fails if the stream belongs to another device; H100s run it there.
    if (status.ok()) kernel.device = stream_device(stream);
    return status.ok() ? submit(runtime, stream, std::move(kernel)) : status;
  });
}

cudaLaunchAttribute cooperative() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return attribute;
}

}  // namespace

Status make_kernel(Runtime& runtime, const cudaKernelNodeParams& params, KernelOperation& kernel) {
  Function* function = nullptr;
  Status status = resolve(runtime, params.func, function);
  if (!status.ok()) return status;
  const protocol::KernelReply& info = function->info;
  if (params.extra != nullptr) return runtime.unsupported("arguments of a kernel in one buffer");
  if (params.kernelParams == nullptr && !info.parameter_sizes.empty())
    return invalid_value(msg::no_launch_arguments());
  kernel.function = params.func;
  kernel.device = current_device;
  kernel.grid = params.gridDim;
  kernel.block = params.blockDim;
  kernel.shared = params.sharedMemBytes;
  kernel.parameters.resize(info.parameter_bytes);
  for (std::size_t i = 0; i < info.parameter_sizes.size(); ++i) {
    const std::uint64_t offset = info.parameter_offsets[i], size = info.parameter_sizes[i];
    if (offset + size > info.parameter_bytes)
      return {CudaError::InvalidKernelImage, msg::kernel_parameter_without_place()};
    std::memcpy(kernel.parameters.data() + offset, params.kernelParams[i], size);
  }
  return {};
}

Status take_attribute(Runtime& runtime, cudaLaunchAttributeID attribute,
                      const cudaLaunchAttributeValue& value, KernelOperation& kernel) {
  switch (attribute) {
    case cudaLaunchAttributeCooperative: kernel.cooperative = value.cooperative != 0; return {};
    // Hints change when a kernel runs, but not its results.
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePreferredClusterDimension: return {};
    case cudaLaunchAttributeClusterDimension:
      if (value.clusterDim.x * value.clusterDim.y * value.clusterDim.z <= 1) return {};
      return runtime.unsupported("a launch in clusters of more than one block");
    default: return runtime.unsupported("cudaLaunchKernelExC with such an attribute");
  }
}

namespace {

Status message_for(Runtime& runtime, const KernelOperation& kernel, std::uint32_t stream,
                   protocol::Launch& message, Function*& function) {
  Status status = resolve(runtime, kernel.function, function);
  if (!status.ok()) return status;
  if (stream_device(stream) != kernel.device) stream = 0;
  const protocol::KernelReply& info = function->info;
  message.parameters = kernel.parameters;
  for (std::size_t i = 0; i < info.parameter_sizes.size(); ++i) {
    // A structure may contain pointers, too.
    for (std::uint32_t at = 0; at + sizeof(std::uint64_t) <= info.parameter_sizes[i] && status.ok();
         at += 8) {
      std::byte* place = message.parameters.data() + info.parameter_offsets[i] + at;
      std::uint64_t pointer = 0;
      std::memcpy(&pointer, place, sizeof pointer);
      status = Managed::get().on_device(runtime, pointer);
      std::memcpy(place, &pointer, sizeof pointer);
    }
  }
  if (!status.ok()) return status;
  message.module = function->module_number;
  message.kernel = info.kernel;
  message.grid_x = kernel.grid.x;
  message.grid_y = kernel.grid.y;
  message.grid_z = kernel.grid.z;
  message.block_x = kernel.block.x;
  message.block_y = kernel.block.y;
  message.block_z = kernel.block.z;
  message.dynamic_shared_bytes = kernel.shared;
  message.cooperative = kernel.cooperative;
  message.stream = stream;
  put_limits(message);
  if (function->bank_bytes != 0) message.bank_bytes = function->bank_bytes;
  return status;
}

/// Reports it at once: the host may wait forever for the kernel's result, and the grader reports only at the
/// end.
void report_endless(CudaError failed) {
  static bool told = false;
  if (failed != CudaError::LaunchTimeout || !Managed::get().shares() || std::exchange(told, true)) return;
  print_error(msg::waiting_kernel_ended());
}

}  // namespace

Status check(Runtime& runtime, const KernelOperation& kernel, std::uint32_t stream) {
  const OnDevice there(runtime, kernel.device);
  if (!there.status().ok()) return there.status();
  protocol::Launch message;
  Function* function = nullptr;
  Status status = message_for(runtime, kernel, stream, message, function);
  message.only_checked = true;
  return status.ok() ? runtime.exchange(std::move(message)) : status;
}

Status run(Runtime& runtime, const KernelOperation& kernel, std::uint32_t stream) {
  // A graph contains kernels of several devices, but is launched on one device's stream.
  const OnDevice there(runtime, kernel.device);
  if (!there.status().ok()) return there.status();
  protocol::Launch message;
  Function* function = nullptr;
  Status status = message_for(runtime, kernel, stream, message, function);
  if (status.ok()) status = Managed::get().send(runtime);
  if (status.ok()) {
    ClockUse::get().launched();
    status = runtime.exchange(std::move(message));
    if (status.ok()) settle_limits(function->info);
    report_endless(runtime.pending());
  }
  if (status.ok()) status = Managed::get().fetch(runtime);
  return status;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return last_error = cudaErrorMissingConfiguration;
  const Configuration top = configurations.back();
  configurations.pop_back();
  popped = true;
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return launch("cudaLaunchKernel", kernel, {grid, block, shared, stream}, arguments, {});
}
CUDALABS_PTSZ(__cudaLaunchKernel);

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch("cudaLaunchKernel", function, {grid, block, shared, stream}, arguments, {});
}
CUDALABS_PTSZ(cudaLaunchKernel);

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
  const cudaLaunchAttribute attribute = cooperative();
  return launch("cudaLaunchCooperativeKernel", function, {grid, block, shared, stream}, arguments,
                {&attribute, 1});
}
CUDALABS_PTSZ(cudaLaunchCooperativeKernel);

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) {
    return api("cudaLaunchKernelExC", Mode::Async,
               [](Runtime&) { return invalid_value(msg::no_launch_configuration()); });
  }
  return launch("cudaLaunchKernelExC", function,
                {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, arguments,
                {config->attrs, config->numAttrs});
}
CUDALABS_PTSZ(cudaLaunchKernelExC);

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api("cudaFuncGetAttributes", Mode::Host, [&](Runtime& runtime) -> Status {
    if (attributes == nullptr) return invalid_value(msg::no_place_for("attributes"));
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    // The limit of dynamic shared memory has changed, so ask for the kernel's other properties again, too.
    if (status.ok())
      status = runtime.exchange(protocol::GetKernel{kernel->module_number, kernel->name}, kernel->info);
    if (!status.ok()) return status;
    const protocol::KernelReply& info = kernel->info;
    *attributes = {};
    attributes->sharedSizeBytes = info.static_shared_bytes;
    attributes->localSizeBytes = info.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(info.max_threads);
    attributes->numRegs = static_cast<int>(info.registers);
    const auto architecture =
        static_cast<int>(runtime.device().compute_major * 10 + runtime.device().compute_minor);
    attributes->ptxVersion = architecture;
    attributes->binaryVersion = architecture;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(info.max_dynamic_shared_bytes);
    attributes->preferredShmemCarveout = -1;
    return {};
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api("cudaFuncSetAttribute", Mode::Host, [&](Runtime& runtime) -> Status {
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    if (!status.ok()) return status;
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0) return invalid_value(msg::negative_shared_memory());
        return runtime.exchange(protocol::SetKernelShared{kernel->module_number, kernel->info.kernel,
                                                          static_cast<std::uint64_t>(value)});
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        return value >= -1 && value <= 100 ? Status{} : invalid_value(msg::carveout_out_of_range());
      default:
        return attribute < cudaFuncAttributeMax
                   ? runtime.unsupported("cudaFuncSetAttribute with such an attribute")
                   : invalid_value(msg::unknown_attribute("function attribute"));
    }
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api("cudaFuncSetCacheConfig", Mode::Host, [&](Runtime& runtime) {
    Function* kernel = nullptr;
    return resolve(runtime, function, kernel);  // a hint: only checks that the function exists
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return api("cudaFuncSetSharedMemConfig", Mode::Host, [&](Runtime& runtime) {
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    if (status.ok()) kernel->bank_bytes = bank_bytes_of(config);
    return status;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api("cudaFuncGetName", Mode::Host, [&](Runtime& runtime) {
    if (name == nullptr) return invalid_value(msg::no_place_for("name"));
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    if (status.ok()) *name = kernel->name.c_str();
    return status;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, std::size_t dynamic_shared,
                                                                   unsigned) {
  return api("cudaOccupancyMaxActiveBlocksPerMultiprocessor", Mode::Host, [&](Runtime& runtime) -> Status {
    if (blocks == nullptr || threads <= 0) return invalid_value(msg::block_size_not_positive());
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    protocol::Handle fitting;
    if (status.ok()) {
      status = runtime.exchange(protocol::Occupancy{kernel->module_number, kernel->info.kernel,
                                                    static_cast<std::uint32_t>(threads), dynamic_shared},
                                fitting);
    }
    if (status.ok()) *blocks = static_cast<int>(fitting.value);
    return status;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0);
}

/// The maximum for which the blocks still fit.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                      int threads) {
  return api("cudaOccupancyAvailableDynamicSMemPerBlock", Mode::Host, [&](Runtime& runtime) -> Status {
    if (bytes == nullptr || blocks <= 0 || threads <= 0)
      return invalid_value(msg::blocks_or_threads_not_positive());
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    const auto fits = [&](std::uint64_t dynamic_shared) {
      protocol::Handle fitting;
      status = runtime.exchange(protocol::Occupancy{kernel->module_number, kernel->info.kernel,
                                                    static_cast<std::uint32_t>(threads), dynamic_shared},
                                fitting);
      return status.ok() && fitting.value >= static_cast<std::uint32_t>(blocks);
    };
    if (!status.ok()) return status;
    if (!fits(0)) return status.ok() ? invalid_value(msg::blocks_do_not_fit()) : status;
    std::uint64_t least = 0, too_many = runtime.device().shared_bytes_per_multiprocessor + 1;
    while (status.ok() && too_many - least > 1) {
      const std::uint64_t middle = (least + too_many) / 2;
      (fits(middle) ? least : too_many) = middle;
    }
    if (status.ok()) *bytes = least;
    return status;
  });
}

/// All handles of a kernel name the same kernel.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return api("cudaGetFuncBySymbol", Mode::Host, [&](Runtime& runtime) {
    if (function == nullptr) return invalid_value(msg::no_place_for("function"));
    Function* kernel = nullptr;
    Status status = resolve(runtime, symbol, kernel);
    if (status.ok()) *function = reinterpret_cast<cudaFunction_t>(kernel);
    return status;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                 std::size_t* size) {
  return api("cudaFuncGetParamInfo", Mode::Host, [&](Runtime& runtime) {
    if (offset == nullptr) return invalid_value(msg::no_place_for("offset"));
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    if (!status.ok()) return status;
    if (index >= kernel->info.parameter_sizes.size()) return invalid_value(msg::no_such_kernel_parameter());
    *offset = kernel->info.parameter_offsets[index];
    if (size != nullptr) *size = kernel->info.parameter_sizes[index];
    return status;
  });
}
}
