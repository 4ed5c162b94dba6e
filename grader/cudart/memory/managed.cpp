#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "grader/base/fd.h"
#include "grader/cudart/runtime.h"
#include "grader/sim/memory/devices.h"

namespace cudalabs::cudart {
namespace {
constexpr std::uint64_t kPage = 4096;

std::uint64_t free_on_machine() {
  std::uint64_t kibibytes = UINT64_MAX / 1024;
  if (std::FILE* file = std::fopen("/proc/meminfo", "r")) {
    unsigned long long value = 0;
    char line[128];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      if (std::sscanf(line, "MemAvailable: %llu", &value) == 1) kibibytes = value;
    }
    std::fclose(file);
  }
  return kibibytes * 1024;
}

/// Minimum size for one shared mapping: below it, copying costs less than a mapping.
constexpr std::uint64_t kMinShared = std::uint64_t{16} << 20;

/// The program allocated more memory than is free. If it also accesses too much of that, the kernel would
/// silently kill some process. So watch the free memory, and end the program with a message first.
void watch_memory(std::uint64_t bytes) {
  static std::atomic<bool> watching{false};
  if (bytes <= free_on_machine() || watching.exchange(true)) return;
  std::thread([] {
    constexpr std::uint64_t kLeft = std::uint64_t{384} << 20;
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
      const std::uint64_t free = free_on_machine();
      if (free > kLeft) continue;
      print_error(msg::managed_memory_exhausted(free >> 20));
      _exit(1);
    }
  }).detach();
}
}  // namespace

Managed& Managed::get() {
  static Managed* const managed = new Managed;
  return *managed;
}

