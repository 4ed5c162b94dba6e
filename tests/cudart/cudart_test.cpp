// Real CUDA programs, compiled by nvcc and linked with our libcudart, against a real device process with the
// simulator.

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "grader/device/protocol/cuda_error.h"
#include "grader/diagnostics/messages/cudart.h"
#include "tests/cudart/programs.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;
using namespace std::chrono_literals;
using test::build_program;
using test::Child;
using test::read_file;
using test::Run;
using test::run_program;

namespace {

/// Runs a program that prints "what: ok" lines.
Run run_checks(const std::string& name, const std::string& flags = "") {
  Run run = run_program(build_program(name, flags));
  INFO(run.program.out << run.program.err << run.outcome.fault.message.english());
  CHECK(run.program.status == 0);
  CHECK(run.program.out.find("WRONG") == std::string::npos);
  CHECK(run.program.out.find(": ok\n") != std::string::npos);
  CHECK(run.program.err.empty());
  CHECK(run.outcome.end == CallEnd::Returned);
  return run;
}

const char* const kRunner = R"(
#include "grader/cudart/runner.h"
#include <cstring>
using Entry = void(float*, int, float);
Entry good, leaves, crashes, spins_on_host, spins_on_device, faults, ignores, unsupported;
template <Entry entry> void call(const uint64_t* slots) {
  float value;
  std::memcpy(&value, slots + 2, sizeof value);
  entry(reinterpret_cast<float*>(slots[0]), static_cast<int>(slots[1]), value);
}
int main() {
  const CudalabsEntry entries[] = {{"good", call<good>}, {"missing", nullptr}, {"leaves", call<leaves>},
    {"crashes", call<crashes>}, {"spins_on_host", call<spins_on_host>}, {"spins_on_device", call<spins_on_device>},
    {"faults", call<faults>}, {"ignores", call<ignores>}, {"unsupported", call<unsupported>}};
  return cudalabs_serve(entries, 9);
}
)";
enum Entry : std::uint32_t {
  Good,
  Missing,
  Leaves,
  Crashes,
  SpinsOnHost,
  SpinsOnDevice,
  Faults,
  Ignores,
  Unsupported
};

/// The child process that is a device process.
int device_process_id() {
  std::istringstream children(read_file("/proc/self/task/" + std::to_string(getpid()) + "/children"));
  for (int pid = 0; children >> pid;) {
    if (read_file("/proc/" + std::to_string(pid) + "/cmdline").find("__device") != std::string::npos)
      return pid;
  }
  return -1;
}

struct Session {
  std::unique_ptr<DeviceProcess> device;
  std::unique_ptr<Child> child;

  Session() {
    auto started = DeviceProcess::start({});
    REQUIRE(started);
    device = std::move(*started);
    connect();
  }
  void connect() {
    child.reset();
    const auto client = device->new_client();
    REQUIRE(client);
    child = std::make_unique<Child>(test::with_device(build_program("entries", "", kRunner), *client));
    close(*client);
    const auto ready = device->wait_ready(20s);
    INFO((ready ? "" : ready.problem().text()));
    REQUIRE(ready);
    REQUIRE(*ready == std::vector<bool>{true, false, true, true, true, true, true, true, true});
  }
  CallOutcome call(Entry entry, sim::DevicePtr out, int n, float value,
                   std::chrono::milliseconds timeout = 20s, CallMode mode = CallMode::Plain) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint64_t slots[] = {out, static_cast<std::uint64_t>(n), bits};
    return device->call(entry, slots, timeout, mode);
  }
};

}  // namespace

TEST_CASE("every way of moving memory", "[cudart]") {
  const Run run = run_checks("memory");
  CHECK(run.outcome.bytes_to_device > (40u << 20));
  REQUIRE(run.outcome.launches.size() == 3);
  CHECK(run.outcome.launches[0].kernel == "twice");
  CHECK(run.outcome.launches[0].grid == sim::Dim3{8, 1, 1});
  CHECK(run.outcome.launches[0].counters.global_load_requests == 32);
  CHECK_FALSE(run.outcome.launches[0].lines.empty());
}

TEST_CASE("streams, events, printf, launches and queries", "[cudart]") { run_checks("streams"); }

