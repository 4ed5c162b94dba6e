#include "grader/grading/cases/poison.h"

#include <algorithm>
#include <cstring>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/cases/random.h"

namespace cudalabs {

void fill_poison(std::span<std::byte> bytes, ElementType type, std::uint64_t key) {
  const Random random(key);
  const std::size_t count = bytes.size() / size_of(type);
  // A maximum ignores a NaN, and a sum hides a number that is a small part of it. The kind of poison
  // therefore differs from call to call.
  enum class Pattern : std::uint8_t { Nan, Large, LargeNegative };
  const auto pattern = random.bits(~std::uint64_t{0}) % 2 == 0   ? Pattern::Nan
                       : random.bits(~std::uint64_t{1}) % 2 == 0 ? Pattern::Large
                                                                 : Pattern::LargeNegative;
  // Sets the bits of `set` in every element, and those of `free` at random.
  const auto fill = [&]<class Bits>(Bits set, Bits free) {
    for (std::size_t i = 0; i < count; ++i)
      store_element(bytes, i, static_cast<Bits>(set | (random.bits(i) & free)));
  };
  with_type(type, [&]<class T>(T) {
    using Bits = BitsOf<T>;
    constexpr int kBits = sizeof(T) * 8;
    constexpr auto bit = [](int place) { return static_cast<Bits>(Bits{1} << place); };
    if constexpr (kIsFloat<T>) {
      constexpr int kFraction = kDigits<T> - 1;
      constexpr auto kSign = bit(kBits - 1), kExponent = static_cast<Bits>(kSign - bit(kFraction));
      // Exponent all ones, quiet bit clear, payload not zero: a signalling NaN, which no arithmetic produces.
      if (pattern == Pattern::Nan)
        return fill(static_cast<Bits>(kExponent | 1), static_cast<Bits>(kSign | (bit(kFraction - 1) - 1)));
      // Exponents from three to two below that of an infinity.
      return fill(static_cast<Bits>((pattern == Pattern::LargeNegative ? kSign : 0) |
                                    (kExponent - (bit(kFraction) + bit(kFraction + 1)))),
                  static_cast<Bits>(bit(kFraction + 1) - 1));
    } else {
      // Sums and counters are usually far smaller. But any number can be an answer, so compare_output calls
      // an element unwritten only if it is also wrong.
      return fill(bit(kBits - 2), static_cast<Bits>(~bit(kBits - 2)));
    }
  });
}

namespace {

/// Contents of byte `i` of a guard. A submission cannot guess it.
std::byte guard_byte(const Random& random, std::size_t i) { return static_cast<std::byte>(random.bits(i)); }

}  // namespace

std::vector<std::byte> GuardedLayout::make(std::span<const std::byte> data, std::uint64_t key) const {
  const Random random(key);
  std::vector<std::byte> whole(total_bytes());
  for (std::size_t i = 0; i < data_offset(); ++i) whole[i] = guard_byte(random, i);
  for (std::size_t i = data_offset() + data_bytes; i < whole.size(); ++i) whole[i] = guard_byte(random, i);
  std::ranges::copy(data, whole.begin() + static_cast<std::ptrdiff_t>(data_offset()));
  return whole;
}

std::optional<Message> GuardedLayout::damage(std::span<const std::byte> whole, std::uint64_t key,
                                             const Parameter& parameter) const {
  const Random random(key);
  const std::size_t element = parameter.element_bytes();
  const std::size_t elements = data_bytes / element;
  const std::size_t end = data_offset() + data_bytes;
  for (std::size_t i = end; i < total_bytes(); ++i) {
    if (whole[i] == guard_byte(random, i)) continue;
    return msg::written_behind_end(parameter.name, i - end, (i - data_offset()) / element, elements);
  }
  for (std::size_t i = data_offset(); i-- > 0;) {
    if (whole[i] == guard_byte(random, i)) continue;
    const std::size_t before = data_offset() - i;
    return msg::written_before_start(parameter.name, before, (before + element - 1) / element, elements);
  }
  return std::nullopt;
}

std::optional<Message> input_changed(const Parameter& parameter, const TestCase& test,
                                     std::span<const std::byte> before, std::span<const std::byte> after) {
  // memcmp, as the algorithms take bytes one by one, and nearly always all are as they were.
  if (before.empty() || std::memcmp(before.data(), after.data(), before.size()) == 0) return std::nullopt;
  return with_type(parameter.type, [&]<class T>(T) {
    const std::size_t count = before.size() / sizeof(T);
    std::size_t first = count, changed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      // Compares bytes and not values: -0 for 0 and another NaN are changes too.
      if (std::ranges::equal(before.subspan(i * sizeof(T), sizeof(T)),
                             after.subspan(i * sizeof(T), sizeof(T)))) {
        continue;
      }
      if (changed++ == 0) first = i;
    }
    return msg::input_changed(parameter.name,
                              index_text(parameter, index_of(first, extents(parameter, test))),
                              element_text(load_element<T>(before, first)),
                              element_text(load_element<T>(after, first)), changed - 1);
  });
}

}  // namespace cudalabs
