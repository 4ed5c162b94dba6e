// The device's math functions through clang, PTX and the simulator, with every installed clang. The bits must
// equal those of the host's compiler with the same headers; accuracy_test.cpp checks their accuracy.

#include <cstring>

#include "grader/sim/simulator.h"
#include "tests/cuda_math/functions.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

namespace {

using namespace cudalabs::sim;
using cudalabs::test::distance;

std::vector<std::string> compilers() {
  std::vector<std::string> found;
  for (const char* version : {"14", "15", "16", "17", "18", "19", "20"}) {
    const std::string name = std::string("clang++-") + version;
    if (cudalabs::test::run({cudalabs::test::shell("command -v " + name)}).status == 0) found.push_back(name);
  }
  return found;
}

cudalabs::test::Ended compile(const std::string& compiler, const std::string& half, const std::string& file,
                              const std::string& out, std::vector<std::string> more) {
  std::vector<std::string> words = {compiler,
                                    "-x",
                                    "cuda",
                                    "--cuda-" + half + "-only",
                                    "--cuda-gpu-arch=sm_80",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "-S",
                                    "-O2",
                                    "-Wall",
                                    "-Werror",
                                    "-Wno-unknown-cuda-version",
                                    "-Wno-unused-variable",
                                    "-isystem",
                                    CUDALABS_SOURCE "/grader/cudart/include",
                                    CUDALABS_TEST_DATA "/" + file,
                                    "-o",
                                    out};
  if (half == "device") more.insert(more.end(), {"-Xclang", "-target-feature", "-Xclang", "+ptx75"});
  words.insert(words.end(), more.begin(), more.end());
  return cudalabs::test::run({words});
}

template <class F>
void check_kernels(const std::string& ptx, const char* type) {
  Simulator simulator;
  const auto module = simulator.load(ptx, "kernels.ptx");
  REQUIRE(module.ok());
  const std::vector<F> arguments = cudalabs::test::math_arguments<F>(1024);
  const auto count = static_cast<std::int32_t>(arguments.size());
  const std::size_t bytes = arguments.size() * sizeof(F);
  std::vector<F> others;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    others.push_back(arguments[(i * 7919 + 13) % arguments.size()]);
  const auto out = simulator.allocate(bytes), first = simulator.allocate(bytes),
             second = simulator.allocate(bytes);
  REQUIRE((out.ok() && first.ok() && second.ok()));
  std::memcpy(simulator.bytes(*first, bytes).data(), arguments.data(), bytes);
  std::memcpy(simulator.bytes(*second, bytes).data(), others.data(), bytes);
  std::vector<std::byte> parameters(28);
  std::memcpy(parameters.data(), &*out, 8);
  std::memcpy(parameters.data() + 8, &*first, 8);
  std::memcpy(parameters.data() + 16, &*second, 8);
  std::memcpy(parameters.data() + 24, &count, 4);
  for (const auto& function : cudalabs::test::math_functions<F>()) {
    INFO(function.name << " of " << type);
    const auto done = simulator.launch(**module, std::string(function.name) + "_" + type,
                                       {{static_cast<std::uint32_t>(count + 127) / 128, 1, 1}, {128, 1, 1}},
                                       parameters, {});
    REQUIRE(done.ok());
    REQUIRE(done->fault.kind == FaultKind::None);
    std::vector<F> made(arguments.size());
    std::memcpy(made.data(), simulator.bytes(*out, bytes).data(), bytes);
    std::size_t different = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const F expected = function.made(arguments[i], others[i]);
      if (distance(made[i], expected) == 0) continue;
      if (different++ == 0)
        UNSCOPED_INFO("at " << double{arguments[i]} << ", " << double{others[i]} << ": " << double{made[i]}
                            << ", not " << double{expected});
    }
    CHECK(different == 0);
  }
}

}  // namespace

TEST_CASE("math functions have the same bits on the device", "[device]") {
  if (compilers().empty()) WARN("skipped: needs clang");
  for (const std::string& compiler : compilers()) {
    INFO(compiler);
    const cudalabs::test::TemporaryFolder folder;
    const std::string out = folder.path() / "kernels.ptx";
    const auto compiled = compile(compiler, "device", "kernels.cu", out, {"-std=c++20"});
    INFO(compiled.err);
    REQUIRE(compiled.status == 0);
    const std::string ptx = cudalabs::test::read_file(out);
    check_kernels<float>(ptx, "float");
    check_kernels<double>(ptx, "double");
  }
}

TEST_CASE("a call means the math function that it means to nvcc", "[device]") {
  if (compilers().empty()) WARN("skipped: needs clang");
  for (const std::string& compiler : compilers()) {
    for (const bool device : {true, false}) {
      for (const bool after : {true, false}) {
        INFO(compiler << (device ? " device" : " host") << (after ? ", <cmath> after" : ", <cmath> before"));
        const cudalabs::test::TemporaryFolder folder;
        const std::string out = folder.path() / "overloads.s";
        const auto compiled =
            compile(compiler, device ? "device" : "host", "overloads.cu", out,
                    {after ? "-DCMATH_AFTER" : "-DCMATH_BEFORE", after ? "-std=c++20" : "-std=c++17"});
        INFO(compiled.err);
        REQUIRE(compiled.status == 0);
        if (device) CHECK(cudalabs::test::read_file(out).find(".extern .func") == std::string::npos);
      }
    }
  }
}
