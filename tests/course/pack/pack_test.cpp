// Courses in a file: grader/course/pack/.

#include "grader/course/pack/pack.h"

#include "grader/course/embedded_course.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

SigningKey key() {
  auto made = SigningKey::fresh();
  REQUIRE(made.ok());
  return *made;
}

std::string english(const Result<Pack>& pack) { return pack ? "no error" : pack.problem().message.english(); }

const std::string kDamaged = "the course is damaged, or was changed after it was signed";

}  // namespace

TEST_CASE("a pack gives back its files and names its signer") {
  const SigningKey mine = key(), other = key();
  const std::vector<PackedFile> files = {{"labs/b.txt", std::string(100'000, 'b')}, {"a.txt", ""}};
  const std::string bytes = write_pack(files, mine);
  CHECK(bytes == write_pack({files[1], files[0]}, mine));
  const auto pack = read_pack(bytes);
  REQUIRE(pack.ok());
  REQUIRE(pack->files.size() == 2);
  CHECK(pack->files[0].path == "a.txt");
  CHECK(pack->files[1].bytes == files[0].bytes);
  CHECK(pack->signer == signer_of(mine));
  CHECK(pack->signer != signer_of(other));
  CHECK(bytes.size() < 1000);

  const auto again = SigningKey::read(mine.text());
  REQUIRE(again.ok());
  CHECK(signer_of(*again) == signer_of(mine));
  for (const std::string text : {"", "cuda-labs key ", "cuda-labs key 12"})
    CHECK_FALSE(SigningKey::read(text).ok());
  CHECK_FALSE(SigningKey::read("cuda-labs key " + std::string(64, 'x')).ok());
}

TEST_CASE("no byte of a pack can be changed, and none left out") {
  const std::string bytes =
      write_pack({{"course.yaml", "name: own\n"}, {"labs/oracle.h", "// nothing\n"}}, key());
  REQUIRE(read_pack(bytes).ok());
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string changed = bytes;
    changed[k] ^= 1;
    const std::string why = english(read_pack(changed));
    INFO(k);
    if (k < 17)
      CHECK(why == "this is not the file of a course");
    else if (k < 19)
      CHECK(why == "another version of the grader has made this file of a course");
    else
      CHECK(why == kDamaged);
    CHECK_FALSE(read_pack(bytes.substr(0, k)).ok());
  }
  CHECK(english(read_pack(bytes + "x")) == kDamaged);
}

TEST_CASE("a pack's files stay in its folder, whoever has signed it") {
  for (const std::string path : {"../x", "a/../../x", "/etc/x", "a//b", "", ".", "a/.", "a/"}) {
    INFO(path);
    CHECK(english(read_pack(write_pack({{path, "x"}}, key()))) ==
          "the course has a file that it must not have: '" + path + "'");
  }
  CHECK_FALSE(read_pack(write_pack({{"a", "1"}, {"a", "2"}}, key())).ok());
  CHECK(read_pack(write_pack({{"a..b/..c", "1"}}, key())).ok());
}

}  // namespace cudalabs
