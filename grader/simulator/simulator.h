#pragma once
// The simulator's face: PTX in, results, faults and counters out. It includes
// nothing of the rest of the grader but grader/support and its own values.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/simulator/base/texture.h"
#include "grader/simulator/base/types.h"
#include "grader/support/result.h"

namespace cudalabs::sim {

/// A loaded module: its kernels by name, its __device__ and __constant__ variables with their addresses.
class Module {
 public:
  virtual ~Module() = default;
  [[nodiscard]] virtual const std::vector<KernelInfo>& kernels() const = 0;
  [[nodiscard]] virtual const std::vector<VariableInfo>& variables() const = 0;
  /// As its text says: 80 for sm_80.
  [[nodiscard]] virtual int target() const = 0;
};

/// Variables of a module that all cards have together (__managed__).
struct SharedVariables {
  std::vector<std::string> names;
  const Module* first = nullptr;  ///< the same module on another card, where they are; null: it is the first
};

/// One simulated card with its memory, or several of a kind with one address space: what is loaded, allocated
/// and launched is the selected one's, card 0's at first. Not thread-safe: one caller at a time.
class Simulator {
 public:
  /// `cards`: kMostCards (memory/cards.h) at most.
  explicit Simulator(const Limits& limits = {}, std::uint32_t cards = 1);
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  [[nodiscard]] const Limits& limits() const;

  /// Loads PTX text. Refuses, with the instruction's text and source line, what it cannot execute. Of a
  /// kernel without a number in `registers` they are predicted.
  Result<std::shared_ptr<Module>> load(std::string_view ptx, std::string name,
                                       const RegisterCounts& registers = {},
                                       const SharedVariables& shared = {});

  /// 256-byte aligned; neighbours are kept apart by an unmapped gap so that overruns are seen. Contents
  /// undefined (filled with a pattern). A size of 0 gives address 0. Error: out of memory.
  Result<DevicePtr> allocate(std::uint64_t bytes);
  /// As GlobalMemory::share().
  Result<DevicePtr> share(std::uint64_t bytes, int file);
  /// Whether what is allocated from now on is filled with NaNs and the largest numbers by turns.
  void fill_with_extremes(bool extremes);
  /// Error: not the start of a live allocation (says whether it was freed before).
  Result<void> free(DevicePtr pointer);
  /// As GlobalMemory::set_aside().
  void set_aside(DevicePtr pointer, bool aside);
  /// True iff [pointer, pointer+bytes) lies inside one live allocation or module variable.
  [[nodiscard]] bool valid(DevicePtr pointer, std::uint64_t bytes) const;
  /// The host bytes behind a valid range; empty if not valid. Stays valid until the allocation is freed.
  std::span<std::byte> bytes(DevicePtr pointer, std::uint64_t count);
  /// On the selected card.
  [[nodiscard]] std::uint64_t bytes_in_use() const;

  void select(std::uint32_t card);
  /// As Cards::set_reach(), GlobalMemory::grant(), card_of() and reaches().
  void set_reach(std::uint32_t card, std::uint32_t peer, bool reaches);
  void grant(DevicePtr pointer, std::uint32_t cards);
  [[nodiscard]] std::optional<std::uint32_t> card_of(DevicePtr pointer) const;
  [[nodiscard]] bool reaches(std::uint32_t card, DevicePtr pointer) const;

  /// What kernels are given for it, never 0. Error: texture_problem(), or its memory is none.
  Result<std::uint64_t> add_texture(const Texture& texture);
  /// False: there is no such object.
  bool remove_texture(std::uint64_t object);

  /// Runs a kernel to its end. `parameters` is the packed parameter buffer, KernelInfo::parameter_bytes long.
  /// A Diagnostic means that the launch was refused before it began (bad sizes); a Fault that it went wrong.
  Result<LaunchResult> launch(const Module& module, std::string_view kernel, const LaunchConfig& config,
                              std::span<const std::byte> parameters, const LaunchOptions& options = {});

  /// One block of the launch that ended last, once more, for `options.observers` to look at: memory stays as
  /// it is. False: that is not possible here, and nothing was run.
  bool look_again(const Module& module, std::string_view kernel, const LaunchConfig& config,
                  std::span<const std::byte> parameters, const LaunchOptions& options);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cudalabs::sim
