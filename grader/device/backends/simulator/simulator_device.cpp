// The simulator as a Device. Every operation runs immediately, in the order of issue: a legal schedule for
// any correct use of streams, and the same one every time.

#include <algorithm>
#include <cstring>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "grader/device/backends/simulator/card.h"
#include "grader/device/backends/simulator/launch_progress.h"
#include "grader/device/backends/simulator/simulator_module.h"
#include "grader/device/backends/simulator/timeline.h"
#include "grader/device/protocol/fatbin.h"
#include "grader/device/server/backends.h"
#include "grader/device/server/device_group.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/base/launch_limits.h"
#include "grader/sim/checkers/checkers.h"
#include "grader/sim/counters/access_map.h"
#include "grader/sim/counters/repeated_loads.h"
#include "grader/sim/provenance/provenance_tracker.h"
#include "grader/sim/simulator.h"
#include "grader/sim/timing/launch_estimator.h"

namespace cudalabs {
namespace {

struct SimulatorStream final : DeviceStream {
  explicit SimulatorStream(std::uint32_t of) : card(of) {}
  std::uint32_t card;
};

struct SimulatorEvent final : DeviceEvent {
  explicit SimulatorEvent(std::uint32_t of) : card(of) {}
  std::uint32_t card;
  bool recorded = false;
  /// Time of the last recording; whoever waits for it keeps it.
  std::shared_ptr<double> time_ns = std::make_shared<double>(0);
};

class SimulatorDevice final : public WholeDevice, private DeviceGroup {
 public:
  explicit SimulatorDevice(const DeviceSetup& setup)
      : setup_(setup),
        properties_(properties_of(setup)),
        simulator_(properties_.limits, static_cast<std::uint32_t>(setup.devices.size())),
        checkers_(setup.checkers),
        timeline_(setup.devices.size()) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  [[nodiscard]] DeviceGroup* group() override { return setup_.devices.size() > 1 ? this : nullptr; }

  [[nodiscard]] MemoryUse use() const override {
    const std::uint64_t total = setup_.memory_bytes;
    return {total - std::min(total, simulator_.bytes_in_use()), total};
  }

  Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary) override {
    return load(fat_binary, {}, nullptr);
  }
  Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary,
                                             std::vector<std::string> managed,
                                             const DeviceModule* first) override {
    using Loaded = std::shared_ptr<DeviceModule>;
    const sim::Limits& limits = properties_.limits;
    const int architecture = limits.compute_major * 10 + limits.compute_minor;
    const Result<std::string_view> ptx = find_ptx(fat_binary, architecture);
    if (!ptx) return failure<Loaded>(CudaError::NoKernelImageForDevice, in_full(ptx.problem()));
    sim::SharedVariables shared{std::move(managed), nullptr};
    if (first != nullptr) shared.first = &static_cast<const SimulatorModule*>(first)->get();
    int machine_code =
        10 * setup_.profile.compute_capability < architecture ? kOldestMachineCode : architecture;
    sim::RegisterCounts registers = find_registers(fat_binary, machine_code);
    if (registers.empty()) registers = find_registers(fat_binary, machine_code = architecture);
    if (registers.empty()) machine_code = 0;
    Result<LoadedModule> loaded = load_what_can_run(simulator_, *ptx, "<fat binary>", registers, shared);
    if (!loaded) return failure<Loaded>(CudaError::InvalidPtx, in_full(loaded.problem()));
    // The image's own architecture was checked above; the text names the architecture whose features it may
    // use.
    if (const int target = loaded->module->target(); target > architecture)
      return failure<Loaded>(CudaError::InvalidPtx, msg::code_for_newer_device(target, architecture));
    return answer<Loaded>(std::make_shared<SimulatorModule>(std::move(*loaded), setup_.profile,
                                                            static_cast<std::uint32_t>(machine_code)));
  }

  Answer<DevicePtr> allocate(std::uint64_t bytes) override {
    const Result<DevicePtr> pointer = simulator_.allocate(bytes);
    if (!pointer) return failure<DevicePtr>(CudaError::MemoryAllocation, pointer.problem().message[0]);
    checkers_.allocated(*pointer, bytes);
    return answer(*pointer);
  }

