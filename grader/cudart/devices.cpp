#include "grader/cudart/devices.h"

#include <cstdio>
#include <cstring>

namespace cudalabs::cudart {
namespace {

struct BusId {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
};

/// "0000:01:00.0", or the shorter forms that CUDA reads: "01:00.0", "01:00", "0000:01:00".
bool read_bus_id(const char* text, BusId& id) {
  for (const char* form : {"%x:%x:%x.%x%n", "%x:%x:%x%n"}) {
    int used = 0;
    id = {};
    std::sscanf(text, form, &id.domain, &id.bus, &id.device, &id.function, &used);
    if (used > 0 && text[used] == '\0') return true;
  }
  for (const char* form : {"%x:%x.%x%n", "%x:%x%n"}) {
    int used = 0;
    id = {};
    std::sscanf(text, form, &id.bus, &id.device, &id.function, &used);
    if (used > 0 && text[used] == '\0') return true;
  }
  return false;
}

}  // namespace

int device_count(const Runtime& runtime) { return static_cast<int>(runtime.device().devices.size()); }

Status device_exists(const Runtime& runtime, int device) {
  const int count = device_count(runtime);
  if (device >= 0 && device < count) return {};
  if (count == 1) return {CudaError::InvalidDevice, msg::only_one_device()};
  return {CudaError::InvalidDevice, msg::no_such_device(count, count - 1, device)};
}

int pci_bus(const protocol::Welcome& kind, int device) {
  return static_cast<int>(kind.devices[static_cast<std::size_t>(device)]) + 1;
}

Status device_of(Runtime& runtime, const void* pointer, int& device) {
  protocol::Placed place;
  Status status = runtime.exchange(protocol::PointerInfo{reinterpret_cast<std::uint64_t>(pointer)}, place);
  if (status.ok()) device = static_cast<int>(place.device);
  return status;
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count != nullptr) *count = 0;
  return api("cudaGetDeviceCount", Mode::Host, [&](Runtime& runtime) {
    if (count == nullptr) return invalid_value(msg::no_place_for("count"));
    *count = device_count(runtime);
    return Status{};
  });
}

cudaError_t cudaSetDevice(int device) {
  return api("cudaSetDevice", Mode::Host, [&](Runtime& runtime) {
    Status status = device_exists(runtime, device);
    if (status.ok()) current_device = device;
    return status;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return api("cudaInitDevice", Mode::Host, [&](Runtime& runtime) { return device_exists(runtime, device); });
}

cudaError_t cudaGetDevice(int* device) {
  return api("cudaGetDevice", Mode::Host, [&](Runtime&) {
    if (device == nullptr) return invalid_value(msg::no_place_for("device"));
    *device = current_device;
    return Status{};
  });
}

/// Sets the devices that CUDA may choose by itself. Here it never chooses another than device 0.
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api("cudaSetValidDevices", Mode::Host, [&](Runtime& runtime) {
    if (count < 0 || (devices == nullptr && count > 0)) return invalid_value(msg::no_devices_named());
    Status status;
    for (int i = 0; i < count && status.ok(); ++i) status = device_exists(runtime, devices[i]);
    return status;
  });
}

/// All devices are equal.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return api("cudaChooseDevice", Mode::Host, [&](Runtime&) {
    if (device == nullptr) return invalid_value(msg::no_place_for("device"));
    *device = 0;
    return Status{};
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return api("cudaDeviceGetPCIBusId", Mode::Host, [&](Runtime& runtime) {
    Status status = device_exists(runtime, device);
    if (!status.ok()) return status;
    char text[16];
    const int needed = std::snprintf(text, sizeof text, "0000:%02x:00.0", pci_bus(runtime.device(), device));
    if (id == nullptr || length <= needed) return invalid_value(msg::bus_id_too_long());
    std::memcpy(id, text, static_cast<std::size_t>(needed) + 1);
    return status;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return api("cudaDeviceGetByPCIBusId", Mode::Host, [&](Runtime& runtime) -> Status {
    BusId wanted;
    if (device == nullptr || id == nullptr || !read_bus_id(id, wanted))
      return invalid_value(msg::no_place_for_device_or_no_bus_id());
    for (int i = 0; i < device_count(runtime); ++i) {
      if (wanted.domain + wanted.device + wanted.function != 0 ||
          static_cast<int>(wanted.bus) != pci_bus(runtime.device(), i))
        continue;
      *device = i;
      return {};
    }
    return {CudaError::InvalidDevice, msg::no_device_with_bus_id(id)};
  });
}

// ---- peers. All devices may access each other, like devices behind one NVSwitch.

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api("cudaDeviceCanAccessPeer", Mode::Host, [&](Runtime& runtime) {
    if (can == nullptr) return invalid_value(msg::no_place_for("answer"));
    Status status = device_exists(runtime, device);
    if (status.ok()) status = device_exists(runtime, peer);
    if (status.ok()) *can = device != peer ? 1 : 0;
    return status;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api("cudaDeviceEnablePeerAccess", Mode::Host, [&](Runtime& runtime) {
    Status status = device_exists(runtime, peer);
    if (status.ok() && flags != 0) status = invalid_value(msg::flags_not_zero());
    if (!status.ok()) return status;
    return runtime.exchange(protocol::SetPeerAccess{static_cast<std::uint32_t>(peer), true});
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api("cudaDeviceDisablePeerAccess", Mode::Host, [&](Runtime& runtime) {
    Status status = device_exists(runtime, peer);
    if (!status.ok()) return status;
    return runtime.exchange(protocol::SetPeerAccess{static_cast<std::uint32_t>(peer), false});
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  return api("cudaDeviceGetP2PAttribute", Mode::Host, [&](Runtime& runtime) {
    if (value == nullptr) return invalid_value(msg::no_place_for("value"));
    Status status = device_exists(runtime, device);
    if (status.ok()) status = device_exists(runtime, peer);
    if (status.ok() && device == peer) status = {CudaError::InvalidDevice, msg::no_link_to_itself()};
    if (!status.ok()) return status;
    switch (static_cast<int>(attribute)) {
      case cudaDevP2PAttrPerformanceRank: *value = 0; return status;
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
      case cudaDevP2PAttrCudaArrayAccessSupported: *value = 1; return status;
      case 5: *value = 0; return status;  // OnlyPartialNativeAtomicSupported, of CUDA 13
      default: return invalid_value(msg::unknown_attribute("attribute"));
    }
  });
}
}
