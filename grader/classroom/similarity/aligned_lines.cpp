#include "grader/classroom/similarity/aligned_lines.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

#include "grader/classroom/similarity/mix.h"
#include "grader/classroom/similarity/tokens.h"

namespace cudalabs {
namespace {

/// Shorter lines, such as a brace, are equal by chance.
constexpr std::size_t kFewestTokens = 4;

/// A line as it is compared.
struct Line {
  std::string text;         ///< without blanks
  std::uint64_t shape = 0;  ///< of the tokens; 0: fewer than kFewestTokens
};

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

std::uint64_t shape_of(std::string_view line) {
  const std::vector<std::uint64_t> tokens = tokens_of(line);
  if (tokens.size() < kFewestTokens) return 0;
  std::uint64_t shape = 'l';
  for (const std::uint64_t token : tokens) shape = mix(shape, token);
  return std::max<std::uint64_t>(shape, 1);
}

class Source {
 public:
  explicit Source(std::string_view source) {
    while (!source.empty() && lines.size() < kMaxAlignedLines) {
      const std::size_t end = std::min(source.find('\n'), source.size());
      std::string_view line = source.substr(0, end);
      source.remove_prefix(std::min(end + 1, source.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      shown.push_back({std::string(line), LineMatch::None, 0});
      lines.push_back({without_blanks(line), shape_of(line)});
    }
  }

  std::vector<Line> lines;
  std::vector<AlignedLine> shown;
};

bool alike(const Line& a, const Line& b) { return a.text == b.text || (a.shape != 0 && a.shape == b.shape); }

LineMatch kind_of(const Line& a, const Line& b) {
  return a.text == b.text ? LineMatch::Equal : LineMatch::Renamed;
}

/// The longest common subsequence of both files' lines, as the rows of a table.
std::vector<AlignedRow> rows_of(const std::vector<Line>& a, const std::vector<Line>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint16_t> longest((a.size() + 1) * width);  // of what follows line i and line j
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      longest[i * width + j] = alike(a[i], b[j])
                                   ? static_cast<std::uint16_t>(longest[(i + 1) * width + j + 1] + 1)
                                   : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  std::vector<AlignedRow> rows;
  std::size_t i = 0, j = 0, paired = 0;
  // Lines that only one file has stand beside each other, as long as both have some.
  const auto add = [&](std::size_t left, std::size_t right) {
    if (left == 0 && paired < rows.size() && rows[paired].right == 0 && rows[paired].left != 0) {
      rows[paired++].right = right;
    } else {
      rows.push_back({left, right});
    }
  };
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && alike(a[i], b[j])) {
      rows.push_back({++i, ++j});
      paired = rows.size();
    } else if (j == b.size() ||
               (i < a.size() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      add(++i, 0);
    } else {
      add(0, ++j);
    }
  }
  return rows;
}

/// Lines without a partner that stand elsewhere in the other file.
void find_moved(Source& from, const Source& to) {
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::size_t n = to.lines.size(); n-- > 0;)
    if (to.lines[n].shape != 0) places[to.lines[n].shape] = n + 1;
  for (std::size_t n = 0; n < from.lines.size(); ++n) {
    if (from.shown[n].match != LineMatch::None || from.lines[n].shape == 0) continue;
    const auto place = places.find(from.lines[n].shape);
    if (place == places.end()) continue;
    from.shown[n].match = LineMatch::Moved;
    from.shown[n].other = place->second;
  }
}

}  // namespace

AlignedSources align(std::string_view left, std::string_view right,
                     std::span<const std::string_view> handed_out) {
  Source a(left), b(right);
  AlignedSources all;
  all.rows = rows_of(a.lines, b.lines);
  for (const AlignedRow& row : all.rows) {
    if (row.left == 0 || row.right == 0 || !alike(a.lines[row.left - 1], b.lines[row.right - 1])) continue;
    const LineMatch match = kind_of(a.lines[row.left - 1], b.lines[row.right - 1]);
    if (a.lines[row.left - 1].text.empty()) continue;
    a.shown[row.left - 1].match = b.shown[row.right - 1].match = match;
    a.shown[row.left - 1].other = row.right;
    b.shown[row.right - 1].other = row.left;
  }
  find_moved(a, b);
  find_moved(b, a);
  std::map<std::string, bool> known;
  for (const std::string_view text : handed_out)
    for (const Line& line : Source(text).lines) known[line.text] = true;
  for (Source* const source : {&a, &b})
    for (std::size_t n = 0; n < source->lines.size(); ++n)
      if (source->shown[n].match != LineMatch::None && known.contains(source->lines[n].text))
        source->shown[n].match = LineMatch::HandedOut;
  all.left = std::move(a.shown);
  all.right = std::move(b.shown);
  return all;
}

std::vector<std::vector<std::size_t>> equal_texts(std::span<const std::string_view> texts) {
  std::map<std::string, std::vector<std::size_t>> by_text;
  for (std::size_t n = 0; n < texts.size(); ++n) by_text[without_blanks(texts[n])].push_back(n);
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [text, members] : by_text)
    if (members.size() > 1) groups.push_back(std::move(members));
  std::ranges::sort(groups);
  return groups;
}

}  // namespace cudalabs
