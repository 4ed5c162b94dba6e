#include "grader/present/web/escape.h"

#include "grader/diagnostics/language.h"
#include "tests/harness/catch.h"

namespace cudalabs {

TEST_CASE("text on a page") {
  CHECK(html::escaped("a<b> & \"c\" 'd'").text() == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  CHECK(html::escaped("12345", 5).text() == "12345");
  CHECK(html::escaped("123456", 5).text() == "12345...");
  CHECK(html::escaped("<<<", 2).text() == "&lt;&lt;...");
  CHECK(html::escaped("äöü", 2).text() == "äö...");
  CHECK(html::escaped("\033[31m\xff").text() == "?[31m?");
  CHECK(html::prose("use `a<b>` and ` alone").text() == "use <code>a&lt;b&gt;</code> and ` alone");
  CHECK(html::prose("`a` `b`").text() == "<code>a</code> <code>b</code>");
}

TEST_CASE("words of the interface are translated, then escaped") {
  CHECK(html::word("accepted").text() == "accepted");
  CHECK(html::word("<b>").text() == "&lt;b&gt;");
  const LanguageScope russian("ru");
  CHECK(html::word("accepted").text() == "принято");
}

}  // namespace cudalabs
