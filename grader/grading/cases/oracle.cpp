#include "grader/grading/cases/oracle.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "grader/base/crash_note.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/course.h"
#include "grader/grading/cases/compiled_oracle.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/cases/inputs.h"
#include "labs/oracle.h"

namespace cudalabs {
namespace fs = std::filesystem;

struct Oracle::Entries {
  std::string library;  ///< the path of the compiled oracle
  void (*oracle)(const OracleCall*) = nullptr;
  void (*baseline)(const OracleCall*) = nullptr;
  const char* (*usual_mistake)(const OracleCall*, int) = nullptr;     ///< optional
  void (*make_inputs)(const OracleInputs*) = nullptr;                 ///< optional
  const char* (*check)(const OracleCall*, OracleFinding*) = nullptr;  ///< for outputs that are `checked`
  enum class Sets : std::uint8_t { Unknown, All, NotAll };
  mutable std::atomic<Sets> sets{Sets::Unknown};  ///< whether the oracle sets all numbers of its answer
};

namespace {

constexpr int kMaxMistakes = 100;
constexpr const char* kStaffCode = "this is the course's code, not the submission's: ";

template <class Function>
bool find_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

/// Numbers behind each array that an oracle writes: what it writes too far shows there.
constexpr std::size_t kBehind = 8;
constexpr std::uint64_t kUntouched = 0x7ff5a3c11e96d8b4;  // a NaN that nobody computes

template <class T, class Numbers>
void add_behind(Numbers& numbers, std::size_t count) {
  numbers.resize(count + kBehind);
  auto bits = kUntouched;
  for (std::size_t k = count; k < count + kBehind; ++k) std::memcpy(&numbers[k], &bits, sizeof(T));
}

/// Takes the numbers behind an array away; returns whether nobody wrote them.
template <class T, class Numbers>
bool take_behind(Numbers& numbers) {
  if (numbers.empty()) return true;
  const std::size_t count = numbers.size() - kBehind;
  bool untouched = true;
  for (std::size_t k = count; k < count + kBehind; ++k)
    untouched &= std::memcmp(&numbers[k], &kUntouched, sizeof(T)) == 0;
  numbers.resize(count);
  return untouched;
}

/// The C view of one call, and the arrays that it points to.
class Call {
 public:
  Call(const Lab& lab, const TestCase& test, Oracle::Inputs inputs) : lab_(lab), test_(test) {
    for (const auto& input : inputs) inputs_.push_back(input.data());
    for (const std::size_t k : parameters_with(lab, ParameterRole::Size)) {
      sizes_.push_back(test.size(lab.parameters[k].name));
    }
  }

  /// `before`: the initial value of every number; none: uninitialized.
  [[nodiscard]] OracleCall fill(std::vector<Expected>& outputs, std::optional<std::int64_t> before) {
    const auto parameters = parameters_with(lab_, ParameterRole::Output);
    outputs.resize(parameters.size());
    expected_.clear();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& parameter = lab_.parameters[parameters[i]];
      const std::size_t count = element_count(parameter, test_);
      const ToleranceKind kind = lab_.tolerance_of(parameter).kind;
      const bool checked = kind == ToleranceKind::Checked, integer = is_integer(parameter.type);
      const bool bounded = kind == ToleranceKind::SumOfProducts;
      Expected& output = outputs[i];
      const auto make = [&]<class T>(UnsetVector<T>& numbers) {
        numbers.reserve(count + kBehind);
        if (before) numbers.assign(count, static_cast<T>(*before));
        add_behind<T>(numbers, count);
      };
      if (integer && !checked) make(output.integers);
      if (!integer && !checked) make(output.values);
      if (bounded) make(output.magnitudes), make(output.roundings);
      expected_.push_back(
          {static_cast<std::int64_t>(count), integer || checked ? nullptr : output.values.data(),
           integer && !checked ? output.integers.data() : nullptr,
           bounded ? output.magnitudes.data() : nullptr, bounded ? output.roundings.data() : nullptr});
    }
    return {inputs_.data(), sizes_.data(), expected_.data(), nullptr, nullptr};
  }

