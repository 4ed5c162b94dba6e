// Modules in which some kernels use instructions that the simulator does not support.

#include "grader/device/backends/simulator/refused_kernels.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A kernel that ends at once; `with`: additional contents.
std::string kernel(const std::string& name, const std::string& with = "") {
  return ".visible .entry " + name +
         "(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" + with + "ret;\n}\n";
}
const std::string kQuery = "txq.width.b32 %r1, [%rd2];\n";

}  // namespace

TEST_CASE("a kernel that cannot run leaves the others alone") {
  sim::Simulator simulator;
  const auto loaded = load_what_can_run(simulator,
                                        kHead + kernel("before") + kernel("bad", "{ " + kQuery + "}\n") +
                                            kernel("between") + kernel("worse", kQuery) + kernel("after"),
                                        "two.ptx");
  REQUIRE(loaded);
  CHECK(loaded->module->kernels().size() == 5);
  REQUIRE(loaded->refused.size() == 2);
  CHECK(
      loaded->refused.at("bad").english().starts_with("two.ptx:16:3: the simulator does not support 'txq'"));
  CHECK(loaded->refused.at("worse").english().starts_with(
      "two.ptx:32:1: the simulator does not support 'txq'"));
}

TEST_CASE("a module without a kernel that can run is refused, and so is what is wrong elsewhere") {
  sim::Simulator simulator;
  const auto alone = load_what_can_run(simulator, kHead + kernel("bad", kQuery), "one.ptx");
  REQUIRE_FALSE(alone);
  CHECK(alone.problem().text().find("the simulator does not support 'txq'") != std::string::npos);
  const auto function =
      load_what_can_run(simulator,
                        kHead + ".func helper()\n{\n.reg .f32 %f<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
                            kQuery + "ret;\n}\n" + kernel("good"),
                        "f.ptx");
  REQUIRE_FALSE(function);
  CHECK(function.problem().where.line == 9);
  for (const std::string& broken :
       {kHead + ".entry k(", kHead + kernel("k") + "}", std::string("{"), kHead + ".entry k() { txq.width"}) {
    INFO(broken);
    CHECK_FALSE(load_what_can_run(simulator, broken, "broken.ptx"));
  }
}

}  // namespace cudalabs
