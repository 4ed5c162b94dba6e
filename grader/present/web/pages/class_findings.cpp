#include "grader/present/web/pages/class_findings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

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

struct Gathered {
  CommonFinding finding;
  /// Lines by their text without blanks.
  std::map<std::string, std::pair<CommonLine, std::set<const ClassStudent*>>> lines;
};

}  // namespace

ClassStudent class_student(std::string id, std::string name, const GradeResult& result) {
  ClassStudent student;
  student.id = std::move(id);
  student.name = std::move(name);
  student.points = result.points;
  for (const VersionResult& version : result.versions) {
    student.scores.push_back({version.verdict, version.points,
                              version.speed.source == TimeSource::None ? 0 : version.speed.speedup});
    for (const LostPoints& lost : version.lost) {
      ClassFinding finding{kind_of(lost), version.name,    lost.part,       lost.points, lost.reason,
                           lost.advice,   lost.where.file, lost.where.line, {}};
      const auto line = static_cast<std::size_t>(std::max(0, lost.where.line));
      if (lost.where.file == result.file && line >= 1 && line <= result.source.size())
        finding.source_line = result.source[line - 1];
      student.findings.push_back(std::move(finding));
    }
  }
  return student;
}

std::vector<CommonFinding> common_findings(const std::vector<ClassStudent>& students) {
  std::map<std::string_view, Gathered> by_key;
  for (const ClassStudent& student : students) {
    for (const ClassFinding& finding : student.findings) {
      auto& [common, lines] = by_key[finding.key];
      if (common.first == nullptr) common.first = &finding;
      if (common.students.empty() || common.students.back() != &student) common.students.push_back(&student);
      if (std::ranges::find(common.versions, finding.version) == common.versions.end())
        common.versions.push_back(finding.version);
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
    std::ranges::stable_sort(gathered.finding.lines, std::greater<>(), &CommonLine::students);
    findings.push_back(std::move(gathered.finding));
  }
  std::ranges::stable_sort(findings, [](const CommonFinding& a, const CommonFinding& b) {
    return std::tuple(a.students.size(), a.points) > std::tuple(b.students.size(), b.points);
  });
  return findings;
}

}  // namespace cudalabs
