#include "grader/grading/cases/inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>

#include "grader/course/exact_sums.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/cases/poison.h"
#include "grader/grading/cases/random.h"

namespace cudalabs {
namespace {

// Mixed into the key so that the parts of one case do not repeat each other.
enum Stream : std::uint64_t { input_stream = 1, poison_stream = 2, place_stream = 3, generator_stream = 4 };

std::uint64_t stream_key(const CaseKey& key, Stream stream, std::size_t parameter) {
  return mix_key({key.seed, key.case_index, key.version_index, key.repetition, stream, parameter});
}

/// One buffer to fill, seen as lines along its innermost dimension. The kernels of the labs divide their work
/// along this dimension.
struct Lines {
  std::size_t count = 1, length = 1;
};

Lines lines_of(const Parameter& parameter, const TestCase& test) {
  Lines lines;
  const std::vector<std::int64_t> shape = extents(parameter, test);
  // The components of a vector belong to its line.
  const std::size_t outer = parameter.shape.empty() ? 0 : parameter.shape.size() - 1;
  for (std::size_t d = 0; d < shape.size(); ++d)
    (d >= outer ? lines.length : lines.count) *= static_cast<std::size_t>(shape[d]);
  return lines;
}

/// Columns at which kernels usually divide the work: both ends, the borders of warps and blocks, and the
/// start of the part that does not fill a warp.
std::vector<std::size_t> partition_edges(std::size_t length) {
  std::vector<std::size_t> edges = {0, length - 1, length - 1 - (length - 1) % 32};
  for (const std::size_t width : {32, 64, 128, 256, 512, 1024}) {
    for (const std::size_t border : {width, (length - 1) / width * width}) {
      edges.insert(edges.end(), {border - 1, border, border + 1});
    }
  }
  // border - 1 wraps around for border 0, and is dropped as too large.
  std::erase_if(edges, [length](std::size_t edge) { return edge >= length; });
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// The numbers of course/exact_sums.h for input number `input`. The elements of one sum lie `stride` apart.
/// `places` determines which terms have a fine part; it is the same for all inputs.
UnsetVector<double> exact_sums(const ExactSums& plan, std::size_t input, const Parameter& parameter,
                               std::size_t count, std::size_t stride, std::uint64_t key,
                               std::uint64_t places) {
  const auto terms = static_cast<std::size_t>(plan.terms),
             fine_terms = static_cast<std::size_t>(plan.fine_terms);
  std::vector<bool> fine(terms);
  const Random place(places), random(key);
  for (std::size_t k = 0; k < fine_terms; ++k) {
    const std::size_t begin = k * terms / fine_terms, end = (k + 1) * terms / fine_terms;
    if (k % static_cast<std::size_t>(plan.inputs) == input) fine[begin + place.below(k, end - begin)] = true;
  }
  const double farthest = parameter.high > 0 ? parameter.high : parameter.low;
  const double step = std::ldexp(std::copysign(1.0, farthest),
                                 std::ilogb(std::abs(farthest) / static_cast<double>(plan.fine_high)));
  std::vector<std::int64_t> before(stride);  // the last term, in steps
  UnsetVector<double> values(count);
  for (std::size_t i = 0, term = 0; i < values.size(); term = term + 1 == terms ? 0 : term + 1) {
    const std::int64_t first = fine[term] ? plan.fine_low + 3 : 1, distance = fine[term] ? 4 : 1;
    std::int64_t choices = fine[term] ? (plan.fine_high - plan.fine_low) / 4 : plan.plain;
    // The value differs from the neighbour's, so that a program that reads the neighbour instead gets a wrong
    // sum.
    const bool follows = term > 0 && fine[term - 1] == fine[term];
    if (follows) --choices;
    for (std::int64_t& last : before) {
      auto number =
          first + distance * static_cast<std::int64_t>(random.below(i, static_cast<std::uint64_t>(choices)));
      if (follows && number >= last) number += distance;
      last = number;
      values[i++] = static_cast<double>(number) * step;
    }
  }
  return values;
}

/// Computes the numbers of one input as doubles, which are then rounded to its element type. Integers are
/// drawn from low..high, including both ends.
class Filler {
 public:
  Filler(const Parameter& parameter, Lines lines, std::uint64_t key)
      : integer_(is_integer(parameter.type)),
        low_(parameter.low),
        high_(parameter.high),
        lines_(lines),
        random_(key),
        choice_(scramble(key)) {}

  [[nodiscard]] UnsetVector<double> fill(Distribution distribution) const {
    UnsetVector<double> values(lines_.count * lines_.length);
    if (values.empty()) return values;
    switch (distribution) {
      case Distribution::Uniform:
        fill_each(values, [&](std::size_t i) { return uniform(i, low_, high_); });
        break;
      case Distribution::Negative:
        // Never zero: in this case zero is larger than every element.
        fill_each(values, [&](std::size_t i) {
          return integer_ ? uniform(i, low_, std::min(high_, -1.0))
                          : std::min(high_, 0.0) + (low_ - std::min(high_, 0.0)) * (1 - random_.unit(i));
        });
        break;
      case Distribution::Positive:  // the same on the other side
        fill_each(values, [&](std::size_t i) {
          return integer_ ? uniform(i, std::max(low_, 1.0), high_)
                          : std::max(low_, 0.0) + (high_ - std::max(low_, 0.0)) * (1 - random_.unit(i));
        });
        break;
      case Distribution::EdgeExtremes: edge_extremes(values); break;
      case Distribution::Dominant: dominant(values); break;
      case Distribution::Cancellation: cancellation(values); break;
      case Distribution::Constant: std::ranges::fill(values, uniform(0, low_, high_)); break;
      case Distribution::SmallIntegers:
        fill_each(values, [&](std::size_t i) {
          const double low = std::max(std::ceil(low_), -8.0), high = std::min(std::floor(high_), 8.0);
          // For exact numbers, a range such as [-1, 1] is a scale and not a border.
          return high - low < 8 && !integer_ ? whole(i, low_ < 0 ? -8 : 0, high_ > 0 ? 8 : 0)
                                             : whole(i, low, high);
        });
        break;
      case Distribution::Outlying: outlying(values); break;
      case Distribution::ExactSums: std::abort();  // needs more than a shape: exact_sums()
    }
    return values;
  }

 private:
  template <class Make>
  static void fill_each(UnsetVector<double>& values, Make make) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = make(i);
  }

  [[nodiscard]] double whole(std::size_t place, double low, double high) const {
    return low + static_cast<double>(random_.below(place, static_cast<std::uint64_t>(high - low) + 1));
  }
  [[nodiscard]] double uniform(std::size_t place, double low, double high) const {
    return integer_ ? whole(place, std::ceil(low), std::floor(high))
                    : low + (high - low) * random_.unit(place);
  }

  /// Every line has its largest and smallest element at partition edges, which differ from line to line.
  /// Nothing else comes near these two values.
  void edge_extremes(UnsetVector<double>& values) const {
    const double middle = low_ + (high_ - low_) / 2, reach = (high_ - low_) / 4;
    fill_each(values, [&](std::size_t i) { return uniform(i, middle - reach, middle + reach); });
    const auto edges = partition_edges(lines_.length);
    for (std::size_t line = 0; line < lines_.count; ++line) {
      const std::size_t top = choice_.below(2 * line, edges.size());
      const std::size_t bottom = choice_.below(2 * line + 1, edges.size());
      double* begin = values.data() + line * lines_.length;
      begin[edges[bottom]] = uniform(values.size() + 2 * line, low_, low_ + reach / 2);
      begin[edges[top]] = uniform(values.size() + 2 * line + 1, high_ - reach / 2, high_);
    }
  }

  /// Whole lines lie far from zero, alternating between the two sides. Any start value that a student
  /// considers large or small enough is therefore wrong. Within a line all numbers are neighbours, so a
  /// program that replaces its value only if the new one is larger by a margin keeps a wrong element.
  void outlying(UnsetVector<double>& values) const {
    constexpr std::uint64_t kSteps = 12;
    const auto edges = partition_edges(lines_.length);
    for (std::size_t line = 0; line < lines_.count; ++line) {
      const double far = line % 4 < 2 ? std::ldexp(1.0, integer_ ? 30 : 100) : integer_ ? 64 : 0.5;
      const double middle = line % 2 == 0 ? -far : far, step = integer_ ? 1 : std::ldexp(far, -23);
      const auto number = [&](std::uint64_t steps) { return middle + static_cast<double>(steps) * step; };
      const std::size_t first = line * lines_.length;
      double* begin = values.data() + first;
      for (std::size_t i = 0; i < lines_.length; ++i) begin[i] = number(2 + random_.below(first + i, kSteps));
      const std::size_t top = choice_.below(2 * line, edges.size());
      const std::size_t bottom = (top + 1 + choice_.below(2 * line + 1, edges.size())) % edges.size();
      // The next best value precedes each extreme, if there is room.
      if (edges[top] > 0) begin[edges[top] / 2] = number(kSteps + 2);
      if (edges[bottom] > 0) begin[edges[bottom] / 2] = number(1);
      begin[edges[bottom]] = number(0);
      begin[edges[top]] = number(kSteps + 3);
    }
  }

  /// One element of each line is far larger than all others together would suggest.
  void dominant(UnsetVector<double>& values) const {
    fill_each(values, [&](std::size_t i) { return uniform(i, low_, high_); });
    const double scale = integer_ ? 1000 : 0x1p20;
    for (std::size_t line = 0; line < lines_.count; ++line) {
      const std::size_t place = line * lines_.length + choice_.below(line, lines_.length);
      values[place] = scale * std::max(std::abs(high_), std::abs(low_)) *
                      (integer_ ? 1 : 1 + random_.unit(values.size() + line));
    }
  }

  /// Every line holds numbers and their opposites in another order, so its sum is near zero and its terms are
  /// not.
  void cancellation(UnsetVector<double>& values) const {
    fill_each(values, [&](std::size_t i) { return uniform(i, low_, high_); });
    const std::size_t half = lines_.length / 2;
    for (std::size_t line = 0; half > 0 && line < lines_.count; ++line) {
      double* begin = values.data() + line * lines_.length;
      const std::size_t turn = choice_.below(line, half);
      for (std::size_t i = 0; i < half; ++i) begin[half + i] = -begin[(i + turn) % half];
    }
  }

  bool integer_;
  double low_, high_;
  Lines lines_;
  Random random_, choice_;
};

/// Draws a size from `least` to `most`. Each doubling of the size is as likely as any other, so that a wide
/// range is not only tested near its end.
std::int64_t drawn_size(std::int64_t least, std::int64_t most, const Random& random, std::uint64_t at) {
  std::vector<std::int64_t> begins{least};
  while (most / 2 >= std::max<std::int64_t>(begins.back(), 1))
    begins.push_back(2 * std::max<std::int64_t>(begins.back(), 1));
  const std::uint64_t doubling = begins.size() == 1 ? 0 : random.below(at + 1, begins.size());
  const std::int64_t end = doubling + 1 < begins.size() ? begins[doubling + 1] : most + 1;
  const std::int64_t begin = begins[doubling];
  return begin + static_cast<std::int64_t>(random.below(at, static_cast<std::uint64_t>(end - begin)));
}

}  // namespace

std::vector<std::int64_t> extents(const Parameter& parameter, const TestCase& test) {
  std::vector<std::int64_t> shape;
  for (const std::string& name : parameter.shape) shape.push_back(test.extent(name));
  if (parameter.components > 1) shape.push_back(parameter.components);
  return shape;
}

std::size_t element_count(const Parameter& parameter, const TestCase& test) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents(parameter, test)) count *= static_cast<std::size_t>(extent);
  return count;
}

