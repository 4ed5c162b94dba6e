#include "grader/present/formats/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"
#include "grader/present/formats/parts.h"
#include "grader/present/layout.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMax = 255 << 10;
constexpr std::size_t kMaxInSummary = 32 << 10;
constexpr std::size_t kMaxLine = 400;

/// Escapes text so that Markdown and HTML show it literally: special characters become character references.
/// A zero-width space follows '@' and '#', which would otherwise still mention people and link issues.
std::string text(std::string_view words) {
  std::string out;
  for (const char c : plain(words, 8 << 10)) {
    const bool address = c == '.' && (out.ends_with('w') || out.ends_with('W'));  // www.
    if (c == '\n')
      out += "<br>";
    else if (c == '@' || c == '#')
      out += fmt::format("&#{};&#8203;", static_cast<int>(c));
    else if (address || std::string_view("\\`*_{}[]<>|&~$:").find(c) != std::string_view::npos)
      out += fmt::format("&#{};", static_cast<int>(c));
    else
      out += c;
  }
  return out;
}

/// A code block that shows every byte literally: its fence is longer than any fence in the content.
std::string block(std::string_view content) {
  std::size_t longest = 2, run = 0;
  for (const char c : content) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + std::string(content) + (content.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string sign(const VersionResult& version) {
  if (version.verdict == Verdict::Pending) return "⏳";
  if (version.verdict != Verdict::Accepted) return "❌";
  return version.full() ? "✅" : "⚠️";
}

std::string row(const VersionResult& v) {
  std::string structure = "–", time = "–", speedup = "–";
  if (!v.structure.empty() && v.structure.front().judged)
    structure = fmt::format("{}/{}", std::ranges::count(v.structure, true, &StructureResult::satisfied),
                            v.structure.size());
  if (v.speed.source != TimeSource::None) {
    time = fmt::format("{} {}", human_time(v.speed.student_ns), translated_word(spelling(v.speed.source)));
    speedup = human_factor(v.speed.speedup) + "x";
  }
  const std::string correct = v.correctness.total > 0
                                  ? fmt::format("{}/{}", v.correctness.passed, v.correctness.total)
                                  : std::string("–");
  return fmt::format("| {} {} | {} | {} | {} | {} | {} | {} |\n", sign(v), text(v.name), verdict_words(v),
                     correct, structure, time, speedup, points_of(v));
}

/// Describes a cause of losses, with its source lines.
std::string text_of(const GradeResult& result, const Cause& cause) {
  std::string out =
      fmt::format("\n**{}** −{} {}<br>{}\n", text(cause.version_names()), human_points(cause.points),
                  text(cause.part_words()), text(rendered(cause.reason())));
  std::string lines;
  for (const Location& where : cause.places) {
    if (where.file == result.file && where.line >= 1 &&
        static_cast<std::size_t>(where.line) <= result.source.size()) {
      const std::string source = plain(result.source[static_cast<std::size_t>(where.line) - 1], kMaxLine);
      lines += fmt::format("{}{}:{}\n{}", lines.empty() ? "" : "\n", result.file, where.line, source);
    } else {
      out += tr("\nat {}:{}\n", text(where.file), where.line);
    }
  }
  if (!lines.empty()) out += "\n" + block(lines);
  if (!cause.lost->advice.empty()) out += fmt::format("\n→ {}\n", text(rendered(cause.lost->advice)));
  if (cause.failure != nullptr) out += fmt::format("\n{}\n", text(rendered(cause.extent())));
  return out;
}

}  // namespace

std::string markdown_report(const GradeResult& result) {
  std::string out = "### " + tr("{} {}: {} of {} points\n\n", text(result.lab), text(result.variant),
                                human_points(result.points), human_points(result.max_points));
  out += tr("{}, {} by {} {}, seed {}\n\n", text(translated_word(result.title)), text(result.file),
            text(result.compiler.name), text(result.compiler.version), result.seed);
  if (!result.nondeterministic.submission_note.empty())
    out += "**" + text(rendered(result.nondeterministic.submission_note)) + "**\n\n";
  if (!result.complete())
    out += "**" + tr("Not all versions have been run: the grading was stopped before its end.") + "**\n\n";
  out += tr("| version | verdict | correct | structure | time | vs reference | points |\n") +
         "|---|---|---:|---:|---:|---:|---:|\n";
  for (const VersionResult& version : result.versions) {
    if (version.verdict != Verdict::NotGraded) out += row(version);
  }
  for (const std::string& note : points_notes(result)) out += "\n" + text(note) + "\n";
  if (!result.compiler_output.empty())
    out += "\n" + block(plain(rendered_lines(result.compiler_output), kMaxInSummary));
  std::size_t left_out = 0;
  for (const Cause& cause : causes_of(result)) {
    const std::string one = text_of(result, cause);
    if (out.size() + one.size() > kMax - 1000)
      ++left_out;
    else
      out += one;
  }
  if (left_out > 0) out += tr("\n{} more losses are not shown here.\n", left_out);
  return out;
}

std::string markdown_failure(const GradingFailure& failure) {
  return "### " + tr("{} {}: could not be graded\n\n", text(failure.lab), text(failure.variant)) +
         tr("The grader failed. The submission is not at fault, and this costs no points.\n\n") +
         block(plain(shown_text(failure.problem), 8 << 10));
}

}  // namespace cudalabs
