#include "grader/base/demangle.h"

#include <chrono>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// "S_", "S0_", ..., "SZ_", "S10_", ...: the n-th earlier component.
std::string part(int n) {
  static constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string digits;
  for (int left = n - 1; n > 0; left /= 36) {
    digits.insert(digits.begin(), kDigits[static_cast<std::size_t>(left % 36)]);
    if (left < 36) break;
  }
  return "S" + digits + "_";
}

/// f(A<int, int>, A<previous, previous>, ...): each parameter is twice as long as the previous one.
std::string doubling(int times) {
  std::string name = "_Z1f1AIiiE";
  for (int i = 1; i <= times; ++i) name += "S_I" + part(i) + part(i) + "E";
  return name;
}

}  // namespace

TEST_CASE("names are demangled as the runtime does it") {
  CHECK(demangled("_Z6kernelILi32EEvPKfPfii") == "void kernel<32>(float const*, float*, int, int)");
  CHECK(demangled("plain") == "plain");
  CHECK(demangled("s") == "s");
  CHECK(demangled("_Z") == "_Z");
  CHECK(demangled("_Znonsense") == "_Znonsense");
  CHECK(demangled(doubling(2)) ==
        "f(A<int, int>, A<A<int, int>, A<int, int> >, A<A<A<int, int>, A<int, int> >, "
        "A<A<int, int>, A<int, int> > >)");
}

TEST_CASE("what compilers add to local and static names is left out") {
  CHECK(demangled("_ZZ6appendiE4base_$_0") == "append(int)::base");
  CHECK(demangled("_ZZ6appendiE4base_$_12") == "append(int)::base");
  CHECK(demangled("_ZN32_INTERNAL_c26be240_6_un2_cu__Z1k5inner6hiddenE") == "inner::hidden");
  CHECK(demangled("_ZN35_INTERNAL_174849e2_5_un_cu_ab3418ba37_GLOBAL__N__174849e2_5_un_cu_ab3418ba4anonE") ==
        "(anonymous namespace)::anon");
  CHECK(demangled("plain_$_0") == "plain_$_0");
  CHECK(demangled("_ZZ4mainENK3$_0clEPi") == "main::$_0::operator()(int*) const");
}

TEST_CASE("a name that stands for gigabytes stays as it is, at once") {
  const auto begin = std::chrono::steady_clock::now();
  for (const int times : {12, 30, 300}) {
    const std::string name = doubling(times);
    REQUIRE(name.size() <= kLongestMangled);
    CHECK(demangled(name) == name);
  }
  const std::string longer = "_Z5000" + std::string(5000, 'x') + "v";
  CHECK(demangled(longer) == longer);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
}
