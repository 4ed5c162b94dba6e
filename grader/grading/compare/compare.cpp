#include "grader/grading/compare/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/compare/pattern.h"
#include "grader/grading/compare/relation.h"

namespace cudalabs {
namespace {

/// Longer chains of additions are judged as if they had this length. Beyond it the bound of a float sum would
/// excuse an error of many percent, which no sensible order of summation has.
constexpr double kLongestChain = 0x1p20;

constexpr double kManyUlps = 1e6;  ///< "more than a million": no longer counted

/// Rounds to the nearest multiple of `quantum` (ties to even).
double to_multiple(double x, double quantum) { return std::nearbyint(x / quantum) * quantum; }
/// Rounds to this many bits. Below the exponent `least` fewer bits remain.
double to_bits(double x, int bits, int least) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return x == 0 ? x : to_multiple(x, std::ldexp(1.0, std::max(exponent, least) - bits));
}
double to_half(double x) { return to_bits(x, 11, -13); }
double to_bfloat16(double x) { return to_bits(x, 8, -125); }
double to_float(double x) { return static_cast<float>(x); }
double to_tf32(double x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(x)) & 0xffffe000u);
}

template <class T>
constexpr bool is_float = std::is_floating_point_v<T>;

/// Compares one output of one case, in its own element type.
template <class T>
class Comparison {
 public:
  Comparison(const Lab& lab, const Parameter& parameter, const TestCase& test, const CaseData& data,
             std::size_t output_index, std::span<const std::byte> got, const Oracle::Mistakes& possible)
      : lab_(lab),
        parameter_(parameter),
        test_(test),
        data_(data),
        output_index_(output_index),
        expected_(data.expected[output_index]),
        poison_(data.poisoned_outputs[output_index]),
        got_(got),
        possible_(possible),
        extents_(extents(parameter, test)),
        total_(element_count(parameter, test)) {}

  [[nodiscard]] bool is_wrong() const { return !wrong_places(expected_, total_).empty(); }

  [[nodiscard]] std::optional<Mismatch> run() const {
    const std::vector<std::size_t> wrong = wrong_places(expected_, total_);
    if (wrong.empty()) return std::nullopt;

    Mismatch mismatch;
    const std::size_t first = wrong[0];
    mismatch.output = parameter_.name;
    mismatch.index = index_of(first, extents_);
    mismatch.extents = extents_;
    mismatch.expected = element_text(right(expected_, first));
    mismatch.count = wrong.size();
    mismatch.total = total_;
    for (const std::size_t i : wrong) mismatch.never_written += unwritten(i);
    if (!unwritten(first)) {
      mismatch.got = element_text(got(first));
      mismatch.ulps = ulps_between(got(first), right(expected_, first));
    }
    std::vector<std::string> units;
    for (std::size_t d = 0; d < parameter_.shape.size(); ++d) {
      units.push_back(unit_name(parameter_.shape[d], d, parameter_.shape.size()));
    }
    mismatch.pattern = describe_places(wrong, extents_, units);
    // What was never written is no mistake's answer. An untouched stub has nothing else.
    if (mismatch.never_written < total_) find_fitting_mistakes(mismatch);
    // On a small or special case several mistakes give the same answer, so none of them is certain. In a lab
    // of sums, a mistake that gives only zeros is not certain either.
    const bool adds = lab_.sums || lab_.tolerance.kind == ToleranceKind::SumOfProducts;
    const bool certain = mismatch.fitting.size() == 1 && !(adds && total_ > 1 && all_zero());
    const Message usual = certain ? mismatch.fitting[0] : Message();
    mismatch.guess = guess(wrong, mismatch.never_written, usual);
    mismatch.usual = !usual.empty() && mismatch.guess == usual;
    find_factor(mismatch);
    mismatch.statements = statements(mismatch, units);
    return mismatch;
  }

