#include "grader/grading/compare/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/compare/judged_output.h"
#include "grader/grading/compare/pattern.h"
#include "grader/grading/compare/relation.h"

namespace cudalabs {
namespace {

constexpr double kManyUlps = 1e6;  ///< "more than a million": no longer counted

double to_half(double x) { return to_bits(x, 11, -13); }
double to_bfloat16(double x) { return to_bits(x, 8, -125); }
double to_float(double x) { return static_cast<float>(x); }
double to_tf32(double x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(x)) & 0xffffe000u);
}

/// Compares one output of one case, in its own element type.
template <class T>
class Comparison : public JudgedOutput<T> {
  using Base = JudgedOutput<T>;
  using Base::accepted;
  using Base::data_;
  using Base::expected_;
  using Base::extents_;
  using Base::got;
  using Base::got_;
  using Base::initial_;
  using Base::is_poisoned_;
  using Base::lab_;
  using Base::nearest;
  using Base::output_index_;
  using Base::parameter_;
  using Base::place;
  using Base::right;
  using Base::source_;
  using Base::stored;
  using Base::test_;
  using Base::tolerance_;
  using Base::total_;
  using Base::ulps_between;
  using Base::unwritten;
  using Base::wrong_places;
  using typename Base::Value;

 public:
  Comparison(const Lab& lab, const TestCase& test, const CaseData& data, std::size_t output_index,
             std::span<const std::byte> got, const std::vector<Expected>& answers,
             const Oracle::Mistakes& possible, std::span<const std::span<const std::byte>> outputs)
      : Base(lab, test, data, output_index, got, answers), possible_(possible), outputs_got_(outputs) {}

  [[nodiscard]] std::optional<Mismatch> run() const {
    if (tolerance_.kind == ToleranceKind::Checked) return unwritten_elements();
    const std::vector<std::size_t> wrong = wrong_places(total_);
    if (wrong.empty()) return std::nullopt;

    const std::size_t first = wrong[0];
    Mismatch mismatch = blank(place(first), wrong.size());
    mismatch.expected = element_text(right(first));
    for (const std::size_t i : wrong) mismatch.never_written += unwritten(i);
    const bool by_chance = is_chance(mismatch.never_written, wrong.size());
    if (by_chance) mismatch.never_written = 0;
    if (!is_poisoned_ || by_chance || !unwritten(first)) {
      mismatch.got = element_text(got(first));
      mismatch.ulps = ulps_between(first);
    }
    const std::vector<std::string> units = units_of(parameter_);
    if (source_.empty()) mismatch.pattern = describe_places(wrong, extents_, units);
    // What was never written is no mistake's answer. An untouched stub has nothing else.
    if (mismatch.stored()) find_fitting_mistakes(mismatch);
    // On a small or special case several mistakes give the same answer, so none of them is certain. In a lab
    // of sums, a mistake that gives only zeros is not certain either.
    const bool adds = lab_.sums || tolerance_.kind == ToleranceKind::SumOfProducts;
    const bool certain = mismatch.fitting.size() == 1 && !(adds && total_ > 1 && all_zero());
    const Message usual = certain ? mismatch.fitting[0] : Message();
    if (mismatch.stored()) mismatch.guess = guess(wrong, mismatch.never_written, usual);
    mismatch.usual = !usual.empty() && mismatch.guess == usual;
    if (source_.empty()) find_factor(mismatch);
    mismatch.statements = statements(mismatch, units);
    return mismatch;
  }

