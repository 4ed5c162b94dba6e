#pragma once
// The devices' global memory: one reserved range of host addresses; device address = host address + a
// constant. Several devices share the range, and each has its own allocations in it (cards.h).

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/sim/memory/address.h"
#include "grader/sim/memory/devices.h"

namespace cudalabs::sim {

/// A half-open range of device addresses.
struct Range {
  std::uint64_t begin = 0, end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

/// The owner of an allocation: the host by cudaMalloc, or a kernel by malloc. Neither may free the other's.
enum class Owner : std::uint8_t { Host, Kernel };

class GlobalMemory {
 public:
  /// `capacity`: maximum allocated bytes, in whole pages, on each of `cards`. Reserves several times that in
  /// address space (not memory), because allocations are far apart: an overrun must cross a wide gap before
  /// it reaches other data.
  explicit GlobalMemory(std::uint64_t capacity, std::uint32_t cards = 1);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Allocates memory, 256-byte aligned, filled with a pattern that is no plausible result. `name` is
  /// its name in messages ("__device__ variable total"); empty: an ordinary allocation.
  Result<std::uint64_t> allocate(std::uint64_t bytes, Message name = {}, Owner owner = Owner::Host);
  /// malloc() in a kernel on the selected device; 0: the allocations of its kernels would then take more than
  /// `heap_bytes`.
  std::uint64_t allocate_in_heap(std::uint64_t bytes, std::uint64_t heap_bytes);
  /// Makes a memory file of at least that size, which other processes may map too, a part of device memory.
  /// Untouched pages take no memory, so the device's capacity does not count. The caller keeps the file.
  Result<std::uint64_t> share(std::uint64_t bytes, int file);
  /// If set, later allocations are poisoned with unset.h's extremes, except large ranges, which take no
  /// memory.
  void poison(bool extremes) { extremes_ = extremes; }
  Result<void> free(std::uint64_t address, Owner owner = Owner::Host);
  /// Quarantines a live allocation (it looks freed), or makes it live again; its address and content remain.
  void quarantine(std::uint64_t address, bool aside);
  /// Frees an allocation with any name: for the owner of a named one.
  void release(std::uint64_t address);

  /// The live allocation that contains `address`; an empty range if there is none.
  [[nodiscard]] Range find(std::uint64_t address) const;
  /// The name of the live allocation that contains `address`; empty if it has none.
  [[nodiscard]] Message name(std::uint64_t address) const;
  [[nodiscard]] std::string label(std::uint64_t address) const { return name(address).english(); }
  /// The position of `address` relative to the nearest allocation, for a message: "16 bytes past the end of
  /// the 4000-byte allocation at 0x...", "inside an allocation that was freed", "a null pointer", "a host
  /// pointer".
  [[nodiscard]] Message describe(std::uint64_t address) const;
  /// The allocation that contains `address` or is nearest to it; an empty range if there is none.
  [[nodiscard]] Range nearest(std::uint64_t address) const;
  /// True if a device pointer can have this value.
  [[nodiscard]] bool is_device(std::uint64_t address) const { return address - kGlobalBase < reserved_; }
  [[nodiscard]] bool was_freed(std::uint64_t address) const;

  /// The content of all live allocations, in their order.
  [[nodiscard]] std::vector<std::byte> contents() const;
  /// Restores the content from contents(); frees later allocations of kernels. Nothing may have been freed
  /// since.
  void restore(std::span<const std::byte> contents);
  [[nodiscard]] bool kernels_allocated() const;
  /// Is any live allocation a file that other processes have mapped, too?
  [[nodiscard]] bool shares() const;

  /// Host address of any device address, mapped or not: a number that need not be readable.
  [[nodiscard]] std::byte* host(std::uint64_t address) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(arena_) + (address - kGlobalBase));
  }
  /// Bytes in use on the selected device.
  [[nodiscard]] std::uint64_t bytes_in_use() const { return in_use_[cards_.selected()]; }
  /// Bytes in use on all devices.
  [[nodiscard]] std::uint64_t bytes_in_all_use() const;

  /// The device that allocates, and the access rights of the devices' kernels.
  [[nodiscard]] Devices& cards() { return cards_; }
  /// Lets kernels of these devices access the live allocation that starts there, regardless of peer access.
  void grant(std::uint64_t address, DeviceMask cards);
  /// The device of the live allocation that contains the address; none if there is none.
  [[nodiscard]] std::optional<std::uint32_t> card_of(std::uint64_t address) const;
  /// False: memory of another device, which kernels of `card` may not access.
  [[nodiscard]] bool reaches(std::uint32_t card, std::uint64_t address) const;
  /// Until show(), memory that kernels of the selected device may not access is not live.
  void hide();
  void show();
  /// An allocation that hide() has hidden.
  struct Hidden {
    Range range;
    std::uint32_t card = 0;
    bool granted = false;  ///< granted to other devices: unrelated to peer access
  };
  [[nodiscard]] std::optional<Hidden> hidden(std::uint64_t address) const;

 private:
  /// Unmapped bytes before the first allocation and behind each.
  static constexpr std::uint64_t kGap = std::uint64_t{1} << 20;

  void fill(std::uint64_t address, std::uint64_t bytes);
  /// An address with room for that many bytes, in whole pages with a gap behind them.
  Result<std::uint64_t> place_for(std::uint64_t bytes);

  struct Allocation {
    std::uint64_t bytes = 0;
    Message name;
    Owner owner = Owner::Host;
    std::uint32_t card = 0;
    std::optional<DeviceMask> granted{};  ///< devices with access; none: according to peer access
    bool shared = false;                  ///< a file that other processes have mapped, too
  };
  using Allocations = std::map<std::uint64_t, Allocation>;  // by address
  /// The allocation that contains the address, or end().
  static Allocations::const_iterator around(const Allocations& allocations, std::uint64_t address);
  [[nodiscard]] bool reaches(std::uint32_t card, const Allocation& allocation) const;

  std::byte* arena_ = nullptr;
  bool extremes_ = false;
  std::uint64_t reserved_ = 0, capacity_ = 0, next_ = kGlobalBase + kGap;
  Devices cards_;
  std::vector<std::uint64_t> in_use_, heap_in_use_;  // by device
  Allocations live_, hidden_;
  Allocations aside_;                             // also in freed_
  std::map<std::uint64_t, std::uint64_t> freed_;  // address -> bytes, until the address range is reused
};

}  // namespace cudalabs::sim