std::size_t stride_along(const Parameter& parameter, const TestCase& test, const std::string& size) {
  const auto found = std::ranges::find(parameter.shape, size);
  if (found == parameter.shape.end()) return 1;
  auto stride = static_cast<std::size_t>(parameter.components);
  for (auto inner = found + 1; inner != parameter.shape.end(); ++inner)
    stride *= static_cast<std::size_t>(test.extent(*inner));
  return stride;
}

std::vector<std::size_t> parameters_with(const Lab& lab, ParameterRole part) {
  std::vector<std::size_t> indices;
  for (std::size_t k = 0; k < lab.parameters.size(); ++k) {
    if (lab.parameters[k].acts_as(part)) indices.push_back(k);
  }
  return indices;
}

std::vector<std::size_t> input_arrays(const Lab& lab) {
  std::vector<std::size_t> indices = parameters_with(lab, ParameterRole::Input);
  std::erase_if(indices, [&](std::size_t k) { return !lab.parameters[k].is_array(); });
  return indices;
}

/// The number of a parameter among those that act as `part`.
static std::size_t place_among(const Lab& lab, ParameterRole part, std::size_t parameter) {
  return static_cast<std::size_t>(
      std::count_if(lab.parameters.begin(), lab.parameters.begin() + static_cast<std::ptrdiff_t>(parameter),
                    [part](const Parameter& p) { return p.acts_as(part); }));
}

