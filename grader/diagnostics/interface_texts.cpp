#include "grader/diagnostics/interface_texts.h"

#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/course.h"
#include "grader/diagnostics/po_file.h"

namespace cudalabs {
namespace {

constexpr std::string_view kHole = "{}";

std::size_t holes_in(std::string_view format) {
  std::size_t holes = 0;
  for (std::size_t at = format.find(kHole); at != std::string_view::npos; at = format.find(kHole, at + 2))
    ++holes;
  return holes;
}

/// The holes are texts, and a plural reads the number in one of them.
std::string parameters_of(std::size_t holes) {
  std::string parameters;
  for (std::size_t hole = 1; hole <= holes; ++hole)
    parameters += (hole > 1 ? " " : "") + std::to_string(hole) + ":integer";
  return parameters;
}

constexpr MessageRow kText{"interface_text", RowKind::Phrase, "", {}, ""};

constexpr Signature all_words() {
  Signature signature;
  signature.kinds.fill(ArgumentKind::Words);
  return signature;
}
constexpr MessageRow kWords{"text_of_words", RowKind::Phrase, "", all_words(), ""};

}  // namespace

Result<InterfaceTexts> InterfaceTexts::read(std::string_view po, const std::string& language,
                                            const std::string& file) {
  const auto rows = read_po(po, file);
  if (!rows) return rows.problem();
  InterfaceTexts texts;
  texts.rules_ = &counting_rules(language);
  for (const PoRow& row : *rows) {
    const Location where{file, row.line, 0};
    const std::size_t holes = holes_in(row.id);
    std::string problem;
    auto text = MessageTemplate::read(row.text, parameters_of(holes), problem);
    if (text == nullptr) return Diagnostic{where, msg::own_words_wrong(row.id, problem), {}};
    if (!texts.rows_.emplace(row.id, Row{holes, std::move(*text)}).second)
      return Diagnostic{where, msg::message_translated_twice(row.id), msg::remove_one_of_two_rows()};
  }
  return texts;
}

std::optional<std::string> InterfaceTexts::find(const std::string& format,
                                                const std::vector<std::string>& holes) const {
  const auto row = rows_.find(format);
  if (row == rows_.end() || row->second.holes != holes.size()) return std::nullopt;
  static const MessageTemplate::Inside inside{[](const Messages& messages) { return messages.english(); },
                                              [](const std::string& words) { return words; }};
  return row->second.text.render(kText, {holes.begin(), holes.end()}, *rules_, inside);
}

std::optional<std::string> InterfaceTexts::find(
    const std::string& text, const Messages& places,
    const std::function<std::string(const std::string&)>& words) const {
  const auto row = rows_.find(text);
  if (row == rows_.end() || row->second.holes != places.size() || places.size() > kMaxArguments)
    return std::nullopt;
  std::vector<Argument> values;
  for (const Message& place : places) {
    const bool is_number = place.is(msg::course_number);
    if (!is_number && !place.is(msg::course_word)) return std::nullopt;
    values.push_back(place.arguments()[0]);
  }
  const MessageTemplate::Inside inside{[](const Messages& messages) { return messages.english(); }, words};
  return row->second.text.render(kWords, values, *rules_, inside);
}

std::vector<std::string> InterfaceTexts::formats() const {
  std::vector<std::string> all;
  for (const auto& [format, row] : rows_) all.push_back(format);
  return all;
}

}  // namespace cudalabs
