// The preferred location of managed memory. It is recorded for queries, and has no effect except an error for
// devices that do not exist. A CUDA 12 program calls these functions with only a device number, which is then
// in the place of the location type: a location that is not marked as a device is accepted.

#include <algorithm>
#include <map>
#include <set>

#include "grader/cudart/devices.h"

namespace cudalabs::cudart {
namespace {

/// The advice given for a byte of managed memory.
struct Placement {
  bool read_mostly = false;
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, 0};
  cudaMemLocation prefetched{cudaMemLocationTypeInvalid, 0};
  std::set<int> accessed_by;  ///< devices, and cudaCpuDeviceId
};

/// By address: each entry holds up to the next.
std::map<std::uint64_t, Placement> placements = {{0, {}}};

std::map<std::uint64_t, Placement>::iterator cut_at(std::uint64_t address) {
  const auto before = std::prev(placements.upper_bound(address));
  return before->first == address ? before : placements.emplace(address, before->second).first;
}

template <class Change>
void change_placement(const void* begin, std::size_t bytes, Change change) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  if (bytes == 0 || first + bytes < first) return;
  const auto from = cut_at(first), to = cut_at(first + bytes);
  for (auto at = from; at != to; ++at) change(at->second);
}

/// The common value of all bytes: take(placement) -> a value; `mixed` if they differ.
template <class Take>
auto common(const void* begin, std::size_t bytes, Take take, decltype(take(Placement{})) mixed) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  const auto from = cut_at(first), to = cut_at(first + bytes);
  const auto value = take(from->second);
  for (auto at = from; at != to; ++at) {
    if (take(at->second) != value) return mixed;
  }
  return value;
}

int type_of(cudaMemLocation place) { return place.type; }

/// The device of a location, for attributes that have no NUMA nodes of the host.
int device_of_place(cudaMemLocation place) {
  if (place.type == cudaMemLocationTypeInvalid) return cudaInvalidDeviceId;
  return place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId;
}

Status place_exists(const Runtime& runtime, cudaMemLocation place) {
  return place.type == cudaMemLocationTypeDevice ? device_exists(runtime, place.id) : Status{};
}

bool is_managed(const void* pointer, std::size_t bytes) {
  const auto* last = static_cast<const std::byte*>(pointer) + bytes - 1;
  return bytes > 0 && last >= pointer && Managed::get().contains(pointer) && Managed::get().contains(last);
}

Status range_attribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                       const void* pointer, std::size_t bytes) {
  if (data == nullptr || !is_managed(pointer, bytes)) return invalid_value(msg::not_a_managed_range());
  const bool list = attribute == cudaMemRangeAttributeAccessedBy;
  if (list ? data_bytes == 0 || data_bytes % sizeof(int) != 0 : data_bytes != sizeof(int))
    return invalid_value(msg::attribute_of_another_size());
  auto* const number = static_cast<int*>(data);
  const auto preferred = [](const Placement& at) { return at.preferred; };
  const auto prefetched = [](const Placement& at) { return at.prefetched; };
  const auto tell = [&](auto place, auto field, int mixed) {
    *number = common(
        pointer, bytes, [&](const Placement& at) { return field(place(at)); }, mixed);
    return Status{};
  };
  const auto id = [](cudaMemLocation place) { return place.id; };
  switch (static_cast<int>(attribute)) {
    case cudaMemRangeAttributeReadMostly:
      *number = common(
                    pointer, bytes, [](const Placement& at) { return at.read_mostly; }, false)
                    ? 1
                    : 0;
      return {};
    case cudaMemRangeAttributeAccessedBy: {
      std::fill_n(number, data_bytes / sizeof(int), cudaInvalidDeviceId);
      const std::set<int> any =
          std::prev(placements.upper_bound(reinterpret_cast<std::uint64_t>(pointer)))->second.accessed_by;
      int* next = number;
      for (const int device : any) {
        const auto has = [&](const Placement& at) { return at.accessed_by.contains(device); };
        if (next < number + data_bytes / sizeof(int) && common(pointer, bytes, has, false)) *next++ = device;
      }
      return {};
    }
    case cudaMemRangeAttributePreferredLocation: return tell(preferred, device_of_place, cudaInvalidDeviceId);
    case cudaMemRangeAttributeLastPrefetchLocation:
      return tell(prefetched, device_of_place, cudaInvalidDeviceId);
    case 5: return tell(preferred, type_of, cudaMemLocationTypeInvalid);  // names that CUDA 12.0 lacks
    case 6: return tell(preferred, id, 0);
    case 7: return tell(prefetched, type_of, cudaMemLocationTypeInvalid);
    case 8: return tell(prefetched, id, 0);
    default: return invalid_value(msg::unknown_attribute("attribute"));
  }
}

}  // namespace

void forget_placement(const void* begin, std::size_t bytes) {
  change_placement(begin, bytes, [](Placement& at) { at = {}; });
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation place, unsigned,
                                 cudaStream_t) {
  return api("cudaMemPrefetchAsync", Mode::Host, [&](Runtime& runtime) {
    Status status = place_exists(runtime, place);
    if (status.ok()) change_placement(pointer, bytes, [&](Placement& at) { at.prefetched = place; });
    return status;
  });
}
CUDALABS_PTSZ(cudaMemPrefetchAsync);
extern decltype(cudaMemPrefetchAsync) cudaMemPrefetchAsync_v2 __attribute__((alias("cudaMemPrefetchAsync")));
extern decltype(cudaMemPrefetchAsync) cudaMemPrefetchAsync_v2_ptsz
    __attribute__((alias("cudaMemPrefetchAsync")));

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation place) {
  return api("cudaMemAdvise", Mode::Host, [&](Runtime& runtime) -> Status {
    const bool of_place = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly;
    if (const Status exists = of_place ? place_exists(runtime, place) : Status{}; !exists.ok())
      return {CudaError::InvalidValue, exists.detail};
    change_placement(pointer, bytes, [&](Placement& at) {
      switch (advice) {
        case cudaMemAdviseSetReadMostly: at.read_mostly = true; break;
        case cudaMemAdviseUnsetReadMostly: at.read_mostly = false; break;
        case cudaMemAdviseSetPreferredLocation: at.preferred = place; break;
        case cudaMemAdviseUnsetPreferredLocation: at.preferred = {cudaMemLocationTypeInvalid, 0}; break;
        case cudaMemAdviseSetAccessedBy: at.accessed_by.insert(device_of_place(place)); break;
        case cudaMemAdviseUnsetAccessedBy: at.accessed_by.erase(device_of_place(place)); break;
      }
    });
    return {};
  });
}
extern decltype(cudaMemAdvise) cudaMemAdvise_v2 __attribute__((alias("cudaMemAdvise")));

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, std::size_t bytes) {
  return api("cudaMemRangeGetAttribute", Mode::Host,
             [&](Runtime&) { return range_attribute(data, data_bytes, attribute, pointer, bytes); });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                      std::size_t count, const void* pointer, std::size_t bytes) {
  return api("cudaMemRangeGetAttributes", Mode::Host, [&](Runtime&) {
    if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0)
      return invalid_value(msg::no_attributes());
    Status status;
    for (std::size_t i = 0; i < count && status.ok(); ++i)
      status = range_attribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
    return status;
  });
}
}
