#pragma once
// The cards' global memory: one reserved range of host addresses; device address = host address + a constant.
// Several cards share the range, and each has its own allocations in it (cards.h).

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/simulator/memory/address.h"
#include "grader/simulator/memory/cards.h"
#include "grader/support/result.h"

namespace cudalabs::sim {

/// A half-open range of device addresses.
struct Range {
  std::uint64_t begin = 0, end = 0;
  [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

/// Who allocates and frees: the host by cudaMalloc, or a kernel by malloc. Neither may
/// free what is the other's.
enum class Owner : std::uint8_t { Host, Kernel };

class GlobalMemory {
 public:
  /// `capacity`: how many bytes, in whole pages, may be allocated at once on each of `cards`. Reserves
  /// several times that in address space (not memory), because neighbours stand far apart: an
  /// overrun has to cross a wide gap before it meets somebody else's data.
  explicit GlobalMemory(std::uint64_t capacity, std::uint32_t cards = 1);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// 256-byte aligned, filled with a pattern that is no plausible result. `label` names it in messages
  /// ("__device__ variable total"); empty: an ordinary allocation.
  Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label = {}, Owner owner = Owner::Host);
  /// Makes a file in memory of at least that size, which others have mapped too, a card's memory: what nobody
  /// touches takes none, so the card's capacity does not count. The file stays the caller's.
  Result<std::uint64_t> share(std::uint64_t bytes, int file);
  /// What is allocated from now on holds unset.h's extremes, but for large ranges, which take no memory.
  void fill_with_extremes(bool extremes) { extremes_ = extremes; }
  Result<void> free(std::uint64_t address, Owner owner = Owner::Host);
  /// Makes a live allocation look freed, or one that does live again; its place and its bytes stay.
  void set_aside(std::uint64_t address, bool aside);
  /// Frees an allocation whatever its label: for the owner of a labelled one.
  void release(std::uint64_t address);

  /// The live allocation that holds `address`; an empty range if none.
  [[nodiscard]] Range find(std::uint64_t address) const;
  /// The label of the live allocation that holds `address`; empty if it has none.
  [[nodiscard]] std::string label(std::uint64_t address) const;
  /// Where `address` lies relative to the nearest allocation, for a message:
  /// "16 bytes past the end of the 4000-byte allocation at 0x...", "inside
  /// an allocation that was freed", "a null pointer", "a host pointer".
  [[nodiscard]] std::string describe(std::uint64_t address) const;
  /// The allocation that `address` is in or nearest to; an empty range if there is none.
  [[nodiscard]] Range nearest(std::uint64_t address) const;
  /// True if a device pointer can have this value at all.
  [[nodiscard]] bool is_device(std::uint64_t address) const { return address - kGlobalBase < reserved_; }
  [[nodiscard]] bool was_freed(std::uint64_t address) const;

  /// What all live allocations hold, in their order.
  [[nodiscard]] std::vector<std::byte> contents() const;
  /// Puts back what contents() gave; what kernels have allocated since is freed. Nothing may have been freed
  /// since.
  void restore(std::span<const std::byte> contents);
  [[nodiscard]] bool kernels_allocated() const;
  /// Is any live allocation a file that others have, too?
  [[nodiscard]] bool shares() const;

  /// Of any address, mapped or not: a number, not a place to read from.
  [[nodiscard]] std::byte* host(std::uint64_t address) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(arena_) + (address - kGlobalBase));
  }
  /// Of the selected card.
  [[nodiscard]] std::uint64_t bytes_in_use() const { return in_use_[cards_.selected()]; }
  /// Of all cards.
  [[nodiscard]] std::uint64_t bytes_in_all_use() const;

  /// Who allocates from now on, and what the cards' kernels reach.
  [[nodiscard]] Cards& cards() { return cards_; }
  /// Lets kernels of these cards touch the live allocation that starts there, whatever peer access says.
  void grant(std::uint64_t address, CardSet cards);
  /// Of the live allocation around the address; none: there is none.
  [[nodiscard]] std::optional<std::uint32_t> card_of(std::uint64_t address) const;
  /// False: memory of another card, which kernels of `card` may not touch.
  [[nodiscard]] bool reaches(std::uint32_t card, std::uint64_t address) const;
  /// Until show(), what kernels of the selected card may not touch is not live.
  void hide();
  void show();
  /// What hide() hid there.
  struct Hidden {
    Range range;
    std::uint32_t card = 0;
    bool granted = false;  ///< to other cards: it has nothing to do with peer access
  };
  [[nodiscard]] std::optional<Hidden> hidden(std::uint64_t address) const;

 private:
  /// Unmapped, before the first allocation and behind each.
  static constexpr std::uint64_t kGap = std::uint64_t{1} << 20;

  void fill(std::uint64_t address, std::uint64_t bytes);
  /// Where so many bytes fit, in whole pages with a gap behind them.
  Result<std::uint64_t> place_for(std::uint64_t bytes);

  struct Allocation {
    std::uint64_t bytes = 0;
    std::string label;
    Owner owner = Owner::Host;
    std::uint32_t card = 0;
    std::optional<CardSet> granted{};  ///< to whom; none: as peer access says
    bool shared = false;               ///< a file that others have, too
  };
  using Allocations = std::map<std::uint64_t, Allocation>;  // by address
  /// The one around the address; the end if there is none.
  static Allocations::const_iterator around(const Allocations& allocations, std::uint64_t address);
  [[nodiscard]] bool reaches(std::uint32_t card, const Allocation& allocation) const;

  std::byte* arena_ = nullptr;
  bool extremes_ = false;
  std::uint64_t reserved_ = 0, capacity_ = 0, next_ = kGlobalBase + kGap;
  Cards cards_;
  std::vector<std::uint64_t> in_use_;  // by card
  Allocations live_, hidden_;
  Allocations aside_;                             // in freed_ too
  std::map<std::uint64_t, std::uint64_t> freed_;  // address -> bytes, until the place is used again
};

}  // namespace cudalabs::sim
