// A real card as a Device, through the CUDA driver.
//
// launch() waits for the kernel's end, so that a fault belongs to that kernel, and a submission's operations
// run in the order of issue, as on the simulator. enqueue() does not wait: measurements use it.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

#include "grader/device/backends/gpu/clock_probe.h"
#include "grader/device/backends/gpu/context.h"
#include "grader/device/backends/gpu/gpu_module.h"
#include "grader/device/server/backends.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/sim/base/demangle.h"

namespace cudalabs {
namespace gpu {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// The byte that fills fresh memory: NaN as floating point. Without it, a kernel could find another
/// submission's data in its allocation.
constexpr unsigned char kFresh = 0xFF;

class GpuStream final : public DeviceStream {
 public:
  GpuStream(std::shared_ptr<Context> context, CUstream stream)
      : context_(std::move(context)), stream_(stream) {}
  ~GpuStream() override {
    static_cast<void>(context_->run([this] { return context_->driver.destroy_stream(stream_); }));
  }
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;
  [[nodiscard]] CUstream get() const { return stream_; }

 private:
  std::shared_ptr<Context> context_;
  CUstream stream_;
};

class GpuEvent final : public DeviceEvent {
 public:
  GpuEvent(std::shared_ptr<Context> context, CUevent event) : context_(std::move(context)), event_(event) {}
  ~GpuEvent() override {
    static_cast<void>(context_->run([this] { return context_->driver.destroy_event(event_); }));
  }
  GpuEvent(const GpuEvent&) = delete;
  GpuEvent& operator=(const GpuEvent&) = delete;
  [[nodiscard]] CUevent get() const { return event_; }

