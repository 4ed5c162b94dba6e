// Programs that use graphs and all kinds of memory of the runtime, through `grader run`; the compilers take
// turns. They are in tests/programs/runtime and limits; with an argument some of them make a mistake.

#include <algorithm>

#include "tests/e2e/program_folder.h"
#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kRuntime = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "runtime";

const ProgramFolder& runtime_programs() {
  static const ProgramFolder programs(kRuntime);
  return programs;
}

std::vector<std::string> compilers(const std::string& program) {
  return runtime_programs().compilers(program);
}

Outcome run_here(const std::string& name, const std::string& compiler, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--device", "simulator"});
  return runtime_programs().run(name, compiler, more);
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

const fs::path kLimits = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "limits";

Outcome run_limits(const std::string& compiler, const std::string& program,
                   const std::vector<std::string>& arguments = {}) {
  const Sandbox sandbox;
  fs::copy(kLimits, sandbox.work(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  std::vector<std::string> words = {"run", program, "--device", "simulator", "--compiler", compiler, "--"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return sandbox.grader(words);
}

std::string at_mark(const std::string& program) {
  return program + ":" + std::to_string(marked_line(read_file(kLimits / program))) + ": ";
}

}  // namespace

TEST_CASE("graphs and memory are those of a card", "[runtime]") {
  // The grader also reports launches that a GPU would reject.
  const auto refused = [](const std::string& place) {
    return "grader: " + place + ": a kernel was not launched: ";
  };
  const std::map<std::string, std::string> told = {
      {"graph_nodes", ""},
      {"graph_memory",
       refused("graph_memory.cu:61") +
           "cudaErrorInvalidValue, memory that the graph allocated in its last launch was not freed\n"},
      {"graph_capture",
       refused("graph_capture.cu:29") +
           "cudaErrorStreamCaptureImplicit, the default stream cannot be used during a capture: it waits " +
           "for all other streams\n" + refused("graph_capture.cu:29") +
           "cudaErrorStreamCaptureInvalidated, an earlier call invalidated the capture\n"},
      {"memory_pools", ""},
      {"host_memory", ""},
      {"managed_large", ""},
      {"arrays", ""},
      {"textures", ""}};
  for (const auto& [name, words] : told) {
    for (const std::string& compiler : compilers(name)) {
      const Outcome outcome = run_here(name, compiler);
      INFO(compiler << " " << name);
      CHECK(outcome.out == read_file(kRuntime / (name + ".expected")));
      CHECK(outcome.err == words);
      CHECK(outcome.status == 0);
    }
  }
}

TEST_CASE("a graph whose nodes wait for one another is not instantiated", "[runtime]") {
  const std::string compiler = GENERATE(from_range(compilers("graph_nodes")));
  const Outcome outcome = run_here("graph_nodes", compiler, {"--check", "memcheck", "--", "cycle"});
  CHECK(last_line(outcome.out) == "instantiate: cudaErrorInvalidValue");
  CHECK(outcome.err.find("error: cudaGraphInstantiate returned cudaErrorInvalidValue: the dependencies of "
                         "the nodes form a cycle [memcheck]\n") != std::string::npos);
  CHECK(outcome.status == 1);
}

TEST_CASE("memory is used after it was freed in stream order", "[runtime]") {
  for (const auto& [name, kernel] :
       {std::pair{"graph_memory", "fill(int*, int)"}, std::pair{"memory_pools", "fill(int*)"}}) {
    for (const std::string& compiler : compilers(name)) {
      const Outcome outcome = run_here(name, compiler, {"--", "late"});
      INFO(compiler << " " << name);
      CHECK(outcome.err == "grader: " + std::string(name) +
                               ".cu:10: write of 4 bytes out of bounds: address 0x200000201000 is inside "
                               "memory that was freed, "
                               "`data[0]`; kernel " +
                               kernel +
                               ", block (0, 0, 0), thread (0, 0, 0)\n"
                               "  hint: Call cudaFree after the last kernel that uses the memory.\n");
      CHECK(outcome.status == 1);
    }
  }
}

TEST_CASE("pages that are registered no more are not touched by a kernel", "[runtime]") {
  const std::string compiler = GENERATE(from_range(compilers("host_memory")));
  const Outcome outcome = run_here("host_memory", compiler, {"--", "late"});
  INFO(outcome.err);
  CHECK(last_line(outcome.out) == "cudaErrorIllegalAddress");
  CHECK(outcome.err.find(" is not device memory: a host pointer, or an index far out of bounds") !=
        std::string::npos);
  CHECK(outcome.status == 1);
}

TEST_CASE("textures are the same by either engine, and no checker sees a mistake", "[runtime]") {
  const std::string expected = read_file(kRuntime / "textures.expected");
  for (const char* engine : {"interpreter", "native"}) {
    const Outcome outcome = run_here("textures", compilers("textures").front(),
                                     {"--engine", engine, "--check", "racecheck,initcheck"});
    INFO(outcome.err);
    CHECK(outcome.out == expected);
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("an array is read after it was freed, and written outside", "[runtime]") {
  const std::string compiler = GENERATE(from_range(compilers("textures")));
  const Outcome freed = run_here("textures", compiler, {"--", "freed"});
  CHECK(last_line(freed.out) == "cudaErrorIllegalAddress");
  CHECK(freed.err.find("is inside memory that was freed; kernel read_one(") != std::string::npos);
  CHECK(freed.status == 1);
  const Outcome outside = run_here("textures", compiler, {"--", "bounds"});
  CHECK(last_line(outside.out) == "cudaErrorIllegalAddress");
  CHECK(outside.err.find(
            "surf2Dwrite() out of bounds of the surface: byte 64 of a row of 64, row 0 of 4; kernel "
            "write_2d(unsigned long long), block (0, 0, 0), thread (16, 0, 0)\n"
            "  hint: Compare the coordinates with the size of the array") != std::string::npos);
  CHECK(outside.status == 1);
  const Outcome between = run_here("textures", compiler, {"--", "elements"});
  CHECK(last_line(between.out) == "cudaErrorMisalignedAddress");
  CHECK(between.err.find(
            "misaligned surf2Dwrite() of 4 bytes: byte 1 of a row is between two elements; kernel ") !=
        std::string::npos);
}

TEST_CASE("what the runtime does not have is refused by name", "[runtime]") {
  const std::string compiler = GENERATE(from_range(compilers("refused")));
  const Outcome outcome = run_here("refused", compiler);
  CHECK(outcome.out == "801\n801\n801\n");
  for (const char* call :
       {"cudaIpcGetMemHandle", "cudaGraphConditionalHandleCreate", "a conditional node of a graph"}) {
    const std::string line =
        "cuda-labs: " + std::string(call) + " is not supported here and returns cudaErrorNotSupported\n";
    INFO(outcome.err);
    CHECK(outcome.err.find(line) != std::string::npos);
  }
}

TEST_CASE("a block whose threads have too many registers is refused as by a card", "[runtime]") {
  if (!cudalabs::test::is_nvcc("ptxas's registers")) return;
  const std::string bounded =
      "bounded with 1024 threads: at most 64 registers, 1 blocks at a time, cudaSuccess\n"
      "bounded with 256 threads: at most 64 registers, 4 blocks at a time, cudaSuccess\ncudaSuccess\n";
  const Outcome many = run_here("registers", "nvcc");
  CHECK(many.out ==
        "many with 1024 threads: more than 64 registers, 0 blocks at a time, cudaErrorLaunchOutOfResources\n"
        "many with 256 threads: more than 64 registers, 1 blocks at a time, cudaSuccess\n" +
            bounded);
  CHECK(many.err.starts_with(
      "grader: registers.cu:25: a kernel was not launched: cudaErrorLaunchOutOfResources, kernel many: a "
      "block of 1024 threads with "));
  CHECK(many.err.ends_with(" registers each exceeds the limit of 65536 registers a block\n"));

  const Outcome few = run_here("registers", "nvcc", {"-maxrregcount=64"});
  CHECK(few.out ==
        "many with 1024 threads: at most 64 registers, 1 blocks at a time, cudaSuccess\n"
        "many with 256 threads: at most 64 registers, 4 blocks at a time, cudaSuccess\n" +
            bounded);
  CHECK(few.err.empty());
}

TEST_CASE("who waits for a kernel that waits for him is told at once", "[runtime]") {
  const std::string compiler = GENERATE(from_range(compilers("mailbox")));
  const Outcome outcome = run_here("mailbox", compiler);
  INFO(outcome.err);
  CHECK(outcome.out == "cudaErrorLaunchTimeout\n");
  CHECK(outcome.err.starts_with(
      "cuda-labs: a kernel that does not end was stopped: while a kernel runs, the host cannot answer it "
      "through memory that both access\ngrader: mailbox.cu:8: "));
}

TEST_CASE("a kernel that waits for one of another stream is told what to do", "[runtime]") {
  const std::string compiler = GENERATE(from_range(compilers("mailbox")));
  const Outcome outcome = run_here("mailbox", compiler, {"--", "streams"});
  CHECK(outcome.out == "cudaErrorLaunchTimeout\n");
  CHECK(outcome.err ==
        "grader: mailbox.cu:8: the kernel never ends, no thread makes progress: warp 0 in a loop (line 8); "
        "kernel ask(int volatile*), block (0, 0, 0), thread (0, 0, 0)\n"
        "  hint: Check the condition and the step of the loop. If it waits for a kernel of another stream, "
        "launch that kernel first: here a launch ends before the next one begins (grader run "
        "--shuffle-streams tries other orders).\n");
  const Outcome shuffled = run_here("mailbox", compiler, {"--shuffle-streams", "1", "--", "streams"});
  CHECK(shuffled.out == "cudaSuccess\n");
  CHECK(shuffled.err.empty());
  CHECK(shuffled.status == 0);
}

// What cudaDeviceSetLimit() bounds. An H100 answered the same (2026-11-27), except where a test says so.

TEST_CASE("the heap of kernels has a limit", "[limits]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const std::string after =
      "afterwards: cudaErrorInvalidValue\nof the others: cudaSuccess cudaSuccess\n"
      "depth of synchronisation: cudaSuccess cudaSuccess\n"
      "L2 fetches 64 bytes: cudaSuccess cudaErrorInvalidValue, then 100\n";
  const Outcome small = run_limits(compiler, "heap.cu");
  CHECK(small.out ==
        "heap: 8388608\nround 0: none refused\nround 1: some refused\nround 2: none refused\n" + after);
  CHECK(small.err.find("in kernel grab(int, char**, unsigned int*) returned NULL 25 times: the heap of all "
                       "kernels has 8388608 bytes\n  hint: ") != std::string::npos);
  const Outcome raised = run_limits(compiler, "heap.cu", {"64"});
  CHECK(raised.out ==
        "set: cudaSuccess\nheap: 67108864\nround 0: none refused\nround 1: none refused\nround 2: none "
        "refused\n" +
            after);
  CHECK(raised.err.find("returned NULL") == std::string::npos);
}

TEST_CASE("the stack bounds recursion, not frames that are known", "[limits]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const std::string frame = "large frame: cudaSuccess\n";
  CHECK(run_limits(compiler, "stack.cu", {"20"}).out == frame + "stack: 1024\ncudaSuccess right\n");
  const Outcome deep = run_limits(compiler, "stack.cu", {"600"});
  CHECK(deep.out == frame + "stack: 1024\ncudaErrorIllegalAddress wrong\n");
  CHECK(deep.err.starts_with("grader: " + at_mark("stack.cu") + "stack overflow: "));
  CHECK(deep.err.find("more than the 1024 bytes of cudaLimitStackSize") != std::string::npos);
  CHECK(deep.err.find("kernel recursive(unsigned int, unsigned int*)") != std::string::npos);
  CHECK(deep.status == 1);
  CHECK(run_limits(compiler, "stack.cu", {"600", "65536"}).out ==
        frame + "set: cudaSuccess\nstack: 65536\ncudaSuccess right\n");
}

TEST_CASE("printf in a kernel returns the number of its arguments and takes 32", "[limits]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Outcome said = run_limits(compiler, "printf.cu");
  // A card prints rubbish for the 33rd argument.
  CHECK(said.out ==
        "nothing to fill in, 100%\n7 seven\n 3.14|42    |+5|0xff|1.235e+04|z|-9000000000|-001.500|   9|%\n"
        "12345678 12345678 12345678 12345678 %d|%*d|%\nreturned 0 2 10 32 of 8650752\n");
  CHECK(said.err.starts_with("grader: " + at_mark("printf.cu") +
                             "printf() in kernel say(int*) has more than 32"));
  CHECK(said.status == 0);
}

TEST_CASE("the buffer of printf keeps the latest calls", "[limits]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const auto rows = [](const Outcome& outcome) { return std::ranges::count(outcome.out, '\n'); };
  const Outcome all = run_limits(compiler, "printf.cu", {"rows"});
  CHECK(rows(all) == 1024 + 1 + 1);
  CHECK(all.err.empty());
  CHECK(all.out.ends_with("afterwards: cudaErrorInvalidValue\n"));
  const Outcome few = run_limits(compiler, "printf.cu", {"rows", "25600"});
  CHECK(rows(few) == 100 + 1 + 1);
  CHECK(few.out.starts_with("block 14, thread 28\n"));
  CHECK(few.err ==
        "grader: kernel rows() lost the output of its first 924 calls of printf(): the buffer of 25600 bytes "
        "keeps the latest\n  hint: Print less, or call cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes) "
        "before "
        "the first kernel that prints: each call takes 256 bytes.\n");
}

}  // namespace e2e
