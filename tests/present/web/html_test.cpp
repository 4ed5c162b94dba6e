#include "grader/present/web/html.h"

#include <string>

#include "grader/present/web/escape.h"
#include "tests/harness/catch.h"

namespace cudalabs::html {
namespace {

// No text of anybody else becomes markup, whichever way.
template <class T>
concept IsAdded = requires(Html html, T text) {
  html += text;
};
template <class T>
concept IsJoined = requires(Html html, T text) {
  html + text;
};
template <class T>
concept IsFormatted = requires(const T& text) {
  format("{}", text);
};
template <class T>
concept IsMarkup = requires(const T& text) {
  markup("<p>{}</p>", text);
};
template <class T>
constexpr bool is_kept_out = !std::is_constructible_v<Html, T> && !std::is_convertible_v<T, Piece> &&
                             !IsAdded<T> && !IsJoined<T> && !IsFormatted<T> && !IsMarkup<T>;
static_assert(is_kept_out<std::string> && is_kept_out<std::string&> && is_kept_out<const std::string&> &&
              is_kept_out<std::string_view>);
static_assert(!IsFormatted<const char*> && !IsMarkup<const char*> && !IsFormatted<char> && !IsMarkup<char>);
static_assert(IsAdded<Html> && IsJoined<Html> && IsFormatted<Html> && IsMarkup<Html>);
static_assert(IsFormatted<int> && IsFormatted<double> && IsFormatted<std::size_t> && IsFormatted<Piece>);

}  // namespace

TEST_CASE("markup is made of literals, numbers, markup and escaped text") {
  const std::string hostile = "<script>alert('x')</script>";
  Html page("<p>");
  page += escaped(hostile);
  page += "</p>";
  CHECK(page.text() == "<p>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>");
  CHECK((Piece("<b>") + escaped("a & b") + "</b>").text() == "<b>a &amp; b</b>");
  const Html row = format("<td class=\"{}\">{:.1f} of {} {}</td>", Piece("of"), 2.25, 3, escaped(hostile, 4));
  CHECK(row.text() == "<td class=\"of\">2.2 of 3 &lt;scr...</td>");
  CHECK(format("{0}{1}{0}", Html("<i>"), escaped("{}")).text() == "<i>{}<i>");
  CHECK(Html().empty());
  CHECK_FALSE(page.empty());
  CHECK(format("<p>{}</p>", escaped("x")) == Html("<p>x</p>"));
}

TEST_CASE("an attribute holds escaped text, whatever it is") {
  const Html tag = format("<a title=\"{}\">", escaped("\" onclick=\"x' `&\n\x1b"));
  CHECK(tag.text() == "<a title=\"&quot; onclick=&quot;x&#39; `&amp;\n?\">");
}

TEST_CASE("translated markup keeps its values") {
  CHECK(markup("<h2>Points</h2>{}", escaped("<Points>")).text() == "<h2>Points</h2>&lt;Points&gt;");
  const LanguageScope russian("ru");
  CHECK(markup("<h2>Points</h2>{}", escaped("<Points>")).text() == "<h2>Баллы</h2>&lt;Points&gt;");
  CHECK(markup("<small>of {} points</small>", 5).text() == "<small>из 5 баллов</small>");
}

}  // namespace cudalabs::html
