#include "grader/classroom/similarity/fingerprints.h"

#include <algorithm>

#include "grader/base/parse_number.h"
#include "grader/classroom/similarity/mix.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

constexpr std::string_view kWord = "prints-1";  // increased when the meaning of the fingerprints changes
constexpr std::size_t kDigits = 16;

void write(const PrintSet& prints, std::string& line) {
  constexpr std::string_view kHexadecimal = "0123456789abcdef";
  line += ' ';
  line += std::to_string(prints.size());
  line += ' ';
  for (const std::uint64_t print : prints) {
    for (int shift = 60; shift >= 0; shift -= 4) line += kHexadecimal[print >> shift & 15];
  }
}

/// Reads from the front of `line` what write() wrote; false if it finds something else.
bool read(std::string_view& line, PrintSet& prints) {
  if (!line.starts_with(' ')) return false;
  line.remove_prefix(1);
  const auto count = take_leading_number<std::size_t>(line);
  if (!count || *count > kMaxPrints) return false;
  if (!line.starts_with(' ') || line.size() < 1 + *count * kDigits) return false;
  line.remove_prefix(1);
  for (std::size_t n = 0; n < *count; ++n) {
    const auto print = parse_number<std::uint64_t>(line.substr(0, kDigits), 16);
    if (!print || (!prints.empty() && *print <= prints.back())) return false;
    prints.push_back(*print);
    line.remove_prefix(kDigits);
  }
  return true;
}

}  // namespace

void keep_fewest(PrintSet& prints) {
  std::ranges::sort(prints);
  prints.erase(std::unique(prints.begin(), prints.end()), prints.end());
  if (prints.size() > kMaxPrints) prints.resize(kMaxPrints);
}

std::string to_line(const Fingerprints& prints) {
  std::string line(kWord);
  write(prints.code, line);
  write(prints.text, line);
  return line;
}

Result<Fingerprints> prints_of_line(std::string_view line) {
  Fingerprints prints;
  if (!line.starts_with(kWord)) return error(msg::prints_of_other_version());
  line.remove_prefix(kWord.size());
  if (!read(line, prints.code) || !read(line, prints.text) || !line.empty())
    return error(msg::prints_damaged());
  return prints;
}

}  // namespace cudalabs
