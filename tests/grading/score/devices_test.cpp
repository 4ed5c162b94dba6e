// The work of several devices: each must do half of its share.

#include "grader/grading/score/devices.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

LaunchRecord launch_on(std::uint32_t device, std::uint64_t instructions) {
  LaunchRecord launch;
  launch.device = device;
  launch.counters.warp_instructions = instructions;
  return launch;
}

TEST_CASE("a device that does less than half of its share is named", "[devices]") {
  Version version;
  version.name = "peer";
  CaseEvidence timed;
  timed.launches = {launch_on(0, 800)};
  CHECK_FALSE(idle_device(version, timed));

  version.devices = 2;
  auto remark = idle_device(version, timed);
  REQUIRE(remark);
  CHECK(remark->reason.english() ==
        "not what `peer` requires: device 1 runs 0 % of the kernels' instructions");
  timed.launches.push_back(launch_on(1, 100));
  CHECK(idle_device(version, timed));
  timed.launches.push_back(launch_on(1, 200));
  CHECK_FALSE(idle_device(version, timed));
}

}  // namespace
}  // namespace cudalabs
