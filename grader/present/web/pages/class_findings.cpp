#include "grader/present/web/pages/class_findings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "grader/diagnostics/messages/score.h"
#include "grader/present/causes.h"
#include "grader/present/losses.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestLine = 400;

/// What is lost, and by which kind of mistake: the ids of the advice, or of what happened where there is
/// none. The advice tells the kind; what happened differs with the case that failed.
std::string kind_of(const LostPoints& lost) {
  std::string kind = lost.part;
  for (const Message& message : lost.advice.empty() ? Messages(cause_of(lost.reason)) : lost.advice) {
    kind += '\n';
    kind += message.id();
    // Texts that others wrote are all of one row, and so are those in documents of graders before ids.
    if (message.is(kVerbatim)) kind += ' ' + std::get<std::string>(message.arguments()[0]);
  }
  return kind;
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kLongestLine))
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

/// Students by a text about them.
class Texts {
 public:
  void add(const Messages& text, const ClassStudent& student) {
    std::string key;
    for (const Message& message : text) key += packed(message) + '\n';
    auto& [shown, students] = by_text_[key];
    if (students.empty()) shown = text;
    students.insert(&student);
  }
  [[nodiscard]] CommonText most_common() const {
    CommonText best;
    for (const auto& [key, entry] : by_text_)
      if (entry.second.size() > best.students) best = {entry.first, entry.second.size()};
    return best;
  }

 private:
  std::map<std::string, std::pair<Messages, std::set<const ClassStudent*>>> by_text_;
};

struct Gathered {
  CommonFinding finding;
  Texts messages, advice;
  /// Lines by their text without blanks.
  std::map<std::string, std::pair<CommonLine, std::set<const ClassStudent*>>> lines;
};

/// Points that come back by themselves once the answers are right.
bool is_consequence(const LostPoints& lost) {
  return lost.reason.contains(msg::gated) || lost.reason.contains(msg::judged_with_timed_case);
}

/// The finding that spoils a version of the cause; null: there is none.
ClassFinding* finding_of_same_version(ClassStudent& student, const Cause& cause) {
  const auto found = std::ranges::find_if(student.findings, [&](const ClassFinding& finding) {
    return std::ranges::any_of(cause.shares, [&](const Cause::Share& share) {
      return std::ranges::find(finding.versions, share.version->name) != finding.versions.end();
    });
  });
  return found == student.findings.end() ? nullptr : &*found;
}

}  // namespace

ClassStudent class_student(std::string id, std::string name, const GradeResult& result) {
  ClassStudent student;
  student.id = std::move(id);
  student.name = std::move(name);
  student.points = result.points;
  for (const VersionResult& version : result.versions) {
    const bool as_asked =
        std::ranges::all_of(version.structure, [](const StructureResult& one) { return one.satisfied; });
    student.scores.push_back({version.verdict, version.points,
                              version.speed.source == TimeSource::None ? 0 : version.speed.speedup,
                              version.verdict == Verdict::Accepted && as_asked, judged_criteria(version)});
  }
  for (const Cause& cause : causes_of(result)) {
    const LostPoints& lost = *cause.lost;
    if (ClassFinding* const before =
            is_consequence(lost) ? finding_of_same_version(student, cause) : nullptr) {
      before->points += cause.points;
      continue;
    }
    ClassFinding finding{
        kind_of(lost),   {}, lost.part, cause.points, cause.reason(), lost.advice, lost.where.file,
        lost.where.line, {}};
    for (const Cause::Share& share : cause.shares) finding.versions.push_back(share.version->name);
    const auto line = static_cast<std::size_t>(std::max(0, lost.where.line));
    if (lost.where.file == result.file && line >= 1 && line <= result.source.size())
      finding.source_line = result.source[line - 1];
    student.findings.push_back(std::move(finding));
  }
  return student;
}

std::vector<CommonFinding> common_findings(const std::vector<ClassStudent>& students) {
  std::map<std::string_view, Gathered> by_key;
  for (const ClassStudent& student : students) {
    for (const ClassFinding& finding : student.findings) {
      auto& [common, messages, advice, lines] = by_key[finding.key];
      messages.add(finding.message, student);
      advice.add(finding.advice, student);
      if (common.first == nullptr) common.first = &finding;
      if (common.students.empty() || common.students.back() != &student) common.students.push_back(&student);
      for (const std::string& version : finding.versions)
        if (std::ranges::find(common.versions, version) == common.versions.end())
          common.versions.push_back(version);
      common.points += finding.points;
      if (std::string text = without_blanks(finding.source_line); !text.empty()) {
        auto& [line, whose] = lines[std::move(text)];
        if (whose.empty()) line = {finding.source_line, finding.line, 0};
        whose.insert(&student);
      }
    }
  }
  std::vector<CommonFinding> findings;
  for (auto& [key, gathered] : by_key) {
    for (auto& [text, line] : gathered.lines) {
      line.first.students = line.second.size();
      gathered.finding.lines.push_back(std::move(line.first));
    }
    gathered.finding.message = gathered.messages.most_common();
    gathered.finding.advice = gathered.advice.most_common();
    std::ranges::stable_sort(gathered.finding.lines, std::greater<>(), &CommonLine::students);
    findings.push_back(std::move(gathered.finding));
  }
  std::ranges::stable_sort(findings, [](const CommonFinding& a, const CommonFinding& b) {
    return std::tuple(a.students.size(), a.points) > std::tuple(b.students.size(), b.points);
  });
  return findings;
}

}  // namespace cudalabs
