#include "grader/cli/completion/candidates.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "grader/cli/command.h"
#include "grader/course/course.h"
#include "grader/diagnostics/language.h"
#include "grader/ladder/ladder.h"

namespace cudalabs::cli {
namespace {

/// The first clause of a help, on one line.
std::string in_short(std::string help) {
  std::ranges::replace(help, '\n', ' ');
  std::size_t end = help.size();
  for (const char* stop : {". ", "; ", ": "}) end = std::min(end, help.find(stop));
  return help.substr(0, end);
}

/// The words before the one to complete, taken apart as the command's parser would.
class TypedLine {
 public:
  explicit TypedLine(const Arguments& words) : table_(table_of(grade_command)) {
    for (const std::string& word : words) read(word);
  }

  [[nodiscard]] Candidates next(const std::string& begun) const {
    Candidates found;
    if (after_dashes_) {
      found.files = true;
    } else if (waiting_ != nullptr) {
      add_values(found, *waiting_);
    } else if (const auto equals = begun.find('='); begun.starts_with("--") && equals != std::string::npos) {
      add_values_of(found, begun.substr(0, equals));
    } else if (begun.starts_with("-")) {
      for (const ArgumentRow& row : table_.options) found.words.push_back({row.name, in_short(row.help)});
    } else {
      add_positional(found);
    }
    if (waiting_ != nullptr && waiting_->type == "NAMES") continue_list(found, begun);
    // Several courses may have the same name.
    std::set<std::string> seen;
    std::erase_if(found.words, [&](const Candidate& one) {
      return !one.word.starts_with(begun) || !seen.insert(one.word).second;
    });
    return found;
  }

 private:
  void read(const std::string& word) {
    if (waiting_ != nullptr) {
      if (waiting_->name == "--course") course_ = word;
      waiting_ = nullptr;
    } else if (after_dashes_ || word == "--") {
      after_dashes_ = true;
    } else if (word.starts_with("-")) {
      const auto equals = word.find('=');
      const ArgumentRow* const row = option(word.substr(0, equals));
      if (row == nullptr || row->type.empty()) return;
      if (equals == std::string::npos) {
        waiting_ = row;
      } else if (row->name == "--course") {
        course_ = word.substr(equals + 1);
      }
    } else if (const auto known = std::ranges::find(commands(), word, &CommandEntry::name);
               is_grading_ && positionals_.empty() && known != commands().end()) {
      table_ = table_of(known->run);
      is_grading_ = false;
    } else {
      positionals_.push_back(word);
    }
  }

  [[nodiscard]] const ArgumentRow* option(const std::string& name) const {
    const auto found = std::ranges::find(table_.options, name, &ArgumentRow::name);
    return found == table_.options.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::vector<Course> courses() const {
    auto found = find_courses(course_);
    return found ? *found : std::vector<Course>();
  }

  /// What stands in the command line for LAB or VARIANT.
  [[nodiscard]] std::string positional(std::string_view name) const {
    for (std::size_t i = 0; i < std::min(positionals_.size(), table_.positionals.size()); ++i) {
      if (table_.positionals[i].name == name) return positionals_[i];
    }
    return {};
  }

  static void add_names(Candidates& found, const std::vector<std::string>& names,
                        const std::string& about = {}) {
    for (const std::string& name : names) found.words.push_back({name, about});
  }

  void add_values(Candidates& found, const ArgumentRow& row) const {
    static constexpr std::array<std::string_view, 5> kFiles{"FILE", "DIR", "PATH", "FOLDER", "DOWNLOAD"};
    add_names(found, row.choices);
    if (row.name == "--version") {
      for (const Course& course : courses()) {
        const auto lab = load_lab(course, positional("LAB"), positional("VARIANT"));
        if (!lab) continue;
        for (const Version& version : lab->versions) found.words.push_back({version.name, {}});
      }
    } else if (row.name == "--device-profile") {
      for (const Course& course : courses()) {
        for (const auto& root : roots_of(course)) add_names(found, yaml_names(root / "configs" / "devices"));
      }
    }
    found.files = found.files || std::ranges::find(kFiles, row.type) != kFiles.end();
  }

  /// Of the option in "--option=VALUE": its values, as whole words.
  void add_values_of(Candidates& found, const std::string& name) const {
    const ArgumentRow* const row = option(name);
    if (row == nullptr) return;
    add_values(found, *row);
    found.files = false;
    for (Candidate& one : found.words) one.word.insert(0, name + "=");
  }

  void add_positional(Candidates& found) const {
    if (is_grading_ && positionals_.empty()) {
      for (const CommandEntry& command : commands())
        found.words.push_back({command.name, in_short(table_of(command.run).about)});
    }
    if (table_.positionals.empty()) {  // as of `grader run`
      found.files = true;
      return;
    }
    const ArgumentRow& row = table_.positionals[std::min(positionals_.size(), table_.positionals.size() - 1)];
    add_names(found, row.choices);
    if (row.name == "LAB") {
      for (const Course& course : courses()) add_names(found, lab_names(course), title_of(course.titles));
    } else if (row.name == "VARIANT") {
      add_variants(found);
    } else if (row.name == "LADDER") {
      for (const Course& course : courses()) add_names(found, ladder_names(course));
    } else {
      found.files = row.choices.empty();
    }
  }

  void add_variants(Candidates& found) const {
    const std::string lab = positional("LAB");
    for (const Course& course : courses()) {
      if (!offers(course, lab)) continue;
      for (const std::string& variant : variant_names(course, lab)) {
        const auto read = load_lab(course, lab, variant);
        found.words.push_back({variant, read ? translated_word(read->title) : std::string()});
      }
    }
  }

  /// "racecheck,mem": the last name of a list is completed, and the others stay.
  static void continue_list(Candidates& found, const std::string& begun) {
    const auto comma = begun.rfind(',');
    if (comma == std::string::npos) return;
    for (Candidate& one : found.words) one.word.insert(0, begun.substr(0, comma + 1));
  }

  CommandTable table_;
  bool is_grading_ = true;  ///< no command was named
  bool after_dashes_ = false;
  const ArgumentRow* waiting_ = nullptr;  ///< the option whose value comes next
  std::vector<std::string> positionals_;
  std::string course_;
};

}  // namespace

Candidates candidates_for(Arguments words) {
  std::string begun = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  // bash's "--device" "=" "sim" is as good as "--device" "sim".
  if (begun == "=") begun.clear();
  std::erase(words, "=");
  return TypedLine(words).next(begun);
}

}  // namespace cudalabs::cli
