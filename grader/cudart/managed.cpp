#include <sys/mman.h>

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {
namespace {
constexpr std::uint64_t kPage = 4096;
}

Managed& Managed::get() {
  static Managed* const managed = new Managed;
  return *managed;
}

Status Managed::map_pages(protocol::Range range) {
  for (std::uint64_t page = range.address / kPage * kPage; page < range.address + range.bytes;
       page += kPage) {
    if (pages_.count(page) != 0) continue;
    void* wanted = reinterpret_cast<void*>(page);
    void* mapped = mmap(wanted, kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (mapped != wanted) {
      if (mapped != MAP_FAILED) munmap(mapped, kPage);
      return {CudaError::NotSupported, "the device's address is taken in this process"};
    }
    pages_[page] = true;
  }
  return {};
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
  elsewhere_.push_back({host, range});
  return copy_out(runtime, host, 0, {range.address, 0}, range.bytes, 1, 0);
}

std::uint64_t Managed::on_device(std::uint64_t pointer) const {
  for (const auto& [host, device] : elsewhere_) {
    const std::uint64_t offset = pointer - reinterpret_cast<std::uint64_t>(host);
    if (offset < device.bytes) return device.address + offset;
  }
  return pointer;
}

Status Managed::allocate(Runtime& runtime, std::uint64_t bytes, void*& pointer) {
  protocol::Range range;
  Status status = runtime.exchange(protocol::Allocate{bytes}, range);
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
  return ranges_.erase(reinterpret_cast<std::uint64_t>(pointer)) != 0;
}

bool Managed::contains(const void* pointer) const {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return false;
  const auto& [base, bytes] = *std::prev(after);
  return address - base < bytes;
}

Status Managed::send(Runtime& runtime) {
  Status status;
  for (const auto& [address, bytes] : ranges_) {
    if (!status.ok()) break;
    status = copy_in(runtime, {address, 0}, reinterpret_cast<const void*>(address), 0, bytes, 1, 0);
  }
  for (const auto& [host, device] : elsewhere_) {
    if (!status.ok()) break;
    status = copy_in(runtime, {device.address, 0}, host, 0, device.bytes, 1, 0);
  }
  return status;
}

Status Managed::fetch(Runtime& runtime) {
  Status status;
  for (const auto& [address, bytes] : ranges_) {
    if (!status.ok()) break;
    status = copy_out(runtime, reinterpret_cast<void*>(address), 0, {address, 0}, bytes, 1, 0);
  }
  for (const auto& [host, device] : elsewhere_) {
    if (!status.ok()) break;
    status = copy_out(runtime, host, 0, {device.address, 0}, device.bytes, 1, 0);
  }
  return status;
}

}  // namespace cudalabs::cudart
