// Programs for compute capability 9.0 through `grader run -arch=sm_90`. They are in tests/programs/hopper;
// the argument of `bulk_mistakes` selects the mistake.

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kHopper = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "hopper";

Sandbox& with_file(Sandbox& sandbox, const std::string& name) {
  fs::copy_file(kHopper / name, sandbox.work() / name);
  return sandbox;
}

const std::string kWhole =
    "  hint: cp.async.bulk copies multiples of 16 bytes between addresses that are multiples of 16: give the "
    "__shared__ array alignas(128), and let each piece begin and end at such a multiple.\n";

}  // namespace

TEST_CASE("bulk copies and barriers that count bytes are those of compute capability 9.0", "[hopper]") {
  if (!cudalabs::test::is_nvcc("cuda::memcpy_async_tx, cuda::ptx and code for sm_90")) return;
  Sandbox sandbox;
  with_file(sandbox, "bulk_copies.cu");
  const Outcome outcome = sandbox.grader(
      {"run", "bulk_copies.cu", "-arch=sm_90", "-w", "--device", "simulator", "--check", "all"});
  CHECK(outcome.out == read_file(kHopper / "bulk_copies.expected"));
  CHECK(outcome.err == "");
  CHECK(outcome.status == 0);
}

TEST_CASE("who is wrong about a bulk copy is told where and why", "[hopper]") {
  if (!cudalabs::test::is_nvcc("cuda::memcpy_async_tx, cuda::ptx and code for sm_90")) return;
  Sandbox sandbox;
  const std::string file = "bulk_mistakes.cu";
  with_file(sandbox, file);
  REQUIRE(sandbox.grader({"nvcc", "-gencode", "arch=compute_90,code=sm_90", "-w", file, "-o", "mistakes"})
              .status == 0);
  struct Mistake {
    std::string status, told;
  };
  const auto fault = [&](int line, const std::string& what, const std::string& kernel,
                         const std::string& thread, const std::string& hint) {
    return "grader: " + file + ":" + std::to_string(line) + ": " + what + "; kernel " + kernel +
           "(int const*, int*), block (0, 0, 0), thread (" + thread + ", 0, 0)\n" + hint;
  };
  const auto race = [&](const std::string& element, int read, const std::string& reader, int written,
                        const std::string& writer, const std::string& kernel, int times,
                        const std::string& hint) {
    return file + ":" + std::to_string(read) + ": error: race on element " + element +
           " of `tile` (shared memory): one warp reads it and another warp of its block writes it, with no "
           "barrier between [racecheck]\n  " +
           file + ":" + std::to_string(read) + ": read by thread (" + reader +
           ", 0, 0) of block (0, 0, 0)\n  " + file + ":" + std::to_string(written) + ": written by thread (" +
           writer + ", 0, 0) of block (0, 0, 0)\n  in kernel " + kernel + "(int const*, int*), " +
           std::to_string(times) + " times\n  hint: " + hint + "\ngrader: 1 finding\n";
  };
  const std::string group =
      "Put __syncthreads() between the writes and the bulk copy, which is asynchronous, and let its thread "
      "wait "
      "for its group (cp.async.bulk.wait_group.read) before the __syncthreads() after which the memory is "
      "written again.";
  const std::vector<Mistake> mistakes = {
      {"cudaSuccess", race("8", 35, "32", 25, "0", "not_waited", 64,
                           "Wait for the phase of its barrier (bar.wait()) before you read what a bulk copy "
                           "writes: the copy is asynchronous.")},
      {"cudaErrorLaunchTimeout",
       fault(42, "deadlock, no thread makes progress: warps 0-7 for a phase of a cuda::barrier (line 42)",
             "other_bytes", "0",
             "  hint: Announce with expect_tx or barrier_arrive_tx() exactly the bytes of the copies that "
             "complete on the barrier: 512 more arrived than were announced.\n")},
      {"cudaErrorMisalignedAddress",
       fault(51, "misaligned bulk copy of 64 bytes: global address 0x200000100004 is not a multiple of 16",
             "odd_address", "3", kWhole)},
      {"cudaErrorMisalignedAddress",
       fault(59, "misaligned bulk copy of 64 bytes: offset 8 of shared memory is not a multiple of 16",
             "odd_place", "3", kWhole)},
      {"cudaErrorMisalignedAddress",
       fault(67, "bulk copy of 20 bytes, which is not a multiple of 16", "odd_size", "3", kWhole)},
      {"cudaErrorIllegalAddress",
       fault(75,
             "read of 1 byte out of bounds: address 0x200000100400 is directly past the end of the "
             "1024-byte allocation at 0x200000100000",
             "beyond_global", "3",
             "  hint: Compare the index with the size of the array: threads past the end need an if, and "
             "loops must stop before it; where they do, the index may use the wrong dimension as the length "
             "of a row.\n")},
      {"cudaErrorIllegalAddress",
       fault(82,
             "read of 64 bytes out of bounds of shared memory at offset 992: the block has 1024 bytes of "
             "shared memory",
             "beyond_shared", "3",
             "  hint: Check the index into the __shared__ array, or the shared-memory size given at the "
             "launch.\n")},
      {"cudaErrorLaunchFailure",
       fault(89, "an uninitialized barrier in shared memory is used", "never_made", "3",
             "  hint: Let one thread call init(&barrier, count), then call __syncthreads() before any thread "
             "arrives.\n")},
      {"cudaSuccess", race("32", 98, "0", 102, "32", "used_again", 232, group)},
      {"cudaSuccess", race("32", 111, "0", 108, "32", "not_together", 240, group)},
      {"cudaSuccess",
       "grader: bulk_mistakes.cu:129: a kernel was not launched: cudaErrorNotSupported, kernel in_clusters: "
       "clusters of 2 blocks are not simulated: the limit is one block\ngrader: 1 finding\n"}};
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    const Outcome outcome = sandbox.grader({"run", "./mistakes", "--check", "all", "--", std::to_string(i)});
    INFO(i);
    CHECK(outcome.out == mistakes[i].status + "\n");
    CHECK(outcome.err == mistakes[i].told);
    CHECK(outcome.status == 1);
  }
}

TEST_CASE("what is asked for decides between the two simulated cards", "[hopper]") {
  if (!cudalabs::test::is_nvcc("-arch")) return;
  const Sandbox sandbox;
  sandbox.write("which.cu", R"(#include <cstdio>
__global__ void which(int* made_for) {
#ifdef __CUDA_ARCH__
  *made_for = __CUDA_ARCH__;
#endif
}
int main() {
  int *device, made_for = 0;
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  cudaMalloc(&device, sizeof *device);
  which<<<1, 1>>>(device);
  cudaMemcpy(&made_for, device, sizeof made_for, cudaMemcpyDeviceToHost);
  std::printf("%d on %d.%d\n", made_for, card.major, card.minor);
}
)");
  const std::vector<std::pair<std::string, std::string>> asked = {{"-arch=sm_89", "800 on 8.0\n"},
                                                                  {"-arch=sm_100a", "900 on 9.0\n"}};
  for (const auto& [word, told] : asked) {
    const Outcome outcome = sandbox.grader({"run", "which.cu", word, "--device", "simulator"});
    INFO(word);
    CHECK(outcome.out == told);
    CHECK(outcome.err == "");
  }
}

}  // namespace e2e