bool has_output_elements(const Lab& lab, const TestCase& test) {
  return std::ranges::any_of(lab.parameters, [&](const Parameter& parameter) {
    return parameter.acts_as(ParameterRole::Output) && element_count(parameter, test) > 0;
  });
}

std::vector<std::byte> make_input(const Lab& lab, const TestCase& test, std::size_t parameter,
                                  const CaseKey& key) {
  const Parameter& input = lab.parameters[parameter];
  const std::uint64_t own_key = stream_key(key, input_stream, parameter);
  UnsetVector<double> values;
  if (input.role == ParameterRole::Scalar) {
    values.push_back(test.scalar(input.name));
  } else if (const CaseFile* file = test.file_of(input.name)) {
    values.assign(file->numbers->begin(), file->numbers->end());
  } else if (test.distribution == Distribution::ExactSums) {
    const auto plan = plan_exact_sums(lab, test);
    if (!plan) std::abort();  // load_lab has checked this
    values = exact_sums(*plan, place_among(lab, ParameterRole::Input, parameter), input,
                        element_count(input, test), stride_along(input, test, lab.sums->over), own_key,
                        stream_key(key, place_stream, 0));
  } else {
    values = Filler(input, lines_of(input, test), own_key).fill(test.distribution);
  }
  std::vector<std::byte> bytes(values.size() * size_of(input.type));
  with_type(input.type, [&]<class T>(T) {
    for (std::size_t i = 0; i < values.size(); ++i) store_element(bytes, i, static_cast<T>(values[i]));
  });
  return bytes;
}

