#include "grader/diagnostics/table.h"

#include <algorithm>
#include <cctype>

#include "grader/diagnostics/po_file.h"

namespace cudalabs {
namespace {

// Texts contain a submission's output, so no row is searched for a longer text.
constexpr std::size_t kLongest = 64 << 10;
constexpr int kDeepest = 6;  // nested texts in holes

std::size_t one_or_more(std::string_view number) { return number == "1" ? 0 : 1; }

/// Plural forms: 1, 21, 31 ...; 2 to 4, 22 ... and fractions; all others.
std::size_t slavic(std::string_view number) {
  if (number.find('.') != std::string_view::npos) return 1;
  const auto digit = [&](std::size_t from_end) {
    return number.size() < from_end ? '0' : number[number.size() - from_end];
  };
  const char last = digit(1);
  if (digit(2) == '1' || last == '0' || last >= '5') return 2;
  return last == '1' ? 0 : 1;
}

/// A language whose plural rule differs from English.
struct Counting {
  std::string_view language;
  PluralRule rule;
  std::size_t forms;
};
constexpr Counting kCounting[] = {{"ru", slavic, 3}, {"uk", slavic, 3}, {"be", slavic, 3}};

Counting counting_of(std::string_view language) {
  const auto* const found = std::ranges::find(kCounting, language, &Counting::language);
  return found != std::end(kCounting) ? *found : Counting{language, one_or_more, 2};
}

}  // namespace

Result<MessageTable> MessageTable::read(std::string_view po, const std::string& language) {
  const Counting counting = counting_of(language);
  MessageTable table;
  table.rule_ = counting.rule;
  const std::string file = language + ".po";
  const auto rows = read_po(po, file);
  if (!rows) return rows.problem();
  for (const PoRow& row : *rows) {
    auto phrase = Phrase::make(row.id, row.text, counting.forms);
    if (!phrase) return Diagnostic{{file, row.line, 0}, phrase.problem().message, {}};
    table.phrases_.push_back(std::move(*phrase));
  }
  const auto wrong = [&](const std::string& what) { return Diagnostic{{file, 0, 0}, what, {}}; };
  std::ranges::stable_sort(table.phrases_, std::greater<>(), &Phrase::literal_size);
  for (std::size_t i = 0; i < table.phrases_.size(); ++i) {
    const Phrase& phrase = table.phrases_[i];
    if (!table.shapes_.emplace(phrase.shape(), i).second) return wrong("twice: \"" + phrase.english() + "\"");
    if (phrase.is_plain()) table.whole_.emplace(phrase.english(), i);
  }
  return table;
}

std::string MessageTable::fill(const Phrase& phrase, const std::vector<std::string_view>& holes,
                               int depth) const {
  return phrase.filled(holes, rule_,
                       [&](std::string_view text) { return translated_pieces(*this, text, depth + 1); });
}

std::string MessageTable::filled(const Phrase& phrase, const std::vector<std::string_view>& holes) const {
  return fill(phrase, holes, 0);
}

std::optional<std::string> MessageTable::find(std::string_view text, int depth) const {
  if (text.empty() || text.size() > kLongest || depth > kDeepest) return std::nullopt;
  if (const auto whole = whole_.find(std::string(text)); whole != whole_.end())
    return fill(phrases_[whole->second], {}, depth);
  for (const Phrase& phrase : phrases_) {
    if (phrase.is_plain()) continue;
    if (const auto holes = phrase.match(text)) return fill(phrase, *holes, depth);
  }
  return std::nullopt;
}

const Phrase* MessageTable::by_shape(std::string_view shape) const {
  const auto found = shapes_.find(std::string(shape));
  return found == shapes_.end() ? nullptr : &phrases_[found->second];
}

std::string translated_pieces(const MessageTable& table, std::string_view text, int depth) {
  if (text.size() > kLongest || depth > kDeepest) return std::string(text);
  if (auto whole = table.find(text, depth)) return *whole;
  // Blanks around the words are not part of a row.
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::string(text);
  const std::size_t last = text.find_last_not_of(' ') + 1;
  if (first > 0 || last < text.size())
    return std::string(text.substr(0, first)) +
           translated_pieces(table, text.substr(first, last - first), depth) + std::string(text.substr(last));
  for (const std::string_view between : {"\n", "; ", ". "}) {
    if (text.find(between) == std::string_view::npos) continue;
    std::string out;
    while (true) {
      const std::size_t end = text.find(between);
      if (end == std::string_view::npos) return out + translated_pieces(table, text, depth);
      const bool sentence = between.front() == '.';  // the full stop belongs to the sentence
      out += translated_pieces(table, text.substr(0, end + (sentence ? 1 : 0)), depth);
      out += between.substr(sentence ? 1 : 0);
      text.remove_prefix(end + between.size());
    }
  }
  return std::string(text);
}

}  // namespace cudalabs