Status Managed::map_pages(protocol::Range range) {
  const std::uint64_t end = (range.address + range.bytes + kPage - 1) / kPage * kPage;
  for (std::uint64_t page = range.address / kPage * kPage; page < end;) {
    const auto after = pages_.upper_bound(page);
    if (after != pages_.begin() && std::prev(after)->second > page) {
      page = std::prev(after)->second;
      continue;
    }
    const std::uint64_t run_end = after == pages_.end() ? end : std::min(end, after->first);
    void* wanted = reinterpret_cast<void*>(page);
    void* mapped = mmap(wanted, run_end - page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (mapped != wanted) {
      if (mapped != MAP_FAILED) munmap(mapped, run_end - page);
      return {CudaError::NotSupported, msg::address_taken()};
    }
    pages_[page] = run_end;
    page = run_end;
  }
  return {};
}

/// True if the host's and the device's copies fit: launches fill both.
Status Managed::fits(std::uint64_t bytes) const {
  std::uint64_t all = bytes;
  for (const auto& [address, size] : ranges_) all += shared_.contains(address) ? 0 : size;
  const std::uint64_t free = free_on_machine();
  if (all <= free / 2) return {};
  return {CudaError::MemoryAllocation, msg::managed_memory_too_large(all, free)};
}

Status Managed::adopt(Runtime& runtime, protocol::Range range) {
  if (range.bytes == 0) return {};
  Status status = map_pages(range);
  if (!status.ok()) return status;
  ranges_[range.address] = range.bytes;
  return copy_out(runtime, reinterpret_cast<void*>(range.address), 0, {range.address, 0}, range.bytes, 1, 0);
}

Status Managed::adopt(Runtime& runtime, protocol::Range range, void* host) {
  if (range.bytes == 0) return {};
  elsewhere_.push_back({host, range, true});
  return copy_out(runtime, host, 0, {range.address, 0}, range.bytes, 1, 0);
}

Status Managed::on_device(Runtime& runtime, std::uint64_t& pointer) {
  for (const auto& [host, device, of_variable] : elsewhere_) {
    const std::uint64_t offset = pointer - reinterpret_cast<std::uint64_t>(host);
    if (offset < device.bytes) {
      pointer = device.address + offset;
      return {};
    }
  }
  const auto range = pinned_range(reinterpret_cast<const void*>(pointer));
  if (range == pinned_.end() || contains(reinterpret_cast<const void*>(pointer))) return {};
  protocol::Range device;
  Status status = fits(range->second.bytes);
  if (status.ok())
    status = runtime.exchange(protocol::Allocate{range->second.bytes, {}, sim::kAllDevices}, device);
  if (!status.ok()) return status;
  elsewhere_.push_back({reinterpret_cast<void*>(range->first), device, false});
  pointer = device.address + (pointer - range->first);
  return {};
}

bool Managed::pin(const void* host, std::uint64_t bytes, unsigned flags) {
  const auto begin = reinterpret_cast<std::uint64_t>(host);
  const auto next = pinned_.lower_bound(begin);
  if (pinned_range(host) != pinned_.end() || (next != pinned_.end() && next->first < begin + bytes))
    return false;
  pinned_[begin] = {bytes, flags, current_device};
  return true;
}

bool Managed::unpin(Runtime& runtime, const void* host) {
  if (pinned_.erase(reinterpret_cast<std::uint64_t>(host)) == 0) return false;
  std::erase_if(elsewhere_, [&](const Copy& copy) {
    if (copy.host != host) return false;
    static_cast<void>(runtime.exchange(protocol::Free{copy.device.address}));
    return true;
  });
  return true;
}

const unsigned* Managed::pinned_flags(const void* pointer) const {
  const auto range = pinned_range(pointer);
  return range == pinned_.end() ? nullptr : &range->second.flags;
}

int Managed::pinned_device(const void* pointer) const { return pinned_range(pointer)->second.device; }

std::map<std::uint64_t, Managed::Pinned>::const_iterator Managed::pinned_range(const void* pointer) const {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto after = pinned_.upper_bound(address);
  if (after == pinned_.begin()) return pinned_.end();
  const auto range = std::prev(after);
  return address - range->first < range->second.bytes ? range : pinned_.end();
}

Status Managed::share(Runtime& runtime, std::uint64_t bytes, void*& pointer) {
  const Status unable{CudaError::NotSupported, msg::no_shared_mapping()};
  const std::uint64_t whole = (bytes + kPage - 1) / kPage * kPage;
  const UniqueFd file(memfd_create("cudalabs-managed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (whole < bytes || !file || ftruncate(file.get(), static_cast<off_t>(whole)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return unable;
  protocol::Range range;
  Status status =
      runtime.exchange(protocol::Allocate{bytes, call_frames(), sim::kAllDevices, true}, range, file.get());
  if (!status.ok()) return status;
  void* const wanted = reinterpret_cast<void*>(range.address);
  void* const mapped = mmap(wanted, whole, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, file.get(), 0);
  if (mapped != wanted) {
    if (mapped != MAP_FAILED) munmap(mapped, whole);
    static_cast<void>(runtime.exchange(protocol::Free{range.address}));
    return unable;
  }
  ranges_[range.address] = bytes;
  shared_[range.address] = whole;
  pointer = wanted;
  std::uint64_t all = 0;
  for (const auto& [address, size] : shared_) all += size;
  watch_memory(all);
  return {};
}

Status Managed::allocate(Runtime& runtime, std::uint64_t bytes, void*& pointer) {
  if (bytes >= kMinShared && share(runtime, bytes, pointer).ok()) return {};
  protocol::Range range;
  Status status = fits(bytes);
  if (status.ok()) {
    status = runtime.exchange(protocol::Allocate{bytes, call_frames(), sim::kAllDevices}, range);
  }
  if (!status.ok()) return status;
  status = map_pages(range);
  if (!status.ok()) {
    static_cast<void>(runtime.exchange(protocol::Free{range.address}));
    return status;
  }
  ranges_[range.address] = bytes;
  pointer = reinterpret_cast<void*>(range.address);
  return {};
}

bool Managed::forget(const void* pointer) {
  const auto range = ranges_.find(reinterpret_cast<std::uint64_t>(pointer));
  if (range == ranges_.end()) return false;
  forget_placement(pointer, range->second);
  ranges_.erase(range);
  if (const auto shared = shared_.find(reinterpret_cast<std::uint64_t>(pointer)); shared != shared_.end()) {
    munmap(const_cast<void*>(pointer), shared->second);
    shared_.erase(shared);
  }
  return true;
}

bool Managed::contains(const void* pointer) const {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  for (const auto& [host, device, of_variable] : elsewhere_) {
    if (of_variable && address - reinterpret_cast<std::uint64_t>(host) < device.bytes) return true;
  }
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return false;
  const auto& [base, bytes] = *std::prev(after);
  return address - base < bytes;
}

Status Managed::send(Runtime& runtime) {
  Status status;
  for (const auto& [address, bytes] : ranges_) {
    if (!status.ok()) break;
    if (shared_.contains(address)) continue;
    status = copy_in(runtime, {address, 0}, reinterpret_cast<const void*>(address), 0, bytes, 1, 0);
  }
  for (const auto& [host, device, of_variable] : elsewhere_) {
    if (!status.ok()) break;
    status = copy_in(runtime, {device.address, 0}, host, 0, device.bytes, 1, 0);
  }
  return status;
}

Status Managed::fetch(Runtime& runtime) {
  Status status;
  for (const auto& [address, bytes] : ranges_) {
    if (!status.ok()) break;
    if (shared_.contains(address)) continue;
    status = copy_out(runtime, reinterpret_cast<void*>(address), 0, {address, 0}, bytes, 1, 0);
  }
  for (const auto& [host, device, of_variable] : elsewhere_) {
    if (!status.ok()) break;
    status = copy_out(runtime, host, 0, {device.address, 0}, device.bytes, 1, 0);
  }
  return status;
}

}  // namespace cudalabs::cudart
