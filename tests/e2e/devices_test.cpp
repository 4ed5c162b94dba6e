// Programs for several devices, through `grader run --devices`; the compilers take turns. They are in
// tests/programs/devices; the argument `peers` makes the program omit a call.

#include "tests/e2e/program_folder.h"
#include "tests/harness/catch.h"
#include "tests/harness/process.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kDevices = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "devices";

const ProgramFolder& device_programs() {
  static const ProgramFolder programs(kDevices);
  return programs;
}

std::vector<std::string> compilers(const std::string& program) {
  return device_programs().compilers(program);
}

/// With the compiler whose turn the program is, unless `more` names one.
Outcome run_here(const std::string& name, const std::vector<std::string>& more,
                 const std::map<std::string, std::string>& environment = {}) {
  const bool named = std::ranges::find(more, "--compiler") != more.end();
  return device_programs().run(name, named ? "" : compilers(name).front(), more, environment);
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

}  // namespace

TEST_CASE("several devices are those of a machine with so many", "[devices]") {
  const std::string refused = "grader: variables.cu:65: a kernel was not launched: ";
  const std::map<std::string, std::string> told = {
      {"peers", ""},
      {"variables", refused + "cudaErrorInvalidValue, kernel much_shared: 61440 bytes of shared memory "
                              "requested, the limit is 49152 (cudaFuncSetAttribute raises it to 166912)\n"},
      {"managed", ""},
      {"errors", ""},
      {"bandwidth", ""}};
  for (const auto& [name, words] : told) {
    for (const std::string& compiler : compilers(name)) {
      const Outcome outcome = run_here(name, {"--compiler", compiler, "--devices", "2"});
      INFO(compiler << " " << name);
      CHECK(outcome.out == read_file(kDevices / (name + ".expected")));
      CHECK(outcome.err == words);
      CHECK(outcome.status == 0);
    }
  }
}

TEST_CASE("a thread of the host has a device of its own", "[devices]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  for (const char* devices : {"1", "2", "5", "16"}) {
    const Outcome outcome = run_here("sum", {"--compiler", compiler, "--devices", devices});
    CHECK(outcome.out == std::string(devices) + " devices: 5000250003, 0 wrong\n");
    CHECK(outcome.err == "");
    CHECK(outcome.status == 0);
  }
  if (compiler == "clang") return;  // its OpenMP is another library
  const Outcome openmp =
      run_here("sum", {"--compiler", compiler, "--devices", "3", "-Xcompiler", "-fopenmp"});
  CHECK(openmp.out == "3 devices: 5000250003, 0 wrong\n");
  const Outcome asked = run_here("kernel_devices", {"--compiler", compiler, "--devices", "2", "-rdc=true"});
  CHECK(asked.out == "device 0 of 2\ndevice 1 of 2\n");
  CHECK(asked.err == "");
}

TEST_CASE("memory of another device is out of a kernel's reach without peer access", "[devices]") {
  const std::string compiler = GENERATE(from_range(compilers("peers")));
  const std::string access =
      "Call cudaDeviceEnablePeerAccess(1, 0) before the kernel, while device 0 is the current one, or copy "
      "the data with cudaMemcpyPeer.";
  const std::string pool = "Give device 0 access to the pool with cudaMemPoolSetAccess before the kernel.";
  for (const auto& [mistake, address, hint] :
       {std::tuple{"access", "0x200000100000", access}, std::tuple{"disabled", "0x200000100000", access},
        std::tuple{"pool", "0x200000302000", pool}}) {
    const Outcome outcome = run_here("peers", {"--compiler", compiler, "--devices", "2", "--", mistake});
    INFO(compiler << " " << mistake << "\n" << outcome.out);
    CHECK(outcome.out.ends_with("\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\n"));
    CHECK(outcome.err ==
          std::string("grader: peers.cu:15: read of 4 bytes in memory of device 1, which device 0 may not "
                      "access: address ") +
              address + " is 0 bytes into the 1024-byte allocation at " + address +
              ", `from[0]`; kernel twice(int*, int const*), block (0, 0, 0), "
              "thread (0, 0, 0)\n  hint: " +
              hint + "\n");
    CHECK(outcome.status == 1);
  }
}

