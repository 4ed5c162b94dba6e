#include "grader/compile/build_cache.h"

#include <filesystem>
#include <fstream>
#include <string>

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
  outcome.warnings = {{"row_max.cu", 3, 4, MessageKind::Warning, "text", "\xff source"}};
  outcome.entries = {{"global", "row_max_global", true, ""}, {"shared", "row_max_shared", false, "near"}};
  const auto kept = cache->keep("k", outcome, "program bytes");
  REQUIRE(kept.ok());
  auto found = cache->find("k");
  REQUIRE(found);
  CHECK(found->cached);
  CHECK(found->executable == kept->executable);
  CHECK(found->warnings[0].line == 3);
  CHECK(found->entries[1].near_miss == "near");
  std::ofstream(folder / "build/k/outcome.json") << "{ half";
  CHECK_FALSE(cache->find("k"));
  REQUIRE(cache->keep("k", outcome, "program bytes").ok());
  CHECK(cache->find("k"));
  fs::permissions(folder / "build", fs::perms::all);
  CHECK_FALSE(BuildCache::open(folder / "build").ok());
}
