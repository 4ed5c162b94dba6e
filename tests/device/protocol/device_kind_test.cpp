#include "grader/device/protocol/device_kind.h"

#include <filesystem>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot(CUDALABS_SOURCE);

}  // namespace

TEST_CASE("each kind of device has a name, a choice and a folder", "[kinds]") {
  for (const DeviceKindInfo& kind : kDeviceKinds) {
    INFO(kind.name);
    CHECK(&info_of(kind.kind) == &kind);
    CHECK(device_named(kind.name) == &kind);
    CHECK(device_chosen(kind.choice) == &kind);
    CHECK(kind.max_devices > 0);
    CHECK(fs::is_directory(kRoot / "grader" / "device" / "backends" / kind.name));
  }
  CHECK(device_named("auto") == nullptr);
  CHECK(device_chosen(DeviceChoice::Auto) == nullptr);
  CHECK_FALSE(is_device_kind(static_cast<DeviceKind>(kDeviceKinds.size())));
  CHECK(simulator_of(DeviceChoice::Auto) == DeviceKind::Simulator);
  CHECK(simulator_of(DeviceChoice::Gpu) == DeviceKind::Simulator);
}

TEST_CASE("only the table lists the kinds of devices", "[kinds]") {
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "grader")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".h") continue;
    const std::string text = test::read_file(entry.path());
    std::size_t named = 0;
    for (const DeviceKindInfo& kind : kDeviceKinds)
      named += text.find('"' + std::string(kind.name) + '"') != std::string::npos ? 1 : 0;
    INFO(entry.path());
    CHECK(named < kDeviceKinds.size());
    const bool both = text.find("DeviceKind::Simulator") != std::string::npos &&
                      text.find("DeviceKind::Gpu") != std::string::npos;
    CHECK_FALSE(both);
  }
}

}  // namespace cudalabs
