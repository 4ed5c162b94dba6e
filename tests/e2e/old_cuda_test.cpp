// Programs of older years (tests/programs/old) compile and run as they were written, and are told what
// CUDA 13 has no longer.

#include "tests/e2e/program_folder.h"
#include "tests/harness/catch.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kOld = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "old";

Outcome run_old(const std::string& name, const std::string& compiler, std::vector<std::string> more = {}) {
  static const ProgramFolder programs(kOld);
  more.insert(more.begin(), {"--device", "simulator", "-q"});
  if (name == "textures" || name == "product") more.emplace_back("-w");  // calls that are only deprecated
  return programs.run(name, compiler, more);
}

/// The lines of a text without those that show a source line or a caret.
std::string first_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string kept, line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("  ")) kept += line + "\n";
  }
  return kept;
}

}  // namespace

TEST_CASE("programs of older years run as they were written", "[old]") {
  for (const std::string name : {"calls", "devices", "names", "own_shuffles", "product", "reduction",
                                 "samples", "textures", "warps"}) {
    for (const std::string& compiler : cudalabs::test::installed_compilers()) {
      const Outcome outcome = run_old(name, compiler);
      INFO(compiler << " " << name << "\n" << outcome.err);
      CHECK(outcome.out == read_file(kOld / (name + ".expected")));
      CHECK(outcome.status == 0);
      CHECK(outcome.err.find("note: ") != std::string::npos);
      CHECK(outcome.err.find("warning: ") == std::string::npos);
    }
  }
}

TEST_CASE("a note says what to write today, once for each thing that is gone", "[old]") {
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    CHECK(first_lines(run_old("names", compiler).err) ==
          "names.cu:15:3: note: CUDA 13 has no cudaConfigureCall(): write kernel<<<blocks, "
          "threads>>>(arguments)\n"
          "names.cu:16:3: note: CUDA 13 has no cudaSetupArgument(): write kernel<<<blocks, "
          "threads>>>(arguments)\n"
          "names.cu:17:3: note: CUDA 13 has no cudaLaunch(): write kernel<<<blocks, threads>>>(arguments)\n");
    CHECK(
        first_lines(run_old("textures", compiler).err) ==
        "textures.cu:4:1: note: CUDA 13 has no texture<>: write cudaCreateTextureObject(&object, &resource, "
        "&description, nullptr)\n"
        "textures.cu:8:1: note: CUDA 13 has no surface<>: write cudaCreateSurfaceObject(&object, "
        "&resource)\n");
    // A compiler ends at the first missing header; then all of them are given.
    CHECK(first_lines(run_old("samples", compiler).err) ==
          "samples.cu:2:10: note: CUDA does not come with cutil_inline.h, so the grader's own is used, "
          "which has what most programs need of it\n");
  }
}

TEST_CASE("with --std-cuda 13 they are refused, with what to write", "[old]") {
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    const Outcome refused = run_old("warps", compiler, {"--std-cuda", "13"});
    INFO(compiler << "\n" << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.err.find("  hint: Write __shfl_down_sync(0xffffffff, value, delta): CUDA 13 has no "
                           "__shfl_down().\n") != std::string::npos);
  }
  const Outcome unknown = run_old("warps", "", {"--std-cuda", "5"});
  CHECK(unknown.status == 2);
  CHECK(unknown.err ==
        "grader: --std-cuda 5 is not known\n"
        "  hint: Write --std-cuda 13 to refuse what CUDA 13 has no longer, or leave the option out to allow "
        "it.\n");
}

TEST_CASE("a missing header is an error, old ones and names behind them are given", "[old]") {
  const Sandbox sandbox;
  sandbox.write("missing.cu", "#include <cstdio>\n#include <nowhere.h>\nint main() {}\n");
  sandbox.write("given.cu",
                "#include <cuda_texture_types.h>\n#include \"../common/book.h\"\n"
                "#include \"common/cpu_bitmap.h\"\n#include <nvToolsExt.h>\n"
                "int main() {\n  CPUBitmap image(2, 2);\n  HANDLE_ERROR(cudaThreadSynchronize());\n"
                "  image.display_and_exit();\n}\n");
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    const Outcome missing = sandbox.grader({"run", "missing.cu", "--compiler", compiler});
    INFO(compiler << "\n" << missing.err);
    CHECK(missing.status == 2);
    CHECK(missing.err.find("missing.cu:2:10: error: ") != std::string::npos);
    const Outcome given = sandbox.grader({"run", "given.cu", "--compiler", compiler, "-lcutil_x86_64"});
    INFO(given.err);
    CHECK(given.status == 0);
    CHECK(first_lines(given.err).starts_with(
        "given.cu:1:10: note: CUDA 13 has no cuda_texture_types.h: leave it out\n"
        "given.cu:7"));
    CHECK(given.err.find(": note: CUDA 13 has no cudaThreadSynchronize(): write cudaDeviceSynchronize()\n") !=
          std::string::npos);
  }
}