  /// Copies of the outputs of a call: what is judged must not change.
  [[nodiscard]] OracleCall fill(std::span<const std::span<const std::byte>> outputs) {
    for (const auto& output : outputs)
      results_.push_back(copies_.emplace_back(output.begin(), output.end()).data());
    return {inputs_.data(), sizes_.data(), nullptr, results_.data(), nullptr};
  }

  [[nodiscard]] OracleCall fill(std::vector<std::vector<std::byte>>& results) {
    for (auto& result : results) {
      add_behind<std::byte>(result, result.size());
      results_.push_back(result.data());
    }
    return {inputs_.data(), sizes_.data(), nullptr, results_.data(), nullptr};
  }

  /// Takes away what was behind the arrays, and ends the process if `function` has written there.
  void end_if_written_behind(std::vector<Expected>& outputs, const char* function) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool untouched =
          take_behind<double>(outputs[i].values) & take_behind<std::int64_t>(outputs[i].integers) &
          take_behind<double>(outputs[i].magnitudes) & take_behind<double>(outputs[i].roundings);
      if (!untouched) written_behind(ParameterRole::Output, i, function);
    }
  }
  void end_if_written_behind(std::span<std::vector<std::byte>> arrays, ParameterRole role,
                             const char* function) const {
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (!take_behind<std::byte>(arrays[i])) written_behind(role, i, function);
  }

 private:
  [[noreturn]] void written_behind(ParameterRole role, std::size_t index, const char* function) const {
    const std::string& name = lab_.parameters[parameters_with(lab_, role)[index]].name;
    end_by_fault("the oracle of " + lab_.slug + ", in " + function + "() for " + test_.name() +
                     ", writes behind the end of `" + name + "`",
                 kStaffCode + lab_.oracle.string());
  }

  const Lab& lab_;
  const TestCase& test_;
  std::vector<std::vector<std::byte>> copies_;
  std::vector<const void*> inputs_;
  std::vector<std::int64_t> sizes_;
  std::vector<OracleExpected> expected_;
  std::vector<void*> results_;
};

/// What an oracle returned; a bad pointer crashes here. None: null.
std::optional<std::string> text_of(const char* text) {
  return text == nullptr ? std::nullopt : std::optional<std::string>(text);
}

/// What stands for each {} of a text.
Messages messages_of(const OraclePlaces& places) {
  Messages all;
  for (int i = 0; i < std::clamp(places.count, 0, kMaxOraclePlaces); ++i) {
    const OraclePlace& place = places.all[i];
    all.add(place.word != nullptr ? msg::course_word(place.word) : msg::course_number(place.number));
  }
  return all;
}

/// What one call of an oracle may take. Its own arrays of the case are allocated before.
CallLimits limits_of(const Lab& lab, const TestCase& test, const char* function, const std::string& library) {
  constexpr double kSlower = 3;  // than a submission's call, at most
  constexpr std::uint64_t kBytes = std::uint64_t{8} << 30;
  const std::uint64_t machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {kSlower * lab.limits.call_seconds,
          std::min(kBytes, machine / 2),
          "the oracle of " + lab.slug + ", in " + function + "() for " + test.name() + ",",
          kStaffCode + lab.oracle.string(),
          library,
          lab.oracle.filename().string()};
}

CrashNote crash_note(const Lab& lab, const TestCase& test, const char* function, const std::string& library) {
  return {"the oracle of " + lab.slug + " crashed in " + function + "(), called for " + test.name(),
          kStaffCode + lab.oracle.string() +
              "; in labs/oracle.h, `values` is null for an output of integers and `integers` for one of "
              "floats, `magnitudes` and `roundings` if the tolerance is not sum_of_products",
          limits_of(lab, test, function, library)};
}

}  // namespace

