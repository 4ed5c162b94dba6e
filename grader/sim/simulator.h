#pragma once
// The public interface of the simulator: PTX in; results, faults and counters out. Of the rest of the grader
// it only includes grader/base.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/sim/base/texture.h"
#include "grader/sim/base/types.h"

namespace cudalabs::sim {

/// A loaded module: its kernels by name, its __device__ and __constant__ variables with their addresses.
class Module {
 public:
  virtual ~Module() = default;
  [[nodiscard]] virtual const std::vector<KernelInfo>& kernels() const = 0;
  [[nodiscard]] virtual const std::vector<VariableInfo>& variables() const = 0;
  /// The target in its text: 80 for sm_80.
  [[nodiscard]] virtual int target() const = 0;
};

/// Variables of a module that all devices share (__managed__).
struct SharedVariables {
  std::vector<std::string> names;
  const Module* first = nullptr;  ///< the same module on another device; null: this is the first
};

/// One simulated device with its memory, or several of the same kind with one address space. Modules,
/// allocations and launches belong to the selected device, initially device 0. Not thread-safe: one caller at
/// a time.
class Simulator {
 public:
  /// `cards`: at most kMaxDevices (memory/devices.h).
  explicit Simulator(const Limits& limits = {}, std::uint32_t cards = 1);
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  [[nodiscard]] const Limits& limits() const;

  /// Loads PTX text. Refuses instructions that it cannot execute, with their text and source line. For a
  /// kernel without an entry in `registers` the number is predicted.
  Result<std::shared_ptr<Module>> load(std::string_view ptx, std::string name,
                                       const RegisterCounts& registers = {},
                                       const SharedVariables& shared = {});

  /// Allocates memory, 256-byte aligned; unmapped gaps separate allocations, so that overruns are detected.
  /// The content is undefined (filled with a pattern). A size of 0 gives address 0. Error: out of memory.
  Result<DevicePtr> allocate(std::uint64_t bytes);
  /// See GlobalMemory::share().
  Result<DevicePtr> share(std::uint64_t bytes, int file);
  /// If set, later allocations are poisoned with NaNs alternating with the largest numbers.
  void poison(bool extremes);
  /// Error: not the start of a live allocation (the message says whether it was freed before).
  Result<void> free(DevicePtr pointer);
  /// See GlobalMemory::quarantine().
  void quarantine(DevicePtr pointer, bool aside);
  /// True iff [pointer, pointer+bytes) lies inside one live allocation or module variable.
  [[nodiscard]] bool valid(DevicePtr pointer, std::uint64_t bytes) const;
  /// The host bytes of a valid range; empty if not valid. Stays valid until the allocation is freed.
  std::span<std::byte> bytes(DevicePtr pointer, std::uint64_t count);
  /// Bytes on the selected device.
  [[nodiscard]] std::uint64_t bytes_in_use() const;

  void select(std::uint32_t card);
  /// See Cards::set_reach(), GlobalMemory::grant(), card_of() and reaches().
  void set_reach(std::uint32_t card, std::uint32_t peer, bool reaches);
  void grant(DevicePtr pointer, std::uint32_t cards);
  [[nodiscard]] std::optional<std::uint32_t> card_of(DevicePtr pointer) const;
  [[nodiscard]] bool reaches(std::uint32_t card, DevicePtr pointer) const;

  /// Returns the handle for kernels, never 0. Error: texture_problem(), or its memory is not allocated.
  Result<std::uint64_t> add_texture(const Texture& texture);
  /// False: there is no such object.
  bool remove_texture(std::uint64_t object);

  /// Runs a kernel to its end. `parameters` is the packed parameter buffer, KernelInfo::parameter_bytes long.
  /// A Diagnostic means that the launch was refused before it began (bad sizes); a Fault means that it
  /// failed.
  Result<LaunchResult> launch(const Module& module, std::string_view kernel, const LaunchConfig& config,
                              std::span<const std::byte> parameters, const LaunchOptions& options = {});

  /// Runs one block of the last launch again, for `options.observers`; memory remains unchanged. False: this
  /// is not possible here, and nothing was run.
  bool look_again(const Module& module, std::string_view kernel, const LaunchConfig& config,
                  std::span<const std::byte> parameters, const LaunchOptions& options);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cudalabs::sim
