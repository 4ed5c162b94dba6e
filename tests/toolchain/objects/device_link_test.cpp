#include "grader/toolchain/objects/device_link.h"

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// A member as ar writes it: a header of 60 bytes, and the contents padded to an even size.
std::string archive_member(std::string name, const std::string& bytes) {
  std::string size = std::to_string(bytes.size());
  name.resize(48, ' ');
  size.resize(10, ' ');
  return name + size + "`\n" + bytes + (bytes.size() % 2 == 1 ? "\n" : "");
}

const std::string kElf =
    "\x7f"
    "ELF";

}  // namespace

TEST_CASE("the objects of an archive are found, whatever their names' length") {
  const std::string archive = "!<arch>\n" + archive_member("/", "the symbols") +
                              archive_member("//", "a_name_that_is_long.o/\nanother.o/\n") +
                              archive_member("there.o/", kElf + "1") +
                              archive_member("notes.txt/", "no object") + archive_member("/0", kElf + "22") +
                              archive_member("/23", kElf + "3");
  const auto objects = objects_in("lib.a", archive);
  REQUIRE(objects.size() == 3);
  CHECK(objects[0].name == "lib.a(there.o)");
  CHECK(objects[0].bytes == kElf + "1");
  CHECK(objects[1].name == "lib.a(a_name_that_is_long.o)");
  CHECK(objects[1].bytes == kElf + "22");
  CHECK(objects[2].name == "lib.a(another.o)");
  // A truncated archive gives its remaining members.
  for (std::size_t length = 0; length < archive.size(); ++length)
    CHECK(objects_in("lib.a", archive.substr(0, length)).size() <= 3);
  CHECK(objects_in("lib.a", "!<arch>\n" + archive_member("/99999", kElf)).front().name == "lib.a()");
}

TEST_CASE("a file that is no object holds none, and nothing waits for the device's linker") {
  CHECK(objects_in("a.txt", "text").empty());
  const auto objects = objects_in("a.o", kElf + "and no more");
  REQUIRE(objects.size() == 1);
  const auto linked = link_device_code(objects, 80, "image");
  REQUIRE(linked.ok());
  CHECK_FALSE(linked->has_value());
}