 private:
  [[nodiscard]] T got(std::size_t i) const { return load_element<T>(got_, i); }
  [[nodiscard]] bool unwritten(std::size_t i) const {
    const auto bytes = [i](std::span<const std::byte> all) { return all.subspan(i * sizeof(T), sizeof(T)); };
    return std::ranges::equal(bytes(got_), bytes(poison_));
  }
  /// Returns whether this element is the poison plus something that was added.
  [[nodiscard]] bool added_to(std::size_t i) const {
    const T before = load_element<T>(poison_, i), after = got(i);
    if (unwritten(i)) return false;
    if constexpr (!is_float<T>) {
      using Bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Bits>(after) - static_cast<Bits>(before)) == right(expected_, i);
    } else {
      // Arithmetic turns a signalling NaN into the quiet one of the same payload.
      if (std::isnan(before)) return same_bits(quiet(before), after);
      constexpr T kNear = T{1} / 1024;
      return std::abs(after - before) <= std::abs(before) * kNear;
    }
  }
  [[nodiscard]] static auto bits_of(T x) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  [[nodiscard]] static bool same_bits(T a, T b) { return bits_of(a) == bits_of(b); }
  [[nodiscard]] static T quiet(T nan) {
    auto bits = bits_of(nan);
    bits |= decltype(bits){1} << (std::numeric_limits<T>::digits - 2);
    std::memcpy(&nan, &bits, sizeof bits);
    return nan;
  }
  [[nodiscard]] static T right(const Expected& expected, std::size_t i) {
    if constexpr (is_float<T>) {
      return static_cast<T>(expected.values[i]);
    } else {
      return static_cast<T>(expected.integers[i]);
    }
  }

  /// Calls use(accepts), where accepts(value, i) says whether the tolerance allows `value` for element i of
  /// `expected`. Every comparison is written so that NaN fails it.
  template <class Use>
  [[nodiscard]] auto by_tolerance(const Expected& expected, const Use& use) const {
    if constexpr (!is_float<T>) {
      return use([right = expected.integers.data()](T value, std::size_t i) {
        return static_cast<std::int64_t>(value) == right[i];
      });
    } else {
      const double* const right = expected.values.data();
      // No order of additions rounds these data. Whatever the bound is, a difference is a mistake.
      const bool exact = test_.distribution == Distribution::ExactSums;
      switch (exact ? ToleranceKind::Exact : lab_.tolerance.kind) {
        case ToleranceKind::SumOfProducts:
          return use([right, magnitudes = expected.magnitudes.data(), roundings = expected.roundings.data()](
                         T value, std::size_t i) {
            return within_sum_bound(std::abs(static_cast<double>(value) - right[i]), magnitudes[i],
                                    roundings[i]);
          });
        case ToleranceKind::Ulps:
          return use([right, ulps = lab_.tolerance.ulps](T value, std::size_t i) {
            return std::abs(static_cast<double>(value) - right[i]) <= ulps * spacing(right[i]);
          });
        case ToleranceKind::Exact: break;
      }
      return use([right](T value, std::size_t i) { return value == static_cast<T>(right[i]); });
    }
  }
  [[nodiscard]] bool accepted(T value, const Expected& expected, std::size_t i) const {
    return by_tolerance(expected, [&](const auto& accepts) { return accepts(value, i); });
  }
  /// The places of the wrong elements, in order. If there are more than `enough`, the list stops a little
  /// above that number.
  [[nodiscard]] std::vector<std::size_t> wrong_places(const Expected& expected, std::size_t enough) const {
    return by_tolerance(expected, [&](const auto& accepts) {
      // Nearly always everything is right. This finds that out without a branch for each element.
      constexpr std::size_t kTogether = 256;
      std::vector<std::size_t> wrong;
      for (std::size_t begin = 0; begin < total_ && wrong.size() <= enough; begin += kTogether) {
        const std::size_t end = begin + std::min(kTogether, total_ - begin);
        unsigned bad = 0;
        for (std::size_t i = begin; i < end; ++i) bad |= accepts(got(i), i) ? 0U : 1U;
        for (std::size_t i = begin; bad != 0 && i < end; ++i)
          if (!accepts(got(i), i)) wrong.push_back(i);
      }
      return wrong;
    });
  }

  /// What the errors look like if sums, or the factors alone (as on tensor cores), are kept in the next lower
  /// precision: above our bound everywhere that is wrong, below that precision's everywhere. Only where that
  /// bound is so small that an element left out would stand out.
  [[nodiscard]] Message lower_precision(const std::vector<std::size_t>& wrong) const {
    if constexpr (!is_float<T>) return {};
    if (lab_.tolerance.kind != ToleranceKind::SumOfProducts) return {};
    const bool wide = std::is_same_v<T, double>;
    const double unit = wide ? 0x1p-24 : 0x1p-11;
    constexpr double kLargest = 1.0 / 32;
    constexpr std::size_t kEnough = 8;  // elements that agree by accident
    if (!wide && (wrong.size() < kEnough || !looks_rounded(wrong))) return {};
    // Beside an element that is far larger than all others, each of these could as well be missing.
    if (wrong.size() < kEnough && test_.distribution == Distribution::Dominant) return {};
    constexpr double kFewSteps = 64;
    double largest = 0;
    constexpr double kLongest = 512;  // terms; one missing term exceeds the error of two rounded factors
    for (const std::size_t i : wrong) {
      const double n = expected_.roundings[i], error = static_cast<double>(got(i)) - expected_.values[i];
      // Few elements: one of n terms that is left out, which is about 1 / n, must not pass for a rounding.
      if (wrong.size() < kEnough && n * unit * n > 0.5) return {};
      const double bound = n * unit <= kLargest ? std::max(n, 2.0) * unit : n <= kLongest ? 2 * unit : 0;
      if (!(std::abs(error) <= bound * expected_.magnitudes[i])) return {};
      largest = std::max(largest, std::abs(error) / std::max(expected_.magnitudes[i], 1e-300));
    }
    // Many roundings of that precision leave more than a few of the next higher one.
    if (largest < unit / kFewSteps) return {};
    return wide ? msg::as_exact_as_float() : msg::as_exact_as_half();
  }

  /// Is every error one that rounded factors leave? The coarsest kind keeps 8 bits of each, which moves a
  /// product of two by less than 2^-6 of itself.
  [[nodiscard]] bool is_near_in_magnitude() const {
    if constexpr (!is_float<T>) return true;
    if (expected_.magnitudes.empty() || lab_.sums->factors > 2) return true;
    return everywhere([this](std::size_t i) {
      return std::abs(static_cast<double>(got(i)) - expected_.values[i]) <= 0x1p-6 * expected_.magnitudes[i];
    });
  }

  /// Where sums are exact, inputs that lost some of their bits on the way are known by their answer.
  [[nodiscard]] Message rounded_inputs() const {
    if (!data_.oracle || test_.distribution != Distribution::ExactSums) return {};
    struct Kind {
      double (*round)(double);
      ElementType of;
      Message (*message)();
    };
    constexpr Kind kKinds[] = {
        {to_half, ElementType::Float32, [] { return msg::inputs_rounded_to_half(); }},
        {to_tf32, ElementType::Float32, [] { return msg::inputs_cut_to_tf32(); }},
        {to_bfloat16, ElementType::Float32, [] { return msg::inputs_rounded_to_bfloat16(); }},
        {to_float, ElementType::Float64, [] { return msg::inputs_rounded_to_float(); }}};
    if (!is_near_in_magnitude()) return {};
    for (const Kind& kind : kKinds) {
      std::vector<std::vector<std::byte>> inputs = data_.inputs;
      bool changed = false;
      const std::vector<std::size_t> parameters = parameters_with(lab_, ParameterRole::Input);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (lab_.parameters[parameters[k]].type != kind.of) continue;
        with_type(kind.of, [&]<class U>(U) {
          for (std::size_t i = 0; i < inputs[k].size() / sizeof(U); ++i) {
            const U exact = load_element<U>(inputs[k], i);
            const U rounded = static_cast<U>(kind.round(static_cast<double>(exact)));
            changed |= rounded != exact;
            store_element(inputs[k], i, rounded);
          }
        });
      }
      if (changed && matches(data_.oracle->expected(lab_, test_, inputs)[output_index_]))
        return kind.message();
    }
    return {};
  }

  /// Rounding errors have both signs, and truncation errs towards zero. An index that drifts errs in one
  /// direction for many elements in a row.
  [[nodiscard]] bool looks_rounded(const std::vector<std::size_t>& wrong) const {
    std::size_t turns = 0, towards_zero = 0;
    bool was_above = false;
    for (std::size_t k = 0; k < wrong.size(); ++k) {
      const auto value = static_cast<double>(got(wrong[k]));
      const double reference = expected_.values[wrong[k]];
      const bool above = value > reference;
      turns += k > 0 && above != was_above ? 1 : 0;
      towards_zero += std::abs(value) < std::abs(reference) ? 1 : 0;
      was_above = above;
    }
    return turns >= wrong.size() / 8 || towards_zero == wrong.size();
  }

  /// gamma_n * magnitude (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), plus the
  /// possible underflow of each product.
  [[nodiscard]] static double sum_bound(double magnitude, double roundings) {
    const double n = chain(roundings);
    return gamma(n) * magnitude + n * static_cast<double>(std::numeric_limits<T>::denorm_min());
  }
  /// Returns whether the difference is at most sum_bound(). It adds the underflow term only if that could
  /// matter, because processors are a hundred times slower on numbers as small as a double's.
  [[nodiscard]] static bool within_sum_bound(double difference, double magnitude, double roundings) {
    return difference <= gamma(chain(roundings)) * magnitude || difference <= sum_bound(magnitude, roundings);
  }
  [[nodiscard]] static double chain(double roundings) { return std::clamp(roundings, 1.0, kLongestChain); }
  [[nodiscard]] static double gamma(double n) {
    const double nu = n * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    return nu / (1 - nu);
  }

  /// The distance between the two numbers of type T around `reference`.
  [[nodiscard]] static double spacing(double reference) {
    const T magnitude = std::abs(static_cast<T>(reference));
    const T next = std::nextafter(magnitude, std::numeric_limits<T>::infinity());
    return static_cast<double>(next) - static_cast<double>(magnitude);
  }

  [[nodiscard]] static double ulps_between(T a, T b) {
    if constexpr (is_float<T>) {
      if (!std::isfinite(a) || !std::isfinite(b)) return 0;
      // Maps the bits of a floating-point number to integers in the same order. Their differences count the
      // steps.
      const auto order = [](T x) {
        using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        Bits bits;
        std::memcpy(&bits, &x, sizeof bits);
        const auto magnitude = static_cast<double>(bits & std::numeric_limits<Bits>::max());
        return bits < 0 ? -magnitude : magnitude;
      };
      return std::abs(order(a) - order(b));
    }
    return 0;
  }

  [[nodiscard]] bool matches(const Expected& answer) const { return wrong_places(answer, 0).empty(); }

  /// Returns whether got[i] equals expected[source(i)] for every i in [begin, end).
  template <class Source>
  [[nodiscard]] bool rearranged(std::size_t begin, std::size_t end, Source source) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (got(i) != right(expected_, source(i))) return false;
    }
    return true;
  }

  template <class Holds>
  [[nodiscard]] bool everywhere(Holds holds) const {
    for (std::size_t i = 0; i < total_; ++i)
      if (!holds(i)) return false;
    return true;
  }

  [[nodiscard]] bool all_zero() const {
    return everywhere([this](std::size_t i) { return got(i) == T{}; });
  }

  /// What the values show, if anything is certain.
  [[nodiscard]] Message guess(const std::vector<std::size_t>& wrong, std::uint64_t never_written,
                              const Message& usual) const {
    if (never_written == total_) return {};  // the statement says so already
    if (!usual.empty()) return usual;
    if (auto rounded = rounded_inputs(); !rounded.empty()) return rounded;
    if (auto precision = lower_precision(wrong); !precision.empty()) return precision;
    if (auto wrapped = overflowed(wrong); !wrapped.empty()) return wrapped;
    if (beyond_half(wrong)) return msg::beyond_half();
    if (std::ranges::all_of(wrong, [this](std::size_t i) { return added_to(i); }))
      return msg::added_to_unset();
    if (total_ < 2) return {};
    const auto all_wrong = [&](auto&& holds) { return std::ranges::all_of(wrong, holds); };
    if constexpr (is_float<T>) {
      if (never_written == 0 && all_wrong([&](std::size_t i) { return std::isnan(got(i)); })) {
        return msg::wrong_ones_nan();
      }
      const auto is_near = [&](std::size_t i) {
        const double ulps = ulps_between(got(i), right(expected_, i));
        return ulps > 0 && ulps <= 4;
      };
      if (never_written == 0 && lab_.tolerance.kind != ToleranceKind::Exact &&
          test_.distribution != Distribution::ExactSums && all_wrong(is_near))
        return msg::many_roundings();
    }
    const T first = got(0), first_right = right(expected_, 0);
    if (everywhere([&](std::size_t i) { return got(i) == first; })) {
      if (first == T{}) return msg::whole_output_zero();
      const bool varied = !everywhere([&](std::size_t i) { return right(expected_, i) == first_right; });
      return varied ? msg::every_element_is(element_text(first)) : Message();
    }
    if (wrong.size() > 2) {
      if (Message start = never_replaced(wrong); !start.empty()) return start;
      if (Message shape = shifted(); !shape.empty()) return shape;
      if (Message rows = rows_elsewhere(wrong); !rows.empty()) return rows;
      if (never_written == 0) return relation();
    }
    return {};
  }

  /// Wrong ones that all hold one value which is none of the input's, and no right one does.
  [[nodiscard]] Message never_replaced(const std::vector<std::size_t>& wrong) const {
    const T value = got(wrong[0]);
    if (value == T{} || !std::ranges::all_of(wrong, [&](std::size_t i) { return got(i) == value; }))
      return {};
    const std::vector<std::size_t> inputs = parameters_with(lab_, ParameterRole::Input);
    for (std::size_t k = 0; k < inputs.size() && k < data_.inputs.size(); ++k) {
      if (lab_.parameters[inputs[k]].type != parameter_.type) continue;
      for (std::size_t i = 0; i < data_.inputs[k].size() / sizeof(T); ++i)
        if (load_element<T>(data_.inputs[k], i) == value) return {};
    }
    return msg::start_value_kept(element_text(value));
  }

  /// Sums that an int lost a carry of differ from the right ones by multiples of
  /// 2^32, wherever that happened.
  [[nodiscard]] Message overflowed(const std::vector<std::size_t>& wrong) const {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      const auto wraps = [&](std::size_t i) {
        const auto off =
            static_cast<std::uint64_t>(got(i)) - static_cast<std::uint64_t>(expected_.integers[i]);
        return (off & 0xFFFFFFFFu) == 0;
      };
      if (std::ranges::all_of(wrong, wraps)) return msg::int_overflowed();
    }
    return {};
  }

  /// Detects infinite results that are far from overflowing float, but whose sum overflows half precision.
  [[nodiscard]] bool beyond_half(const std::vector<std::size_t>& wrong) const {
    if constexpr (!std::is_same_v<T, float>) return false;
    constexpr double kLargestHalf = 65504, kFarBelowLargestFloat = 0x1p60;
    return lab_.tolerance.kind == ToleranceKind::SumOfProducts &&
           std::ranges::all_of(wrong, [&](std::size_t i) {
             const double magnitude = expected_.magnitudes[i];
             return std::isinf(static_cast<double>(got(i))) && magnitude > kLargestHalf &&
                    magnitude < kFarBelowLargestFloat;
           });
  }

  void find_fitting_mistakes(Mismatch& mismatch) const {
    data_.each_usual_mistake(lab_, test_, possible_, [&](const Oracle::Mistake& mistake) {
      if (!matches(mistake.answer[output_index_])) return;
      mismatch.fitting_numbers.insert(mistake.number);
      const Message words = msg::usual_mistake(mistake.words);
      if (std::ranges::find(mismatch.fitting, words) == mismatch.fitting.end())
        mismatch.fitting.push_back(words);
    });
  }

  [[nodiscard]] Message shifted() const {
    if (extents_.size() == 1) {
      const std::string unit = unit_name(parameter_.shape[0], 0, 1);
      if (rearranged(1, total_, [](std::size_t i) { return i - 1; })) {
        return msg::shifted_from_before(unit);
      }
      if (rearranged(0, total_ - 1, [](std::size_t i) { return i + 1; })) {
        return msg::shifted_from_after(unit);
      }
      if (rearranged(0, total_, [this](std::size_t i) { return total_ - 1 - i; })) {
        return msg::in_reverse(unit);
      }
    }
    if (extents_.size() == 2 && extents_[0] == extents_[1]) {
      const auto n = static_cast<std::size_t>(extents_[0]);
      if (rearranged(0, total_, [n](std::size_t i) { return i % n * n + i / n; })) {
        return msg::transposed();
      }
    }
    return {};
  }

  /// Every row that is wrong is what another one should be.
  [[nodiscard]] Message rows_elsewhere(const std::vector<std::size_t>& wrong) const {
    if (extents_.size() != 2) return {};
    constexpr std::size_t kTells = 4;  // elements of a row, which are equal by no accident
    const auto rows = static_cast<std::size_t>(extents_[0]), columns = static_cast<std::size_t>(extents_[1]);
    if (columns < kTells || rows < 3) return {};
    std::vector<bool> is_wrong(rows);
    for (const std::size_t place : wrong) is_wrong[place / columns] = true;
    const auto holds = [&](std::size_t row, std::size_t right) {
      for (std::size_t c = 0; c < columns; ++c)
        if (!accepted(got(row * columns + c), expected_, right * columns + c)) return false;
      return true;
    };
    Message first;
    std::size_t moved = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (!is_wrong[row]) continue;
      std::size_t right = 0, others = 0;
      for (std::size_t other = 0; other < rows; ++other) {
        if (other == row || !holds(row, other)) continue;
        right = other;
        ++others;
      }
      if (others != 1) return {};
      if (moved++ == 0) first = msg::rows_elsewhere(row, right);
    }
    return moved > 1 ? first : Message();
  }

  [[nodiscard]] Message relation() const {
    std::vector<ValuePair> pairs;
    pairs.reserve(total_);
    for (std::size_t i = 0; i < total_; ++i)
      pairs.push_back({i, static_cast<double>(got(i)), static_cast<double>(right(expected_, i)),
                       accepted(got(i), expected_, i)});
    return relation_of(pairs, is_float<T> ? 1e-5 : 0);
  }

  /// Finds the factor by least squares. Every element must then agree with it, within the bound of its own
  /// rounding.
  void find_factor(Mismatch& mismatch) const {
    if constexpr (is_float<T>) {
      double product = 0, square = 0, off = 0;
      const auto bound = [this](std::size_t i) {
        return lab_.tolerance.kind == ToleranceKind::SumOfProducts
                   ? sum_bound(expected_.magnitudes[i], expected_.roundings[i] + 2)
                   : (lab_.tolerance.ulps + 2) * spacing(expected_.values[i]);
      };
      for (std::size_t i = 0; i < total_; ++i) {
        const double reference = expected_.values[i];
        product += static_cast<double>(got(i)) * reference;
        square += reference * reference;
        off += bound(i) * std::abs(reference);
      }
      const double factor = product / square, error = off / square;
      if (mismatch.never_written > 0 || !std::isfinite(factor) || factor == 0 || !std::isfinite(error))
        return;
      for (std::size_t i = 0; i < total_; ++i) {
        const double reference = expected_.values[i];
        const double differs = std::abs(static_cast<double>(got(i)) - factor * reference);
        if (!(differs <= std::abs(factor) * (bound(i) + error * std::abs(reference)))) return;
      }
      mismatch.factor = factor;
      mismatch.factor_error = error;
    }
  }

  [[nodiscard]] Messages statements(const Mismatch& m, const std::vector<std::string>& units) const {
    const std::string unit = units.size() == 1 ? units[0] : "element";
    if (m.none_written() && m.count == m.total)
      return m.total > 1 ? msg::all_never_written(m.output, m.total, unit) : msg::never_written(m.output);
    const std::string element = m.output + index_text(m.index);
    Messages all;
    if (m.got.empty()) {
      all.add(msg::element_never_written(element, m.expected));
    } else {
      // Where nothing is rounded, a large distance in roundings says nothing.
      const bool rounds = lab_.tolerance.kind != ToleranceKind::Exact;
      const bool shown = m.ulps > 0 && (rounds || m.ulps < kManyUlps);
      all.add(msg::element_wrong(element, m.got, m.expected, shown ? distance(m.ulps) : Message()));
    }
    if (m.total > 1) {
      all.add(msg::how_many_wrong(m.count, m.total, unit, m.none_written() && m.count > 1,
                                  m.count > 1 ? m.never_written : 0,
                                  m.count != m.total ? m.pattern : Message()));
    }
    all.add(m.guess);
    return all;
  }

  static Message distance(double ulps) {
    if (ulps == 1) return msg::distance_next();
    return ulps < kManyUlps ? msg::distance_ulps(static_cast<std::int64_t>(ulps)) : Message();
  }

  const Lab& lab_;
  const Parameter& parameter_;
  const TestCase& test_;
  const CaseData& data_;
  std::size_t output_index_;
  const Expected& expected_;
  std::span<const std::byte> poison_, got_;
  const Oracle::Mistakes& possible_;
  std::vector<std::int64_t> extents_;
  std::size_t total_;
};

}  // namespace

