#include "grader/classroom/intake/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/base/text.h"

namespace cudalabs {
namespace {

using Json = nlohmann::json;

/// A cell's text is a string or a list of lines. Format 3 calls it "input".
std::string cell_text(const Json& cell) {
  const auto found = cell.contains("source") ? cell.find("source") : cell.find("input");
  if (found == cell.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  std::string text;
  if (found->is_array()) {
    for (const Json& line : *found)
      if (line.is_string()) text += line.get<std::string>();
  }
  return text;
}

/// The words of a magic; quotes hold one together.
std::vector<std::string> magic_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (const char c : line) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? char{0} : c;
      open = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(std::move(word));
  return words;
}

/// The plain name of a path of any system.
std::string plain(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

struct Magic {
  std::string name;
  bool appends = false;
};

/// What a cell writes; nothing if its magic is another one. `number`: of the cell, from 1.
std::optional<Magic> magic_of(std::string_view line, std::size_t number) {
  std::vector<std::string> words = magic_words(line);
  if (words.empty() || !words.front().starts_with("%%")) return std::nullopt;
  const std::string kind = words.front().substr(2);
  const bool writes = kind == "writefile" || kind == "file";
  if (!writes && !kind.starts_with("cu") && !kind.starts_with("nvcc")) return std::nullopt;
  Magic magic;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-a" || word == "--append") magic.appends = writes;
    const bool named = word == "-n" || word == "--name";
    if (!writes && named && i + 1 < words.size()) magic.name = plain(words[i + 1]);
    if (word.starts_with("--name=")) magic.name = plain(word.substr(7));
    if (word.starts_with('-') || !magic.name.empty()) continue;
    if (writes || word.ends_with(".cu")) magic.name = plain(word);
  }
  if (magic.name.empty() && writes) return std::nullopt;
  if (!writes && !magic.name.empty() && magic.name.find('.') == std::string::npos) magic.name += ".cu";
  if (magic.name.empty()) magic.name = fmt::format("cell_{}.cu", number);
  return magic;
}

/// The cell's first line with words; form fields of Colab stand before the magic.
std::string_view first_line(std::string_view& text) {
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || line.substr(start).starts_with("#@")) continue;
    return line.substr(start);
  }
  return {};
}

}  // namespace

bool is_notebook_name(std::string_view name) {
  constexpr std::string_view kEnding = ".ipynb";
  return name.size() > kEnding.size() &&
         std::equal(kEnding.rbegin(), kEnding.rend(), name.rbegin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

std::optional<std::vector<NotebookSource>> sources_of_notebook(std::string_view text) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object()) return std::nullopt;
  std::vector<const Json*> lists;
  if (root.contains("cells")) lists.push_back(&root["cells"]);
  if (root.contains("worksheets") && root["worksheets"].is_array()) {
    for (const Json& sheet : root["worksheets"])
      if (sheet.is_object() && sheet.contains("cells")) lists.push_back(&sheet["cells"]);
  }
  if (lists.empty()) return std::nullopt;
  std::vector<NotebookSource> sources;
  std::size_t number = 0;
  for (const Json* cells : lists) {
    if (!cells->is_array()) return std::nullopt;
    for (const Json& cell : *cells) {
      ++number;
      if (!cell.is_object() || cell.value("cell_type", Json()) != "code") continue;
      const std::string whole = cell_text(cell);
      std::string_view rest = whole;
      const auto magic = magic_of(first_line(rest), number);
      if (!magic) continue;
      const auto before = std::ranges::find(sources, magic->name, &NotebookSource::name);
      if (before == sources.end())
        sources.push_back({magic->name, std::string(rest)});
      else if (magic->appends)
        before->content.append(before->content.ends_with('\n') ? "" : "\n").append(rest);
      else
        before->content = rest;
    }
  }
  return sources;
}

}  // namespace cudalabs
