#include "grader/toolchain/inspect.h"

#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("names that a submission may not define, or use") {
  const auto defining = [](const std::string& name, bool global = true, bool defined = true) {
    return forbidden_symbol({{{name, defined, global, false, false}}, 0}).english();
  };
  CHECK(defining("main") ==
        "the submission defines main(), but the grader has its own; move yours to another file");
  for (const char* name : {"cudaMalloc", "__cudaLaunchKernel", "cuLaunchKernel", "write", "exit",
                           "cudalabs_serve", "_ZN8cudalabs6client4sendEv"}) {
    INFO(name);
    CHECK_FALSE(defining(name).empty());
  }
  for (const char* name :
       {"_Z5writei", "_Z4mainv", "_Z10cudaHelperi", "custom", "cu", "helper", "_Z14row_max_globalPKfPfii"}) {
    INFO(name);
    CHECK(defining(name).empty());
  }
  CHECK(defining("write", false).empty());             // static
  CHECK(defining("cudaMalloc", true, false).empty());  // used
  CHECK(defining("cudalabs_serve", true, false).find("uses cudalabs_serve") != std::string::npos);
}
