#include "grader/grading/cached_run.h"

#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "grader/base/hash/sha256.h"
#include "grader/base/log/log.h"
#include "grader/base/process/sandbox.h"
#include "grader/course/cache.h"
#include "grader/device/protocol/control.h"

// Structured bindings name every member, so a new member does not compile until someone decides here how to
// store it.

namespace cudalabs::protocol {

void fields_of(auto& a, Location& where) {
  auto& [file, line, column] = where;
  a(file, line, column);
}

void fields_of(auto& a, Mismatch& mismatch) {
  // The numbers of mistakes are only needed while a version is explained.
  auto& [output, index, extents, expected, got, ulps, count, total, never_written, in_place, untouched,
         pattern, guess, usual, fitting, fitting_numbers, factor, factor_error, statements] = mismatch;
  a(output, index, extents, expected, got, ulps, count, total, never_written, in_place, untouched, pattern,
    guess, usual, fitting, factor, factor_error, statements);
}

void fields_of(auto& a, RuleDeed& deed) {
  auto& [rule, kernel, where] = deed;
  a(rule, kernel, where);
}

void fields_of(auto& a, BlockSize& size) {
  auto& [kernel, threads] = size;
  a(kernel, threads);
}

void fields_of(auto& a, CaseEvidence& evidence) {
  auto& [name, hidden, timed, drawn, has_output, empty_answer, verdict, message, advice, where,
         refused_kernel, failed_call, failed_word, shown_launch, stores, fault, wrong_barrier, mismatch,
         reason, watched, by_order, unsound, input_bytes, output_bytes, free_bytes, input_elements,
         output_elements, factors, bytes_to_device, bytes_to_host, argument_bytes, repeated, copies_ns,
         bytes_put_last, launches, deeds, blocks, peak_bytes, threads, fingerprint, followed, origins] =
      evidence;
  a(name, hidden, timed, drawn, has_output, empty_answer, verdict, message, advice, where, refused_kernel,
    failed_call, failed_word, shown_launch, stores, fault, wrong_barrier, mismatch, reason, watched, by_order,
    unsound, input_bytes, output_bytes, free_bytes, input_elements, output_elements, factors, bytes_to_device,
    bytes_to_host, argument_bytes, repeated, copies_ns, bytes_put_last, launches, deeds, blocks, peak_bytes,
    threads, fingerprint, followed, origins);
}

void fields_of(auto& a, VersionEvidence& evidence) {
  // GPU measurements are not cached, and the reference's launches do not belong to the submission.
  auto& [name, state, message, advice, where, cases, reference_launches, reference_copies, measured, notes] =
      evidence;
  a(name, state, message, advice, where, cases, notes);
}

void fields_of(auto& a, Parameter& parameter) {
  auto& [name, role, type, shape, low, high, components, value, tolerance, length, order, keys] = parameter;
  bool fixed = value.has_value();
  double fixed_value = value.value_or(0);
  bool own_tolerance = tolerance.has_value();
  Tolerance used = tolerance.value_or(Tolerance{});
  a(name, role, type, shape, low, high, components, fixed, fixed_value, own_tolerance, used.kind, used.bound,
    length, order, keys);
}

void fields_of(auto& a, std::pair<std::string, std::int64_t>& size) { a(size.first, size.second); }

void fields_of(auto& a, ScalarValue& scalar) { a(scalar.name, scalar.value, scalar.drawn); }

void fields_of(auto& a, TestCase& test) {
  auto& [sizes, distribution, least, criterion, scalars, files, alias, number] = test;
  std::uint32_t place = number.value_or(~0U);
  a(sizes, distribution, least, scalars, alias, place);
  for (auto& [input, name, numbers] : files) {
    std::vector<double> values = *numbers;
    a(input, name, values);
  }
}

/// The fields that a version's calls depend on; its points are not among them.
void fields_of(auto& a, Version& version) {
  auto& [name, entry, title, correctness_points, structure, algorithm, outputs_by_copies, forbids, needs,
         max_launches, block_size, max_device_memory, devices, speed_points, speed_curve, bonus_points,
         bonus] = version;
  a(name, entry, outputs_by_copies);
  for (auto& [requirement, points, limit] : structure) a(requirement, limit);
  if (!algorithm) return;
  auto& [exchange, barriers, warp_exchanges, inputs_per_thread, outputs_per_thread, distances, fixed_grid,
         loads_per_factor, global_atomics_per_input] = *algorithm;
  if (exchange) a(*exchange);
  if (distances) a(*distances);
  bool which[] = {exchange.has_value(), distances.has_value()};
  a(which[0], which[1], barriers, warp_exchanges, inputs_per_thread, outputs_per_thread, loads_per_factor,
    global_atomics_per_input);
}

void fields_of(auto& a, SubmissionLimits& limits) {
  auto& [compile_seconds, call_seconds, submission_seconds, warp_instructions, memory_bytes, output_bytes] =
      limits;
  a(compile_seconds, call_seconds, submission_seconds, warp_instructions, memory_bytes, output_bytes);
}

/// The course's own words are no part of evidence: messages are rendered later.
void fields_of(auto& a, Lab& lab) {
  auto& [slug, name, variant, title, entry, file, parameters, tolerance, sums, versions, cases, timed,
         criteria, gate, manual, leaderboard, devices, limits, own_words, hidden_elsewhere, config_file,
         contract, oracle, handout, stub, reference, figures, oracle_includes, reference_headers] = lab;
  a(slug, entry, file, parameters, tolerance.kind, tolerance.bound, versions, cases, timed, devices, limits);
  if (sums) a(sums->over, sums->factors);
}

}  // namespace cudalabs::protocol