 private:
  [[nodiscard]] Mismatch blank(std::size_t first, std::size_t count) const {
    Mismatch mismatch;
    mismatch.output = parameter_.name;
    mismatch.index = index_of(first, extents_);
    mismatch.extents = extents_;
    mismatch.in_place = !is_poisoned_;
    mismatch.untouched = std::ranges::equal(got_, initial_);
    mismatch.count = count;
    mismatch.total = total_;
    return mismatch;
  }
  /// Returns whether so many of the wrong elements may equal the poison although they were written: one byte
  /// in 256 does.
  [[nodiscard]] bool is_chance(std::uint64_t equal, std::size_t wrong) const {
    constexpr std::size_t kSeveral = 8, kPart = 64;
    return sizeof(T) == 1 && is_poisoned_ && wrong >= kSeveral && equal <= 1 + wrong / kPart;
  }
  /// Of an output that is judged by the oracle, what was not written. Small numbers may equal the poison.
  [[nodiscard]] std::optional<Mismatch> unwritten_elements() const {
    if (!is_poisoned_ || total_ == 0) return std::nullopt;
    std::vector<std::size_t> unset;
    for (std::size_t i = 0; i < total_; ++i)
      if (unwritten(i)) unset.push_back(i);
    if (unset.empty() || (sizeof(T) < 4 && unset.size() < total_)) return std::nullopt;
    Mismatch mismatch = blank(unset[0], unset.size());
    mismatch.never_written = unset.size();
    mismatch.pattern = describe_places(unset, extents_, units_of(parameter_));
    mismatch.statements = statements(mismatch, units_of(parameter_));
    return mismatch;
  }

