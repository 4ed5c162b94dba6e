#include "grader/sim/memory/global_memory.h"

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/memory/unset.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kAlign = 4096;  // pages, so that freed memory can be returned to the system
constexpr int kPattern = 0xCD;          // -4.3e8 as float, -842150451 as int: no plausible result
constexpr std::uint64_t kPatternBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// What an allocation of a kernel takes of the heap: a header and units of 16 bytes.
std::uint64_t heap_room(std::uint64_t bytes) { return round_up(bytes + 16, 16); }

std::string hex(std::uint64_t value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
  return buffer;
}

/// A memory file filled with the pattern; -1 if the system provides none.
int pattern_file() {
  static const int file = [] {
    const int made = memfd_create("cudalabs-pattern", MFD_CLOEXEC);
    if (made < 0 || ftruncate(made, kPatternBytes) != 0) return -1;
    void* p = mmap(nullptr, kPatternBytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    if (p == MAP_FAILED) return -1;
    std::memset(p, kPattern, kPatternBytes);
    munmap(p, kPatternBytes);
    return made;
  }();
  return file;
}

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t capacity, std::uint32_t cards)
    : capacity_(capacity), cards_(cards), in_use_(cards), heap_in_use_(cards) {
  // Reserve a large address space, or less if the system limits it.
  for (reserved_ = std::uint64_t{1} << 40; reserved_ >= capacity; reserved_ /= 2) {
    void* p =
        mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) {
      arena_ = static_cast<std::byte*>(p);
      madvise(p, reserved_, MADV_DONTDUMP);
      return;
    }
  }
  throw std::bad_alloc();
}

GlobalMemory::~GlobalMemory() { munmap(arena_, reserved_); }

Result<std::uint64_t> GlobalMemory::allocate(std::uint64_t bytes, Message name, Owner owner) {
  if (bytes == 0) return std::uint64_t{0};
  // Whole pages count, because that is the actual use, here and on a device.
  std::uint64_t& in_use = in_use_[cards_.selected()];
  if (bytes > capacity_ || in_use + round_up(bytes, kAlign) > capacity_) {
    return error(msg::out_of_device_memory(bytes, capacity_ - in_use));
  }
  auto address = place_for(bytes);
  if (!address) return address;
  fill(*address, bytes);
  live_.emplace(*address, Allocation{bytes, std::move(name), owner, cards_.selected()});
  in_use += round_up(bytes, kAlign);
  return address;
}

std::uint64_t GlobalMemory::allocate_in_heap(std::uint64_t bytes, std::uint64_t heap_bytes) {
  std::uint64_t& in_use = heap_in_use_[cards_.selected()];
  if (bytes > heap_bytes || in_use + heap_room(bytes) > heap_bytes) return 0;
  const auto address = allocate(bytes, {}, Owner::Kernel);
  if (!address) return 0;
  if (*address != 0) in_use += heap_room(bytes);
  return *address;
}

Result<std::uint64_t> GlobalMemory::share(std::uint64_t bytes, int file) {
  const auto address = place_for(bytes);
  if (!address) return address;
  const std::uint64_t room = round_up(bytes, kAlign);
  void* const here = host(*address);
  if (mmap(here, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0) == MAP_FAILED)
    return error(msg::host_memory_not_mapped());
  madvise(here, room, MADV_DONTDUMP);
  Allocation allocation{bytes, {}, Owner::Host, cards_.selected()};
  allocation.shared = true;
  live_.emplace(*address, std::move(allocation));
  return address;
}

Result<std::uint64_t> GlobalMemory::place_for(std::uint64_t bytes) {
  if (bytes > reserved_) return error(msg::out_of_address_space(bytes));
  const std::uint64_t room = round_up(bytes, kAlign) + kGap;
  std::uint64_t address = 0;
  if (next_ + room <= kGlobalBase + reserved_) {
    address = next_;
    next_ += room;
  } else {  // the address space was used up once: take the first sufficient gap
    std::uint64_t at = kGlobalBase + kGap;
    auto places = live_;
    places.insert(aside_.begin(), aside_.end());
    places.insert(hidden_.begin(), hidden_.end());
    for (const auto& [begin, allocation] : places) {
      if (begin >= at + room) break;
      at = round_up(begin + allocation.bytes, kAlign) + kGap;
    }
    if (at + room > kGlobalBase + reserved_) return error(msg::out_of_address_space(bytes));
    address = at;
    std::erase_if(freed_,
                  [&](const auto& f) { return f.first < address + room && address < f.first + f.second; });
  }
  return address;
}

