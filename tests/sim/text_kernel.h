#pragma once
// A kernel as PTX text whose one parameter is an address.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {

class TextKernel {
 public:
  explicit TextKernel(const std::string& ptx) {
    auto loaded = simulator.load(ptx, "test.ptx");
    INFO((loaded ? std::string() : loaded.problem().text()));
    REQUIRE(loaded);
    module_ = *loaded;
  }
  DevicePtr zeros(std::uint64_t bytes) {
    const auto made = simulator.allocate(bytes);
    REQUIRE(made);
    std::ranges::fill(simulator.bytes(*made, bytes), std::byte{0});
    return *made;
  }
  KernelLimits limits;

  LaunchResult launch(DevicePtr argument, std::uint32_t blocks, std::uint32_t threads,
                      const LaunchOptions& options) {
    std::vector<std::byte> parameters(sizeof argument);
    std::memcpy(parameters.data(), &argument, sizeof argument);
    auto launched =
        simulator.launch(*module_, module_->kernels().front().name,
                         {{blocks, 1, 1}, {threads, 1, 1}, 0, false, limits}, parameters, options);
    REQUIRE(launched);
    return std::move(*launched);
  }
  /// `count` values from an address.
  template <class T>
  std::vector<T> values(DevicePtr at, std::size_t count) {
    std::vector<T> got(count);
    std::memcpy(got.data(), simulator.bytes(at, count * sizeof(T)).data(), count * sizeof(T));
    return got;
  }

  Simulator simulator;

 private:
  std::shared_ptr<Module> module_;
};

}  // namespace cudalabs::sim
