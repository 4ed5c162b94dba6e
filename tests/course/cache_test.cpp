#include "grader/course/cache.h"

#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;

TEST_CASE("a seal tells every flipped bit, every end cut off and every zero more") {
  for (const std::size_t size : {0u, 1u, 31u, 32u, 33u, 64u, 100u}) {
    std::string bytes;
    for (std::size_t k = 0; k < size; ++k) bytes += static_cast<char>('a' + k * k % 23);
    const std::string whole = sealed(bytes);
    CHECK(unsealed(whole) == bytes);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      CHECK_FALSE(unsealed(damaged));
    }
    for (std::size_t end = 0; end < whole.size(); ++end) CHECK_FALSE(unsealed(whole.substr(0, end)));
    CHECK_FALSE(unsealed(std::string(whole.size(), '\0')));
    CHECK(damage_digest(bytes) != damage_digest(bytes + '\0'));
  }
}

TEST_CASE("the digest of a file is that of its bytes") {
  const test::TemporaryFolder folder;
  std::string bytes;
  for (std::size_t k = 0; k < 700'001; ++k) bytes += static_cast<char>(k * k >> 7);
  const auto file = folder.path() / "file";
  REQUIRE(write_file_atomically(file, bytes).ok());
  const auto digest = damage_digest_of(file);
  REQUIRE(digest.ok());
  CHECK(*digest == damage_digest(bytes));
  CHECK(digest->size() == 16);
  CHECK_FALSE(damage_digest_of(folder.path() / "none").ok());
  CHECK_FALSE(damage_digest_of(folder.path()).ok());
}
