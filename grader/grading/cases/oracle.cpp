#include "grader/grading/cases/oracle.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "grader/base/crash_note.h"
#include "grader/base/process/memory_kills.h"
#include "grader/base/process/process.h"
#include "grader/base/process/search_path.h"
#include "grader/course/cache.h"
#include "grader/course/lab_files.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/course.h"
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

constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxLibraryBytes = std::size_t{256} << 20;
constexpr int kMaxMistakes = 100;
constexpr const char* kStaffCode = "this is the course's code, not the submission's: ";

// What would end the grader without a word calls exit(), which CrashNote tells of.
constexpr std::string_view kExits = R"(#include <cstdlib>
extern "C" {
[[noreturn]] void __wrap__exit(int status) { std::exit(status); }
[[noreturn]] void __wrap__Exit(int status) { std::exit(status); }
[[noreturn]] void __wrap_quick_exit(int status) { std::exit(status); }
}
)";
constexpr const char* kWrapExits = "-Wl,--wrap=_exit,--wrap=_Exit,--wrap=quick_exit";

std::optional<fs::path> find_compiler() {
  const std::vector<fs::path> folders = search_path();
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (fs::path program = first_program(folders, name); !program.empty()) return program;
  }
  return std::nullopt;
}

Command compiler_command(const fs::path& compiler, std::vector<std::string> arguments) {
  Command command;
  command.argv = {compiler.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.env = {path_variable(), "LC_ALL=C"};
  command.limits.wall = std::chrono::seconds(120);
  return command;
}

/// Everything that the library depends on: the oracle, the headers that it may include, the compiler and its
/// flags. The course's path is not included, because a copy of the course has the same oracles.
Result<std::string> library_key(const Lab& lab, const std::string& compiler_version,
                                const std::vector<std::string>& flags) {
  std::vector<fs::path> files = oracle_headers(lab);
  files.insert(files.begin(), lab.oracle);
  std::vector<std::string> parts = flags;
  parts.insert(parts.end(), {compiler_version, std::string(kExits), kWrapExits});
  for (const fs::path& file : files) {
    auto text = read_file(file, kMaxSourceBytes);
    if (!text) return text.problem();
    parts.push_back(file.filename().string());
    parts.push_back(std::move(*text));
  }
  return content_key(parts);
}

/// A temporary file that other programs write. The destructor removes it.
class Temporary {
 public:
  static Result<Temporary> make(const fs::path& beside) {
    std::string name = beside.string() + ".XXXXXX";
    const int fd = ::mkstemp(name.data());
    if (fd < 0) return error(msg::oracle_folder_read_only(beside.parent_path().string()));
    ::close(fd);
    return Temporary(std::move(name));
  }
  Temporary(Temporary&& other) noexcept : name_(std::exchange(other.name_, {})) {}
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  explicit Temporary(std::string name) : name_(std::move(name)) {}

  std::string name_;
};

/// Returns why a failed compiler says nothing about the oracle, if that is so: it was killed, or it cannot
/// even compile code that is certainly right.
std::optional<Diagnostic> fault_of_machine(const ProcessEnd& end, const MemoryKills& kills,
                                           const fs::path& compiler, std::vector<std::string> flags,
                                           const fs::path& beside) {
  const auto problem = [](Message why, Message hint) {
    return Diagnostic{{}, std::move(why), std::move(hint), true};
  };
  if (kills.any()) return problem(msg::oracle_compiler_killed(compiler.string()), msg::oracle_needs_memory());
  if (!end.exited || end.limit != LimitHit::None) {
    const std::string signal = end.limit == LimitHit::Wall ? "" : signal_name(end.signal);
    return problem(msg::oracle_compiler_stopped(compiler.string(), signal), msg::grade_when_load_lower());
  }
  auto simple = Temporary::make(beside), made = Temporary::make(beside);
  for (const auto* file : {&simple, &made}) {
    if (!*file) return file->problem();
  }
  if (auto put = write_file_atomically(simple->name(),
                                       "#include <cstdint>\n#include <string>\n"
                                       "std::string oracle(int n) { return std::to_string(n); }\n");
      !put)
    return put.problem();
  flags.insert(flags.end(), {"-o", made->name(), "-x", "c++", simple->name()});
  const auto control = run(compiler_command(compiler, flags));
  if (!control) return control.problem();
  if (control->success()) return std::nullopt;
  return problem(msg::host_compiler_broken(compiler.string(), control->err), msg::install_whole_compiler());
}

Result<void> compile(const Lab& lab, const fs::path& compiler, const std::vector<std::string>& flags,
                     const fs::path& library) {
  auto temporary = Temporary::make(library), exits = Temporary::make(library);
  for (const auto* file : {&temporary, &exits}) {
    if (!*file) return file->problem();
  }
  if (auto put = write_file_atomically(exits->name(), kExits); !put) return put.problem();
  auto arguments = flags;
  for (const fs::path& folder : lab.oracle_includes)
    arguments.insert(arguments.end(), {"-I", folder.string()});
  arguments.insert(arguments.end(),
                   {"-o", temporary->name(), lab.oracle.string(), kWrapExits, "-x", "c++", exits->name()});
  const MemoryKills kills;
  auto end = run(compiler_command(compiler, arguments));
  if (end && !end->success())
    end = run(compiler_command(compiler, arguments));  // the kernel may have killed a child
  if (!end) return end.problem();
  if (end->success()) {
    std::error_code ignored;
    if (fs::is_directory(library, ignored)) fs::remove_all(library, ignored);
    const auto made = read_file(temporary->name(), kMaxLibraryBytes);
    if (!made) return made.problem();
    // The seal follows everything that the loader reads.
    return write_file_atomically(library, sealed(*made));
  }
  if (auto fault = fault_of_machine(*end, kills, compiler, flags, library)) return *std::move(fault);
  return Diagnostic{{lab.oracle.string(), 0, 0},
                    msg::oracle_does_not_compile(lab.slug, end->err + end->out),
                    msg::report_to_course_staff()};
}

/// Returns whether the library exists undamaged. The loader does not check what it reads: a truncated library
/// crashes the grader, and one with changed bits expects wrong answers.
bool is_whole(const fs::path& library) {
  auto bytes = read_file(library, kMaxLibraryBytes);
  return bytes && unsealed(std::move(*bytes));
}

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
  const auto compiler = find_compiler();
  if (!compiler) return error(msg::no_oracle_compiler(), msg::install_host_compiler());
  const auto version = run(compiler_command(*compiler, {"--version"}));
  if (!version) return version.problem();
  if (!version->success()) return error(msg::host_compiler_version_fails(compiler->string(), version->err));

  // No -march, because the answer must not depend on the machine. The library contains its own C++ runtime,
  // because the grader may have been copied from a machine with another one.
  const std::vector<std::string> flags = {"-std=c++20",        "-O2",           "-g1",
                                          "-ffp-contract=off", "-shared",       "-fPIC",
                                          "-static-libstdc++", "-static-libgcc"};
  const auto key = library_key(lab, version->out, flags);
  if (!key) return key.problem();

  if (auto made = make_private_folder(folder); !made) return made.problem();
  sweep_unfinished(folder);
  const fs::path library = folder / (lab.lab + "-" + lab.variant + "-" + *key + ".so");
  if (!is_whole(library)) {
    if (auto compiled = compile(lab, *compiler, flags, library); !compiled) return compiled.problem();
  }

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
  oracle.key_ = *key;
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
