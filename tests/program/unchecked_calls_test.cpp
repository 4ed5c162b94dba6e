// Which failed calls a program took no notice of.

#include "grader/program/unchecked_calls.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// The statement is the third line of a function.
bool drops(const std::string& statement) {
  const std::string source =
      "#define FREE(p) cudaFree(p)\nvoid f(float* p, bool b) {\n" + statement + "\n}\n";
  return drops_result(source, 3, "cudaFree");
}

}  // namespace

TEST_CASE("a call that is a statement by itself drops its result", "[problems]") {
  CHECK(drops("cudaFree(p);"));
  CHECK(drops("  b = true; ::cudaFree((p) ) ;"));
  CHECK(drops("/* a note */ cudaFree(p);  // (another"));
  CHECK(drops("if (b && (p != nullptr)) cudaFree(p);"));
  CHECK(drops("for (; b;) cudaFree(p);"));
  CHECK(drops("if (b) { } else cudaFree(p);"));
  CHECK(drops("cudaFree<float>(p);"));
  CHECK(drops("puts(\"= \\\"\"); cudaFree(p);"));
  CHECK(drops("cudaFree(\n  p\n);"));
}

TEST_CASE("a result that somebody gets is not dropped", "[problems]") {
  CHECK_FALSE(drops("check(cudaFree(p));"));
  CHECK_FALSE(drops("CHECK(\n"));
  CHECK_FALSE(drops("cudaError_t e = cudaFree(p);"));
  CHECK_FALSE(drops("return cudaFree(p);"));
  CHECK_FALSE(drops("if (cudaFree(p) != cudaSuccess) return;"));
  CHECK_FALSE(drops("cudaFree(p) == cudaSuccess || die();"));
  CHECK_FALSE(drops("(void)cudaFree(p);"));
  CHECK_FALSE(drops("static_cast<void>(cudaFree(p));"));
  CHECK_FALSE(drops("b ? f(p, b) : (void)cudaFree(p);"));
}

TEST_CASE("a line without the call tells nothing about it", "[problems]") {
  CHECK_FALSE(drops("FREE(p);"));
  CHECK_FALSE(drops("cudaFreeHost(p);"));
  CHECK_FALSE(drops("// cudaFree(p);"));
  CHECK_FALSE(drops("puts(\"; cudaFree(p);\");"));
  CHECK_FALSE(drops_result("#define FREE(p) cudaFree(p);", 1, "cudaFree"));
  CHECK_FALSE(drops_result("cudaFree(p);", 2, "cudaFree"));
  CHECK_FALSE(drops_result("cudaFree(p", 1, "cudaFree"));
  CHECK_FALSE(drops_result("", 1, "cudaFree"));
}

TEST_CASE("a program is told once of what it did not notice", "[problems]") {
  const auto failed = [](const char* call, const char* error, std::uint32_t line, bool asked = false) {
    ApiError one{call, error, {}};
    one.file = line == 0 ? "" : "a.cu";
    one.line = line;
    one.asked = asked;
    return one;
  };
  CallOutcome outcome;
  outcome.api_errors = {failed("cudaFree", "cudaErrorInvalidValue", 1),
                        failed("cudaFree", "cudaErrorInvalidValue", 1),
                        failed("cudaMalloc", "cudaErrorMemoryAllocation", 2, true),
                        failed("cudaFree", "cudaErrorInvalidValue", 0),
                        failed("cudaFree", "cudaErrorIllegalAddress", 1),
                        failed("cudaLaunchKernel", "cudaErrorInvalidValue", 3),
                        failed("cudaEventQuery", "cudaErrorNotReady", 4),
                        failed("cudaMalloc", "cudaErrorMemoryAllocation", 2)};
  const auto calls = unchecked_calls(outcome, [](const std::string& file) {
    return file == "a.cu" ? "cudaFree(p);\ncudaMalloc(&p, 8);\nk<<<1, 1>>>();\ncudaEventQuery(e);\n" : "";
  });
  REQUIRE(calls.size() == 2);
  CHECK(calls[0] == &outcome.api_errors[0]);
  CHECK(calls[1] == &outcome.api_errors.back());
}

}  // namespace cudalabs