  /// The device does not see the host's writes to shared memory: all of it counts as written.
  Answer<DevicePtr> share(std::uint64_t bytes, int file) override {
    if (!setup_.shares_memory) return DeviceMemory::share(bytes, file);
    const Result<DevicePtr> pointer = simulator_.share(bytes, file);
    if (!pointer) return failure<DevicePtr>(CudaError::MemoryAllocation, pointer.problem().message[0]);
    return answer(*pointer);
  }

  Status do_free(DevicePtr pointer) override {
    const Result<void> freed = simulator_.free(pointer);
    if (!freed) return {CudaError::InvalidValue, freed.problem().message[0]};
    checkers_.freed(pointer);
    return {};
  }

  void do_quarantine(DevicePtr pointer, bool aside) override { simulator_.quarantine(pointer, aside); }

  Answer<std::uint64_t> create_texture(const sim::Texture& texture) override {
    const Result<std::uint64_t> object = simulator_.add_texture(texture);
    if (!object) return failure<std::uint64_t>(CudaError::InvalidValue, object.problem().message[0]);
    return answer(*object);
  }
  void destroy_texture(std::uint64_t object) override { simulator_.remove_texture(object); }

  Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream* stream) override {
    work_on(stream);
    pass_copy(extent);
    return each_row(to, extent, [&](std::span<std::byte> row, std::uint64_t index) {
      std::memcpy(row.data(), from + index * extent.width, row.size());
      const DevicePtr target = to.address + index * to.pitch;
      checkers_.written(target, row.size());
      if (tracker_) tracker_->given_back(target, row);
      put_last(target, row.size());
    });
  }

  Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) override {
    work_on(stream);
    pass_copy(extent);
    return each_row(from, extent, [&](std::span<std::byte> row, std::uint64_t index) {
      std::memcpy(to + index * extent.width, row.data(), row.size());
      if (tracker_) tracker_->handed_over(from.address + index * from.pitch, row);
    });
  }

  Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) override {
    work_on(stream);
    if (const auto direct = between_cards(to.address, from.address))
      pass(sim::estimate_peer_copy(extent.width * extent.rows, *direct, setup_.profile));
    else
      pass_on_device(sim::OnDevice::Copy, extent);
    return each_row(to, extent, [&](std::span<std::byte> row, std::uint64_t index) {
      const std::span<std::byte> source = simulator_.bytes(from.address + index * from.pitch, extent.width);
      if (source.size() != row.size()) return;
      std::memmove(row.data(), source.data(), row.size());
      const DevicePtr target = to.address + index * to.pitch, origin = from.address + index * from.pitch;
      checkers_.copied(target, origin, row.size());
      const bool whole = makes_output(target, row.size());
      if (tracker_) tracker_->copied(target, origin, row.size(), whole);
      if (!whole || comes_from_copies(origin, row.size())) put_last(target, row.size());
    });
  }

  Status set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) override {
    work_on(stream);
    if (!simulator_.reaches(working_, to.address))
      return {CudaError::InvalidValue,
              msg::set_without_peer_access(simulator_.card_of(to.address).value_or(0), working_)};
    pass_on_device(sim::OnDevice::Set, extent);
    return each_row(to, extent, [&](std::span<std::byte> row, std::uint64_t index) {
      std::memset(row.data(), std::to_integer<int>(value), row.size());
      const DevicePtr target = to.address + index * to.pitch;
      checkers_.written(target, row.size());
      if (tracker_) tracker_->written(target, row.size(), true);
    });
  }

  Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) override {
    Waiting waiting;
    work_on(request.stream);
    Answer<LaunchRun> run = run_grid(request, cancel, 0, waiting);
    if (run.ok()) do_all(request, waiting, cancel, run.value);
    return run;
  }

  Status enqueue(const LaunchRequest& request) override {
    const Answer<LaunchRun> run = launch(request, nullptr);
    if (!run.ok()) return run;
    return {error_of(run.value.fault.kind), run.value.fault.message};
  }

  Answer<std::uint32_t> occupancy(const DeviceModule& module, std::uint32_t kernel, std::uint32_t threads,
                                  std::uint64_t dynamic_shared_bytes) override {
    return answer(
        sim::resident_blocks(properties_.limits, module.kernels()[kernel], threads, dynamic_shared_bytes));
  }

  Answer<std::shared_ptr<DeviceStream>> create_stream(std::uint32_t, std::int32_t) override {
    return answer<std::shared_ptr<DeviceStream>>(std::make_shared<SimulatorStream>(chosen_));
  }
  Answer<std::shared_ptr<DeviceEvent>> create_event(std::uint32_t) override {
    return answer<std::shared_ptr<DeviceEvent>>(std::make_shared<SimulatorEvent>(chosen_));
  }
  Status record(DeviceEvent& event, DeviceStream* stream) override {
    auto& recorded = static_cast<SimulatorEvent&>(event);
    work_on(stream);
    if (recorded.card != working_)
      return {CudaError::InvalidResourceHandle, msg::event_of_other_device(recorded.card, working_)};
    event_recorded_ = recorded.recorded = true;
    recorded.time_ns = std::make_shared<double>(0);
    timeline_.then([time = recorded.time_ns, card = working_](const CardClocks& clocks) {
      *time = clocks.now_ns(card);
    });
    return {};
  }
  // Nothing is ever left to wait for: a wait only changes the clocks.
  Status wait(DeviceStream* stream, DeviceEvent& event) override {
    work_on(stream);
    timeline_.then([time = static_cast<const SimulatorEvent&>(event).time_ns,
                    card = working_](CardClocks& clocks) { clocks.wait_until(card, *time); });
    return {};
  }
  Status query(DeviceStream*) override { return {}; }
  Status query(DeviceEvent&) override { return {}; }
  Status synchronize() override { return synchronize(nullptr); }
  Status synchronize(DeviceStream* stream) override {
    work_on(stream);
    timeline_.then([card = working_](CardClocks& clocks) { clocks.host_waits_until(clocks.now_ns(card)); });
    return {};
  }
  Status synchronize(DeviceEvent& event) override {
    timeline_.then([time = static_cast<const SimulatorEvent&>(event).time_ns](CardClocks& clocks) {
      clocks.host_waits_until(*time);
    });
    return {};
  }
  Answer<float> elapsed(DeviceEvent& start, DeviceEvent& end) override {
    const auto& from = static_cast<const SimulatorEvent&>(start);
    const auto& to = static_cast<const SimulatorEvent&>(end);
    if (!from.recorded || !to.recorded) {
      return failure<float>(CudaError::InvalidResourceHandle, msg::event_never_recorded());
    }
    if (from.card != to.card) {
      return failure<float>(CudaError::InvalidResourceHandle, msg::events_of_two_devices(from.card, to.card));
    }
    timeline_.settle();
    return answer(static_cast<float>((*to.time_ns - *from.time_ns) / 1e6));
  }

  [[nodiscard]] double busy_ns() const override { return timeline_.known().busy_ns(working_); }
  void report_progress(LaunchBoard* board) override { board_ = board; }
  void watch(Watch what) override { watch_ = what; }
  void begin_call(WatchedCall call) override {
    checkers_.begin_call();
    if (watch_ == Watch::Everything) {
      for (const sim::DeviceRange& output : call.outputs) {
        const bool is_input = std::ranges::find(call.inputs, output.begin, &sim::DeviceRange::begin) !=
                              call.inputs.end();  // an array that the call changes in place
        if (!is_input) checkers_.expected(output);
      }
    }
    tracker_.reset();
    if (call.parts > 0) tracker_ = std::make_unique<sim::ProvenanceTracker>(kMaxProvenanceNodes);
    call_ = std::move(call);
    simulator_.poison(call_.reversed);
    copies_ns_ = 0;
    bytes_put_last_ = 0;
    copied_to_.clear();
    sampled_launches_ = 0;
  }
  CallFacts end_call() override {
    CallFacts facts;
    facts.copies_ns = copies_ns_;
    facts.bytes_put_last = bytes_put_last_;
    if (tracker_) facts.origins = tracker_->origins(call_.inputs, call_.outputs, call_.table, call_.parts);
    tracker_.reset();
    return facts;
  }
  std::vector<sim::Finding> take_findings() override { return checkers_.take(); }
  void read_by_host(const sim::DeviceRange& bytes, std::span<const std::uint64_t> frames) override {
    checkers_.read_by_host(bytes, frames);
  }
  sim::StreamUse stream_operation(const sim::StreamOperation& operation) override {
    return checkers_.operation(operation);
  }
  void left_behind(std::span<const sim::Leak> left) override { checkers_.ended(left); }

 private:
  static constexpr std::uint64_t kSectorBytes = 32;
  static constexpr std::size_t kMaxProvenanceNodes = std::size_t{1} << 24;  // 256 MiB

  /// A kernel's request to the device, and the nesting depth of its launch.
  struct Child {
    sim::ChildWork work;
    std::uint32_t depth = 0;
  };
  using Waiting = std::vector<Child>;

  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const override { return setup_.devices; }
  void choose(std::uint32_t device) override {
    chosen_ = working_ = device;
    simulator_.select(device);
  }
  [[nodiscard]] std::uint32_t working() const override { return working_; }
  void set_peer_access(std::uint32_t device, std::uint32_t peer, bool enabled) override {
    simulator_.set_reach(device, peer, enabled);
  }
  void grant(DevicePtr pointer, sim::DeviceMask devices) override { simulator_.grant(pointer, devices); }
  [[nodiscard]] std::optional<std::uint32_t> device_of(DevicePtr pointer) const override {
    return simulator_.card_of(pointer);
  }

  /// That stream's card does the next work.
  void work_on(const DeviceStream* stream) {
    working_ = stream != nullptr ? static_cast<const SimulatorStream*>(stream)->card : chosen_;
  }
  /// None: both addresses are on one card. Otherwise: can a copy go directly from one card to the other?
  [[nodiscard]] std::optional<bool> between_cards(DevicePtr a, DevicePtr b) const {
    const auto one = simulator_.card_of(a), other = simulator_.card_of(b);
    if (!one || !other || *one == *other) return std::nullopt;
    return simulator_.reaches(*one, b) || simulator_.reaches(*other, a);
  }

  [[nodiscard]] sim::LaunchOptions launch_options(const std::atomic<bool>* cancel, std::uint32_t depth,
                                                  const sim::DeviceProfile& profile) const {
    sim::LaunchOptions options;
    options.max_warp_instructions = setup_.max_warp_instructions;
    options.cancel = cancel;
    options.threads = call_.in_order ? 1 : setup_.threads;
    options.by_line = setup_.by_line;
    options.engine = setup_.engine;
    options.reversed = call_.reversed;
    options.depth = depth;
    options.latencies = latencies_of(profile);
    options.banks = sim::banks_of(profile);
    return options;
  }

  /// Runs one launch, and puts its requests to the device on `waiting`.
  Answer<LaunchRun> run_grid(const LaunchRequest& request, const std::atomic<bool>* cancel,
                             std::uint32_t depth, Waiting& waiting) {
    const auto& module = static_cast<const SimulatorModule&>(*request.module);
    const sim::KernelInfo& kernel = module.kernels()[request.kernel];
    if (const Message* why = module.refusal(kernel.name))
      return failure<LaunchRun>(CudaError::InvalidPtx, *why);
    Answer<LaunchRun> run;
    static_cast<Status&>(run) = check_launch(properties_, request);
    if (!run.ok()) return run;

    const sim::DeviceProfile profile = with_banks(setup_.profile, request.config.limits);
    sim::LaunchOptions options = launch_options(cancel, depth, profile);
    sim::AccessMap access_map;
    sim::LaunchEstimator estimator(profile, call_.draw);
    LaunchBoard* const board = waiting_kernels_ == 0 ? board_ : nullptr;
    LaunchProgress progress(board, kernel.demangled, request.config.grid.count());
    if (board != nullptr) options.observers.push_back(&progress);
    const std::unique_ptr<sim::LaunchObserver> sample = sampling_observer();
    const auto watch_by = [&options](const std::vector<sim::Observer*>& observers) {
      options.observers.insert(options.observers.end(), observers.begin(), observers.end());
    };
    if (watch_ == Watch::Everything) watch_by(checkers_.observers());
    if (sample) options.observers.push_back(sample.get());
    if (setup_.access_map) options.observers.push_back(&access_map);
    // A program sees the clock only as differences between events: before the first event, no estimate is
    // needed.
    const bool estimates = !call_.untimed || event_recorded_;
    if (estimates) watch_by(estimator.observers());
    if (tracker_) options.observers.push_back(tracker_.get());
    sim::RepeatedLoadsObserver repeated_loads(call_.draw);
    if (call_.compares_loads) options.observers.push_back(&repeated_loads);
    std::size_t printed_bytes = 0;  // by this kernel, not by those that it waits for
    options.print = [&](std::string_view printed) {
      run.value.printed += printed;
      printed_bytes += printed.size();
    };
    options.run_children = [&](std::vector<sim::ChildWork> work) {
      return run_children(request, std::move(work), depth + 1, cancel, run.value);
    };
    Result<sim::LaunchResult> result =
        simulator_.launch(module.get(), kernel.name, request.config, request.parameters, options);
    if (!result) return failure<LaunchRun>(CudaError::InvalidValue, in_full(result.problem()));
    if (sample) sample->finish();

    if (printed_bytes != 0) pass_copy({printed_bytes, 1});

    LaunchRecord& record = run.value.record = record_of(request);
    record.counters = result->counters;
    record.printed_bytes = printed_bytes;
    record.device = working_;
    record.machine_code = module.machine_code();
    store_last(record.counters);
    record.shared_layouts = std::move(result->shared_layouts);
    record.repeated_loads = repeated_loads.loads();
    record.lines = std::move(result->lines);
    record.accesses = access_map.lines();
    if (estimates) {
      const auto run_again = [&](sim::LaunchOptions alone) {
        alone.cancel = options.cancel;
        alone.engine = options.engine;
        return simulator_.look_again(module.get(), kernel.name, request.config, request.parameters, alone);
      };
      estimate(estimator.finish(
                   {record.grid, record.block, record.static_shared_bytes + record.dynamic_shared_bytes,
                    request.config.cooperative, setup_.access_map, *result},
                   run_again),
               module, depth != 0, run.value);
    }
    // The fault of a launch that a kernel waits for is told where it was.
    if (run.value.fault.kind == sim::FaultKind::None) run.value.fault = std::move(result->fault);
    tell(run.value, std::move(result->refused_children), std::move(result->notes));
    // A tail launch takes its parent's place.
    const auto first_tail =
        std::ranges::stable_partition(result->children, [](const auto& work) { return !work.tail; }).begin();
    put(waiting, {std::move_iterator(first_tail), std::move_iterator(result->children.end())}, depth);
    put(waiting, {std::move_iterator(result->children.begin()), std::move_iterator(first_tail)}, depth + 1);
    return run;
  }

  /// Does what a running kernel waits for. Returns the fault, if there was one.
  sim::Fault run_children(const LaunchRequest& of, std::vector<sim::ChildWork> work, std::uint32_t depth,
                          const std::atomic<bool>* cancel, LaunchRun& all) {
    Waiting children;
    put(children, std::move(work), depth);
    ++waiting_kernels_;
    do_all(of, children, cancel, all);
    --waiting_kernels_;
    return all.fault;
  }

  /// The last element of `waiting` is done first.
  static void put(Waiting& waiting, std::vector<sim::ChildWork> work, std::uint32_t depth) {
    for (auto one = work.rbegin(); one != work.rend(); ++one) waiting.push_back({std::move(*one), depth});
  }

  /// Does all work, and what follows from it, until something faults.
  void do_all(const LaunchRequest& of, Waiting& waiting, const std::atomic<bool>* cancel, LaunchRun& all) {
    while (!waiting.empty() && all.fault.kind == sim::FaultKind::None) {
      if (cancel != nullptr && *cancel) {
        all.fault.kind = sim::FaultKind::InstructionLimit;
        all.fault.kernel = of.module->kernels()[of.kernel].demangled;
        all.fault.message = msg::children_not_ended(all.children.size() + all.children_not_recorded);
        all.fault.advice = msg::children_not_ended_advice();
        return;
      }
      const Child child = std::move(waiting.back());
      waiting.pop_back();
      do_work(of, child, cancel, waiting, all);
    }
  }

  /// Adds what a launch told to that of the host's launch from which it descends.
  static void tell(LaunchRun& all, std::vector<sim::RefusedLaunch> refused,
                   std::vector<sim::LaunchNote> notes) {
    constexpr std::size_t kMaxRefused = 64, kMaxNotes = 16;
    for (sim::RefusedLaunch& one : refused) {
      const bool told = std::ranges::any_of(
          all.refused_children, [&](const sim::RefusedLaunch& other) { return other.why == one.why; });
      if (!told && all.refused_children.size() < kMaxRefused) all.refused_children.push_back(std::move(one));
    }
    if (all.notes.size() < kMaxNotes) std::ranges::move(notes, std::back_inserter(all.notes));
  }

  /// `of`: the host's launch from which the work descends. `all`: the results of that launch and its
  /// descendants.
  void do_work(const LaunchRequest& of, const Child& child, const std::atomic<bool>* cancel, Waiting& waiting,
               LaunchRun& all) {
    constexpr std::size_t kMaxRecords = 50'000;
    const sim::ChildWork& work = child.work;
    Status status;
    if (work.kind == sim::ChildWork::Kind::Copy) {
      status = copy_on_device({work.to, 0}, {work.from, 0}, {work.bytes, 1}, nullptr);
    } else if (work.kind == sim::ChildWork::Kind::Set) {
      status = set({work.to, 0}, work.value, {work.bytes, 1}, nullptr);
    } else {
      LaunchRequest request = of;
      request.kernel = work.kernel;
      request.config = work.config;
      request.parameters = work.parameters;
      request.dynamic_shared_limit = properties_.limits.max_shared_bytes;
      Answer<LaunchRun> run = run_grid(request, cancel, child.depth, waiting);
      status = run;
      run.value.record.by_kernel = true;
      all.printed += run.value.printed;
      all.fault = std::move(run.value.fault);
      tell(all, std::move(run.value.refused_children), std::move(run.value.notes));
      std::vector<LaunchRecord> records = std::move(run.value.children);
      if (run.ok()) records.insert(records.begin(), std::move(run.value.record));
      const std::size_t kept = std::min(records.size(), kMaxRecords - all.children.size());
      std::move(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(kept),
                std::back_inserter(all.children));
      all.children_not_recorded += run.value.children_not_recorded + records.size() - kept;
    }
    if (!status.ok()) tell(all, {{static_cast<std::uint32_t>(status.error), status.detail}}, {});
  }

  /// Observer of the next launch, null if it is not sampled; the checkers learn that they miss some of it.
  std::unique_ptr<sim::LaunchObserver> sampling_observer() {
    constexpr std::uint64_t kMax = 64;  // a program with very many launches repeats itself
    if (watch_ != Watch::Everything) checkers_.launched_unwatched();
    if (watch_ != Watch::Sample || setup_.checkers == 0 || sampled_launches_ >= kMax) return nullptr;
    // In a timed call the observer would see every read of every thread; other large cases suffice.
    return checkers_.sampling_observer(call_.inputs, call_.untimed, sampled_launches_++);
  }

  /// Adds the launch's time to the clocks. If the estimate takes a while, `run` gets it later, unless
  /// `at_once`: the program need not wait, unless it asks for the time.
  void estimate(sim::PendingEstimate pending, const SimulatorModule& module, bool at_once, LaunchRun& run) {
    timeline_.settle();  // one thread at a time makes the module's machine code
    const bool waits = at_once || pending.is_quick() || setup_.threads == 1 || setup_.tells_time;
    auto compute = [pending = std::move(pending), &codes = module.codes()]() mutable {
      return pending.compute(codes);
    };
    if (waits) {
      run.record.keep(compute());
      pass_on_card(run.record.estimated_ns());
      return;
    }
    // If no thread can be started, the estimate is computed when somebody asks for it.
    run.estimate = std::async(std::launch::async | std::launch::deferred, std::move(compute)).share();
    module.is_read_by(run.estimate);
    timeline_.then(working_, run.estimate);
  }

  static std::uint64_t common_bytes(const sim::DeviceRange& a, const sim::DeviceRange& b) {
    const DevicePtr begin = std::max(a.begin, b.begin);
    const DevicePtr end = std::min(a.begin + a.bytes, b.begin + b.bytes);
    return begin < end ? end - begin : 0;
  }
  /// Is this copy a whole output, so that each element keeps its place?
  [[nodiscard]] bool makes_output(DevicePtr pointer, std::uint64_t bytes) const {
    return std::ranges::any_of(call_.outputs, [&](const sim::DeviceRange& output) {
      return pointer == output.begin && bytes == output.bytes;
    });
  }
  /// Did copies write half of these bytes?
  [[nodiscard]] bool comes_from_copies(DevicePtr pointer, std::uint64_t bytes) const {
    if (copied_to_.size() == kMaxCopies) return true;
    std::uint64_t copied = 0;
    for (const sim::DeviceRange& target : copied_to_) copied += common_bytes({pointer, bytes}, target);
    return copied * 2 >= bytes;
  }
  /// A copy wrote these bytes.
  void put_last(DevicePtr pointer, std::uint64_t bytes) {
    if (copied_to_.size() < kMaxCopies) copied_to_.push_back({pointer, bytes});
    for (const sim::DeviceRange& output : call_.outputs)
      bytes_put_last_ += common_bytes({pointer, bytes}, output);
  }
  /// A kernel stored data. If it is at least half as much as the outputs hold, no copied bytes count any
  /// more.
  void store_last(const sim::Counters& c) {
    std::uint64_t bytes = 0;
    for (const sim::DeviceRange& output : call_.outputs) bytes += output.bytes;
    if ((c.global_store_sectors + c.global_atomic_sectors) * kSectorBytes * 2 < bytes) return;
    bytes_put_last_ = 0;
    copied_to_.clear();
  }
  void pass(double ns) {
    copies_ns_ += ns;
    pass_on_card(ns);
  }
  void pass_on_card(double ns) {
    timeline_.then([card = working_, ns](CardClocks& clocks) { clocks.pass(card, ns); });
  }
  void pass_copy(Extent extent) { pass(sim::estimate_copy(extent.width * extent.rows, setup_.profile)); }
  void pass_on_device(sim::OnDevice what, Extent extent) {
    pass(sim::estimate_on_device(what, extent.width, extent.rows, setup_.profile));
  }

  template <class Function>
  Status each_row(Pitched range, Extent extent, Function function) {
    for (std::uint64_t row = 0; row < extent.rows; ++row) {
      const std::span<std::byte> bytes = simulator_.bytes(range.address + row * range.pitch, extent.width);
      if (bytes.size() != extent.width) return {CudaError::InvalidValue, msg::range_not_device_memory()};
      function(bytes, row);
    }
    return {};
  }

  DeviceSetup setup_;
  DeviceProperties properties_;
  sim::Simulator simulator_;
  sim::Checkers checkers_;
  Watch watch_ = Watch::Everything;
  std::uint64_t sampled_launches_ = 0;               ///< of the call
  WatchedCall call_;                                 ///< the one that began last
  std::unique_ptr<sim::ProvenanceTracker> tracker_;  ///< of the call's results, if the caller asked for it
  double copies_ns_ = 0;                             ///< of its copies and sets
  std::uint64_t bytes_put_last_ = 0;                 ///< CallFacts
  static constexpr std::size_t kMaxCopies = 1 << 16;
  std::vector<sim::DeviceRange> copied_to_;  ///< by copies, since bytes_put_last_ was 0
  LaunchBoard* board_ = nullptr;             ///< null: nobody watches running launches
  std::uint32_t waiting_kernels_ = 0;        ///< for launches of their own, which are running
  bool event_recorded_ = false;
  Timeline timeline_;
  std::uint32_t chosen_ = 0, working_ = 0;  ///< cards: DeviceGroup
};

}  // namespace

Result<std::unique_ptr<Device>> make_simulator_device(const DeviceSetup& setup) {
  return std::unique_ptr<Device>(std::make_unique<SimulatorDevice>(setup));
}

}  // namespace cudalabs