TEST_CASE("the per-thread default stream", "[cudart]") {
  run_checks("streams", "--default-stream per-thread");
  run_checks("memory", "--default-stream per-thread");
}

TEST_CASE("graphs captured from streams", "[cudart]") {
  run_checks("graphs");
  run_checks("graphs", "--default-stream per-thread");
}

TEST_CASE("errors are those of a real GPU, call by call", "[cudart]") {
  const Run run = run_program(build_program("errors"));
  CHECK(run.program.out == read_file(CUDALABS_TEST_DATA "/errors.expected"));
  CHECK(run.outcome.fault.kind == sim::FaultKind::OutOfBounds);
  CHECK(run.outcome.fault.file.ends_with("errors.cu"));
  CHECK(run.outcome.api_errors.size() > 10);
  for (const MessageRow* row : std::initializer_list<const MessageRow*>{
           &msg::not_a_kernel, &msg::unknown_copy_kind, &msg::pitch_below_width, &msg::only_one_device,
           &msg::earlier_launch_failed}) {
    INFO(row->id);
    CHECK(std::ranges::any_of(run.outcome.api_errors,
                              [row](const ApiError& error) { return error.detail.is(*row); }));
  }
}

TEST_CASE("an entry runs on the grader's memory, again and again", "[runner]") {
  Session session;
  const auto out = session.device->allocate(100 * sizeof(float));
  REQUIRE(out);
  for (int round = 1; round <= 3; ++round) {
    const float value = 1.5f * static_cast<float>(round);
    const CallOutcome outcome = session.call(Good, *out, 100, value);
    CHECK(outcome.end == CallEnd::Returned);
    CHECK(outcome.fault.kind == sim::FaultKind::None);
    REQUIRE(outcome.launches.size() == 1);
    std::vector<float> result(100);
    REQUIRE(session.device->read(*out, std::as_writable_bytes(std::span(result))));
    CHECK(result == std::vector<float>(100, value));
  }
}

TEST_CASE("a call is replayed without its program", "[runner]") {
  Session session;
  const auto out = session.device->allocate(100 * sizeof(float));
  const auto poison = session.device->allocate(100 * sizeof(float));
  REQUIRE((out && poison));
  const CallOutcome outcome = session.call(Good, *out, 100, 2.5f, 20s, CallMode::Recorded);
  CHECK(outcome.end == CallEnd::Returned);
  CHECK(outcome.live_reason.empty());
  REQUIRE(outcome.recording != 0);
  session.connect();  // another program, after the first one has ended
  std::vector<float> result(100, -1.0f);
  REQUIRE(session.device->write(*poison, std::as_bytes(std::span(result))));
  for (const bool by_launch : {false, true}) {
    REQUIRE(session.device->copy(*out, *poison, 100 * sizeof(float)));
    const auto times = session.device->replay(outcome.recording, by_launch, 20s);
    REQUIRE(times);
    CHECK(times->call_ns > 0);  // the simulator's estimate
    REQUIRE(times->launch_ns.size() == (by_launch ? 1u : 0u));
    if (by_launch) CHECK(times->launch_ns[0] == times->call_ns);
    REQUIRE(session.device->read(*out, std::as_writable_bytes(std::span(result))));
    CHECK(result == std::vector<float>(100, 2.5f));
  }
  REQUIRE(session.device->forget(outcome.recording));
  CHECK_FALSE(session.device->replay(outcome.recording, false, 20s));
}

TEST_CASE("a call is timed live on the device's clock", "[runner]") {
  Session session;
  const auto out = session.device->allocate(100 * sizeof(float));
  REQUIRE(out);
  const CallOutcome outcome = session.call(Good, *out, 100, 1, 20s, CallMode::Timed);
  CHECK(outcome.end == CallEnd::Returned);
  CHECK(outcome.recording == 0);
  CHECK(outcome.call_ns > 0);
}