/// Large ranges are mapped copy-on-write from one copy of the pattern: allocated memory that is never written
/// takes no memory.
void GlobalMemory::fill(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t done = 0;
  while (bytes - done >= kPatternBytes &&
         mmap(host(address + done), kPatternBytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, pattern_file(), 0) != MAP_FAILED) {
    done += kPatternBytes;
  }
  // A column of a matrix touches a page in each row. Only pages that are inside, so that it takes no more
  // memory.
  const auto begin = reinterpret_cast<std::uintptr_t>(host(address + done));
  const std::uint64_t first = round_up(begin, kHugePage);
  const std::uint64_t end = (begin + (bytes - done)) / kHugePage * kHugePage;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
  if (extremes_)
    fill_unset(host(address + done), bytes - done, kUnsetExtremes);
  else
    std::memset(host(address + done), kPattern, bytes - done);
}

Result<void> GlobalMemory::free(std::uint64_t address, Owner owner) {
  if (address == 0) return {};
  const auto it = live_.find(address);
  if (it == live_.end() || !it->second.name.empty()) {
    if (freed_.contains(address)) return error(msg::freed_twice(hex(address)));
    return error(msg::free_of_no_allocation(hex(address), describe(address)));
  }
  if (it->second.owner != owner) {
    return error(owner == Owner::Kernel ? msg::free_of_host_memory(hex(address))
                                        : msg::free_of_kernel_memory(hex(address)));
  }
  release(address);
  return {};
}

void GlobalMemory::quarantine(std::uint64_t address, bool aside) {
  auto moved = (aside ? live_ : aside_).extract(address);
  if (moved.empty()) return;
  if (aside)
    freed_[address] = moved.mapped().bytes;
  else
    freed_.erase(address);
  (aside ? aside_ : live_).insert(std::move(moved));
}

void GlobalMemory::release(std::uint64_t address) {
  const auto it = live_.find(address);
  if (it == live_.end()) return;
  const std::uint64_t bytes = it->second.bytes;
  const std::uint64_t room = round_up(bytes, kAlign);
  const bool shared = it->second.shared;
  if ((bytes < kHugePage && !shared) ||
      mmap(host(address), room, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    madvise(host(address), room, MADV_DONTNEED);
  } else {
    madvise(host(address), room, MADV_DONTDUMP);  // like its neighbours, so that the system merges them again
  }
  if (!shared) in_use_[it->second.card] -= room;
  if (it->second.owner == Owner::Kernel) heap_in_use_[it->second.card] -= heap_room(bytes);
  live_.erase(it);
  freed_[address] = bytes;
}

GlobalMemory::Allocations::const_iterator GlobalMemory::around(const Allocations& allocations,
                                                               std::uint64_t address) {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin()) return allocations.end();
  --it;
  return address - it->first < it->second.bytes ? it : allocations.end();
}

Range GlobalMemory::find(std::uint64_t address) const {
  const auto it = around(live_, address);
  return it == live_.end() ? Range{} : Range{it->first, it->first + it->second.bytes};
}

bool GlobalMemory::was_freed(std::uint64_t address) const {
  auto it = freed_.upper_bound(address);
  return it != freed_.begin() && address - (--it)->first < it->second;
}

Message GlobalMemory::name(std::uint64_t address) const {
  const auto it = around(live_, address);
  return it == live_.end() ? Message() : it->second.name;
}