std::int64_t counted_length(const Lab& lab, const TestCase& test, const Parameter& output,
                            const std::vector<Expected>& answer) {
  const std::int64_t most = extents(output, test)[0];
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (lab.parameters[outputs[k]].name == output.length)
      return std::clamp<std::int64_t>(answer[k].integers[0], 0, most);
  return output.length.empty() ? most : std::clamp<std::int64_t>(test.size(output.length), 0, most);
}

std::vector<std::byte> as_written(const Expected& answer, ElementType type) {
  std::vector<std::byte> bytes;
  with_type(type, [&]<class T>(T) {
    const auto store_all = [&](const auto& numbers) {
      bytes.resize(numbers.size() * sizeof(T));
      for (std::size_t k = 0; k < numbers.size(); ++k) store_element(bytes, k, static_cast<T>(numbers[k]));
    };
    if constexpr (kIsFloat<T>)
      store_all(answer.values);
    else
      store_all(answer.integers);
  });
  return bytes;
}

namespace {

/// The numbers of an output that count: they come first.
std::size_t counted_numbers(const Lab& lab, const TestCase& test, const Parameter& output,
                            const std::vector<Expected>& answer) {
  const std::size_t all = element_count(output, test);
  if (output.length.empty() || all == 0) return all;
  return all / static_cast<std::size_t>(extents(output, test)[0]) *
         static_cast<std::size_t>(counted_length(lab, test, output, answer));
}

/// Ends the process if an oracle gives an integer that the output cannot hold.
void end_if_too_large(const Lab& lab, const TestCase& test, const Parameter& output,
                      std::span<const std::int64_t> numbers) {
  const ElementRange range = full_range(output.type);
  const auto wrong = std::ranges::find_if(numbers, [&](std::int64_t number) {
    return static_cast<double>(number) < range.low || static_cast<double>(number) > range.high;
  });
  if (wrong == numbers.end()) return;
  const auto index = index_of(static_cast<std::size_t>(wrong - numbers.begin()), extents(output, test));
  end_by_fault("the oracle of " + lab.slug + ", in oracle() for " + test.name() + ", gives " +
                   std::to_string(*wrong) + " for `" + output.name + index_text(output, index) + "`, which " +
                   std::string(spelling(output.contract_type())) + " cannot hold",
               kStaffCode + lab.oracle.string());
}

void end_if_too_large(const Lab& lab, const TestCase& test, const std::vector<Expected>& answer) {
  const auto outputs = parameters_with(lab, ParameterRole::Output);
  for (const bool has_length : {false, true}) {  // a length says which of the other numbers are set
    for (std::size_t i = 0; i < answer.size(); ++i) {
      const Parameter& output = lab.parameters[outputs[i]];
      const std::span<const std::int64_t> numbers = answer[i].integers;
      if (numbers.empty() || size_of(output.type) == sizeof(std::int64_t)) continue;
      if (output.length.empty() != has_length)
        end_if_too_large(lab, test, output, numbers.first(counted_numbers(lab, test, output, answer)));
    }
  }
}

}  // namespace

Result<Oracle> Oracle::load(const Lab& lab, const fs::path& folder) {
  const auto made = compiled_oracle(lab, folder);
  if (!made) return made.problem();
  const fs::path& library = made->library;

  // The handle is never closed: the entries may be used until the process ends.
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return error(msg::oracle_not_loaded(lab.slug, ::dlerror()));
  auto entries = std::make_shared<Entries>();
  entries->library = library.string();
  const auto missing = [&](const char* name) {
    return Diagnostic{{lab.oracle.string(), 0, 0},
                      msg::oracle_lacks_function(lab.slug, name),
                      msg::oracle_header_lists_functions()};
  };
  if (!find_symbol(handle, "oracle", entries->oracle)) return missing("void oracle(const OracleCall*)");
  if (!find_symbol(handle, "baseline", entries->baseline)) return missing("void baseline(const OracleCall*)");
  find_symbol(handle, "usual_mistake", entries->usual_mistake);
  find_symbol(handle, "make_inputs", entries->make_inputs);
  if (has_checked_output(lab) && !find_symbol(handle, "check", entries->check))
    return missing("const char* check(const OracleCall*, OracleFinding*)");
  Oracle oracle;
  oracle.entries_ = std::move(entries);
  oracle.key_ = made->key;
  return oracle;
}