TEST_CASE("every bad end of an entry has its name, and the device goes on", "[runner]") {
  Session session;
  const auto out = session.device->allocate(100 * sizeof(float));
  REQUIRE(out);
  CHECK(session.call(Leaves, *out, 100, 1).end == CallEnd::SubmissionGone);
  CHECK(session.child->wait().status == 0);
  session.connect();
  CHECK(session.call(Crashes, *out, 100, 1).end == CallEnd::SubmissionGone);
  CHECK(session.child->wait().signal != 0);
  session.connect();
  CHECK(session.call(SpinsOnHost, *out, 100, 1, 300ms).end == CallEnd::TimedOut);
  session.connect();
  const CallOutcome endless = session.call(SpinsOnDevice, *out, 100, 1, 300ms);
  CHECK(endless.end == CallEnd::TimedOut);
  CHECK(endless.fault.kind == sim::FaultKind::InstructionLimit);
  CHECK(endless.fault.file.ends_with("entries.cu"));
  session.connect();
  const CallOutcome fault = session.call(Faults, *out, 100, 1);
  CHECK(fault.end == CallEnd::Returned);
  CHECK(fault.fault.kind == sim::FaultKind::OutOfBounds);
  CHECK(fault.fault.line == 12);
  session.connect();
  const CallOutcome ignored = session.call(Ignores, *out, 100, 1);
  CHECK(ignored.end == CallEnd::Returned);
  CHECK(ignored.launches.empty());
  REQUIRE(ignored.api_errors.size() == 1);
  CHECK(ignored.api_errors[0].call == "cudaLaunchKernel");
  CHECK(ignored.api_errors[0].error == "cudaErrorInvalidValue");
  CHECK(ignored.api_errors[0].detail.english().find("(2048, 1, 1)") != std::string::npos);
  const CallOutcome refused = session.call(Unsupported, *out, 100, 1);
  CHECK(refused.unsupported_calls == std::vector<std::string>{"cudaIpcGetMemHandle"});
  CHECK(session.call(Good, *out, 100, 2).end == CallEnd::Returned);
  session.device.reset();
  const test::Ended ended = session.child->wait();
  CHECK(ended.out == "filled 100\n");
  CHECK(ended.err ==
        "cuda-labs: cudaIpcGetMemHandle is not supported here and returns cudaErrorNotSupported\n");
}

TEST_CASE("without a device every call says so", "[cudart]") {
  const auto [status, signal, out, err] = test::run(test::with_device(build_program("errors"), -1));
  CHECK(out.find("cudaMalloc(&a, 1024) -> cudaErrorNoDevice") != std::string::npos);
  CHECK(err.find("start this program with the grader") != std::string::npos);
  CHECK(err.find("grader", err.find("grader run") + 10) == std::string::npos);  // once
}

TEST_CASE("an answer that makes no sense is told at once", "[cudart]") {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  REQUIRE(send(ends[0], "?", 1, 0) == 1);
  const auto [status, signal, out, err] = test::run(test::with_device(build_program("errors"), ends[1]));
  close(ends[0]);
  close(ends[1]);
  CHECK(err ==
        "cuda-labs: the device sent an invalid answer; all further CUDA calls fail; this is a bug of the "
        "grader\n");
  CHECK(out.starts_with("cudaMalloc(&a, 1024) -> cudaErrorUnknown\n"));
}

TEST_CASE("a device process that is gone is told as such", "[runner]") {
  Session session;
  const int pid = device_process_id();
  REQUIRE(pid > 0);
  REQUIRE(kill(pid, SIGKILL) == 0);
  CHECK(session.call(Good, 0, 0, 0).end == CallEnd::DeviceLost);
  CHECK_FALSE(session.device->allocate(4));
  CHECK_FALSE(session.device->new_client());
  CHECK(session.call(Good, 0, 0, 0).end == CallEnd::DeviceLost);
}

TEST_CASE("every call that our headers declare has a body", "[cudart]") {
  const std::string declarations = read_file(CUDALABS_CUDA_INCLUDE "/cudalabs/api/calls.h");
  const std::string symbols = test::output_of({{"nm", CUDALABS_CUDART}});
  int found = 0;
  for (std::size_t at = 0; (at = declarations.find("\ncudaError_t cuda", at)) != std::string::npos; ++at) {
    const std::size_t begin = at + std::strlen("\ncudaError_t ");
    const std::size_t end = declarations.find_first_of("( ", begin);
    const std::string name = declarations.substr(begin, end - begin);
    INFO(name);
    CHECK((symbols.find(" T " + name + "\n") != std::string::npos ||
           symbols.find(" W " + name + "\n") != std::string::npos));
    ++found;
  }
  CHECK(found > 200);
}