void CaseData::each_usual_mistake(const Lab& lab, const TestCase& test, const Oracle::Mistakes& of_large,
                                  const Oracle::VisitMistake& visit) const {
  constexpr std::size_t kSmallAnswer = 1024, kLarge = 1 << 16;
  if (!oracle) return;
  std::size_t answer = 0, all = 0;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.role == ParameterRole::Size) continue;
    all += element_count(parameter, test);
    if (parameter.acts_as(ParameterRole::Output)) answer += element_count(parameter, test);
  }
  const Oracle::Mistakes wanted = all > kLarge ? of_large : std::nullopt;
  if (answer > kSmallAnswer) return oracle->each_usual_mistake(lab, test, inputs, wanted, visit);
  const std::lock_guard lock(kept_mistakes->mutex);
  Oracle::Mistakes& made = kept_mistakes->made;
  std::vector<Oracle::Mistake>& mistakes = kept_mistakes->mistakes;
  if (made && !wanted) {
    mistakes = oracle->usual_mistakes(lab, test, inputs);
    made = std::nullopt;
  } else if (made) {
    std::set<int> missing;
    std::ranges::set_difference(*wanted, *made, std::inserter(missing, missing.end()));
    oracle->each_usual_mistake(lab, test, inputs, missing,
                               [&](const Oracle::Mistake& mistake) { mistakes.push_back(mistake); });
    made->merge(missing);
    std::ranges::sort(mistakes, {}, &Oracle::Mistake::number);
  }
  for (const Oracle::Mistake& mistake : mistakes)
    if (!wanted || wanted->contains(mistake.number)) visit(mistake);
}

