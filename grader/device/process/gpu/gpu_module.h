#pragma once
// A submission's GPU code, compiled for the card by its driver.

#include <map>
#include <string>
#include <vector>

#include "grader/device/process/gpu/context.h"

namespace cudalabs::gpu {

class GpuModule final : public DeviceModule {
 public:
  /// Loads a fat binary, or of it the PTX that the simulator runs alone. Errors are the driver's,
  /// with what its compiler says.
  static Answer<std::shared_ptr<DeviceModule>> load(const std::shared_ptr<Context>& context,
                                                    std::span<const std::byte> image, bool simulated_code);
  ~GpuModule() override;
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  [[nodiscard]] const std::vector<sim::KernelInfo>& kernels() const override { return kernels_; }
  [[nodiscard]] const std::vector<sim::VariableInfo>& variables() const override { return variables_; }
  /// For blocks of `threads`: clang's code is compiled again, with fewer registers, where it has
  /// too many for such a block.
  [[nodiscard]] CUfunction function(std::uint32_t kernel, std::uint32_t threads) const;

 private:
  GpuModule(std::shared_ptr<Context> context, CUmodule module)
      : context_(std::move(context)), module_(module) {}
  Status find_kernels();
  void find_variables(std::string_view ptx);

  std::shared_ptr<Context> context_;
  CUmodule module_;
  std::string text_;                                   ///< of what may be compiled again; else empty
  mutable std::map<std::uint32_t, CUmodule> smaller_;  ///< by the registers that a thread may have
  std::vector<CUfunction> functions_;                  ///< in the order of kernels_
  std::vector<std::uint32_t> fitting_;  ///< threads of a block, as first compiled; in the same order
  std::vector<sim::KernelInfo> kernels_;
  std::vector<sim::VariableInfo> variables_;
};

}  // namespace cudalabs::gpu
