#pragma once
// A device of byte vectors for testing what stands in front of a device. Its "fat binary" is one kernel name
// a line; what a kernel does is in its name: ok, print, fault, spin (until it is cancelled), or bump (adds 1
// to the byte that its argument points at). Every kernel takes 8 bytes.

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "grader/device/server/device.h"

namespace cudalabs::test {

struct FakeModule final : DeviceModule {
  std::vector<sim::KernelInfo> kernel_list;
  std::vector<sim::VariableInfo> variable_list;
  [[nodiscard]] const std::vector<sim::KernelInfo>& kernels() const override { return kernel_list; }
  [[nodiscard]] const std::vector<sim::VariableInfo>& variables() const override { return variable_list; }
};

class FakeDevice final : public WholeDevice {
 public:
  struct FakeStream final : DeviceStream {
    int number = 0;
  };
  struct FakeEvent final : DeviceEvent {
    int number = 0;
    bool recorded = false;
  };
  int streams_made = 0, events_made = 0;
  /// Launches and what orders them: "bump@1", "record 2@0", "wait 2@1"; stream 0 is the default one.
  std::vector<std::string> order;

  std::map<DevicePtr, std::vector<std::byte>> memory_map;
  std::set<DevicePtr> aside;
  int launches = 0;

  FakeDevice() { properties_.name = "fake"; }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  [[nodiscard]] MemoryUse use() const override { return {1 << 20, 1 << 20}; }

  Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> image) override {
    auto module = std::make_shared<FakeModule>();
    std::istringstream text(std::string(reinterpret_cast<const char*>(image.data()), image.size()));
    for (std::string name; std::getline(text, name);) {
      if (name == "bad")
        return failure<std::shared_ptr<DeviceModule>>(CudaError::InvalidPtx, verbatim("refused"));
      sim::KernelInfo kernel;
      kernel.name = kernel.demangled = name;
      kernel.parameter_sizes = {8};
      kernel.parameter_offsets = {0};
      kernel.parameter_bytes = 8;
      module->kernel_list.push_back(kernel);
    }
    const DevicePtr address = allocate(16).value;
    module->variable_list.push_back({"table", address, 16, true});
    return answer<std::shared_ptr<DeviceModule>>(module);
  }

  Answer<DevicePtr> allocate(std::uint64_t bytes) override {
    const DevicePtr pointer = next_;
    next_ += (bytes + 511) / 256 * 256;
    memory_map[pointer].resize(bytes);
    return answer(pointer);
  }
  Status do_free(DevicePtr pointer) override {
    if (aside.contains(pointer)) return {CudaError::InvalidValue, verbatim("set aside")};
    return memory_map.erase(pointer) != 0 ? Status{}
                                          : Status{CudaError::InvalidValue, verbatim("not allocated")};
  }
  void do_quarantine(DevicePtr pointer, bool set) override {
    if (set)
      aside.insert(pointer);
    else
      aside.erase(pointer);
  }

  std::set<std::uint64_t> textures;
  Answer<std::uint64_t> create_texture(const sim::Texture& texture) override {
    at(texture.address, texture.bytes());
    textures.insert(++last_texture_);
    return answer(last_texture_);
  }
  void destroy_texture(std::uint64_t object) override { textures.erase(object); }

