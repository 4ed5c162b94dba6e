#include "grader/toolchain/build_cache.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace fs = std::filesystem;
using namespace cudalabs;

TEST_CASE("the cache keeps outcomes whole, and damage is a miss") {
  const test::TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
  const auto cache = BuildCache::open(folder / "build");
  REQUIRE(cache.ok());
  CHECK_FALSE(cache->find("k"));
  BuildOutcome outcome;
  outcome.warnings = {{"row_max.cu", 3, 4, MessageKind::Warning, verbatim("text"), "\xff source"}};
  outcome.entries = {{"global", "row_max_global", true, {}},
                     {"shared", "row_max_shared", false, verbatim("near")}};
  const auto kept = cache->keep("k", outcome, "program bytes");
  REQUIRE(kept.ok());
  auto found = cache->find("k");
  REQUIRE(found);
  CHECK(found->cached);
  CHECK(found->executable == kept->executable);
  CHECK(found->warnings[0].line == 3);
  CHECK(found->entries[1].near_miss.english() == "near");
  std::ofstream(folder / "build/k/outcome.json") << "{ half";
  CHECK_FALSE(cache->find("k"));
  REQUIRE(cache->keep("k", outcome, "program bytes").ok());
  CHECK(cache->find("k"));
  fs::permissions(folder / "build", fs::perms::all);
  CHECK_FALSE(BuildCache::open(folder / "build").ok());
}

TEST_CASE("what is damaged in the cache is not there, and is replaced") {
  const test::TemporaryFolder temporary;
  const auto cache = BuildCache::open(temporary.path() / "build");
  REQUIRE(cache.ok());
  const std::string program(70'000, 'p');
  const auto damaged = [](std::string bytes, const std::string& how) {
    if (how == "empty") return std::string();
    if (how == "half") return bytes.substr(0, bytes.size() / 2);
    if (how == "zeros") return std::string(bytes.size(), '\0');
    if (how == "longer") return bytes + '\0';
    bytes[bytes.size() / 3] ^= 4;
    return bytes;
  };
  for (const char* how : {"empty", "half", "zeros", "longer", "flipped"}) {
    INFO(how);
    for (const char* file : {"k/program", "k/outcome.json"}) {
      INFO(file);
      REQUIRE(cache->keep("k", {}, program).ok());
      REQUIRE(cache->find("k"));
      const fs::path path = temporary.path() / "build" / file;
      const std::string bytes = damaged(test::read_file(path), how);
      std::ofstream(path, std::ios::binary) << bytes;
      CHECK_FALSE(cache->find("k"));
      const auto again = cache->keep("k", {}, program);
      REQUIRE(again.ok());
      CHECK(test::read_file(again->executable) == program);
      CHECK(cache->find("k"));
    }
    REQUIRE(cache->keep_part("k", "object").ok());
    CHECK(cache->find_part("k") == "object");
    const fs::path part = temporary.path() / "build/k.part";
    const std::string bytes = damaged(test::read_file(part), how);
    std::ofstream(part, std::ios::binary) << bytes;
    CHECK_FALSE(cache->find_part("k"));
  }
}

TEST_CASE("what was used just now stays, however much of it there is") {
  const test::TemporaryFolder temporary;
  const auto cache = BuildCache::open(temporary.path() / "build");
  REQUIRE(cache.ok());
  for (int i = 0; i < 300; ++i) REQUIRE(cache->keep(std::to_string(i), {}, "program").ok());
  for (int i = 0; i < 300; ++i) CHECK(cache->find(std::to_string(i)));
}

TEST_CASE("two that prune one cache take away what is old, once") {
  const test::TemporaryFolder temporary;
  const auto cache = BuildCache::open(temporary.path() / "build");
  REQUIRE(cache.ok());
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 256; ++i) {
    REQUIRE(cache->keep(std::to_string(i), {}, "program").ok());
    fs::last_write_time(temporary.path() / "build" / std::to_string(i), now - std::chrono::hours(1000 - i));
  }
  std::vector<std::thread> graders;
  std::atomic<int> kept{0};
  for (int g = 0; g < 4; ++g) {
    graders.emplace_back([&cache, &kept, g] {
      for (int i = 0; i < 20; ++i)
        kept += cache->keep("g" + std::to_string(g) + "-" + std::to_string(i), {}, "program").ok();
    });
  }
  for (auto& grader : graders) grader.join();
  CHECK(kept == 80);
  int fresh = 0, whole = 0, all = 0;
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 20; ++i)
      fresh += cache->find("g" + std::to_string(g) + "-" + std::to_string(i)).has_value();
  for (const auto& entry : fs::directory_iterator(temporary.path() / "build")) {
    if (entry.path().filename().string().starts_with(".prune")) continue;
    ++all;
    whole += fs::exists(entry.path() / "outcome.json");
  }
  CHECK(fresh == 80);
  CHECK(whole == all);
  CHECK(all <= 256 + 80);
  CHECK(all >= 192);
}