  /// Returns whether this element is the poison plus something that was added.
  [[nodiscard]] bool added_to(std::size_t i) const {
    if (!is_poisoned_ || unwritten(i)) return false;
    const T poison = load_element<T>(initial_, place(i));
    const auto before = static_cast<Value>(poison), after = got(i);
    if constexpr (!kIsFloat<T>) {
      using Bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Bits>(after) - static_cast<Bits>(before)) == right(i);
    } else {
      using N = Numbers<T>;
      if (std::isnan(before)) return N::quiet(N::bits_of(poison)) == N::bits_of(stored(i));
      constexpr Value kNear = Value{1} / 1024;
      return std::abs(after - before) <= std::abs(before) * kNear;
    }
  }
  /// What the errors look like if sums, or the factors alone (as on tensor cores), are kept in the next lower
  /// precision: above our bound everywhere that is wrong, below that precision's everywhere. Only where that
  /// bound is so small that an element left out would stand out.
  [[nodiscard]] Message lower_precision(const std::vector<std::size_t>& wrong) const {
    if constexpr (!std::is_floating_point_v<T>) return {};
    if (tolerance_.kind != ToleranceKind::SumOfProducts) return {};
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
    if constexpr (!kIsFloat<T>) return true;
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
      if (changed && matches(data_.oracle->expected(lab_, test_, inputs))) return kind.message();
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

  /// Do the other outputs hold what this mistake gives?
  [[nodiscard]] bool others_match(const std::vector<Expected>& answers) const {
    const std::vector<std::size_t> outputs = parameters_with(lab_, ParameterRole::Output);
    for (std::size_t k = 0; k < outputs_got_.size(); ++k) {
      const Parameter& parameter = lab_.parameters[outputs[k]];
      if (k == output_index_ || lab_.tolerance_of(parameter).kind == ToleranceKind::Checked) continue;
      if (with_type(parameter.type, [&]<class U>(U) {
            return JudgedOutput<U>(lab_, test_, data_, k, outputs_got_[k], answers).is_wrong();
          }))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool matches(const std::vector<Expected>& answers) const {
    return !JudgedOutput<T>(lab_, test_, data_, output_index_, got_, answers).is_wrong();
  }

  /// Returns whether got[i] equals expected[source(i)] for every i in [begin, end).
  template <class Source>
  [[nodiscard]] bool rearranged(std::size_t begin, std::size_t end, Source source) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (got(i) != right(source(i))) return false;
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
    return everywhere([this](std::size_t i) { return got(i) == Value{}; });
  }

  /// What the values show, if anything is certain.
  [[nodiscard]] Message guess(const std::vector<std::size_t>& wrong, std::uint64_t never_written,
                              const Message& usual) const {
    if (!usual.empty()) return usual;
    if (auto rounded = rounded_inputs(); !rounded.empty()) return rounded;
    if (auto precision = lower_precision(wrong); !precision.empty()) return precision;
    if (auto wrapped = overflowed(wrong); !wrapped.empty()) return wrapped;
    if (beyond_half(wrong)) return msg::beyond_half();
    if (std::ranges::all_of(wrong, [this](std::size_t i) { return added_to(i); }))
      return msg::added_to_unset();
    if (total_ < 2 || !source_.empty()) return {};
    const auto all_wrong = [&](auto&& holds) { return std::ranges::all_of(wrong, holds); };
    if constexpr (kIsFloat<T>) {
      if (never_written == 0 && all_wrong([&](std::size_t i) { return std::isnan(got(i)); })) {
        return msg::wrong_ones_nan();
      }
      const auto is_near = [&](std::size_t i) {
        const double ulps = ulps_between(i);
        return ulps > 0 && ulps <= 4;
      };
      if (never_written == 0 && tolerance_.kind != ToleranceKind::Exact &&
          test_.distribution != Distribution::ExactSums && all_wrong(is_near))
        return msg::many_roundings();
    }
    const Value first = got(0), first_right = right(0);
    if (everywhere([&](std::size_t i) { return got(i) == first; })) {
      if (first == Value{}) return msg::whole_output_zero();
      const bool varied = !everywhere([&](std::size_t i) { return right(i) == first_right; });
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
    const Value value = got(wrong[0]);
    if (value == Value{} || !std::ranges::all_of(wrong, [&](std::size_t i) { return got(i) == value; }))
      return {};
    const std::vector<std::size_t> inputs = parameters_with(lab_, ParameterRole::Input);
    for (std::size_t k = 0; k < inputs.size() && k < data_.inputs.size(); ++k) {
      if (lab_.parameters[inputs[k]].type != parameter_.type) continue;
      for (std::size_t i = 0; i < data_.inputs[k].size() / sizeof(T); ++i)
        if (static_cast<Value>(load_element<T>(data_.inputs[k], i)) == value) return {};
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
    return tolerance_.kind == ToleranceKind::SumOfProducts && std::ranges::all_of(wrong, [&](std::size_t i) {
             const double magnitude = expected_.magnitudes[i];
             return std::isinf(static_cast<double>(got(i))) && magnitude > kLargestHalf &&
                    magnitude < kFarBelowLargestFloat;
           });
  }

  void find_fitting_mistakes(Mismatch& mismatch) const {
    data_.each_usual_mistake(lab_, test_, possible_, [&](const Oracle::Mistake& mistake) {
      if (!matches(mistake.answer) || !others_match(mistake.answer)) return;
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
    if (parameter_.shape.size() == 2 && extents_.size() == 2 && extents_[0] == extents_[1]) {
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
        if (!accepted(got(row * columns + c), right * columns + c)) return false;
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
      pairs.push_back({i, static_cast<double>(got(i)), static_cast<double>(right(i)), accepted(got(i), i)});
    return relation_of(pairs, kIsFloat<T> ? 1e-5 : 0);
  }

  /// Finds the factor by least squares. Every element must then agree with it, within the bound of its own
  /// rounding.
  void find_factor(Mismatch& mismatch) const {
    if constexpr (kIsFloat<T>) {
      double product = 0, square = 0, off = 0;
      const auto bound = [this](std::size_t i) {
        if (tolerance_.kind == ToleranceKind::Absolute) return tolerance_.bound;
        if (tolerance_.kind == ToleranceKind::Relative)
          return tolerance_.bound * std::abs(expected_.values[i]);
        return tolerance_.kind == ToleranceKind::SumOfProducts
                   ? Numbers<T>::sum_bound(expected_.magnitudes[i], expected_.roundings[i] + 2)
                   : (tolerance_.bound + 2) * Numbers<T>::spacing(expected_.values[i]);
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
    if (m.in_place && m.untouched && m.count > 1) return {msg::none_changed(m.output, m.count, unit)};
    if (m.none_written() && m.count == m.total && !m.in_place)
      return m.total > 1 ? msg::all_never_written(m.output, m.total, unit) : msg::never_written(m.output);
    const std::string element = m.output + index_text(parameter_, m.index);
    Messages all;
    if (m.got.empty()) {
      all.add(m.expected.empty() ? msg::element_unset(element)
                                 : msg::element_never_written(element, m.expected));
    } else if (!source_.empty()) {
      all.add(msg::element_out_of_set(element, m.got, m.expected, parameter_.keys));
    } else if (m.in_place && unwritten_at(m)) {
      all.add(msg::element_unchanged(element, m.got, m.expected));
    } else {
      // Where nothing is rounded, a large distance in roundings says nothing.
      const bool rounds = tolerance_.kind != ToleranceKind::Exact;
      const bool shown = m.ulps > 0 && (rounds || m.ulps < kManyUlps);
      all.add(msg::element_wrong(element, m.got, m.expected, shown ? distance(m.ulps) : Message()));
    }
    if (m.total > 1) {
      const bool counts_unwritten = m.count > 1 && !m.in_place;
      all.add(msg::how_many_wrong(m.count, m.total, unit, counts_unwritten && m.none_written(),
                                  counts_unwritten ? m.never_written : 0,
                                  m.count != m.total ? m.pattern : Message()));
    }
    all.add(m.guess);
    return all;
  }

  /// Returns whether the element that the mismatch shows was not written.
  [[nodiscard]] bool unwritten_at(const Mismatch& m) const {
    std::size_t at = 0;
    for (std::size_t d = 0; d < m.index.size(); ++d)
      at = at * static_cast<std::size_t>(extents_[d]) + static_cast<std::size_t>(m.index[d]);
    return unwritten(at);
  }

  static Message distance(double ulps) {
    if (ulps == 1) return msg::distance_next();
    return ulps < kManyUlps ? msg::distance_ulps(static_cast<std::int64_t>(ulps)) : Message();
  }

  const Oracle::Mistakes& possible_;
  std::span<const std::span<const std::byte>> outputs_got_;
};

}  // namespace

std::optional<Mismatch> compare_output(const Lab& lab, const TestCase& test, const CaseData& data,
                                       std::size_t output_index, std::span<const std::byte> got,
                                       const Oracle::Mistakes& possible,
                                       std::span<const std::span<const std::byte>> outputs) {
  const Parameter& parameter = lab.parameters[parameters_with(lab, ParameterRole::Output)[output_index]];
  return with_type(parameter.type, [&]<class T>(T) {
    return Comparison<T>(lab, test, data, output_index, got, data.expected, possible, outputs).run();
  });
}

bool has_empty_answer(const Lab& lab, const TestCase& test, const CaseData& data) {
  std::set<std::string_view> lengths;
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  for (const std::size_t p : outputs) lengths.insert(lab.parameters[p].length);
  bool any = false;
  for (const std::size_t p : outputs) {
    const Parameter& output = lab.parameters[p];
    if (lengths.contains(output.name)) continue;
    const bool by_output = std::ranges::any_of(
        outputs, [&](std::size_t other) { return lab.parameters[other].name == output.length; });
    if (!by_output || counted_length(lab, test, output, data.expected) > 0) return false;
    any = true;
  }
  return any;
}

std::size_t free_bytes(const Lab& lab, const TestCase& test, const CaseData& data) {
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Parameter& parameter = lab.parameters[outputs[k]];
    const auto& before = data.initial_outputs[k];
    if (before.empty()) continue;
    if (parameter.role == ParameterRole::InOut) {
      bytes +=
          before.size() - with_type(parameter.type, [&]<class T>(T) {
            return JudgedOutput<T>(lab, test, data, k, before, data.expected).count_unwritten() * sizeof(T);
          });
    } else if (!parameter.length.empty()) {
      const std::int64_t most = extents(parameter, test)[0];
      const std::int64_t rest = most - counted_length(lab, test, parameter, data.expected);
      bytes += before.size() / static_cast<std::size_t>(most) * static_cast<std::size_t>(rest);
    }
  }
  return bytes;
}

bool shows(const Lab& lab, const TestCase& test, const CaseData& data, const Message& mistake) {
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  bool shown = false;
  const Oracle::Mistakes all;
  data.each_usual_mistake(lab, test, all, [&](const Oracle::Mistake& usual) {
    if (shown || msg::usual_mistake(usual.words) != mistake) return;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const Parameter& parameter = lab.parameters[outputs[k]];
      if (lab.tolerance_of(parameter).kind == ToleranceKind::Checked) continue;
      const std::vector<std::byte> bytes = as_written(usual.answer[k], parameter.type);
      with_type(parameter.type, [&]<class T>(T) {
        shown = shown || JudgedOutput<T>(lab, test, data, k, bytes, data.expected).is_wrong();
      });
    }
  });
  return shown;
}

}  // namespace cudalabs
