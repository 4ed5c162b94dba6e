#include "grader/compile/sha256.h"

#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("SHA-256 gives the published digests") {
  CHECK(Sha256().hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256().add("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256().add(std::string(1000000, 'a')).hex() ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(Sha256().add_part("ab").add_part("c").hex() != Sha256().add_part("a").add_part("bc").hex());
}
