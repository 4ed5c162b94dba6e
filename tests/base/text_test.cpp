#include "grader/base/text.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("edit distance") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("flaot", "float") == 1);  // a swap counts as one mistake
  CHECK(edit_distance("Lab3", "lab3") == 0);
}

TEST_CASE("only a plausible misspelling is suggested") {
  const std::vector<std::string> names = {"global", "shared", "padded"};
  CHECK(nearest("shraed", names) == std::optional<std::string>("shared"));
  CHECK(nearest("pading", names) == std::optional<std::string>());
  CHECK(nearest("", names) == std::optional<std::string>());
  CHECK(nearest(std::string(1'000'000, 'x'), names) == std::optional<std::string>());
  CHECK(did_you_mean("gloabl", names) == "; did you mean 'global'?");
  CHECK(did_you_mean("zzz", names).empty());
}

TEST_CASE("numbers in names order as numbers") {
  CHECK(natural_less("variant2", "variant10"));
  CHECK_FALSE(natural_less("variant10", "variant2"));
  CHECK_FALSE(natural_less("variant2", "variant2"));
  CHECK(natural_less("lab2", "lab2b"));
  CHECK(natural_less("lab", "lab1"));
}

TEST_CASE("text from a submission is made safe to print") {
  CHECK(printable("plain text\nsecond line") == "plain text\nsecond line");
  CHECK(printable("naïve – ✓") == "naïve – ✓");
  CHECK(printable("\033[31mred\033[0m") == "?[31mred?[0m");
  CHECK(printable("a\tb") == "a   b");
  CHECK(printable("over\rwrite") == "overwrite");
  CHECK(printable(std::string("nul\0!", 5)) == "nul?!");
  CHECK(printable("\xff\xfe") == "??");
  CHECK(printable("\xc0\xaf") == "??");                           // overlong
  CHECK(printable("\xed\xa0\x80") == "???");                      // surrogate
  CHECK(printable("cut \xe2\x80") == "cut ??");                   // ends inside a character
  CHECK(printable("left \xe2\x80\xae right") == "left ? right");  // right-to-left override
  CHECK(printable("\xc2\x9b"
                  "31m") == "?31m");  // CSI as one C1 character
}

TEST_CASE("a document shows what its strings hold, and holds the same") {
  const std::string hostile =
      "a\xe2\x80\xae"
      "b\xe2\x81\xa6\xe2\x80\x8b\x7f\xc2\x9b\xd8\x9c\xef\xbb\xbf\xe2\x80\xa9";
  const std::string harmless = "naïve – ✓ \xf0\x9f\x99\x82 \\\" \n\x01";
  const nlohmann::json document = {{hostile, {hostile, harmless}}};
  const std::string text = document.dump(2), shown = steady_json(text);
  CHECK(printable(text) != text);
  CHECK(printable(shown) == shown);
  CHECK(shown.find(R"("a\u202eb\u2066\u200b\u007f\u009b\u061c\ufeff\u2029")") != std::string::npos);
  CHECK(nlohmann::json::parse(shown) == document);
  CHECK(steady_json(nlohmann::json(harmless).dump()) == nlohmann::json(harmless).dump());
  CHECK(steady_json("\xff\xe2\x80") == "\xff\xe2\x80");
}

TEST_CASE("a log shows each byte of a submission on one line") {
  CHECK(escaped_bytes("plain text, naïve – ✓") == "plain text, naïve – ✓");
  CHECK(escaped_bytes("two\nlines\tand\r") == "two\\nlines\\tand\\x0d");
  CHECK(escaped_bytes("\033[2J\a") == "\\x1b[2J\\x07");
  CHECK(escaped_bytes(std::string("nul\0!", 5)) == "nul\\x00!");
  CHECK(escaped_bytes("\xff\xc0\xaf") == "\\xff\\xc0\\xaf");
  CHECK(escaped_bytes("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // surrogate
  CHECK(escaped_bytes("cut \xe2\x80") == "cut \\xe2\\x80");   // ends inside a character
  CHECK(escaped_bytes("\xe2\x80\xae"
                      "right") == "\\u202eright");  // right-to-left override
  CHECK(escaped_bytes("\xc2\x9b"
                      "31m") == "\\u009b31m");  // CSI as one C1 character
  // No byte of any value leaves a line or reaches a terminal as a command.
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string shown = escaped_bytes(all);
  CHECK(printable(shown) == shown);
  CHECK(shown.find('\n') == std::string::npos);
  CHECK(escaped_bytes(shown) == shown);
}

TEST_CASE("parts are taken until a separator, which goes with them") {
  std::string_view text = "a,,bc";
  CHECK(take_until(text, ',') == "a");
  CHECK(take_until(text, ',').empty());
  CHECK(text == "bc");
  CHECK(take_until(text, ',') == "bc");
  CHECK(text.empty());
  CHECK(take_until(text, ',').empty());
}
