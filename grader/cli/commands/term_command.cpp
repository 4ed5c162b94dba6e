// grader term: the gradebook of a course over a term.

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/classroom/term/term_gradebook.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/xlsx/workbook.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxTermBytes = 1 << 20;
constexpr std::size_t kMaxListBytes = 64 << 20;

const char* const kTermFooter =
    R"yaml(TERM.yaml names the class list, the folders of `grader batch --out`, one for each lab and variant, and how the
labs add up:

  class: class.csv                  # columns: student, name
  attempt: best                     # or last
  drop_lowest: 1
  labs:
    - {lab: lab1, variants: {variant1: out/lab1}}
    - lab: lab3
      weight: 2
      variants: {variant1: out/lab3v1, variant4: out/lab3v4}
      assigned: by_id               # or by_list, a column of the class list, or {variant4: ["4711", "4712"]}
      canvas: "Lab 3 (4711)"

Exit status: 0 everybody is on the list and graded, 1 not, 2 wrong usage, 3 a file could not be written.
docs/batch.md says more.
)yaml";

/// The students of each folder that the term names.
Result<std::vector<std::vector<TermBatch>>> read_batches(const Term& term) {
  std::vector<std::vector<TermBatch>> all;
  for (const TermLab& lab : term.labs) {
    std::vector<TermBatch>& batches = all.emplace_back();
    for (const TermFolder& folder : lab.folders) {
      const auto at_line = [&folder](Diagnostic problem) {
        problem.message = msg::in_folder(folder.path.string(), problem.message);
        problem.where = folder.where;
        return problem;
      };
      auto opened = ClassFolder::open(folder.path, ClassFolder::Make::No);
      if (!opened) return at_line(opened.problem());
      auto record = read_record((*opened)->journal());
      if (!record) return at_line(record.problem());
      TermBatch batch = term_batch(std::move(*record), lab.best);
      const bool other = batch.lab != lab.lab || batch.variant != folder.variant;
      if (other && !batch.lab.empty())
        return Diagnostic{
            folder.where,
            msg::folder_of_other_lab(folder.path.string(), batch.lab, batch.variant, lab.lab, folder.variant),
            {}};
      batches.push_back(std::move(batch));
    }
  }
  return all;
}

std::string status_of(const TermScore& score) {
  std::string status = score.state == TermScore::State::Scored    ? "graded"
                       : score.state == TermScore::State::Missing ? "missing"
                                                                  : "open";
  if (score.dropped) status += ", dropped";
  return score.notes.empty() ? status : fmt::format("{}: {}", status, one_line(score.notes.english()));
}

Sheet grades_of(const TermBook& book, const Term& term) {
  Sheet sheet{"Grades", {"student", "name", "total"}, {}};
  for (const TermLab& lab : term.labs) {
    sheet.header.push_back(lab.title);
    sheet.header.push_back(lab.title + " max");
    if (lab.folders.size() > 1) sheet.header.push_back(lab.title + " variant");
    sheet.header.push_back(lab.title + " attempts");
    sheet.header.push_back(lab.title + " status");
  }
  sheet.header.emplace_back("note");
  for (const TermRow& row : book.rows) {
    std::vector<SheetCell>& cells = sheet.rows.emplace_back();
    cells = {row.id, row.name, row.total ? SheetCell(*row.total) : SheetCell()};
    for (std::size_t i = 0; i < term.labs.size(); ++i) {
      const TermScore& score = row.scores[i];
      const bool scored = score.state == TermScore::State::Scored;
      cells.push_back(scored ? SheetCell(score.points) : SheetCell());
      cells.push_back(score.max_points > 0 ? SheetCell(score.max_points) : SheetCell());
      if (term.labs[i].folders.size() > 1) cells.emplace_back(score.variant);
      cells.emplace_back(static_cast<double>(score.attempts));
      cells.emplace_back(status_of(score));
    }
    cells.emplace_back(row.listed ? "" : "not on the class list");
  }
  return sheet;
}

/// How the labs count, and how they were graded.
Sheet labs_of(const Term& term, const std::vector<std::vector<TermBatch>>& batches) {
  Sheet sheet{"Labs",
              {"lab", "variant", "folder", "weight", "attempt", "students", "compiler", "device",
               "device_profile", "seed_policy"},
              {}};
  for (std::size_t i = 0; i < term.labs.size(); ++i) {
    const TermLab& lab = term.labs[i];
    for (std::size_t f = 0; f < lab.folders.size(); ++f) {
      const TermBatch& batch = batches[i][f];
      std::vector<SheetCell>& cells = sheet.rows.emplace_back();
      cells = {lab.title,
               lab.folders[f].variant,
               lab.folders[f].path.string(),
               lab.weight,
               lab.best ? (*lab.best ? "best" : "last") : "as the batch",
               static_cast<double>(batch.students.size())};
      for (const ConditionValues& condition : batch.conditions)
        if (condition.kind != ConditionValues::Kind::Seed) cells.emplace_back(condition.text());
    }
  }
  return sheet;
}

Sheet notes_of(const TermBook& book, const Term& term) {
  Sheet sheet{"Notes", {"note"}, {}};
  if (!term.title.empty()) sheet.rows.push_back({term.title});
  sheet.rows.push_back(
      {fmt::format("total: weighted mean of the labs, of {} points; the {} lowest are dropped",
                   human_points(term.points), term.drop_lowest)});
  sheet.rows.push_back({"a missing lab counts 0; an open one (not graded yet) does not count"});
  for (const Message& one : book.told) sheet.rows.push_back({one.english()});
  return sheet;
}

