#include "grader/base/sha256.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("SHA-256 gives the published digests") {
  CHECK(Sha256().hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256().add("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256().add(std::string(1000000, 'a')).hex() ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(Sha256().add_part("ab").add_part("c").hex() != Sha256().add_part("a").add_part("bc").hex());
}

TEST_CASE("SHA-256 is the same however bytes are cut") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 37 + i / 7);
  for (std::size_t size : {0, 1, 55, 56, 63, 64, 65, 127, 128, 200, 1000}) {
    CAPTURE(size);
    const std::string_view bytes = std::string_view(text).substr(0, size);
    const std::string whole = Sha256().add(bytes).hex();
    CHECK(Sha256().add(bytes).hex() == whole);
    for (std::size_t cut : {1, 64, 100}) {
      const std::size_t first = std::min(cut, size);
      CHECK(Sha256().add(bytes.substr(0, first)).add(bytes.substr(first)).hex() == whole);
    }
  }
  CHECK(Sha256().add("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
