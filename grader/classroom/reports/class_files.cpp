#include "grader/classroom/reports/class_files.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "grader/base/text.h"
#include "grader/classroom/gradebook.h"
#include "grader/classroom/reports/class_overview.h"
#include "grader/classroom/reports/compare_page.h"
#include "grader/classroom/reports/pseudonyms.h"
#include "grader/classroom/reports/student_feedback.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/present/web/pages/class_page.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// A folder of generated files. Those that are not written again are of earlier students, and removed.
class Generated {
 public:
  explicit Generated(fs::path folder) : folder_(std::move(folder)) {}

  Result<void> open() const {
    std::error_code problem;
    fs::create_directories(folder_, problem);
    if (problem) return Diagnostic{{folder_.string(), 0, 0}, msg::cannot_be_made(problem.message()), {}};
    return {};
  }

  Result<void> write(const std::string& name, const std::string& content) {
    names_.insert(name);
    return write_file_atomically(folder_ / name, content);
  }

  void remove_others() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
      std::error_code busy;
      if (!names_.contains(entry.path().filename().string())) fs::remove(entry.path(), busy);
    }
  }

 private:
  fs::path folder_;
  std::set<std::string> names_;
};

std::string shown_name(const ClassRecord& record, const std::string& id) {
  const auto student = record.students.find(id);
  return student == record.students.end() || student->second.name == id
             ? id
             : student->second.name + " (" + id + ")";
}

Result<void> write_comparisons(const fs::path& out, const ClassRecord& record, const ClassOverview& overview,
                               const CourseFiles& course) {
  Generated similar(out / "similar");
  if (auto made = similar.open(); !made) return made;
  for (const Comparison& one : overview.comparisons) {
    const ComparedFile first{shown_name(record, one.first), overview.sources.at(one.first)};
    const ComparedFile second =
        one.second.empty() ? ComparedFile{tr("the reference solution"), course.reference}
                           : ComparedFile{shown_name(record, one.second), overview.sources.at(one.second)};
    if (auto written = similar.write(one.file, compare_page(first, second, one.share, course.handed_out()));
        !written)
      return written;
  }
  similar.remove_others();
  return {};
}

Result<void> write_students(const fs::path& out, const ClassRecord& record,
                            const std::map<std::string, std::string>& names, const std::string& title) {
  Generated results(out / "results"), feedback(out / "feedback");
  for (const Generated* const folder : {&results, &feedback})
    if (auto made = folder->open(); !made) return made;
  for (const auto& [id, student] : record.students) {
    const std::string name = file_name_of(id);
    if (const Grading* const grading = grade_of(record, student).grading; grading != nullptr) {
      if (auto written = results.write(name + ".json", grading->result); !written) return written;
    }
    const auto told = feedback_of(record, student, names.at(id), title);
    if (!told) return told.problem();
    if (auto written = feedback.write(name + ".html", told->page); !written) return written;
    if (auto written = feedback.write(name + ".txt", told->text); !written) return written;
  }
  results.remove_others();
  feedback.remove_others();
  return {};
}

}  // namespace

std::string file_name_of(const std::string& student) {
  std::string name;
  const bool utf8 = !first_invalid_utf8(student);
  for (const char c : student) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool other = (static_cast<unsigned char>(c) >= 0x80 && utf8) || c == '-' || c == '_' ||
                       (c == '.' && !name.empty());
    name += letter || other ? c : '_';
  }
  if (name == student && name.size() <= 100) return name;
  const std::array<std::string, 1> parts = {student};
  while (name.size() > 60 || first_invalid_utf8(name)) name.pop_back();  // only whole characters
  return name + "-" + content_key(parts).substr(0, 8);
}

std::string address_of(const std::string& file) {
  std::string address;
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.'))
      address += c;
    else
      address += fmt::format("%{:02X}", byte);
  }
  return address;
}

Result<void> write_reports(ClassFolder& folder, const ClassRecord& record, const CourseFiles& course) {
  const fs::path& out = folder.path();
  if (auto written = write_file_atomically(out / "gradebook.csv", csv_text(gradebook(record))); !written)
    return written;
  const std::map<std::string, std::string> names = pseudonyms(record);
  auto overview = class_overview(folder, record, names, course);
  if (!overview) return overview.problem();
  if (auto written = write_file_atomically(out / "class.html", class_page(overview->page)); !written)
    return written;
  if (auto written = write_comparisons(out, record, *overview, course); !written) return written;
  overview->page.anonymous = true;
  describe_conditions(overview->page, record, false);
  std::erase_if(overview->page.students, [](const ClassStudent& row) { return row.withdrawn; });
  if (auto written = write_file_atomically(out / "leaderboard.html", class_page(overview->page)); !written)
    return written;
  return write_students(out, record, names, overview->page.title);
}

}  // namespace cudalabs