std::vector<Expected> Oracle::filled(const Lab& lab, const TestCase& test, Inputs inputs,
                                     std::optional<std::int64_t> before) const {
  std::vector<Expected> outputs;
  Call call(lab, test, inputs);
  const OracleCall filled = call.fill(outputs, before);
  {
    const CrashNote note = crash_note(lab, test, "oracle", entries_->library);
    [&]() noexcept { entries_->oracle(&filled); }();  // an exception is the oracle's crash
  }
  call.end_if_written_behind(outputs, "oracle");
  return outputs;
}

const char* Oracle::unset_array(const Lab& lab, const TestCase& test, Inputs inputs) const {
  // Exact as doubles too, of both signs, and larger than any answer, so that an oracle that takes a maximum
  // or minimum with the old value reveals it.
  constexpr std::int64_t kLow = -1'234'567'890'123'457, kHigh = 4'321'987'654'321'011;
  const std::vector<Expected> over_low = filled(lab, test, inputs, kLow),
                              over_high = filled(lab, test, inputs, kHigh);
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  for (std::size_t i = 0; i < over_low.size(); ++i) {
    const Expected &a = over_low[i], &b = over_high[i];
    const Parameter& output = lab.parameters[outputs[i]];
    const std::size_t counted = counted_numbers(lab, test, output, over_low);  // the others are free
    const auto same = [counted]<class T>(const UnsetVector<T>& a, const UnsetVector<T>& b) {
      const std::size_t count = std::min(a.size(), counted);
      return std::ranges::equal(std::as_bytes(std::span(a).first(count)),
                                std::as_bytes(std::span(b).first(count)));
    };
    if (!same(a.values, b.values)) return "values";
    if (!same(a.integers, b.integers)) return "integers";
    if (!same(a.magnitudes, b.magnitudes)) return "magnitudes";
    if (!same(a.roundings, b.roundings)) return "roundings";
  }
  return nullptr;
}

std::vector<Expected> Oracle::expected(const Lab& lab, const TestCase& test, Inputs inputs) const {
  using enum Entries::Sets;
  constexpr std::size_t kFew = 1 << 14;
  std::size_t elements = 0, most = 0;
  for (const Parameter& p : lab.parameters) {
    if (!p.is_array()) continue;
    most = std::max(most, element_count(p, test));
    if (p.acts_as(ParameterRole::Output)) elements += element_count(p, test);
  }
  if (elements > 0 && most <= kFew && entries_->sets == Unknown) {
    Entries::Sets unknown = Unknown;  // if several threads do this, one that found something wins
    if (unset_array(lab, test, inputs) != nullptr)
      entries_->sets = NotAll;
    else
      entries_->sets.compare_exchange_strong(unknown, All);
  }
  std::vector<Expected> answer =
      filled(lab, test, inputs, entries_->sets == All ? std::nullopt : std::optional<std::int64_t>(0));
  end_if_too_large(lab, test, answer);
  return answer;
}

void Oracle::baseline(const Lab& lab, const TestCase& test, Inputs inputs,
                      std::vector<std::vector<std::byte>>& results) const {
  const auto parameters = parameters_with(lab, ParameterRole::Output);
  results.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = lab.parameters[parameters[i]];
    results[i].resize(element_count(parameter, test) * size_of(parameter.type));
  }
  Call call(lab, test, inputs);
  const OracleCall filled = call.fill(results);
  {
    const CrashNote note = crash_note(lab, test, "baseline", entries_->library);
    [&]() noexcept { entries_->baseline(&filled); }();
  }
  call.end_if_written_behind(results, ParameterRole::Output, "baseline");
}

