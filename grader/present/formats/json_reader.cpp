#include "grader/present/formats/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "grader/base/parse_number.h"
#include "grader/device/protocol/device_kind.h"
#include "grader/diagnostics/json.h"
#include "grader/diagnostics/messages/present.h"

namespace cudalabs {
namespace {

using ReadJson = nlohmann::json;

// A message in a message six times, below `lost[].reason_parts`; each is an object in a list, with an object
// of arguments.
constexpr int kDeepest = 30;
constexpr double kMaxPoints = 1e6;
constexpr double kMaxNs = 1e18;

/// Quotes a text for a message: with bounded length, on one line.
std::string in_quotes(const std::string& text) {
  std::string shown;
  for (const char c : text.substr(0, 40))
    shown += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return "'" + shown + (text.size() > 40 ? "...'" : "'");
}

/// Finds the value with this spelling in an enumeration that counts from 0 to `last`.
template <class Enum>
std::optional<Enum> spelled(Enum last, std::string_view text) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (spelling(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// Reads the values of one object by their keys. It keeps the first problem of a document, because later ones
/// follow from it; a wrong value reads as empty.
class Fields {
 public:
  Fields(const ReadJson& object, std::string path, std::optional<Diagnostic>& problem)
      : object_(object), path_(std::move(path)), problem_(problem) {
    if (!object_.is_object()) wrong(msg::result_value_is(path_, "object"));
  }

  /// The value, or null if it is missing, which is an error.
  [[nodiscard]] const ReadJson& at(const char* key) const {
    static const ReadJson kNone;
    if (object_.is_object()) {
      if (const auto found = object_.find(key); found != object_.end()) return *found;
      wrong(msg::result_value_is(name(key), "missing"));
    }
    return kNone;
  }
  [[nodiscard]] bool has(const char* key) const { return object_.is_object() && object_.contains(key); }

  [[nodiscard]] std::string text(const char* key) const {
    const ReadJson& value = at(key);
    if (value.is_string()) return value.get<std::string>();
    wrong(msg::result_value_is(name(key), "text"));
    return {};
  }
  /// A text, and what it is made of where the document tells that in this grader's words.
  [[nodiscard]] Messages messages(const std::string& key) const {
    std::string whole = text(key.c_str());
    const std::string parts = key + "_parts";
    if (has(parts.c_str()))
      if (auto read = messages_of(nlohmann::ordered_json(at(parts.c_str())))) return *std::move(read);
    return verbatim(std::move(whole));
  }
  [[nodiscard]] std::string text_or_null(const char* key) const {
    return at(key).is_null() ? std::string() : text(key);
  }
  [[nodiscard]] bool yes_or_no(const char* key) const {
    const ReadJson& value = at(key);
    if (value.is_boolean()) return value.get<bool>();
    wrong(msg::result_value_is(name(key), "boolean"));
    return false;
  }
  [[nodiscard]] double number(const char* key, double most) const { return number(at(key), name(key), most); }
  [[nodiscard]] double number_or_null(const char* key, double most) const {
    return at(key).is_null() ? 0 : number(key, most);
  }
  template <class Integer>
  [[nodiscard]] Integer count(const char* key) const {
    return count<Integer>(at(key), name(key));
  }
  template <class Enum>
  [[nodiscard]] Enum one_of(const char* key, Enum last) const {
    const std::string word = text(key);
    const auto value = spelled(last, word);
    if (!value) wrong(msg::result_word_unknown(name(key), in_quotes(word)));
    return value.value_or(Enum{});
  }
  [[nodiscard]] Fields object(const char* key) const { return {at(key), name(key), problem_}; }

  template <class Visit>  ///< visit(element, its path)
  void each(const char* key, const Visit& visit) const {
    const ReadJson& list = at(key);
    if (!list.is_array()) {
      wrong(msg::result_value_is(name(key), "list"));
      return;
    }
    for (std::size_t i = 0; i < list.size() && !problem_; ++i)
      visit(list[i], fmt::format("{}[{}]", name(key), i));
  }
  template <class Visit>  ///< visit(fields of the element)
  void each_object(const char* key, const Visit& visit) const {
    each(key,
         [&](const ReadJson& element, const std::string& path) { visit(Fields(element, path, problem_)); });
  }

  template <class Visit>  ///< visit(key, the fields of the object)
  void each_field(const char* key, const Visit& visit) const {
    const ReadJson& fields = at(key);
    if (!fields.is_object()) return wrong(msg::result_value_is(name(key), "object"));
    for (const auto& [field, value] : fields.items()) {
      if (!problem_) visit(field, object(key));
    }
  }

  [[nodiscard]] double number(const ReadJson& value, const std::string& where, double most) const {
    if (!value.is_number()) {
      wrong(msg::result_value_is(where, "number"));
      return 0;
    }
    const auto number = value.get<double>();
    if (!(number >= 0 && number <= most))
      wrong(msg::result_number_out_of_range(where, value.dump(), static_cast<std::int64_t>(most)));
    return number;
  }
  template <class Integer>
  [[nodiscard]] Integer count(const ReadJson& value, const std::string& where) const {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= kMax)
      return static_cast<Integer>(value.get<std::uint64_t>());
    wrong(msg::result_number_not_whole(where, std::to_string(kMax)));
    return 0;
  }

  [[nodiscard]] std::string name(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  void wrong(Message what) const {
    if (!problem_) problem_ = error(std::move(what));
  }

 private:
  const ReadJson& object_;
  std::string path_;
  std::optional<Diagnostic>& problem_;
};

/// "points" and "max_points", and "bonus_points" where there are any: earlier graders knew none.
template <class Scored>
void read_points(const Fields& in, Scored& out) {
  out.max_points = in.number("max_points", kMaxPoints);
  out.points = in.number("points", kMaxPoints);
  double most = out.max_points;
  if constexpr (requires { out.bonus_points; }) {
    constexpr double kRounding = 0.011;
    if (in.has("bonus_points")) out.bonus_points = in.number("bonus_points", kMaxPoints);
    most += out.bonus_points > 0 ? out.bonus_points + kRounding : 0;
  }
  if (out.points > most) in.wrong(msg::result_value_above(in.name("points"), "max_points"));
}

Location place(const Fields& in) {
  return {in.text_or_null("file"), in.at("line").is_null() ? 0 : in.count<int>("line"), 0};
}

CriterionResult criterion(const Fields& in) {
  CriterionResult out;
  out.name = in.text("name");
  in.each_field("titles", [&](const std::string& language, const Fields& titles) {
    out.titles[language] = titles.text(language.c_str());
  });
  out.needed = in.yes_or_no("needed");
  if (in.has("bonus")) out.bonus = in.yes_or_no("bonus");
  out.met = in.yes_or_no("met");
  out.total = in.count<int>("total");
  out.passed = in.count<int>("passed");
  if (out.passed > out.total) in.wrong(msg::result_value_above(in.name("passed"), "total"));
  read_points(in, out);
  return out;
}

CorrectnessResult correctness(const Fields& in) {
  CorrectnessResult out;
  out.total = in.count<int>("total");
  out.passed = in.count<int>("passed");
  out.skipped = in.count<int>("skipped");
  if (static_cast<std::int64_t>(out.passed) + out.skipped > out.total)
    in.wrong(msg::result_passed_above_total(in.name("passed")));
  read_points(in, out);
  if (in.has("criteria"))  // results from before there were any have none
    in.each_object("criteria", [&](const Fields& one) { out.criteria.push_back(criterion(one)); });
  in.each_object("failures", [&](const Fields& failure) {
    out.failures.push_back({failure.text("case"), failure.one_of("verdict", Verdict::Pending),
                            failure.messages("message"), failure.messages("advice"), place(failure)});
  });
  return out;
}

StructureResult structure(const Fields& in) {
  StructureResult out;
  out.requirement = in.one_of("requirement", Requirement::UsesConstantMemory);
  out.judged = !in.at("satisfied").is_null();
  out.satisfied = out.judged && in.yes_or_no("satisfied");
  read_points(in, out);
  out.observed = in.messages("observed");
  return out;
}

CallTime call_time(const Fields& in) {
  CallTime out;
  out.call_ns = in.number("call_ns", kMaxNs);
  std::vector<double> ends;
  in.each("call_ns_interval", [&](const ReadJson& end, const std::string& path) {
    ends.push_back(in.number(end, path, kMaxNs));
  });
  if (ends.size() == 2) {
    out.low_ns = ends[0];
    out.high_ns = ends[1];
  } else {
    in.wrong(msg::result_value_is(in.name("call_ns_interval"), "pair"));
  }
  out.kernel_ns = in.number_or_null("kernel_ns", kMaxNs);
  out.repetitions = in.count<std::uint32_t>("repetitions");
  out.throttled = in.count<std::uint32_t>("throttled");
  out.live_reason = in.messages("timed_live_because");
  return out;
}

SpeedResult speed(const Fields& in) {
  SpeedResult out;
  out.source = in.one_of("source", TimeSource::Measured);
  out.case_name = in.text("case");
  const bool timed = out.source != TimeSource::None;
  for (const auto& [key, value] : {std::pair("time_ns", &out.student_ns),
                                   {"reference_ns", &out.reference_ns},
                                   {"speedup_over_reference", &out.speedup}}) {
    if (timed)
      *value = in.number(key, kMaxNs);
    else if (!in.at(key).is_null())
      in.wrong(msg::result_time_without_source(in.name(key)));
  }
  if (!in.at("measurement").is_null()) {
    const Fields from = in.object("measurement");
    Measurement measurement;
    measurement.student = call_time(from.object("submission"));
    measurement.reference = call_time(from.object("reference"));
    measurement.least_ns = from.number("least_ns", kMaxNs);
    measurement.clock_mhz = from.number("clock_mhz", 1e6);
    measurement.problem = from.messages("problem");
    // Documents of earlier graders have the advice among the losses only.
    if (from.has("advice")) measurement.advice = from.messages("advice");
    out.measurement = std::move(measurement);
  }
  read_points(in, out);
  return out;
}

sim::Dim3 dim(const Fields& in, const char* key) {
  std::vector<std::uint32_t> sizes;
  in.each(key, [&](const ReadJson& size, const std::string& path) {
    sizes.push_back(in.count<std::uint32_t>(size, path));
  });
  if (sizes.size() == 3) return {sizes[0], sizes[1], sizes[2]};
  in.wrong(msg::result_value_is(in.name(key), "triple"));
  return {};
}

LaunchSummary launch(const Fields& in) {
  LaunchSummary out;
  out.kernel = in.text("kernel");
  out.grid = dim(in, "grid");
  out.block = dim(in, "block");
  out.shared_bytes = in.count<std::uint32_t>("shared_bytes");
  if (in.has("launches")) out.launches = in.count<std::size_t>("launches");
  if (in.has("estimated_parts_ns") && in.number_or_null("estimated_ns", kMaxNs) > 0) {
    const Fields parts = in.object("estimated_parts_ns");
    for (const sim::CostPart& part : sim::kCostParts)
      out.bounds.*part.value = parts.number_or_null(part.name, kMaxNs);
  } else {  // written by a grader without them
    out.bounds.latency = in.number_or_null("estimated_ns", kMaxNs);
  }
  // If the document lacks a counter, its grader did not have it.
  const Fields counters = in.object("counters");
#define CUDALABS_COUNTER(field, shown)                                                \
  if (sim::CounterShown::shown <= sim::CounterShown::Results && counters.has(#field)) \
    out.counters.field = counters.count<std::uint64_t>(#field);
#include "grader/sim/base/counters.def"
#undef CUDALABS_COUNTER
  // Before 2026-11-26 documents had only the accesses of the source program.
  if (!counters.has("source_shared_load_instructions")) {
    sim::Counters& c = out.counters;
    c.source_shared_load_instructions = c.shared_load_instructions;
    c.source_shared_load_wavefronts = c.shared_load_wavefronts;
    c.source_shared_load_bank_conflicts = c.shared_load_bank_conflicts;
    c.source_shared_store_instructions = c.shared_store_instructions;
    c.source_shared_store_wavefronts = c.shared_store_wavefronts;
    c.source_shared_store_bank_conflicts = c.shared_store_bank_conflicts;
  }
  return out;
}

VersionResult version(const Fields& in) {
  VersionResult out;
  out.name = in.text("name");
  out.title = in.text("title");
  out.entry = in.text("entry");
  out.verdict = in.one_of("verdict", Verdict::Pending);
  read_points(in, out);
  if (in.has("bonus")) out.bonus = in.yes_or_no("bonus");
  out.correctness = correctness(in.object("correctness"));
  in.each_object("structure", [&](const Fields& one) { out.structure.push_back(structure(one)); });
  out.speed = speed(in.object("speed"));
  in.each_object("lost", [&](const Fields& one) {
    out.lost.push_back({one.number("points", kMaxPoints), one.text("part"), one.messages("reason"),
                        one.messages("advice"), place(one), one.has("case") ? one.text("case") : ""});
  });
  in.each_object("launches", [&](const Fields& one) { out.launches.push_back(launch(one)); });
  in.each("notes", [&](const ReadJson& note, const std::string& path) {
    if (!note.is_string()) in.wrong(msg::result_value_is(path, "text"));
    out.notes.emplace_back(verbatim(note.is_string() ? note.get<std::string>() : ""));
  });
  if (!in.has("notes_parts")) return out;
  std::size_t index = 0;
  in.each("notes_parts", [&](const ReadJson& parts, const std::string& /*path*/) {
    auto read = messages_of(nlohmann::ordered_json(parts));
    if (read && index < out.notes.size()) out.notes[index] = *std::move(read);
    ++index;
  });
  return out;
}

OpenPoints open_points(const Fields& in) {
  OpenPoints out;
  out.name = in.text("name");
  out.by = in.one_of("by", OpenPoints::By::Rank);
  in.each_field("titles", [&](const std::string& language, const Fields& titles) {
    out.titles[language] = titles.text(language.c_str());
  });
  out.max_points = in.number("max_points", kMaxPoints);
  if (out.by != OpenPoints::By::Rank) return out;
  in.each("ranks", [&](const ReadJson& row, const std::string& path) {
    if (!row.is_array() || row.size() != 2) return in.wrong(msg::result_value_is(path, "pair"));
    out.ranks.emplace_back(in.count<std::int64_t>(row[0], path), in.number(row[1], path, kMaxPoints));
  });
  return out;
}

Nondeterministic nondeterministic(const Fields& in) {
  Nondeterministic out;
  out.grader_version = in.text("grader_version");
  out.started_at = in.text("started_at");
  out.wall_seconds = in.number("wall_seconds", 1e12);
  out.cpu_ms = in.number("cpu_ms", 1e15);
  out.sandbox = in.text("sandbox");
  out.sandbox_warning = in.messages("sandbox_warning");
  out.submission = in.text("submission");
  if (in.has("submission_note")) out.submission_note = in.messages("submission_note");
  return out;
}

std::uint64_t seed(const Fields& in) {
  const std::string digits = in.text("seed");
  const auto value = parse_number<std::uint64_t>(digits);
  if (!value) in.wrong(msg::result_seed_wrong(in_quotes(digits)));
  return value.value_or(0);
}

/// Values that the document repeats must agree, so that a program that reads only its head sees the same
/// result.
void check_sums(const Fields& in, const GradeResult& result) {
  double points = 0, max_points = 0;
  for (const VersionResult& one : result.versions) {
    if (one.verdict == Verdict::NotGraded) continue;
    points += one.points;
    max_points += one.bonus ? 0 : one.max_points;
  }
  const double rounding = 0.011;
  if (std::abs(points - result.points) > rounding || std::abs(max_points - result.max_points) > rounding)
    in.wrong(msg::result_score_not_the_sum());
  if (in.yes_or_no("passed") != result.passed()) in.wrong(msg::result_disagrees_with_versions("passed"));
  // Documents of earlier graders lack this key: they were written only at the end.
  if (in.has("complete") && in.yes_or_no("complete") != result.complete())
    in.wrong(msg::result_disagrees_with_versions("complete"));
}

GradeResult document(const Fields& in) {
  GradeResult out;
  // Checks the schema first, because another schema may differ in everything else.
  if (const std::string schema = in.text("schema"); schema != "grader/result/v1")
    in.wrong(msg::result_schema_unknown(in_quotes(schema)));
  out.lab = in.text("lab");
  out.variant = in.text("variant");
  out.title = in.text("title");
  out.device = in.text("device");
  if (device_named(out.device) == nullptr) {
    Message names;
    for (const DeviceKindInfo& kind : kDeviceKinds) {
      const std::string name = in_quotes(std::string(kind.name));
      names = names.empty() ? msg::result_neither(name) : msg::result_nor(names, name);
    }
    in.wrong(msg::result_device_unknown(in_quotes(out.device), names));
  }
  out.card = in.text_or_null("card");
  if (!in.at("device_profile").is_null()) {
    const Fields profile = in.object("device_profile");
    out.profile = {profile.text("name"), profile.text("title")};
  }
  const Fields compiler = in.object("compiler");
  out.compiler = {compiler.text("name"), compiler.text("version")};
  out.seed = seed(in);
  if (in.has("seed_policy")) out.seed_policy = in.text("seed_policy");
  out.file = in.text("file");
  read_points(in.object("score"), out);
  if (in.has("open"))
    in.each_object("open", [&](const Fields& one) { out.open.push_back(open_points(one)); });
  out.compiler_output = in.messages("compiler_output");
  in.each_object("versions", [&](const Fields& one) { out.versions.push_back(version(one)); });
  out.nondeterministic = nondeterministic(in.object("nondeterministic"));
  check_sums(in, out);
  return out;
}

/// Location of the byte with this index.
Location located(std::string_view text, std::size_t byte, const std::string& shown) {
  const std::string_view before = text.substr(0, byte);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = lines == 0 ? 0 : before.rfind('\n') + 1;
  return {shown, static_cast<int>(lines) + 1, static_cast<int>(before.size() - start) + 1};
}

/// Checks whether a text stays within the limits of a result, without storing any of it. (The parser's own
/// callback takes quadratic time for objects that contain many objects.)
class Bounds : public nlohmann::json_sax<ReadJson> {
 public:
  [[nodiscard]] const Message& problem() const { return problem_; }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;  // the parser that runs next reports this
  }

 private:
  bool value() {
    if (++values_ > kMaxJsonValues) problem_ = msg::result_has_too_many_values(kMaxJsonValues);
    return problem_.empty();
  }
  bool open() {
    if (++depth_ > kDeepest) problem_ = msg::result_too_deep();
    return value();
  }
  bool close() {
    --depth_;
    return true;
  }

  std::size_t values_ = 0;
  int depth_ = 0;
  Message problem_;
};

}  // namespace

Result<GradeResult> read_json_report(std::string_view text, const std::string& shown) {
  const auto told = [&](Diagnostic problem) {
    problem.where.file = shown;
    if (problem.hint.empty()) problem.hint = msg::result_is_written_by();
    return problem;
  };
  if (text.size() > kMaxJsonReport) {
    constexpr std::size_t kMiB = 1 << 20;
    return told(error(msg::result_too_large((text.size() + kMiB - 1) / kMiB, kMaxJsonReport / kMiB)));
  }
  Bounds bounds;
  ReadJson::sax_parse(text, &bounds);
  if (!bounds.problem().empty()) return told(error(bounds.problem()));
  ReadJson json;
  try {
    json = ReadJson::parse(text);
  } catch (const ReadJson::parse_error& problem) {
    const bool ended = problem.byte > text.size();
    return told({located(text, std::min(problem.byte == 0 ? 0 : problem.byte - 1, text.size()), shown),
                 text.empty() ? msg::result_file_empty()
                 : ended      ? msg::result_ends_early()
                              : msg::result_is_not_json(),
                 {}});
  } catch (const ReadJson::out_of_range&) {
    return told(error(msg::result_number_too_large()));
  }
  std::optional<Diagnostic> problem;
  GradeResult result = document(Fields(json, "", problem));
  if (problem) return told(std::move(*problem));
  return result;
}

}  // namespace cudalabs