std::optional<Mismatch> compare_output(const Lab& lab, const TestCase& test, const CaseData& data,
                                       std::size_t output_index, std::span<const std::byte> got,
                                       const Oracle::Mistakes& possible) {
  const Parameter& parameter = lab.parameters[parameters_with(lab, ParameterRole::Output)[output_index]];
  return with_type(parameter.type, [&]<class T>(T) {
    return Comparison<T>(lab, parameter, test, data, output_index, got, possible).run();
  });
}

bool shows(const Lab& lab, const TestCase& test, const CaseData& data, const Message& mistake) {
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  bool shown = false;
  const Oracle::Mistakes all;
  data.each_usual_mistake(lab, test, all, [&](const Oracle::Mistake& usual) {
    if (shown || msg::usual_mistake(usual.words) != mistake) return;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      std::vector<std::byte> bytes(data.poisoned_outputs[k].size());
      const Parameter& parameter = lab.parameters[outputs[k]];
      with_type(parameter.type, [&]<class T>(T) {
        const Expected& answer = usual.answer[k];
        for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i)
          store_element(bytes, i,
                        is_float<T> ? static_cast<T>(answer.values[i]) : static_cast<T>(answer.integers[i]));
        shown = shown || Comparison<T>(lab, parameter, test, data, k, bytes, all).is_wrong();
      });
    }
  });
  return shown;
}

}  // namespace cudalabs
