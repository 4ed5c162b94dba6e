#pragma once
// A submission's GPU code, compiled for the card by its driver.

#include <map>
#include <string>
#include <vector>

#include "grader/device/backends/gpu/context.h"

namespace cudalabs::gpu {

class GpuModule final : public DeviceModule {
 public:
  /// Loads a fat binary; with `simulated_code`, only the PTX that the simulator runs. Errors are the
  /// driver's, with its compiler's messages.
  static Answer<std::shared_ptr<DeviceModule>> load(const std::shared_ptr<Context>& context,
                                                    std::span<const std::byte> image, bool simulated_code);
  ~GpuModule() override;
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  [[nodiscard]] const std::vector<sim::KernelInfo>& kernels() const override { return kernels_; }
  [[nodiscard]] const std::vector<sim::VariableInfo>& variables() const override { return variables_; }
  /// The kernel for blocks of `threads`. If clang's code has too many registers for such a block, it is
  /// compiled again with fewer.
  [[nodiscard]] CUfunction function(std::uint32_t kernel, std::uint32_t threads) const;

 private:
  GpuModule(std::shared_ptr<Context> context, CUmodule module)
      : context_(std::move(context)), module_(module) {}
  Status find_kernels();
  void find_variables(std::string_view ptx);

  std::shared_ptr<Context> context_;
  CUmodule module_;
  std::string text_;                                   ///< code that may be compiled again; else empty
  mutable std::map<std::uint32_t, CUmodule> smaller_;  ///< by register limit per thread
  std::vector<CUfunction> functions_;                  ///< in the order of kernels_
  std::vector<std::uint32_t> fitting_;  ///< threads of a block, as first compiled; in the same order
  std::vector<sim::KernelInfo> kernels_;
  std::vector<sim::VariableInfo> variables_;
};

}  // namespace cudalabs::gpu
