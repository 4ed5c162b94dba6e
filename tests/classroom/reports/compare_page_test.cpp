#include "grader/classroom/reports/compare_page.h"

#include <array>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("Two files stand side by side, whatever is in them", "[batch]") {
  const std::string left = "int best = a[0];\n</code><script>x</script>\n", right = "int m = b[0];\n";
  const std::array<std::string_view, 1> stub{"// given\n"};
  const std::string page = compare_page({"Ada <A>", left}, {"Bob", right}, 0.876, stub);
  for (const char* const piece :
       {"<h1>Ada &lt;A&gt; and Bob</h1>", "88 % of their code in common",
        "≈ 1</td><td class=\"renamed\"><code>int best", "&lt;/code&gt;&lt;script&gt;",
        "<p>Ada &lt;A&gt;: 1 of 2 lines of its own", "<p>Bob: 1 of 1 lines of its own"}) {
    INFO(piece);
    CHECK(page.find(piece) != std::string::npos);
  }
  CHECK(page.find("<script") == std::string::npos);
  const std::string long_line(1'000'000, 'x');
  CHECK(compare_page({"a", long_line}, {"b", long_line}, 1, {}).size() < 50'000);
  CHECK(compare_page({"", ""}, {"", ""}, 0.999, {}).find(">99 % of their code") != std::string::npos);
}