void print_summary(const TermBook& book, const Term& term) {
  std::size_t listed = 0, open = 0;
  std::vector<std::size_t> missing(term.labs.size());
  for (const TermRow& row : book.rows) {
    listed += row.listed ? 1 : 0;
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      missing[i] += row.scores[i].state == TermScore::State::Missing ? 1 : 0;
      open += row.scores[i].state == TermScore::State::Open ? 1 : 0;
    }
  }
  write_out(rendered(msg::term_counted(book.rows.size(), book.rows.size() - listed, term.labs.size())) +
            "\n");
  for (std::size_t i = 0; i < term.labs.size(); ++i)
    if (missing[i] > 0)
      write_out("  " + rendered(msg::term_lab_missing(term.labs[i].title, missing[i])) + "\n");
  if (open > 0) write_out("  " + rendered(msg::term_scores_open(open)) + "\n");
  for (const Message& one : book.told) print_out("{}\n", printable(rendered(one)));
}

/// Fills in a platform's table with the columns that the term names.
int fill_platform(const std::string& file, const fs::path& target, const GradeSheet& sheet,
                  Platform platform) {
  if (sheet.columns.empty())
    return report_error(error(platform == Platform::Canvas ? msg::term_names_no_canvas_column()
                                                           : msg::term_names_no_moodle_column(),
                              msg::name_platform_columns()),
                        kUsage);
  return fill_table(
      file, target, sheet, [&](const GradeSheet& all, const CsvTable& table, const std::string& shown) {
        return platform == Platform::Canvas ? fill_canvas(all, table, shown)
                                            : fill_moodle(all, table, MoodleTable::Report, shown);
      });
}

}  // namespace

int term_command(const Arguments& arguments) {
  std::string file, out, canvas, moodle;
  CommandLine line(
      "grader term", "grader term TERM.yaml --out FOLDER [OPTIONS]",
      "Puts the labs of a course together over a term: a row for each student, weights, dropped\n"
      "labs, the best or the last attempt. Writes term.csv and term.xlsx.");
  line.footer(kTermFooter);
  line.positional("TERM.yaml", file, "The class, the labs and how they count");
  line.option("--out", "FOLDER", out, "Where to write the tables");
  line.option("--canvas", "FILE", canvas, "Fill in a gradebook that Canvas exported, into canvas.csv");
  line.option("--moodle", "FILE", moodle, "Fill in a grader report that Moodle exported, into moodle.csv");
  if (auto status = line.parse(arguments)) return *status;
  if (file.empty() || out.empty())
    return report_error(
        error(msg::term_needs_arguments(), msg::for_example("grader term term.yaml --out term")), kUsage);
  const auto text = read_file(file, kMaxTermBytes);
  if (!text) return report_error(text.problem(), kUsage);
  const auto term = parse_term(*text, fs::path(file).parent_path(), file);
  if (!term) return report_error(term.problem(), kUsage);
  auto list_text = read_file(term->class_file, kMaxListBytes);
  if (!list_text) {
    Diagnostic unreadable = list_text.problem();
    unreadable.where = term->class_at;
    return report_error(unreadable, kUsage);
  }
  const auto list = parse_class_list(*list_text, term->columns, term->class_file.string());
  if (!list) return report_error(list.problem(), kUsage);
  const auto variants = assigned_variants(*term, *list);
  if (!variants) return report_error(variants.problem(), kUsage);
  const auto batches = read_batches(*term);
  if (!batches) return report_error(batches.problem(), kUsage);
  const TermBook book = term_book(*term, *list, *variants, *batches);

  std::error_code problem;
  fs::create_directories(out, problem);
  if (problem) return report_error({{out, 0, 0}, msg::cannot_be_made(problem.message()), {}}, kUsage);
  const Sheet grades = grades_of(book, *term);
  const fs::path csv = fs::path(out) / "term.csv", xlsx = fs::path(out) / "term.xlsx";
  if (auto written = write_file_atomically(csv, csv_text(csv_table(grades))); !written)
    return report_error(written.problem(), kCouldNotGrade);
  print_summary(book, *term);
  print_out("{}\n", csv.string());
  int status = kPassed;
  if (auto written = write_workbook(xlsx, {grades, labs_of(*term, *batches), notes_of(book, *term)}); written)
    print_out("{}\n", xlsx.string());
  else
    status = report_error(written.problem(), kCouldNotGrade);
  for (const TermRow& row : book.rows) {
    const bool open = std::ranges::any_of(
        row.scores, [](const TermScore& one) { return one.state == TermScore::State::Open; });
    if (open || !row.listed) status = std::max<int>(status, kLostPoints);
  }
  if (!canvas.empty())
    status =
        std::max(status, fill_platform(canvas, fs::path(out) / "canvas.csv",
                                       term_sheet(book, *term, *list, Platform::Canvas), Platform::Canvas));
  if (!moodle.empty())
    status =
        std::max(status, fill_platform(moodle, fs::path(out) / "moodle.csv",
                                       term_sheet(book, *term, *list, Platform::Moodle), Platform::Moodle));
  return status;
}

}  // namespace cudalabs::cli
