#include "grader/program/counters_json.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("one object a launch, in the words of the calibration table", "[counters_json]") {
  LaunchRecord record;
  record.kernel = "sh_stride<float, 2>";
  record.grid = {64, 1, 1};
  record.block = {256, 2, 1};
  record.counters.shared_load_wavefronts = 1024;
  record.counters.thread_instructions = 606208;
  record.bounds.issue = 1888;
  const auto all = nlohmann::ordered_json::parse(counters_json({record, record}));
  REQUIRE(all.size() == 2);
  const auto& one = all[0];
  CHECK(one["kernel"] == "sh_stride<float, 2>");
  CHECK(one["grid"] == "(64, 1, 1)");
  CHECK(one["block"] == "(256, 2, 1)");
  CHECK(one["shared_load_wavefronts"] == 1024);
  CHECK(one["thread_instructions"] == 606208);
  CHECK(one["time_ns"] == 1888);
  std::string names;
  for (const auto& [name, value] : one.items()) names += name + ",";
  CHECK(names ==
        "kernel,grid,block,shared_load_instructions,shared_load_wavefronts,shared_load_bank_conflicts,"
        "source_shared_load_instructions,source_shared_load_wavefronts,source_shared_load_bank_conflicts,"
        "shared_store_instructions,shared_store_wavefronts,shared_store_bank_conflicts,"
        "source_shared_store_instructions,source_shared_store_wavefronts,source_shared_store_bank_conflicts,"
        "global_load_requests,global_load_sectors,global_store_requests,global_store_sectors,"
        "warp_instructions,thread_instructions,time_ns,");
}

TEST_CASE("where several devices ran kernels each tells its own", "[counters_json]") {
  LaunchRecord first, second;
  second.device = 1;
  const auto both = nlohmann::json::parse(counters_json({first, second}));
  CHECK(both[0]["device"] == 0);
  CHECK(both[1]["device"] == 1);
  CHECK_FALSE(nlohmann::json::parse(counters_json({first}))[0].contains("device"));
}

TEST_CASE("a kernel name that is no UTF-8 does not break the file", "[counters_json]") {
  LaunchRecord record;
  record.kernel = "k\xff";
  CHECK(nlohmann::json::parse(counters_json({record})).size() == 1);
  CHECK(nlohmann::json::parse(counters_json({})).empty());
}
