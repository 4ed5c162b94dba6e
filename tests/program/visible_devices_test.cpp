#include "grader/program/visible_devices.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers seen(const char* count, const char* visible) {
  const auto devices = visible_devices(count, visible);
  REQUIRE(devices.ok());
  return *devices;
}

}  // namespace

TEST_CASE("all devices are seen unless CUDA_VISIBLE_DEVICES chooses", "[devices]") {
  CHECK(seen("1", nullptr) == Numbers{0});
  CHECK(seen("3", nullptr) == Numbers{0, 1, 2});
  CHECK(seen("16", nullptr).size() == 16);
  CHECK(seen("3", "2,0") == Numbers{2, 0});
  CHECK(seen("3", "1") == Numbers{1});
  // With one device, a server's own setting is ignored.
  CHECK(seen("1", "5") == Numbers{0});
  CHECK(seen("1", "") == Numbers{0});
}

TEST_CASE("the list is read as CUDA's driver reads it", "[devices]") {
  CHECK(seen("2", "1,-1,0") == Numbers{1});
  CHECK(seen("2", "0,5,1") == Numbers{0});
  CHECK(seen("2", "0,abc") == Numbers{0});
  CHECK(seen("2", " 1") == Numbers{1});
  CHECK(seen("2", "+1") == Numbers{1});
  CHECK(seen("2", "0x1") == Numbers{0});
  CHECK(seen("2", "1,") == Numbers{1});
}

TEST_CASE("a list that names no device, or one twice", "[devices]") {
  for (const char* list : {"", "2", "-1", "abc", "GPU-1", ",0", "99999999999999999999"}) {
    const auto devices = visible_devices("2", list);
    REQUIRE_FALSE(devices.ok());
    CHECK(devices.problem().message.english() ==
          std::string("CUDA_VISIBLE_DEVICES=") + list + " names none of the 2 devices");
  }
  const auto twice = visible_devices("2", "1,0,1");
  REQUIRE_FALSE(twice.ok());
  CHECK(twice.problem().message.english() ==
        "CUDA_VISIBLE_DEVICES=1,0,1 names device 1 twice, so no CUDA program can run");
}

TEST_CASE("a number of devices is one from 1 to 16", "[devices]") {
  for (const char* count : {"", "0", "17", "-1", "x", "2x", " 2", "4294967297", "99999999999999999999"}) {
    INFO(count);
    const auto devices = visible_devices(count, nullptr);
    REQUIRE_FALSE(devices.ok());
    CHECK(devices.problem().message.english() == "--devices needs a number from 1 to 16");
  }
}

}  // namespace cudalabs
