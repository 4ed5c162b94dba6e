#pragma once
// A submission's GPU code, compiled for the card by its driver.

#include "grader/device/process/gpu/context.h"

namespace cudalabs::gpu {

class GpuModule final : public DeviceModule {
 public:
  /// Loads a fat binary, or of it the PTX that the simulator runs alone. Errors are the driver's, with what its
  /// compiler says.
  static Answer<std::shared_ptr<DeviceModule>> load(const std::shared_ptr<Context>& context,
                                                    std::span<const std::byte> image, bool simulated_code);
  ~GpuModule() override;
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  [[nodiscard]] const std::vector<sim::KernelInfo>& kernels() const override { return kernels_; }
  [[nodiscard]] const std::vector<sim::VariableInfo>& variables() const override { return variables_; }
  [[nodiscard]] CUfunction function(std::uint32_t kernel) const { return functions_.at(kernel); }

 private:
  GpuModule(std::shared_ptr<Context> context, CUmodule module)
      : context_(std::move(context)), module_(module) {}
  Status find_kernels();
  void find_variables(std::string_view ptx);

  std::shared_ptr<Context> context_;
  CUmodule module_;
  std::vector<CUfunction> functions_;  ///< in the order of kernels_
  std::vector<sim::KernelInfo> kernels_;
  std::vector<sim::VariableInfo> variables_;
};

}  // namespace cudalabs::gpu
