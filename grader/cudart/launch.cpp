#include <cstring>

#include "grader/cudart/graph.h"
#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {
namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

/// <<<...>>> pushes one, the kernel's stub pops it.
thread_local std::vector<Configuration> configurations;

cudaError_t launch(const char* call, const void* stub_or_handle, const Configuration& configuration,
                   void** arguments, bool cooperative) {
  return api(call, Mode::Async, [&](Runtime& runtime) -> Status {
    Function* function = nullptr;
    protocol::Launch message;
    Status status = resolve(runtime, stub_or_handle, function);
    if (status.ok()) status = stream_number(configuration.stream, message.stream);
    if (!status.ok()) return status;
    const protocol::KernelReply& info = function->info;
    if (arguments == nullptr && !info.parameter_sizes.empty())
      return invalid_value("a launch without arguments");
    message.parameters.resize(info.parameter_bytes);
    for (std::size_t i = 0; i < info.parameter_sizes.size(); ++i) {
      const std::uint64_t offset = info.parameter_offsets[i], size = info.parameter_sizes[i];
      if (offset + size > info.parameter_bytes)
        return {CudaError::InvalidKernelImage, "a parameter has no place"};
      std::memcpy(message.parameters.data() + offset, arguments[i], size);
      if (std::uint64_t pointer = 0; size == sizeof pointer) {
        std::memcpy(&pointer, arguments[i], size);
        pointer = Managed::get().on_device(pointer);
        std::memcpy(message.parameters.data() + offset, &pointer, size);
      }
    }
    message.module = function->module_number;
    message.kernel = info.kernel;
    message.grid_x = configuration.grid.x;
    message.grid_y = configuration.grid.y;
    message.grid_z = configuration.grid.z;
    message.block_x = configuration.block.x;
    message.block_y = configuration.block.y;
    message.block_z = configuration.block.z;
    message.dynamic_shared_bytes = configuration.shared;
    message.cooperative = cooperative;
    return submit(runtime, message.stream, [message](Runtime& later, std::uint32_t stream) {
      protocol::Launch there = message;
      there.stream = stream;
      Status done = Managed::get().send(later);
      if (done.ok()) done = later.exchange(std::move(there));
      if (done.ok()) done = Managed::get().fetch(later);
      return done;
    });
  });
}

}  // namespace
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
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return launch("cudaLaunchKernel", kernel, {grid, block, shared, stream}, arguments, false);
}
CUDALABS_PTSZ(__cudaLaunchKernel);

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch("cudaLaunchKernel", function, {grid, block, shared, stream}, arguments, false);
}
CUDALABS_PTSZ(cudaLaunchKernel);

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
  return launch("cudaLaunchCooperativeKernel", function, {grid, block, shared, stream}, arguments, true);
}
CUDALABS_PTSZ(cudaLaunchCooperativeKernel);

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) {
    return api("cudaLaunchKernelExC", Mode::Async,
               [](Runtime&) { return invalid_value("no configuration"); });
  }
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeCooperative: cooperative = attribute.val.cooperative != 0; break;
      // Hints: they change when a kernel runs, not what it does.
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeProgrammaticStreamSerialization:
      case cudaLaunchAttributePreferredSharedMemoryCarveout: break;
      default:
        return api("cudaLaunchKernelExC", Mode::Async, [](Runtime& runtime) {
          return runtime.unsupported("cudaLaunchKernelExC with such an attribute");
        });
    }
  }
  return launch("cudaLaunchKernelExC", function,
                {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, arguments,
                cooperative);
}
CUDALABS_PTSZ(cudaLaunchKernelExC);

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api("cudaFuncGetAttributes", Mode::Host, [&](Runtime& runtime) -> Status {
    if (attributes == nullptr) return invalid_value("no place for the attributes");
    Function* kernel = nullptr;
    Status status = resolve(runtime, function, kernel);
    // The limit of dynamic shared memory changes, so the rest is asked for again too.
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
        if (value < 0) return invalid_value("a negative size of shared memory");
        return runtime.exchange(protocol::SetKernelShared{kernel->module_number, kernel->info.kernel,
                                                          static_cast<std::uint64_t>(value)});
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        return value >= -1 && value <= 100 ? Status{} : invalid_value("a carveout is -1 or a percentage");
      default:
        return attribute < cudaFuncAttributeMax
                   ? runtime.unsupported("cudaFuncSetAttribute with such an attribute")
                   : invalid_value("no such function attribute");
    }
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api("cudaFuncSetCacheConfig", Mode::Host, [&](Runtime& runtime) {
    Function* kernel = nullptr;
    return resolve(runtime, function, kernel);  // a hint: the function has to exist, no more
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return api("cudaFuncSetSharedMemConfig", Mode::Host, [&](Runtime& runtime) {
    Function* kernel = nullptr;
    return resolve(runtime, function, kernel);
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api("cudaFuncGetName", Mode::Host, [&](Runtime& runtime) {
    if (name == nullptr) return invalid_value("no place for the name");
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
    if (blocks == nullptr || threads <= 0) return invalid_value("a block size of 0 or less");
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
}
