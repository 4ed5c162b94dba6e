#pragma once
// A module that the simulator has loaded, with the cost model's view of its code.

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/backends/simulator/refused_kernels.h"
#include "grader/device/server/device.h"
#include "grader/sim/simulator.h"
#include "grader/sim/timing/cost.h"

namespace cudalabs {

class SimulatorModule final : public DeviceModule {
 public:
  /// `machine_code`: LaunchRecord::machine_code
  SimulatorModule(LoadedModule loaded, const sim::DeviceProfile& profile, std::uint32_t machine_code)
      : loaded_(std::move(loaded)), machine_code_(machine_code), codes_(sim::joins_instructions(profile)) {}
  ~SimulatorModule() override {
    if (estimate_.valid()) estimate_.wait();
  }
  SimulatorModule(const SimulatorModule&) = delete;
  SimulatorModule& operator=(const SimulatorModule&) = delete;
  [[nodiscard]] const std::vector<sim::KernelInfo>& kernels() const override {
    return loaded_.module->kernels();
  }
  [[nodiscard]] const std::vector<sim::VariableInfo>& variables() const override {
    return loaded_.module->variables();
  }
  [[nodiscard]] const sim::Module& get() const { return *loaded_.module; }
  [[nodiscard]] std::uint32_t machine_code() const { return machine_code_; }
  [[nodiscard]] sim::MachineCodes& codes() const { return codes_; }
  /// Keeps the module and its codes alive until that estimate is computed.
  void is_read_by(std::shared_future<sim::Estimate> estimate) const { estimate_ = std::move(estimate); }
  /// Why the kernel cannot run; null if it can.
  [[nodiscard]] const Message* refusal(const std::string& kernel) const {
    const auto found = loaded_.refused.find(kernel);
    return found == loaded_.refused.end() ? nullptr : &found->second;
  }

 private:
  LoadedModule loaded_;
  std::uint32_t machine_code_;
  mutable sim::MachineCodes codes_;  // made on first use
  mutable std::shared_future<sim::Estimate> estimate_;
};

}  // namespace cudalabs
