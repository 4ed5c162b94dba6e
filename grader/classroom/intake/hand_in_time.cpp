#include "grader/classroom/intake/hand_in_time.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <regex>
#include <string>
#include <vector>

#include "grader/base/parse_number.h"

namespace cudalabs {
namespace {

/// Seconds since 1970; nothing if there is no such day or time: timegm() makes the 3rd of March of the 31st
/// of February.
std::optional<std::int64_t> seconds_of(std::tm parts) {
  const std::tm written = parts;
  const std::int64_t at = ::timegm(&parts);
  if (parts.tm_mon != written.tm_mon || parts.tm_mday != written.tm_mday ||
      parts.tm_hour != written.tm_hour || parts.tm_min != written.tm_min || parts.tm_sec != written.tm_sec)
    return std::nullopt;
  return at;
}

/// The beginnings of the months' names; each month has the names of all languages.
constexpr std::array<std::array<std::string_view, 5>, 12> kMonths = {{
    {"jan", "янв", "ene", "", ""},
    {"feb", "фев", "fév", "", ""},
    {"mar", "мар", "mär", "mrz", ""},
    {"apr", "апр", "avr", "abr", ""},
    {"may", "мая", "май", "mai", ""},
    {"jun", "июн", "juin", "", ""},
    {"jul", "июл", "juil", "", ""},
    {"aug", "авг", "aoû", "ago", ""},
    {"sep", "сен", "set", "", ""},
    {"oct", "окт", "okt", "", ""},
    {"nov", "ноя", "", "", ""},
    {"dec", "дек", "dez", "déc", "dic"},
}};

/// 0 to 11; -1: not a month.
int month_of(std::string_view word) {
  for (std::size_t month = 0; month < kMonths.size(); ++month) {
    for (const std::string_view start : kMonths[month])
      if (!start.empty() && word.starts_with(start)) return static_cast<int>(month);
  }
  return -1;
}

}  // namespace

std::optional<ParsedTime> parse_time(std::string_view text) {
  static const std::regex pattern(
      R"(\s*(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|UTC|([+-])(\d\d):?(\d\d))?\s*)");
  std::cmatch match;
  if (text.size() > 64 || !std::regex_match(text.data(), text.data() + text.size(), match, pattern))
    return std::nullopt;
  const auto number = [&](std::size_t group) { return match[group].matched ? std::stoi(match[group]) : 0; };
  std::tm parts{};
  parts.tm_year = number(1) - 1900;
  parts.tm_mon = number(2) - 1;
  parts.tm_mday = number(3);
  parts.tm_hour = number(4);
  parts.tm_min = number(5);
  parts.tm_sec = number(6);
  const auto local = seconds_of(parts);
  if (!local || number(9) > 14 || number(10) > 59) return std::nullopt;
  if (!match[7].matched) return ParsedTime{*local, std::nullopt};
  const std::int64_t east = (number(9) * 60 + number(10)) * 60;
  const std::int64_t offset = match[8] == "-" ? -east : east;
  return ParsedTime{*local - offset, offset};
}

std::int64_t parse_spoken_time(std::string_view text) {
  if (text.size() > 200) return 0;
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  std::vector<std::string_view> words;
  constexpr std::string_view kBetween = " ,.\t";
  for (std::size_t at = 0; (at = lower.find_first_not_of(kBetween, at)) != std::string::npos;) {
    const std::size_t end = std::min(lower.find_first_of(kBetween, at), lower.size());
    words.push_back(std::string_view(lower).substr(at, end - at));
    at = end;
  }
  std::tm parts{};
  int day = 0, month = -1, year = 0;
  bool clock = false;
  for (const std::string_view word : words) {
    if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
      const auto hour = parse_number<int>(word.substr(0, colon));
      const auto minute = parse_number<int>(word.substr(colon + 1, 2));
      if (!hour || !minute) return 0;
      parts.tm_hour = *hour;
      parts.tm_min = *minute;
      clock = true;
    } else if (const auto number = parse_number<int>(word)) {
      (*number > 31 ? year : day) = *number;
    } else if (clock && (word == "pm" || word == "am")) {
      parts.tm_hour = parts.tm_hour % 12 + (word == "pm" ? 12 : 0);
    } else if (month < 0) {
      month = month_of(word);
    }
  }
  if (!clock || day == 0 || month < 0 || year < 1970) return 0;
  parts.tm_mday = day;
  parts.tm_mon = month;
  parts.tm_year = year - 1900;
  return seconds_of(parts).value_or(0);
}

}  // namespace cudalabs
