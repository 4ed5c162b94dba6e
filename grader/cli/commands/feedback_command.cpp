// Packs what each student of a class is told for upload to a learning platform.

#include <fmt/format.h>

#include <map>

#include "grader/base/text.h"
#include "grader/classroom/gradebook.h"
#include "grader/classroom/reports/class_files.h"
#include "grader/classroom/reports/feedback_zip.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/web/escape.h"

namespace cudalabs::cli {
namespace {

constexpr std::size_t kMaxWorksheet = 64 << 20, kMaxPage = 64 << 20;

struct FeedbackOptions {
  std::string out, moodle, grade_column, comments_column, canvas;
};

/// The files of feedback/ for each student.
class Feedback {
 public:
  explicit Feedback(const ClassFolder& folder) : folder_(folder.path() / "feedback") {}

  [[nodiscard]] Result<std::string> page(const std::string& student) const { return read(student, ".html"); }
  [[nodiscard]] Result<std::string> text(const std::string& student) const { return read(student, ".txt"); }

 private:
  [[nodiscard]] Result<std::string> read(const std::string& student, const char* ending) const {
    return read_file(folder_ / (file_name_of(student) + ending), kMaxPage);
  }

  std::filesystem::path folder_;
};

/// "lab3-variant4.html"
std::string file_of(const ClassRecord& record) {
  const RunRecord& run = record.runs.back();
  return run.lab + "-" + run.variant + ".html";
}

/// Comments are HTML on Moodle.
std::string comment_of(const std::string& text) { return "<pre>" + html::escaped(text).text() + "</pre>"; }

Result<void> write_zip(const ClassFolder& folder, const char* name, const std::vector<FeedbackFile>& files) {
  auto bytes = zip_of(files);
  if (!bytes) return bytes.problem();
  const auto target = folder.path() / name;
  if (auto written = write_file_atomically(target, *bytes); !written) return written;
  write_out(rendered(msg::feedback_packed(target.string(), files.size())) + "\n");
  return {};
}

int print_missing(const std::vector<std::string>& missing, const std::string& file) {
  if (missing.empty()) return kPassed;
  print_out("without a row or an upload in {}: {}\n", file, fmt::join(missing, ", "));
  return kLostPoints;
}

std::vector<std::string> students_without(const ClassRecord& record,
                                          const std::map<std::string, std::string>& with) {
  std::vector<std::string> missing;
  for (const auto& [id, student] : record.students)
    if (!with.contains(id)) missing.push_back(id);
  return missing;
}

/// Grades and comments in Moodle's worksheet, and the pages in an archive.
Result<int> for_moodle(const ClassFolder& folder, const ClassRecord& record, const FeedbackOptions& options) {
  auto text = read_file(options.moodle, kMaxWorksheet);
  if (!text) return text.problem();
  auto worksheet = parse_csv(*text, options.moodle);
  if (!worksheet) return worksheet.problem();
  const std::string name = options.comments_column.empty() ? "Feedback comments" : options.comments_column;
  const int column = worksheet->column(name);
  if (column < 0)
    return Diagnostic{{options.moodle, 0, 0},
                      msg::no_such_column(name, suggestion(name, worksheet->header)),
                      msg::enable_comments()};
  auto filled = fill_moodle(grade_sheet(record, options.grade_column), *worksheet, MoodleTable::Worksheet,
                            options.moodle);
  if (!filled) return filled.problem();
  const Feedback feedback(folder);
  std::vector<FeedbackFile> files;
  std::map<std::string, std::string> numbers;  // of participants, by student
  for (std::size_t row = 0; row < filled->students.size(); ++row) {
    const std::string& id = filled->students[row];
    if (id.empty()) continue;
    CsvRow& cells = filled->table.rows[row];
    const bool is_first = numbers.emplace(id, number_at_end(cells.front())).second;
    auto page = feedback.page(id);
    if (!page) return page.problem();
    auto told = feedback.text(id);
    if (!told) return told.problem();
    cells[static_cast<std::size_t>(column)] = comment_of(*told);
    if (is_first && !numbers[id].empty())
      files.push_back({moodle_feedback_path(record.students.at(id).name, numbers[id], file_of(record)),
                       std::move(*page)});
  }
  const auto target = folder.path() / "moodle.csv";
  if (auto written = write_file_atomically(target, csv_text(filled->table)); !written)
    return written.problem();
  write_out(rendered(msg::grades_filled_in(target.string(), filled->filled)) + "\n");
  if (auto written = write_zip(folder, "moodle_feedback.zip", files); !written) return written.problem();
  return print_missing(students_without(record, numbers), options.moodle);
}

/// The pages in an archive whose names are those of Canvas's download.
Result<int> for_canvas(const ClassFolder& folder, const ClassRecord& record, const FeedbackOptions& options) {
  auto download = read_tree(options.canvas);
  if (!download) return download.problem();
  const std::map<std::string, std::string> uploads = canvas_upload_names(*download);
  if (uploads.empty())
    return Diagnostic{{options.canvas, 0, 0}, msg::no_canvas_download(), msg::pass_canvas_download()};
  const Feedback feedback(folder);
  std::vector<FeedbackFile> files;
  for (const auto& [id, upload] : uploads) {
    if (!record.students.contains(id)) continue;
    auto page = feedback.page(id);
    if (!page) return page.problem();
    files.push_back({upload + file_of(record), std::move(*page)});
  }
  if (auto written = write_zip(folder, "canvas_feedback.zip", files); !written) return written.problem();
  return print_missing(students_without(record, uploads), options.canvas);
}

}  // namespace

int feedback_command(const Arguments& arguments) {
  FeedbackOptions options;
  RuleOptions rules;
  CommandLine line("grader feedback",
                   "grader feedback FOLDER (--moodle WORKSHEET | --canvas DOWNLOAD) [OPTIONS]",
                   "Packs the students' pages as Moodle or Canvas takes feedback files. Moodle's worksheet "
                   "also gets grades and\n"
                   "comments.");
  line.positional("FOLDER", options.out, "The folder of `grader batch --out`");
  line.option("--moodle", "FILE", options.moodle, "A grading worksheet of Moodle");
  line.option("--grade-column", "NAME", options.grade_column, "The name of its column of grades [Grade]");
  line.option("--comments-column", "NAME", options.comments_column,
              "The name of its column of comments [Feedback comments]");
  line.option("--canvas", "DOWNLOAD", options.canvas, "The submissions as Canvas's download has them");
  add_names_option(line, rules);
  line.footer(
      "Writes FOLDER/moodle.csv and FOLDER/moodle_feedback.zip, or FOLDER/canvas_feedback.zip.\n\n"
      "Examples:\n"
      "  grader feedback lab3 --moodle worksheet.csv --names pseudonym\n"
      "  grader feedback lab3 --canvas submissions.zip\n");
  if (auto status = line.parse(arguments)) return *status;
  if (options.moodle.empty() && options.canvas.empty())
    return report_error(error(msg::feedback_needs_platform(), msg::name_worksheet_or_download()), kUsage);
  auto folder = ClassFolder::open(options.out, ClassFolder::Make::No);
  if (!folder) return report_error(folder.problem(), kUsage);
  if (auto swept = sweep(**folder); !swept) return report_error(swept.problem(), kCouldNotGrade);
  if (auto kept = keep_rules(**folder, rules); !kept) return report_error(kept.problem(), kUsage);
  int status = finish_class(**folder);
  if (status > kLostPoints) return status;
  const auto record = read_record((*folder)->journal());
  if (!record) return report_error(record.problem(), kCouldNotGrade);
  if (record->runs.empty()) return status;  // finish_class has said that nobody is graded
  for (const auto& [file, pack] :
       {std::pair{options.moodle, &for_moodle}, std::pair{options.canvas, &for_canvas}}) {
    if (file.empty()) continue;
    const auto packed = pack(**folder, *record, options);
    if (!packed) return report_error(packed.problem(), kUsage);
    status = std::max(status, *packed);
  }
  return status;
}

}  // namespace cudalabs::cli