std::span<const std::byte> initial_contents(const Lab& lab, const CaseData& data, std::size_t parameter) {
  if (lab.parameters[parameter].acts_as(ParameterRole::Output))
    return data.initial_outputs[place_among(lab, ParameterRole::Output, parameter)];
  return data.inputs[place_among(lab, ParameterRole::Input, parameter)];
}

std::vector<std::vector<std::byte>> make_inputs(const Lab& lab, const Oracle& oracle, const TestCase& test,
                                                const CaseKey& key) {
  const std::vector<std::size_t> parameters = parameters_with(lab, ParameterRole::Input);
  std::vector<std::vector<std::byte>> inputs;
  for (const std::size_t k : parameters) inputs.push_back(make_input(lab, test, k, key));
  oracle.make_inputs(lab, test, inputs, stream_key(key, generator_stream, 0));
  // What a file gives stands against the oracle's generator.
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (test.file_of(lab.parameters[parameters[i]].name))
      inputs[i] = make_input(lab, test, parameters[i], key);
  }
  return inputs;
}

bool has_checked_output(const Lab& lab) {
  return std::ranges::any_of(lab.parameters, [&](const Parameter& p) {
    return p.acts_as(ParameterRole::Output) && lab.tolerance_of(p).kind == ToleranceKind::Checked;
  });
}

CaseData make_case(const Lab& lab, const Oracle& oracle, const TestCase& test, const CaseKey& key) {
  CaseData data;
  data.inputs = make_inputs(lab, oracle, test, key);
  data.expected = oracle.expected(lab, test, data.inputs);
  for (const std::size_t k : parameters_with(lab, ParameterRole::Output)) {
    const Parameter& output = lab.parameters[k];
    if (output.role == ParameterRole::InOut) {
      const std::vector<std::byte>& input = data.inputs[place_among(lab, ParameterRole::Input, k)];
      data.initial_outputs.emplace_back(input.begin(), input.end());
      continue;
    }
    data.initial_outputs.emplace_back(element_count(output, test) * size_of(output.type));
    fill_poison(data.initial_outputs.back(), output.type, stream_key(key, poison_stream, k));
  }
  data.oracle = oracle;
  return data;
}

namespace {

/// A number of three digits, which a card can show, from the range of the scalar.
double drawn_scalar(const Parameter& parameter, const Random& random) {
  const double low = parameter.low, high = parameter.high, value = low + (high - low) * random.unit(0);
  if (is_integer(parameter.type))
    return std::ceil(low) + static_cast<double>(random.below(
                                0, static_cast<std::uint64_t>(std::floor(high) - std::ceil(low)) + 1));
  constexpr double kSteps = 1000;
  const double step = std::pow(10, std::floor(std::log10(std::max(std::abs(low), std::abs(high))))) / kSteps;
  const double rounded = std::clamp(std::round(value / step) * step, low, high);
  return with_type(parameter.type, [&]<class T>(T) { return static_cast<double>(static_cast<T>(rounded)); });
}

/// A replay repeats the arguments of the kernels, so a scalar is the same in all versions and repetitions.
void draw_scalars(const Lab& lab, TestCase& test, std::uint64_t seed, std::size_t index) {
  for (ScalarValue& scalar : test.scalars) {
    if (!scalar.drawn) continue;
    const auto parameter = std::ranges::find(lab.parameters, scalar.name, &Parameter::name);
    const auto number = static_cast<std::uint64_t>(parameter - lab.parameters.begin());
    scalar.value = drawn_scalar(*parameter, Random(mix_key({seed, index, number, 0x7363616c})));  // "scal"
  }
}

}  // namespace

Lab with_drawn_sizes(Lab lab, std::uint64_t seed) {
  draw_scalars(lab, lab.timed, seed, lab.case_number(lab.cases.size()));
  for (std::size_t index = 0; index < lab.cases.size(); ++index) {
    TestCase& test = lab.cases[index];
    const std::uint64_t number = lab.case_number(index);
    const Random random(mix_key({seed, number, 0x73697a65}));  // "size"
    for (std::size_t k = 0; k < test.least.size(); ++k) {
      std::int64_t& size = test.sizes[k].second;
      size = drawn_size(test.least[k], size, random, 2 * k);
    }
    draw_scalars(lab, test, seed, number);
  }
  return lab;
}

}  // namespace cudalabs