TEST_CASE("what a call about another device did wrong is told", "[devices]") {
  const std::string compiler = GENERATE(from_range(compilers("peers")));
  const Outcome set =
      run_here("peers", {"--compiler", compiler, "--devices", "2", "--check", "memcheck", "--", "set"});
  CHECK(last_line(set.out) == "set: cudaErrorInvalidValue");
  const std::string leak =
      ": error: memory leak: an allocation of 1024 bytes was never freed [memcheck]\n"
      "  hint: Call cudaFree for every pointer from cudaMalloc before the program ends.\n";
  CHECK(set.err == "peers.cu:30" + leak + "peers.cu:33" + leak +
                       "peers.cu:60: error: cudaMemset returned cudaErrorInvalidValue: device 0 may not "
                       "access memory of device 1: cudaDeviceEnablePeerAccess is missing [memcheck]\n"
                       "grader: 3 findings\n");
  const Outcome errors =
      run_here("errors", {"--compiler", compiler, "--devices", "2", "--check", "memcheck"});
  INFO(errors.err);
  for (const char* words :
       {"cudaSetDevice returned cudaErrorInvalidDevice: unknown device 2: there are 2 devices, numbers 0 to "
        "1",
        "cudaDeviceEnablePeerAccess returned cudaErrorPeerAccessUnsupported: device 0 needs no peer access "
        "to "
        "itself",
        "cudaDeviceEnablePeerAccess returned cudaErrorPeerAccessAlreadyEnabled: peer access from device 0 to "
        "device 1 is already enabled",
        "cudaDeviceDisablePeerAccess returned cudaErrorPeerAccessNotEnabled: peer access from device 0 to "
        "device 1 is not enabled",
        "cudaEventRecord returned cudaErrorInvalidResourceHandle: the event belongs to device 0, but the "
        "stream to device 1",
        "cudaEventElapsedTime returned cudaErrorInvalidResourceHandle: the events belong to two devices, 0 "
        "and 1",
        "cudaMemcpyPeer returned cudaErrorInvalidValue: a pointer does not point to device memory"}) {
    INFO(words);
    CHECK(errors.err.find(std::string(": error: ") + words + " [memcheck]\n") != std::string::npos);
  }
}

TEST_CASE("without --devices there is one", "[devices]") {
  const Outcome outcome = run_here("errors", {"--device", "simulator"});
  CHECK(
      outcome.out.starts_with("cudaGetDeviceCount(&count): cudaSuccess\n"
                              "cudaSetDevice(count): cudaErrorInvalidDevice\n"));
  CHECK(outcome.out.find("cudaDeviceEnablePeerAccess(1, 0): cudaErrorInvalidDevice\n") != std::string::npos);
}

TEST_CASE("CUDA_VISIBLE_DEVICES chooses among them", "[devices]") {
  const auto run = [](const std::string& visible) {
    return run_here("sum", {"--devices", "3"}, {{"CUDA_VISIBLE_DEVICES", visible}});
  };
  CHECK(run("2,0").out == "2 devices: 5000250003, 0 wrong\n");
  CHECK(run("1,-1,0").out == "1 devices: 5000250003, 0 wrong\n");
  const Outcome none = run("7");
  CHECK(none.err ==
        "grader: CUDA_VISIBLE_DEVICES=7 names none of the 3 devices\n"
        "  hint: unset it, or list numbers from 0 to 2; UUIDs are not supported here\n");
  CHECK(none.status == 2);
  // With a single device CUDA_VISIBLE_DEVICES is ignored.
  CHECK(run_here("sum", {"--device", "simulator"}, {{"CUDA_VISIBLE_DEVICES", "7"}}).out ==
        "1 devices: 5000250003, 0 wrong\n");
}

TEST_CASE("a number of devices that cannot be", "[devices]") {
  for (const char* number : {"0", "17", "x", "2x", "-1"}) {
    const Outcome outcome = run_here("sum", {"--devices=" + std::string(number)});
    INFO(number);
    CHECK(outcome.err == "grader: --devices needs a number from 1 to 16\n");
    CHECK(outcome.status == 2);
  }
  const Outcome real = run_here("sum", {"--devices", "2", "--device", "gpu"});
  CHECK(real.err ==
        "grader: --devices cannot be combined with --device gpu: it simulates devices\n"
        "  hint: leave out one of the two\n");
  CHECK(real.status == 2);
}

TEST_CASE("a program that is built already takes the number from its environment", "[devices]") {
  const Sandbox sandbox;
  fs::copy_file(kDevices / "sum.cu", sandbox.work() / "sum.cu");
  REQUIRE(sandbox.grader({"nvcc", "sum.cu", "-o", "sum"}).status == 0);
  cudalabs::test::Invocation invocation;
  invocation.words = {"./sum"};
  invocation.folder = sandbox.work();
  invocation.environment = {{"CUDA_LABS_RUN", "--devices 4"}};
  const cudalabs::test::Ended ended = cudalabs::test::run(invocation);
  INFO(ended.err);
  CHECK(ended.out == "4 devices: 5000250003, 0 wrong\n");
  CHECK(ended.status == 0);
}

TEST_CASE("with the estimated clock devices work side by side", "[devices]") {
  const Outcome outcome = run_here("clock", {"--devices", "2", "--clock", "estimated"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.out == "side by side\n");
}

}  // namespace e2e
