#include "grader/course/elements/number_file.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

struct NumberFile {
  std::vector<double> numbers;
  bool coloured = false;               ///< an image of three numbers a pixel
  std::int64_t rows = 0, columns = 0;  ///< of an image
};

/// Reads words from a text; knows the line of the last one.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word; empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && (is_between(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ < text_.size()) line_ += text_[at_++] == '\n' ? 1 : 0;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_between(text_[at_]) && text_[at_] != '#') ++at_;
    return text_.substr(begin, at_ - begin);
  }
  [[nodiscard]] int line() const { return line_; }
  /// What follows the one blank behind the last word. The end of a line may be two characters.
  [[nodiscard]] std::string_view rest() const {
    const std::size_t blank = text_.substr(at_).starts_with("\r\n") ? 2 : 1;
    return text_.substr(std::min(at_ + blank, text_.size()));
  }

 private:
  static bool is_between(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',' || c == ';';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

Diagnostic malformed(const std::string& name, const Words& words, std::string_view word) {
  return error(msg::file_not_a_number(name, words.line(), word.substr(0, 40)));
}

/// The numbers of a text that follow.
Result<std::vector<double>> text_numbers(Words& words, const std::string& name) {
  std::vector<double> numbers;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto value = number(word);
    if (!value) return malformed(name, words, word);
    numbers.push_back(*value);
  }
  return numbers;
}

/// The numbers of a binary image: bytes, or two of them with the higher one first.
std::vector<double> binary_numbers(std::string_view bytes, bool wide) {
  std::vector<double> numbers;
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
  for (std::size_t at = 0; at + (wide ? 1 : 0) < bytes.size(); at += wide ? 2 : 1)
    numbers.push_back(wide ? byte(at) * 256 + byte(at + 1) : byte(at));
  return numbers;
}

Result<NumberFile> read_image(std::string_view bytes, const std::string& name) {
  constexpr double kMostPixels = 1 << 24, kByte = 255, kWide = 65535;
  Words words(bytes);
  const char kind = words.next()[1];
  double head[3];  // columns, rows, the largest number
  for (double& value : head) {
    const std::string_view word = words.next();
    const auto read = number(word);
    if (!read || *read < 1 || *read != std::floor(*read)) return malformed(name, words, word);
    value = *read;
  }
  NumberFile file;
  file.columns = static_cast<std::int64_t>(head[0]);
  file.rows = static_cast<std::int64_t>(head[1]);
  file.coloured = kind == '3' || kind == '6';
  const double pixels = head[0] * head[1];
  if (pixels > kMostPixels || head[2] > kWide) return error(msg::image_too_large(name));
  if (kind == '5' || kind == '6') {
    file.numbers = binary_numbers(words.rest(), head[2] > kByte);
  } else {
    auto numbers = text_numbers(words, name);
    if (!numbers) return numbers.problem();
    file.numbers = std::move(*numbers);
  }
  const auto wanted = static_cast<std::size_t>(pixels) * (file.coloured ? 3 : 1);
  if (file.numbers.size() < wanted) return error(msg::image_cut(name, file.numbers.size(), wanted));
  file.numbers.resize(wanted);
  return file;
}

Result<NumberFile> read_numbers(std::string_view bytes, const std::string& name) {
  const bool image = bytes.size() > 2 && bytes[0] == 'P' &&
                     std::string_view("2356").find(bytes[1]) != std::string_view::npos &&
                     std::isspace(static_cast<unsigned char>(bytes[2])) != 0;
  if (image) return read_image(bytes, name);
  Words words(bytes);
  auto numbers = text_numbers(words, name);
  if (!numbers) return numbers.problem();
  return NumberFile{std::move(*numbers)};
}

/// Three numbers a pixel become four.
std::vector<double> with_alpha(const std::vector<double>& colours) {
  constexpr double kOpaque = 255;
  std::vector<double> pixels;
  for (std::size_t k = 0; k + 2 < colours.size(); k += 3)
    pixels.insert(pixels.end(), {colours[k], colours[k + 1], colours[k + 2], kOpaque});
  return pixels;
}

}  // namespace

Result<std::vector<double>> numbers_of_file(std::string_view bytes, const std::string& name,
                                            const ContractType& type,
                                            const std::vector<std::int64_t>& shape) {
  auto read = read_numbers(bytes, name);
  if (!read) return read.problem();
  std::vector<double> numbers =
      read->coloured && type.components == 4 ? with_alpha(read->numbers) : std::move(read->numbers);
  std::int64_t count = type.components;
  for (const std::int64_t extent : shape) count *= extent;
  if (std::ssize(numbers) != count) return error(msg::case_file_count(name, numbers.size(), count));
  const bool turned =
      read->rows > 0 && shape.size() > 1 && (shape[0] != read->rows || shape[1] != read->columns);
  if (turned) return error(msg::image_has_other_sides(name, read->rows, read->columns, shape[0], shape[1]));
  const ElementRange full = full_range(type.type);
  for (const double value : numbers) {
    if (value < full.low || value > full.high || (is_integer(type.type) && value != std::floor(value)))
      return error(msg::case_file_value(name, value, spelling({type.type, 1})));
  }
  return numbers;
}

}  // namespace cudalabs