Message GlobalMemory::describe(std::uint64_t address) const {
  if (address < 65536) return msg::address_null();
  if (in_window(address, kSharedWindow)) return msg::address_in_shared_memory();
  if (in_window(address, kLocalWindow)) return msg::address_in_local_memory();
  if (address < kGlobalBase || address >= kGlobalBase + reserved_) return msg::address_of_no_device();
  if (was_freed(address)) return msg::address_freed();
  const Range near = nearest(address);
  if (near.begin == near.end) return msg::address_without_allocations();
  const Allocation& a = live_.at(near.begin);
  Message what =
      a.name.empty() ? msg::allocation_at(a.bytes, hex(near.begin)) : msg::allocation_named(a.name, a.bytes);
  if (address < near.begin) return msg::address_before(near.begin - address, std::move(what));
  if (address < near.end) return msg::address_into(address - near.begin, std::move(what));
  if (address == near.end) return msg::address_behind(std::move(what));
  return msg::address_past(address - near.end, std::move(what));
}

Range GlobalMemory::nearest(std::uint64_t address) const {
  const auto after = live_.upper_bound(address);
  Range best{};
  if (after != live_.begin()) {
    const auto& [begin, a] = *std::prev(after);
    best = {begin, begin + a.bytes};
    if (address < best.end) return best;
  }
  const bool nothing_before = best.begin == best.end;
  if (after != live_.end() && (nothing_before || after->first - address < address - best.end))
    best = {after->first, after->first + after->second.bytes};
  return best;
}

bool GlobalMemory::kernels_allocated() const {
  return std::ranges::any_of(live_, [](const auto& entry) { return entry.second.owner == Owner::Kernel; });
}

bool GlobalMemory::shares() const {
  return std::ranges::any_of(live_, [](const auto& entry) { return entry.second.shared; });
}

std::vector<std::byte> GlobalMemory::contents() const {
  std::vector<std::byte> all;
  all.reserve(bytes_in_all_use());
  for (const auto& [address, allocation] : live_)
    all.insert(all.end(), host(address), host(address) + allocation.bytes);
  return all;
}

void GlobalMemory::restore(std::span<const std::byte> contents) {
  std::vector<std::uint64_t> later;
  for (const auto& [address, allocation] : live_) {
    if (allocation.owner == Owner::Kernel) later.push_back(address);
  }
  for (const std::uint64_t address : later) release(address);
  for (const auto& [address, allocation] : live_) {
    std::memcpy(host(address), contents.data(), allocation.bytes);
    contents = contents.subspan(allocation.bytes);
  }
}

std::uint64_t GlobalMemory::bytes_in_all_use() const {
  return std::accumulate(in_use_.begin(), in_use_.end(), std::uint64_t{0});
}

void GlobalMemory::grant(std::uint64_t address, DeviceMask cards) {
  if (const auto it = live_.find(address); it != live_.end()) it->second.granted = cards;
}

std::optional<std::uint32_t> GlobalMemory::card_of(std::uint64_t address) const {
  const auto it = around(live_, address);
  return it == live_.end() ? std::nullopt : std::optional(it->second.card);
}

bool GlobalMemory::reaches(std::uint32_t card, const Allocation& allocation) const {
  if (allocation.card == card) return true;
  return allocation.granted ? holds(*allocation.granted, card) : cards_.reaches(card, allocation.card);
}

bool GlobalMemory::reaches(std::uint32_t card, std::uint64_t address) const {
  const auto it = around(live_, address);
  return it == live_.end() || reaches(card, it->second);
}

void GlobalMemory::hide() {
  if (cards_.count() == 1) return;
  for (auto it = live_.begin(); it != live_.end();) {
    const auto next = std::next(it);
    if (!reaches(cards_.selected(), it->second)) hidden_.insert(live_.extract(it));
    it = next;
  }
}

void GlobalMemory::show() { live_.merge(hidden_); }

std::optional<GlobalMemory::Hidden> GlobalMemory::hidden(std::uint64_t address) const {
  const auto it = around(hidden_, address);
  if (it == hidden_.end()) return std::nullopt;
  return Hidden{{it->first, it->first + it->second.bytes}, it->second.card, it->second.granted.has_value()};
}

}  // namespace cudalabs::sim