  // Throws (a bug of the caller) where a range was let through that is no memory.
  std::byte* at(DevicePtr pointer, std::uint64_t bytes) {
    if (aside.contains(pointer)) throw std::out_of_range("set aside");
    auto& [base, data] = *std::prev(memory_map.upper_bound(pointer));
    if (pointer - base > data.size() || bytes > data.size() - (pointer - base))
      throw std::out_of_range("fake device");
    return data.data() + (pointer - base);
  }
  Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream*) override {
    for (std::uint64_t i = 0; i < extent.rows; ++i) {
      std::copy_n(from + i * extent.width, extent.width, at(to.address + i * to.pitch, extent.width));
    }
    return {};
  }
  Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream*) override {
    for (std::uint64_t i = 0; i < extent.rows; ++i) {
      std::copy_n(at(from.address + i * from.pitch, extent.width), extent.width, to + i * extent.width);
    }
    return {};
  }
  Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream*) override {
    for (std::uint64_t i = 0; i < extent.rows; ++i) {
      std::memmove(at(to.address + i * to.pitch, extent.width),
                   at(from.address + i * from.pitch, extent.width), extent.width);
    }
    return {};
  }
  Status set(Pitched to, std::byte value, Extent extent, DeviceStream*) override {
    for (std::uint64_t i = 0; i < extent.rows; ++i) {
      std::fill_n(at(to.address + i * to.pitch, extent.width), extent.width, value);
    }
    return {};
  }

  Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) override {
    ++launches;
    const std::string& name = request.module->kernels().at(request.kernel).name;
    Answer<LaunchRun> run;
    run.value.record.kernel = run.value.record.kernel_full = name;
    run.value.record.grid = request.config.grid;
    run.value.record.block = request.config.block;
    if (name == "print") run.value.printed = "hello\n";
    if (name == "flood") run.value.printed.assign(std::size_t{3} << 20, 'x');
    if (name == "fault")
      run.value.fault = {
          sim::FaultKind::OutOfBounds, verbatim("outside"), verbatim("look"), name, "a.cu", 7, {}, {}};
    order.push_back(name + at_stream(request.stream));
    if (name == "bump") {
      DevicePtr target = 0;
      std::memcpy(&target, request.parameters.data(), sizeof target);
      std::byte& byte = *at(target, 1);
      byte = std::byte(std::to_integer<int>(byte) + 1);
    }
    if (name == "spin") {
      while (cancel == nullptr || !*cancel) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      run.value.fault = {
          sim::FaultKind::InstructionLimit, verbatim("endless"), verbatim("stop"), name, "a.cu", 9, {}, {}};
    }
    return run;
  }
  Status enqueue(const LaunchRequest& request) override {
    const Answer<LaunchRun> run = launch(request, nullptr);
    return run.ok() ? Status{error_of(run.value.fault.kind), {}} : Status{run};
  }
  Answer<std::uint32_t> occupancy(const DeviceModule&, std::uint32_t, std::uint32_t threads,
                                  std::uint64_t) override {
    return answer(threads == 0 ? 0 : 2048 / threads);
  }
  Answer<std::shared_ptr<DeviceStream>> create_stream(std::uint32_t, std::int32_t) override {
    auto stream = std::make_shared<FakeStream>();
    stream->number = ++streams_made;
    return answer<std::shared_ptr<DeviceStream>>(std::move(stream));
  }
  Answer<std::shared_ptr<DeviceEvent>> create_event(std::uint32_t) override {
    auto event = std::make_shared<FakeEvent>();
    event->number = ++events_made;
    return answer<std::shared_ptr<DeviceEvent>>(std::move(event));
  }
  Status record(DeviceEvent& event, DeviceStream* stream) override {
    auto& recorded = static_cast<FakeEvent&>(event);
    recorded.recorded = true;
    order.push_back("record " + std::to_string(recorded.number) + at_stream(stream));
    return {};
  }
  Status wait(DeviceStream* stream, DeviceEvent& event) override {
    order.push_back("wait " + std::to_string(static_cast<FakeEvent&>(event).number) + at_stream(stream));
    return {};
  }
  Status query(DeviceStream*) override { return {}; }
  Status query(DeviceEvent&) override { return {}; }
  Status synchronize() override { return {}; }
  Status synchronize(DeviceStream*) override { return {}; }
  Status synchronize(DeviceEvent&) override { return {}; }
  Answer<float> elapsed(DeviceEvent& start, DeviceEvent& end) override {
    if (!static_cast<FakeEvent&>(start).recorded || !static_cast<FakeEvent&>(end).recorded) {
      return failure<float>(CudaError::InvalidResourceHandle, verbatim("not recorded"));
    }
    return answer(0.0f);
  }

 private:
  static std::string at_stream(DeviceStream* stream) {
    return "@" + std::to_string(stream == nullptr ? 0 : static_cast<FakeStream*>(stream)->number);
  }

  std::uint64_t last_texture_ = 0;
  DeviceProperties properties_;
  DevicePtr next_ = 0x2000'0000'0000;
};

}  // namespace cudalabs::test