 private:
  std::shared_ptr<Context> context_;
  CUevent event_;
};

CUstream raw(DeviceStream* stream) {
  return stream == nullptr ? CU_STREAM_LEGACY : static_cast<GpuStream*>(stream)->get();
}
CUevent raw(DeviceEvent& event) { return static_cast<GpuEvent&>(event).get(); }

/// Captures the kernels' output from this process's standard output.
class Printed {
 public:
  Printed() : file_(memfd_create("cudalabs-printed", MFD_CLOEXEC)) {
    if (file_ >= 0) dup2(file_, STDOUT_FILENO);
  }
  ~Printed() {
    if (file_ >= 0) close(file_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  std::string take() {
    std::fflush(stdout);
    const off_t size = file_ < 0 ? 0 : lseek(file_, 0, SEEK_END);
    if (size <= 0) return {};
    std::string text(static_cast<std::size_t>(size), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (ftruncate(file_, 0) == 0) lseek(file_, 0, SEEK_SET);
    return text;
  }

 private:
  int file_;
};

sim::Fault fault_of(const Status& status, const sim::KernelInfo& kernel) {
  using enum sim::FaultKind;
  sim::Fault fault;
  fault.placed = false;
  fault.kernel = kernel.demangled;
  fault.advice = msg::simulator_knows_where_advice();
  switch (status.error) {
    case CudaError::IllegalAddress:
      fault.kind = OutOfBounds;
      fault.message = msg::card_access_out_of_bounds(status.detail);
      break;
    case CudaError::MisalignedAddress:
      fault.kind = Misaligned;
      fault.message = msg::card_access_misaligned(status.detail);
      break;
    case CudaError::Assert:
      fault.kind = Assert;
      fault.message = msg::card_assert_failed(status.detail);
      break;
    case CudaError::HardwareStackError:
      fault.kind = StackOverflow;
      fault.message = msg::card_stack_overflow(status.detail);
      break;
    case CudaError::InvalidPc:
      fault.kind = InvalidPc;
      fault.message = msg::card_jump_to_no_code(status.detail);
      break;
    case CudaError::LaunchTimeout:
      fault.kind = InstructionLimit;
      fault.message = msg::card_kernel_endless(status.detail);
      fault.advice = msg::endless_loop_advice();
      break;
    default:
      fault.kind = Trap;
      fault.message = msg::card_gave_kernel_up(status.detail);
      break;
  }
  return fault;
}

class GpuDevice final : public WholeDevice {
 public:
  GpuDevice(std::shared_ptr<Context> context, const DeviceSetup& setup)
      : context_(std::move(context)),
        driver_(context_->driver),
        properties_(context_->properties()),
        quota_(setup.memory_bytes),
        simulated_code_(setup.simulated_code),
        clock_(context_) {}
  ~GpuDevice() override {
    if (flush_ != 0) static_cast<void>(context_->run([this] { return driver_.free(flush_); }));
  }
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  [[nodiscard]] Status health() const override { return context_->health(); }

  [[nodiscard]] MemoryUse use() const override {
    std::size_t free = 0, total = 0;
    if (!context_->run([&] { return driver_.memory_info(&free, &total); }).ok()) return {};
    return {std::min<std::uint64_t>(free, quota_ - used_), total};
  }

  Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary) override {
    return GpuModule::load(context_, fat_binary, simulated_code_);
  }

  Answer<DevicePtr> allocate(std::uint64_t bytes) override {
    if (bytes > quota_ - used_)
      return failure<DevicePtr>(CudaError::MemoryAllocation, msg::allocation_over_quota());
    CUdeviceptr pointer = 0;
    Status status = context_->run([&] { return driver_.allocate(&pointer, bytes); });
    if (status.ok())
      status = context_->run([&] { return driver_.set_bytes(pointer, kFresh, bytes, CU_STREAM_LEGACY); });
    if (status.ok()) status = synchronize();  // other streams do not wait for the default stream
    if (!status.ok()) return failure<DevicePtr>(status.error, status.detail);
    allocations_[pointer] = bytes;
    used_ += bytes;
    return answer<DevicePtr>(pointer);
  }

  Status do_free(DevicePtr pointer) override {
    const auto found = allocations_.find(pointer);
    if (found == allocations_.end()) return {CudaError::InvalidValue, msg::pointer_unknown_to_card()};
    used_ -= found->second;
    allocations_.erase(found);
    return context_->run([&] { return driver_.free(pointer); });
  }

  Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream* stream) override {
    CUDA_MEMCPY2D copy = copy_of(extent);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from;
    copy.srcPitch = extent.width;
    set_target(copy, to, extent);
    return start_and_wait(copy, stream);
  }

  Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) override {
    CUDA_MEMCPY2D copy = copy_of(extent);
    set_source(copy, from, extent);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = to;
    copy.dstPitch = extent.width;
    return start_and_wait(copy, stream);
  }

  Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) override {
    CUDA_MEMCPY2D copy = copy_of(extent);
    set_source(copy, from, extent);
    set_target(copy, to, extent);
    return context_->run([&] { return driver_.copy_2d(&copy, raw(stream)); });
  }

