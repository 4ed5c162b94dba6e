#include "grader/diagnostics/phrase.h"

#include <algorithm>
#include <cctype>

namespace cudalabs {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the number at the beginning of the text: digits, with '.' or ',' between two of them.
std::size_t number_size(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() &&
         (is_digit(text[size]) || (size > 0 && (text[size] == '.' || text[size] == ',') &&
                                   size + 1 < text.size() && is_digit(text[size + 1]))))
    ++size;
  return size;
}

}  // namespace

Result<Phrase> Phrase::make(std::string_view english, std::string_view other, std::size_t forms) {
  Phrase phrase;
  phrase.english_ = english;
  const auto add_text = [](std::vector<Piece>& pieces, char c) {
    if (pieces.empty() || pieces.back().kind != Kind::Text) pieces.push_back({});
    pieces.back().text += c;
  };
  for (std::size_t i = 0; i < english.size(); ++i) {
    const std::string_view rest = english.substr(i);
    const Kind kind = rest.starts_with("{}")    ? Kind::Any
                      : rest.starts_with("{!}") ? Kind::Raw
                      : rest.starts_with("{n}") ? Kind::Number
                      : rest.starts_with("{*}") ? Kind::Further
                      : rest.starts_with("{s}") ? Kind::Plural
                                                : Kind::Text;
    if (kind == Kind::Text) {
      add_text(phrase.pieces_, english[i]);
      phrase.shape_ += english[i];
      ++phrase.literal_size_;
      continue;
    }
    const bool wild = kind == Kind::Any || kind == Kind::Raw || kind == Kind::Further;
    if (wild && !phrase.pieces_.empty() && phrase.pieces_.back().kind != Kind::Text)
      phrase.format_only_ = true;
    phrase.pieces_.push_back({kind, {}, 0, {}});
    phrase.shape_ += "{}";
    phrase.counted_.push_back(kind != Kind::Plural);
    if (kind != Kind::Plural) phrase.kinds_.push_back(kind);
    i = english.find('}', i);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (other[i] != '{') {
      add_text(phrase.translation_, other[i]);
      continue;
    }
    const std::size_t end = std::min(other.find('}', i), other.size());
    std::string_view inside = other.substr(i + 1, end - i - 1);
    Piece piece{Kind::Any, {}, next, {}};
    const std::size_t digits = number_size(inside);
    if (digits > 1 || end == other.size())
      return error("a hole that there is not: " + std::string(other.substr(i)));
    if (digits == 1) {
      piece.hole = static_cast<std::size_t>(inside.front() - '1');
    } else {
      ++next;
    }
    inside.remove_prefix(digits);
    while (inside.starts_with('|')) {
      const std::size_t bar = std::min(inside.find('|', 1), inside.size());
      piece.forms.emplace_back(inside.substr(1, bar - 1));
      inside.remove_prefix(bar);
    }
    if (!inside.empty() || piece.hole >= phrase.kinds_.size())
      return error("a hole that there is not: " + std::string(other.substr(i, end + 1 - i)));
    if (!piece.forms.empty() && piece.forms.size() != forms)
      return error("not the forms that the language has: " + std::string(other.substr(i, end + 1 - i)));
    phrase.translation_.push_back(std::move(piece));
    i = end;
  }
  return phrase;
}

/// Matches the pieces from left to right. A hole that did not fit from one place does not fit from any later
/// place, so each piece tries each place once.
class Phrase::Match {
 public:
  Match(const std::vector<Piece>& pieces, std::string_view text)
      : pieces_(pieces), text_(text), hopeless_from_(pieces.size(), text.size() + 1) {}

  std::optional<std::vector<std::string_view>> find() {
    if (!fits(0, 0)) return std::nullopt;
    std::ranges::reverse(holes_);
    return std::move(holes_);
  }

 private:
  bool fits(std::size_t piece, std::size_t at) {
    if (piece == pieces_.size()) return at == text_.size();
    const std::string_view rest = text_.substr(at);
    const auto keep = [&](std::size_t size) {
      holes_.push_back(rest.substr(0, size));
      return true;
    };
    switch (pieces_[piece].kind) {
      case Kind::Text:
        return rest.starts_with(pieces_[piece].text) && fits(piece + 1, at + pieces_[piece].text.size());
      case Kind::Number: {
        const std::size_t size = number_size(rest);
        return size > 0 && fits(piece + 1, at + size) && keep(size);
      }
      case Kind::Plural: return (rest.starts_with('s') && fits(piece + 1, at + 1)) || fits(piece + 1, at);
      case Kind::Any:
      case Kind::Raw:
      case Kind::Further: break;
    }
    if (rest.empty() || at >= hopeless_from_[piece]) return false;
    // A copied hole is at most one statement, because the text after it is translated.
    const std::size_t most =
        pieces_[piece].kind == Kind::Any ? std::min(rest.find("; "), rest.size()) : rest.size();
    if (piece + 1 == pieces_.size()) return most == rest.size() && keep(most);
    const Piece& next = pieces_[piece + 1];  // no hole of this kind; make() ensures that
    for (std::size_t size = 1; size <= most; ++size) {
      if (next.kind == Kind::Text) {
        size = rest.find(next.text, size);
        if (size > most) break;
      } else if (next.kind == Kind::Number && is_digit(rest[size - 1])) {
        continue;  // inside a number
      }
      if (fits(piece + 1, at + size)) return keep(size);
    }
    hopeless_from_[piece] = at;
    return false;
  }

  const std::vector<Piece>& pieces_;
  std::string_view text_;
  std::vector<std::size_t> hopeless_from_;
  std::vector<std::string_view> holes_;  ///< in reverse order
};

std::optional<std::vector<std::string_view>> Phrase::match(std::string_view text) const {
  if (format_only_ || pieces_.empty() || text.size() < literal_size_) return std::nullopt;
  const auto misses = [](const Piece& piece, auto holds) {
    return piece.kind == Kind::Text && !holds(piece.text);
  };
  if (misses(pieces_.front(), [&](const std::string& words) { return text.starts_with(words); }) ||
      misses(pieces_.back(), [&](const std::string& words) { return text.ends_with(words); }))
    return std::nullopt;  // the usual case
  return Match(pieces_, text).find();
}

std::optional<std::vector<std::string_view>> Phrase::holes_of(const std::vector<std::string>& values) const {
  if (values.size() != counted_.size()) return std::nullopt;
  std::vector<std::string_view> holes;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counted_[i]) holes.emplace_back(values[i]);
  return holes;
}

std::string Phrase::filled(const std::vector<std::string_view>& holes, PluralRule rule,
                           const std::function<std::string(std::string_view)>& further) const {
  std::string out;
  for (const Piece& piece : translation_) {
    if (piece.kind == Kind::Text) {
      out += piece.text;
    } else if (!piece.forms.empty()) {
      out += piece.forms[std::min(rule(holes[piece.hole]), piece.forms.size() - 1)];
    } else if (kinds_[piece.hole] == Kind::Further) {
      out += further(holes[piece.hole]);
    } else {
      out += holes[piece.hole];
    }
  }
  return out;
}

std::string Phrase::sample() const {
  std::string out;
  for (const Piece& piece : pieces_) {
    switch (piece.kind) {
      case Kind::Text: out += piece.text; break;
      case Kind::Number: out += "1,024"; break;
      case Kind::Plural: out += "s"; break;
      case Kind::Any:
      case Kind::Raw:
      case Kind::Further: out += "Words"; break;
    }
  }
  return out;
}

}  // namespace cudalabs
