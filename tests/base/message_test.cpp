// Messages as values, and as the bytes that go over the wire.

#include "grader/base/message.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

constexpr TypedRow<signature_of("name:text count:integer ratio:real why:message")> kAll{
    {"all_kinds", RowKind::Error, "name:text count:integer ratio:real why:message",
     signature_of("name:text count:integer ratio:real why:message"),
     "{name}: {count, plural, one {# time} other {# times}}, {ratio}{why, select, none {} other {, because "
     "{why}}}"}};
constexpr TypedRow<signature_of("")> kNothing{
    {"nothing", RowKind::Advice, "", signature_of(""), "Do nothing."}};

const MessageRow* find(std::string_view id) {
  if (id == kAll.id) return &kAll;
  if (id == kNothing.id) return &kNothing;
  return id == kVerbatim.id ? &kVerbatim : nullptr;
}

Message nested(int depth) { return kAll("deep", 1, 1.0, depth == 0 ? Message() : nested(depth - 1)); }

}  // namespace

TEST_CASE("a message is its row and its arguments") {
  const Message one = kAll("out", 1, 0.5, Message());
  CHECK(one.id() == "all_kinds");
  CHECK(one.is(kAll));
  CHECK_FALSE(one.is(kNothing));
  CHECK(one == kAll("out", 1, 0.5, Message()));
  CHECK_FALSE(one == kAll("out", 2, 0.5, Message()));
  CHECK(one.english() == "out: 1 time, 0.5");
  CHECK(kAll("out", 2000, 0.1, verbatim("of x")).english() == "out: 2,000 times, 0.1, because of x");
  CHECK(Message().empty());
  CHECK(Message().english() == "");
  CHECK(Message().id() == "");
}

TEST_CASE("statements of a paragraph are separated by semicolons, sentences of advice by blanks") {
  Messages all = kAll("a", 1, 1.0, Message());
  all.add(verbatim("b"));
  all.add(Message());
  CHECK(all.size() == 2);
  CHECK(all.english() == "a: 1 time, 1; b");
  CHECK(all.contains(kAll));
  all.remove(verbatim("b"));
  CHECK(all == Messages(kAll("a", 1, 1.0, Message())));
  Messages advice = kNothing();
  advice.add(kNothing());
  CHECK(advice.english() == "Do nothing. Do nothing.");
}

TEST_CASE("a message comes back from its bytes as it was") {
  for (const Message& one : {kAll("x", -7, 1e300, Messages{kNothing(), verbatim("\0\xff text")}), kNothing(),
                             Message(), verbatim("by somebody else"), nested(4)}) {
    const auto back = unpacked(packed(one), find);
    REQUIRE(back);
    CHECK(*back == one);
  }
}

TEST_CASE("bytes that are no message are refused, wherever they are cut or changed") {
  const std::string bytes = packed(kAll("name", 3, 2.5, Messages{kNothing(), verbatim("why")}));
  for (std::size_t end = 0; end < bytes.size(); ++end) CHECK_FALSE(unpacked(bytes.substr(0, end), find));
  CHECK_FALSE(unpacked(bytes + "x", find));
  CHECK_FALSE(unpacked(packed(nested(9)), find));  // deeper than any honest message
  const auto nobody = [](std::string_view) -> const MessageRow* { return nullptr; };
  CHECK_FALSE(unpacked(bytes, nobody));
  // Other kinds and another number of arguments than the row has.
  std::vector<Argument> wrong{std::int64_t{1}, std::int64_t{1}, 1.0, Messages()};
  CHECK_FALSE(unpacked(packed({kAll, wrong}), find));
  CHECK_FALSE(unpacked(packed({kNothing, wrong}), find));
  // A changed byte gives another message of the table or none, and never a crash.
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[at] = value;
      if (const auto read = unpacked(changed, find)) CHECK(unpacked(packed(*read), find) == read);
    }
  }
}

}  // namespace cudalabs
