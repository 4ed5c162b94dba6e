#include "grader/present/formats/mail_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"
#include "grader/present/criteria.h"
#include "grader/present/layout.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

constexpr std::size_t kWidth = 76, kLongest = 1500, kCauses = 40, kAttempts = 200;

class MailWriter {
 public:
  MailWriter(const Standing& standing, const GradeResult* result) : standing_(standing), result_(result) {}

  std::string write() {
    heading();
    for (const std::string& line : standing_.open) paragraph(line);
    if (result_ != nullptr) {
      criteria();
      losses();
    }
    attempts();
    if (!standing_.pseudonym.empty())
      paragraph("\n" + tr("On the class's leaderboard you are {}.", standing_.pseudonym));
    return std::move(out_);
  }

 private:
  /// Wrapped; further lines begin below the text of the first one.
  void paragraph(const std::string& text, std::size_t indent = 0) {
    const std::string safe = printable(columns(text, 0, kLongest));
    bool first = true;
    for (const std::string& line : wrap(safe, kWidth - indent)) {
      out_ += (first || line.empty() ? "" : repeat(" ", indent)) + line + "\n";
      first = false;
    }
  }

  /// "   +5  oral exam"
  void row(const std::string& label, std::size_t width, const std::string& text) {
    out_ += "  " + pad_left(label, width) + "  ";
    paragraph(text.empty() ? "-" : text, width + 4);
  }

  void title(const std::string& text) { out_ += "\n" + text + "\n"; }

  void heading() {
    if (!standing_.student.empty()) paragraph(standing_.student);
    const std::string title = standing_.title.empty() ? "" : ": " + translated_word(standing_.title);
    paragraph(standing_.lab + " " + standing_.variant + title);
    out_ += "\n";
    if (!standing_.problem.empty()) paragraph(rendered(standing_.problem));
    if (!standing_.graded && standing_.terms.empty()) return;
    out_ += tr("{} of {} points", human_points(standing_.points), human_points(standing_.max_points)) + "\n";
    for (const Standing::Term& term : standing_.terms)
      row(signed_points(term.points), 7, rendered(term.what));
  }

  void criteria() {
    title(tr("Every criterion"));
    for (const VersionResult& version : result_->versions) {
      out_ +=
          fmt::format("{}: {}, {}\n", printable(version.name), points_of(version), verdict_words(version));
      for (const JudgedCriterion& one : judged_criteria(version)) {
        const std::string points = one.max_points > 0 ? points_of(one.points, one.max_points) : "";
        row(pad_right(translated_word(words_of(one.state)), 14) + pad_left(points, 11), 25, one.title);
      }
    }
  }

  void losses() {
    const std::vector<Cause> causes = causes_of(*result_);
    if (causes.empty()) return;
    title(tr("What was lost, and what to do"));
    for (std::size_t n = 0; n < std::min(causes.size(), kCauses); ++n) {
      const Cause& cause = causes[n];
      row("-" + human_points(round_points(cause.points)), 7,
          fmt::format("{} ({}): {}", cause.version_names(), cause.part_words(), rendered(cause.reason())));
      for (const Location& where : cause.places)
        if (!where.file.empty()) row("", 7, fmt::format("{}:{}", where.file, where.line));
      if (!cause.lost->advice.empty()) row("", 7, tr("What to do: {}", rendered(cause.lost->advice)));
    }
    if (causes.size() > kCauses) row("", 7, tr("And {} more, which are not shown.", causes.size() - kCauses));
  }

  void attempts() {
    title(tr("Attempts so far: {}", standing_.attempts.size()));
    const std::size_t count = standing_.attempts.size(), first = count > kAttempts ? count - kAttempts : 0;
    for (std::size_t n = first; n < count; ++n) {
      const Standing::Attempt& one = standing_.attempts[n];
      std::string text = time_words(one.at, one.zoneless) + ": " +
                         (one.graded ? human_points(one.points) : tr("not graded"));
      if (one.counts && one.graded) text += ", " + tr("counts");
      if (!one.remark.empty()) text += ", " + rendered(one.remark);
      row(std::to_string(n + 1), 4, text);
    }
  }

  const Standing& standing_;
  const GradeResult* result_;
  std::string out_;
};

}  // namespace

std::string mail_text(const Standing& standing, const GradeResult* result) {
  return MailWriter(standing, result).write();
}

}  // namespace cudalabs
