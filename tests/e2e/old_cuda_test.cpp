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
  if (name == "textures") more.emplace_back("-w");  // of copies of arrays, which are only deprecated
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
  for (const std::string name : {"calls", "names", "samples", "textures", "warps"}) {
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
    // nvcc's g++ names all missing headers, clang the first.
    CHECK(
        first_lines(run_old("samples", compiler).err)
            .find(
                "samples.cu:2:10: note: CUDA does not come with cutil_inline.h, so the grader's own is used, "
                "which has what most programs need of it\n") != std::string::npos);
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
