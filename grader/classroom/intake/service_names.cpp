#include "grader/classroom/intake/service_names.h"

#include <algorithm>

namespace cudalabs {
namespace {

// Names are parsed by hand: students choose them, and std::regex needs stack for every character.

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes `word` from the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Removes the characters of one kind from the front of `text`.
template <class Kind>
std::string_view take_all(std::string_view& text, Kind kind) {
  const auto end = std::find_if_not(text.begin(), text.end(), kind);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

/// No service creates other names.
bool is_plain(std::string_view entry) {
  return entry.size() <= 300 && entry.find_first_of("\r\n") == std::string_view::npos;
}

}  // namespace

std::optional<EntryName> moodle_entry(std::string_view entry) {
  if (!is_plain(entry)) return std::nullopt;
  for (std::size_t at = entry.find('_', 1); at < entry.size(); at = entry.find('_', at + 1)) {
    std::string_view rest = entry.substr(at + 1);
    const std::string_view number = take_all(rest, is_digit);
    if (number.empty() || !take(rest, "_assignsubmission_")) continue;
    if (take_all(rest, [](char c) { return c >= 'a' && c <= 'z'; }).empty()) continue;
    take(rest, "_");
    return EntryName{std::string(entry.substr(0, at)), std::string(number), std::string(rest)};
  }
  return std::nullopt;
}

std::optional<EntryName> canvas_entry(std::string_view entry) {
  if (!is_plain(entry)) return std::nullopt;
  std::string_view rest = entry;
  const std::string_view name = take_all(rest, [](char c) { return c != '_'; });
  const bool late = take(rest, "_LATE");
  if (name.empty() || !take(rest, "_")) return std::nullopt;
  const std::string_view number = take_all(rest, is_digit);
  if (number.empty() || !take(rest, "_")) return std::nullopt;
  const std::string_view file_number = take_all(rest, is_digit);
  if (file_number.empty() || !take(rest, "_")) return std::nullopt;
  return EntryName{std::string(name), std::string(number), std::string(rest), std::string(file_number), late};
}

std::optional<std::string> class_task(std::string_view folder) {
  constexpr std::string_view kWord = "submissions";
  for (std::size_t at = folder.find(kWord, 2); at < folder.size(); at = folder.find(kWord, at + 1)) {
    const char before = folder[at - 1];
    std::string_view rest = folder.substr(at + kWord.size());
    const bool timed = before == '_' && rest.size() > 1 && take(rest, "_");
    if (timed) take_all(rest, [](char c) { return is_digit(c) || c == '_' || c == 'T'; });
    if ((before == '_' || before == '-') && rest.empty()) return std::string(folder.substr(0, at - 1));
  }
  return std::nullopt;
}

}  // namespace cudalabs