  Status set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) override {
    const auto byte = std::to_integer<unsigned char>(value);
    return context_->run([&] {
      return extent.rows == 1
                 ? driver_.set_bytes(to.address, byte, extent.width, raw(stream))
                 : driver_.set_bytes_2d(to.address, to.pitch, byte, extent.width, extent.rows, raw(stream));
    });
  }

  Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) override {
    const sim::KernelInfo& kernel = request.module->kernels()[request.kernel];
    Answer<LaunchRun> run;
    static_cast<Status&>(run) = enqueue(request);
    if (!run.ok()) return run;
    run.value.record = record_of(request);
    Status end = wait_for_end(request.stream, cancel);
    if (end.ok()) end = synchronize();  // this also fetches the kernel's output
    if (!end.ok()) run.value.fault = fault_of(end, kernel);
    run.value.printed = printed_.take();
    return run;
  }

  Status enqueue(const LaunchRequest& request) override {
    const auto& module = static_cast<const GpuModule&>(*request.module);
    const sim::KernelInfo& kernel = module.kernels()[request.kernel];
    Status status = check_launch(properties_, request);
    if (!status.ok()) return status;
    const CUfunction function =
        module.function(request.kernel, static_cast<std::uint32_t>(request.config.block.count()));
    const std::uint32_t shared = request.config.dynamic_shared_bytes;
    if (kernel.static_shared_bytes + shared > properties_.limits.static_shared_bytes) {
      status = context_->run([&] {
        return driver_.set_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                              static_cast<int>(shared));
      });
      if (!status.ok()) return status;
    }
    CUlaunchAttribute cooperative{};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    CUlaunchConfig config{};
    config.gridDimX = request.config.grid.x;
    config.gridDimY = request.config.grid.y;
    config.gridDimZ = request.config.grid.z;
    config.blockDimX = request.config.block.x;
    config.blockDimY = request.config.block.y;
    config.blockDimZ = request.config.block.z;
    config.sharedMemBytes = shared;
    config.hStream = raw(request.stream);
    if (request.config.cooperative) {
      config.attrs = &cooperative;
      config.numAttrs = 1;
    }
    // The driver takes a packed buffer as it is. It wants a pointer that is not const, but does not write.
    std::size_t bytes = request.parameters.size();
    std::array<void*, 5> packed{CU_LAUNCH_PARAM_BUFFER_POINTER,
                                const_cast<std::byte*>(request.parameters.data()),
                                CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    return context_->run(
        [&] { return driver_.launch(&config, function, nullptr, bytes == 0 ? nullptr : packed.data()); });
  }

  Answer<std::uint32_t> occupancy(const DeviceModule& module, std::uint32_t kernel, std::uint32_t threads,
                                  std::uint64_t dynamic_shared_bytes) override {
    int blocks = 0;
    const CUfunction function = static_cast<const GpuModule&>(module).function(kernel, threads);
    const Status status = context_->run([&] {
      return driver_.occupancy(&blocks, function, static_cast<int>(threads), dynamic_shared_bytes);
    });
    if (!status.ok()) return failure<std::uint32_t>(status.error, status.detail);
    return answer(static_cast<std::uint32_t>(blocks));
  }

  Answer<std::shared_ptr<DeviceStream>> create_stream(std::uint32_t flags, std::int32_t priority) override {
    using Made = std::shared_ptr<DeviceStream>;
    CUstream stream = nullptr;
    const Status status = context_->run(
        [&] { return driver_.create_stream(&stream, flags & CU_STREAM_NON_BLOCKING, priority); });
    if (!status.ok()) return failure<Made>(status.error, status.detail);
    return answer<Made>(std::make_shared<GpuStream>(context_, stream));
  }

  Answer<std::shared_ptr<DeviceEvent>> create_event(std::uint32_t flags) override {
    using Made = std::shared_ptr<DeviceEvent>;
    CUevent event = nullptr;
    // A submission must not use interprocess events.
    constexpr unsigned kAllowed = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
    const Status status = context_->run([&] { return driver_.create_event(&event, flags & kAllowed); });
    if (!status.ok()) return failure<Made>(status.error, status.detail);
    return answer<Made>(std::make_shared<GpuEvent>(context_, event));
  }

  Status record(DeviceEvent& event, DeviceStream* stream) override {
    return context_->run([&] { return driver_.record_event(raw(event), raw(stream)); });
  }
  Status wait(DeviceStream* stream, DeviceEvent& event) override {
    return context_->run([&] { return driver_.wait_event(raw(stream), raw(event), 0); });
  }
  Status query(DeviceStream* stream) override {
    return context_->run([&] { return driver_.query_stream(raw(stream)); });
  }
  Status query(DeviceEvent& event) override {
    return context_->run([&] { return driver_.query_event(raw(event)); });
  }
  Status synchronize() override {
    return context_->run([&] { return driver_.synchronize(); });
  }
  Status synchronize(DeviceStream* stream) override {
    return context_->run([&] { return driver_.synchronize_stream(raw(stream)); });
  }
  Status synchronize(DeviceEvent& event) override {
    return context_->run([&] { return driver_.synchronize_event(raw(event)); });
  }
  Answer<float> elapsed(DeviceEvent& start, DeviceEvent& end) override {
    float milliseconds = 0;
    const Status status = context_->run([&] { return driver_.elapsed(&milliseconds, raw(start), raw(end)); });
    return status.ok() ? answer(milliseconds) : failure<float>(status.error, status.detail);
  }

  Status start_cold(std::size_t operations) override {
    const std::size_t bytes = std::max<std::size_t>(2 * std::size_t{properties_.l2_bytes}, 1 << 20);
    Status status;
    if (flush_ == 0) status = context_->run([&] { return driver_.allocate(&flush_, bytes); });
    if (status.ok()) status = context_->run([&] { return driver_.reset_persisting_l2(); });
    // One pass flushes the cache and takes as long as the host needs for a few operations.
    const std::size_t passes = std::min<std::size_t>(1 + operations / 4, 64);
    for (std::size_t pass = 0; pass < passes && status.ok(); ++pass)
      status = context_->run([&] { return driver_.set_bytes(flush_, kFresh, bytes, CU_STREAM_LEGACY); });
    return status;
  }
  double measure_clock_mhz() override { return clock_.measure(); }

 private:
  static CUDA_MEMCPY2D copy_of(Extent extent) {
    CUDA_MEMCPY2D copy{};
    copy.WidthInBytes = extent.width;
    copy.Height = extent.rows;
    return copy;
  }
  // The driver checks the pitch of a single row too.
  static void set_source(CUDA_MEMCPY2D& copy, Pitched from, Extent extent) {
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = from.address;
    copy.srcPitch = extent.rows == 1 ? extent.width : from.pitch;
  }
  static void set_target(CUDA_MEMCPY2D& copy, Pitched to, Extent extent) {
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = to.address;
    copy.dstPitch = extent.rows == 1 ? extent.width : to.pitch;
  }
  Status start_and_wait(const CUDA_MEMCPY2D& copy, DeviceStream* stream) {
    const Status status = context_->run([&] { return driver_.copy_2d(&copy, raw(stream)); });
    return status.ok() ? synchronize(stream) : status;
  }

  /// Watches `cancel` meanwhile: a synchronising call of the driver would not return from an endless kernel.
  Status wait_for_end(DeviceStream* stream, const std::atomic<bool>* cancel) {
    const auto begin = Clock::now();
    while (true) {
      const Status status = query(stream);
      if (status.error != CudaError::NotReady) return status;
      if (cancel != nullptr && *cancel) {
        Status stopped{CudaError::LaunchTimeout, verbatim(error_name(CudaError::LaunchTimeout))};
        context_->lose(stopped);
        return stopped;
      }
      if (Clock::now() - begin > microseconds(500)) std::this_thread::sleep_for(microseconds(100));
    }
  }

  std::shared_ptr<Context> context_;
  const Driver& driver_;
  DeviceProperties properties_;
  std::uint64_t quota_, used_ = 0;
  bool simulated_code_;
  std::map<DevicePtr, std::uint64_t> allocations_;
  Printed printed_;
  ClockProbe clock_;
  CUdeviceptr flush_ = 0;  ///< a buffer of twice the L2 cache
};

}  // namespace
}  // namespace gpu

/// Redirects the process's standard output to the device, because the driver prints the kernels' output
/// there.
Result<std::unique_ptr<Device>> make_gpu_device(const DeviceSetup& setup) {
  auto context = gpu::Context::open();
  if (!context) return context.problem();
  return std::unique_ptr<Device>(std::make_unique<gpu::GpuDevice>(std::move(*context), setup));
}

}  // namespace cudalabs