void Oracle::make_inputs(const Lab& lab, const TestCase& test, std::span<std::vector<std::byte>> inputs,
                         std::uint64_t seed) const {
  if (entries_->make_inputs == nullptr) return;
  std::vector<void*> arrays;
  std::vector<std::int64_t> counts, sizes;
  const std::vector<std::size_t> parameters = parameters_with(lab, ParameterRole::Input);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    add_behind<std::byte>(inputs[k], inputs[k].size());
    arrays.push_back(inputs[k].data());
    counts.push_back(static_cast<std::int64_t>(element_count(lab.parameters[parameters[k]], test)));
  }
  for (const std::size_t k : parameters_with(lab, ParameterRole::Size))
    sizes.push_back(test.size(lab.parameters[k].name));
  const std::string distribution(spelling(test.distribution));
  const OracleInputs call{arrays.data(), counts.data(), sizes.data(), distribution.c_str(), seed};
  {
    const CrashNote note = crash_note(lab, test, "make_inputs", entries_->library);
    [&]() noexcept { entries_->make_inputs(&call); }();
  }
  Call(lab, test, {}).end_if_written_behind(inputs, ParameterRole::Input, "make_inputs");
}

bool Oracle::has_generator() const { return entries_->make_inputs != nullptr; }

std::optional<Oracle::Finding> Oracle::check(const Lab& lab, const TestCase& test, Inputs inputs,
                                             std::span<const std::span<const std::byte>> outputs) const {
  Call call(lab, test, inputs);
  OraclePlaces places{};
  OracleCall filled = call.fill(outputs);
  filled.places = &places;
  OracleFinding found{-1, 0, 0};
  const auto text = [&]() -> std::optional<std::string> {
    const CrashNote note = crash_note(lab, test, "check", entries_->library);
    return text_of([&]() noexcept { return entries_->check(&filled, &found); }());
  }();
  if (!text) return std::nullopt;
  Finding finding{course_text(*text, messages_of(places)), std::nullopt, 0,
                  std::clamp(found.wrong, 0.0, 1.0)};
  if (found.output >= 0 && static_cast<std::size_t>(found.output) < outputs.size()) {
    finding.output = static_cast<std::size_t>(found.output);
    finding.element = static_cast<std::size_t>(std::max<std::int64_t>(found.element, 0));
  }
  return finding;
}

void Oracle::each_usual_mistake(const Lab& lab, const TestCase& test, Inputs inputs, const Mistakes& mistakes,
                                const VisitMistake& visit) const {
  if (entries_->usual_mistake == nullptr || !has_output_elements(lab, test)) return;
  Call call(lab, test, inputs);
  Mistake mistake;
  for (int which = 0; which < kMaxMistakes; ++which) {
    if (mistakes && !mistakes->contains(which)) continue;
    OraclePlaces places{};
    OracleCall filled = call.fill(mistake.answer, 0);
    filled.places = &places;
    const auto text = [&]() -> std::optional<std::string> {
      const CrashNote note = crash_note(lab, test, "usual_mistake", entries_->library);
      return text_of([&]() noexcept { return entries_->usual_mistake(&filled, which); }());
    }();
    call.end_if_written_behind(mistake.answer, "usual_mistake");
    if (!text) break;
    if (text->empty()) continue;
    mistake.number = which;
    mistake.words = course_text(*text, messages_of(places));
    visit(mistake);
  }
}

std::vector<Oracle::Mistake> Oracle::usual_mistakes(const Lab& lab, const TestCase& test,
                                                    Inputs inputs) const {
  std::vector<Mistake> mistakes;
  each_usual_mistake(lab, test, inputs, std::nullopt,
                     [&](const Mistake& mistake) { mistakes.push_back(mistake); });
  return mistakes;
}

}  // namespace cudalabs