namespace cudalabs {
namespace {

constexpr std::size_t kMaxKept = std::size_t{64} << 20;

/// Returns whether the machine may have caused this result: a slow machine or a damaged compiler.
bool is_by_machine(const VersionEvidence& version) {
  return version.measured || version.state == Verdict::Timeout || version.state == Verdict::CompileError ||
         std::ranges::any_of(version.cases,
                             [](const CaseEvidence& c) { return c.verdict == Verdict::Timeout; });
}

}  // namespace

std::string this_binary() {
  struct stat self {};
  if (::stat("/proc/self/exe", &self) != 0) return "";
  const auto& changed = self.st_ctim;
  return std::to_string(self.st_dev) + " " + std::to_string(self.st_ino) + " " +
         std::to_string(self.st_size) + " " + std::to_string(changed.tv_sec) + "." +
         std::to_string(changed.tv_nsec);
}

Result<std::string> build_key(const Lab& lab, const CompilerName& compiler, const Submission& submission) {
  const auto contract = read_file(lab.contract, kMaxKept);
  if (!contract) return contract.problem();
  Sha256 key;
  key.add_part(this_binary()).add_part(compiler.name).add_part(compiler.version).add_part(*contract);
  key.add_part(submission.source.name).add_part(submission.source.content);
  for (const SourceFile& header : submission.headers) key.add_part(header.name).add_part(header.content);
  return key.hex();
}

Result<std::string> run_key(const Lab& lab, const Oracle& oracle, const CompilerName& compiler,
                            const NamedProfile& profile, const Submission& submission,
                            const std::vector<std::string>& versions, std::uint64_t seed) {
  const auto built = build_key(lab, compiler, submission);
  if (!built) return built.problem();
  return Sha256()
      .add_part(*built)
      .add_part(protocol::packed(lab))
      .add_part(oracle.key())
      .add_part(protocol::packed(profile.numbers))
      .add_part(protocol::packed(versions))
      .add_part(std::to_string(seed))
      .add_part(spelling(usable_sandbox()))
      .hex();
}

std::optional<std::string> find_kept(const std::filesystem::path& file, std::string_view key) {
  auto bytes = read_file(file, kMaxKept);
  if (!bytes) return std::nullopt;
  auto whole = unsealed(std::move(*bytes));
  const bool found = whole && std::string_view(*whole).starts_with(key);
  logging::debug(logging::Stage::Cache,
                 [&] { return file.string() + (found ? ": found" : ": of something else, or damaged"); });
  if (!found) return std::nullopt;
  return whole->substr(key.size());
}

void keep(const std::filesystem::path& file, std::string_view key, std::string_view bytes) {
  std::error_code problem;
  std::filesystem::create_directories(file.parent_path(), problem);
  std::string whole(key);
  whole += bytes;
  if (whole.size() < kMaxKept) (void)write_file_atomically(file, sealed(whole));
}

std::optional<CachedRun> find_run(const std::filesystem::path& file, std::string_view key) {
  const auto bytes = find_kept(file, key);
  if (!bytes) return std::nullopt;
  protocol::Reader reader(std::as_bytes(std::span(*bytes)));
  CachedRun run;
  reader(run.evidence, run.compiler_output);
  return reader.finished() ? std::optional(std::move(run)) : std::nullopt;
}

void keep_run(const std::filesystem::path& file, std::string_view key, CachedRun run) {
  if (std::ranges::any_of(run.evidence, is_by_machine)) return;
  keep(file, key, protocol::packed(std::move(run.evidence), std::move(run.compiler_output)));
}

}  // namespace cudalabs