TEST_CASE("a C file calls CUDA, and misses old names as C does", "[old]") {
  const Sandbox sandbox;
  sandbox.write(
      "main.c",
      "#include <cuda_runtime.h>\n#include <stdio.h>\nvoid fill(float4* p, dim3 threads);\n"
      "int main(void) {\n  float4* p;\n  float4 host[2] = {make_float4(0, 0, 0, 0)};\n"
      "  struct cudaDeviceProp prop;\n  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost;\n"
      "  dim3 threads = {2, 1, 1};\n  cudaEvent_t event;\n  cudaEventCreate(&event);\n"
      "  cudaMalloc((void**)&p, sizeof host);\n  fill(p, threads);\n  cudaEventRecord(event, 0);\n"
      "  cudaThreadSynchronize();\n  cudaMemcpy(host, p, sizeof host, kind);\n"
      "  cudaGetDeviceProperties(&prop, 0);\n"
      "  printf(\"%g %d\\n\", host[1].w, prop.warpSize);\n  return cudaFree(p) != cudaSuccess;\n}\n");
  sandbox.write(
      "fill.cu",
      "__global__ void kernel(float4* p) { p[threadIdx.x] = make_float4(1, 2, 3, 4 + threadIdx.x); }\n"
      "extern \"C\" void fill(float4* p, dim3 threads) { kernel<<<1, threads>>>(p); }\n");
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    const Outcome outcome = sandbox.grader({"run", "main.c", "fill.cu", "-q", "--compiler", compiler});
    INFO(compiler << "\n" << outcome.err);
    CHECK(outcome.out == "5 32\n");
    CHECK(first_lines(outcome.err) ==
          "main.c:15:3: note: CUDA 13 has no cudaThreadSynchronize(): write cudaDeviceSynchronize()\n");
  }
}

TEST_CASE("kernels wait for the kernels that they launch, as before CUDA 12", "[old]") {
  if (cudalabs::test::compiler(cudalabs::CompilerChoice::Nvcc).empty()) return;  // clang has no such launches
  static const ProgramFolder programs(kOld / "dynamic");
  const auto run = [](const std::string& name, std::vector<std::string> more) {
    more.insert(more.begin(), {"-rdc=true", "--device", "simulator"});
    return programs.run(name, "nvcc", more);
  };
  for (const std::string name : {"quicksort", "sums", "both_halves"}) {
    for (const char* engine : {"interpreter", "native"}) {
      const Outcome outcome = run(name, {"--engine", engine, "--check", "all", "-q"});
      INFO(name << "\n" << outcome.err);
      CHECK(outcome.out == read_file(kOld / "dynamic" / (name + ".expected")));
      CHECK(outcome.status == 0);
      CHECK(first_lines(outcome.err).find("CUDA 13 has no cudaDeviceSynchronize() in kernels: write ") !=
            std::string::npos);
    }
  }
  const Outcome told = run("sums", {});
  CHECK(told.err.find("grader: cudaDeviceSynchronize() in kernel deeper(int, int*) returned "
                      "cudaErrorSyncDepthExceeded: kernels launched it 2 deep, and the limit is 2\n"
                      "  hint: Call cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, depth) before the first "
                      "launch: 24 at most.\n") != std::string::npos);
  const Outcome refused = run("sums", {"--std-cuda", "13"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("cudaStreamTailLaunch") != std::string::npos);
}

TEST_CASE("banks are 8 bytes wide where a card has them and the program asks for it", "[old]") {
  static const ProgramFolder programs(kOld);
  struct Banks {
    double conflicts = 0, ns = 0;
  };
  const auto padded = [](const std::string& profile, std::vector<std::string> arguments) {
    std::vector<std::string> more{"--device",         "simulator", "-q",         "-w",
                                  "--device-profile", profile,     "--counters", "c.json"};
    if (!arguments.empty()) more.emplace_back("--");
    more.insert(more.end(), arguments.begin(), arguments.end());
    CHECK(programs.run("product", "", more).status == 0);
    const auto launches = nlohmann::json::parse(read_file(programs.sandbox().work() / "c.json"));
    const auto& last = launches.back();
    return Banks{last.at("shared_load_bank_conflicts"), last.at("time_ns")};
  };
  const Banks four = padded("k40c", {"4"}), eight = padded("k40c", {});
  CHECK(four.conflicts > 1000);
  CHECK(eight.conflicts == 0);
  CHECK(eight.ns < 0.95 * four.ns);
  CHECK(padded("k40c", {"4", "kernel"}).ns == eight.ns);
  CHECK(padded("gtx1080ti", {}).ns == padded("gtx1080ti", {"4"}).ns);
}

TEST_CASE("a mistake beside old calls is told as it is elsewhere", "[old]") {
  const Sandbox sandbox;
  sandbox.write("mistake.cu", "int main() {\n  cudaThreadSynchronize();\n  return undeclared;\n}\n");
  for (const std::string& compiler : cudalabs::test::installed_compilers()) {
    const Outcome outcome = sandbox.grader({"run", "mistake.cu", "--compiler", compiler});
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find("mistake.cu:3:10: error: ") != std::string::npos);
    CHECK(outcome.err.find("it does not compile: 1 error\n") != std::string::npos);
  }
}

}  // namespace e2e
