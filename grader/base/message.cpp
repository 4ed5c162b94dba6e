#include "grader/base/message.h"

#include <cstring>

namespace cudalabs {
namespace {

constexpr std::size_t kMaxText = std::size_t{64} << 10;
constexpr std::size_t kMaxList = 64;
constexpr int kMaxDepth = 6;

void put_size(std::string& out, std::size_t size) {
  const auto word = static_cast<std::uint32_t>(size);
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

void put_text(std::string& out, std::string_view text) {
  text = text.substr(0, kMaxText);
  put_size(out, text.size());
  out += text;
}

void put(std::string& out, const Message& message);

void put(std::string& out, const Argument& argument) {
  out += static_cast<char>('0' + argument.index());
  if (const auto* text = std::get_if<std::string>(&argument)) {
    put_text(out, *text);
  } else if (const auto* whole = std::get_if<std::int64_t>(&argument)) {
    out.append(reinterpret_cast<const char*>(whole), sizeof *whole);
  } else if (const auto* real = std::get_if<double>(&argument)) {
    out.append(reinterpret_cast<const char*>(real), sizeof *real);
  } else {
    const Messages& list = std::get<Messages>(argument);
    put_size(out, std::min(list.size(), kMaxList));
    for (std::size_t i = 0; i < list.size() && i < kMaxList; ++i) put(out, list[i]);
  }
}

void put(std::string& out, const Message& message) {
  put_text(out, message.id());
  put_size(out, message.arguments().size());
  for (const Argument& argument : message.arguments()) put(out, argument);
}

/// Reads what put() wrote, or what somebody made up: each read checks that the bytes are there.
class Unpacker {
 public:
  Unpacker(std::string_view bytes, RowFinder find) : rest_(bytes), find_(find) {}

  std::optional<Message> message(int depth) {
    std::string id;
    std::uint32_t count = 0;
    if (depth > kMaxDepth || !text(id) || !value(count) || count > kMaxArguments) return std::nullopt;
    if (id.empty()) return count == 0 ? std::optional<Message>(Message()) : std::nullopt;
    const MessageRow* const row = find_(id);
    if (row == nullptr || row->signature.count != count) return std::nullopt;
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < count; ++i) {
      auto one = argument(depth);
      if (!one || !fits(row->signature.kinds[i], *one)) return std::nullopt;
      arguments.push_back(std::move(*one));
    }
    return Message(*row, std::move(arguments));
  }
  [[nodiscard]] bool done() const { return rest_.empty(); }

 private:
  template <class T>
  bool value(T& into) {
    if (rest_.size() < sizeof into) return false;
    std::memcpy(&into, rest_.data(), sizeof into);
    rest_.remove_prefix(sizeof into);
    return true;
  }
  bool text(std::string& into) {
    std::uint32_t size = 0;
    if (!value(size) || size > kMaxText || size > rest_.size()) return false;
    into = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  std::optional<Argument> argument(int depth) {
    char tag = 0;
    if (!value(tag)) return std::nullopt;
    if (tag == '0') {
      std::string read;
      return text(read) ? std::optional<Argument>(std::move(read)) : std::nullopt;
    }
    if (tag == '1') {
      std::int64_t whole = 0;
      return value(whole) ? std::optional<Argument>(whole) : std::nullopt;
    }
    if (tag == '2') {
      double real = 0;
      return value(real) ? std::optional<Argument>(real) : std::nullopt;
    }
    std::uint32_t count = 0;
    if (tag != '3' || !value(count) || count > kMaxList) return std::nullopt;
    Messages list;
    for (std::uint32_t i = 0; i < count; ++i) {
      auto one = message(depth + 1);
      if (!one) return std::nullopt;
      list.add(std::move(*one));
    }
    return Argument(std::move(list));
  }

  std::string_view rest_;
  RowFinder find_;
};

constexpr Signature kOneText = signature_of("text:text");

}  // namespace

constinit const MessageRow kVerbatim{"verbatim", RowKind::Phrase, "text:text", kOneText, "{text}"};
constinit const MessageRow kCourseText{"course_text", RowKind::Phrase, "text:text places:message",
                                       signature_of("text:text places:message"), "{text}"};
constinit const MessageRow kFewBytes{"few_bytes", RowKind::Phrase, "count:integer",
                                     signature_of("count:integer"),
                                     "{count, plural, one {# byte} other {# bytes}}"};

Messages::Messages() = default;
Messages::Messages(const Messages&) = default;
Messages::Messages(Messages&&) noexcept = default;
Messages& Messages::operator=(const Messages&) = default;
Messages& Messages::operator=(Messages&&) noexcept = default;
Messages::~Messages() = default;
Messages::Messages(Message message) {
  if (!message.empty()) items_.push_back(std::move(message));
}
Messages::Messages(std::initializer_list<Message> messages) {
  for (const Message& message : messages) add(message);
}

bool Messages::empty() const { return items_.empty(); }
std::size_t Messages::size() const { return items_.size(); }
const Message& Messages::operator[](std::size_t index) const { return items_[index]; }
const Message* Messages::begin() const { return items_.data(); }
const Message* Messages::end() const { return items_.data() + items_.size(); }
void Messages::add(Messages messages) {
  for (Message& message : messages.items_) items_.push_back(std::move(message));
}
void Messages::clear() { items_.clear(); }
bool Messages::contains(const MessageRow& row) const {
  return std::ranges::any_of(items_, [&](const Message& message) { return message.is(row); });
}
bool Messages::contains(const Message& message) const {
  return std::ranges::find(items_, message) != items_.end();
}
void Messages::remove(const Message& message) { std::erase(items_, message); }
bool Messages::operator==(const Messages& other) const { return items_ == other.items_; }

Message verbatim(std::string text) {
  if (text.empty()) return {};
  std::vector<Argument> arguments;
  arguments.emplace_back(std::move(text));
  return {kVerbatim, std::move(arguments)};
}

Message course_text(std::string text, Messages places) {
  std::vector<Argument> arguments;
  arguments.emplace_back(std::move(text));
  arguments.emplace_back(std::move(places));
  return {kCourseText, std::move(arguments)};
}

bool fits(ArgumentKind kind, const Argument& argument) {
  switch (kind) {
    case ArgumentKind::Text:
    case ArgumentKind::Words: return std::holds_alternative<std::string>(argument);
    case ArgumentKind::Integer: return std::holds_alternative<std::int64_t>(argument);
    case ArgumentKind::Real: return std::holds_alternative<double>(argument);
    case ArgumentKind::List: return std::holds_alternative<Messages>(argument);
  }
  return false;
}

std::string packed(const Message& message) {
  std::string out;
  put(out, message);
  return out;
}

std::optional<Message> unpacked(std::string_view bytes, RowFinder find) {
  Unpacker reader(bytes, find);
  auto message = reader.message(0);
  return message && reader.done() ? message : std::nullopt;
}

}  // namespace cudalabs
