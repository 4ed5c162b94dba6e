#include "grader/toolchain/code/unnamed_variables.h"

#include "tests/harness/catch.h"
#include "tests/toolchain/bench.h"

namespace cudalabs {

TEST_CASE("a namespace without a name is seen in a source", "[unnamed]") {
  for (const char* text :
       {"namespace {", "namespace{}", "int i; namespace\n\t{ }", "inline namespace a {} namespace {",
        "namespace /* ours */ {", "namespace [[maybe_unused]] {"})
    CHECK(has_unnamed_namespace(text));
  for (const char* text :
       {"", "namespace", "namespace a {}", "using namespace std;", "namespace cg = cooperative_groups;"})
    CHECK_FALSE(has_unnamed_namespace(text));
}

TEST_CASE("variables of such namespaces become visible, and nothing else does", "[unnamed]") {
  CHECK(with_visible_variables(
            "@_ZN12_GLOBAL__N_11cE = internal addrspace(4) global [4 x float] zeroinitializer, align 4\n") ==
        "@_ZN12_GLOBAL__N_11cE = addrspace(4) externally_initialized global [4 x float] zeroinitializer, "
        "align 4\n");
  CHECK(with_visible_variables(
            "@_ZN12_GLOBAL__N_11dE = internal addrspace(1) externally_initialized global i32 0") ==
        "@_ZN12_GLOBAL__N_11dE = addrspace(1) externally_initialized global i32 0");
  for (const char* text :
       {"", "\n", "@_ZN12_GLOBAL__N_11sE = internal addrspace(3) global [4 x float] undef\n",
        "@_ZL1c = internal addrspace(4) global [4 x float] zeroinitializer\n",
        "define internal void @_ZN12_GLOBAL__N_11fEv() {\n",
        "  %1 = load float, ptr @_ZN12_GLOBAL__N_11cE\n"})
    CHECK(with_visible_variables(text) == text);
}

}  // namespace cudalabs
