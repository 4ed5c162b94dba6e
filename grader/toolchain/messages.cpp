#include "grader/toolchain/messages.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

#include "grader/base/demangle.h"
#include "grader/base/paths.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/submission/source_text.h"
#include "grader/toolchain/advice.h"
#include "grader/toolchain/objects/elf.h"
#include "grader/toolchain/options/old_cuda.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// Limit for a line of compiler output: a longer one consists of template arguments, and is cut.
constexpr std::size_t kMaxLine = 2000;

std::string trimmed_right(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

// The n-th line (from 1) of a text, without its line break.
std::optional<std::string> line_of(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  if (number < 1) return std::nullopt;
  return trimmed_right(std::string(text.substr(0, std::min(text.find('\n'), kMaxLine))));
}

using Origin = std::optional<std::pair<std::string, int>>;  // a file of the student and a line in it

class Reader {
 public:
  explicit Reader(const MessageContext& context) : context_(context), work_(context.work.lexically_normal()) {
    for (const fs::path& folder : context.system) system_.push_back(folder.lexically_normal());
  }

  CompilerOutput read(std::string_view text) {
    split(text);
    while (next_ < lines_.size()) {
      if (!front_end() && !host_compiler() && !backend() && !crash() && !whole_file() && !linker()) ++next_;
    }
    settle_pending(std::nullopt);
    if (output_.errors.empty() && elsewhere_) add(std::move(*elsewhere_));
    return std::move(output_);
  }

 private:
  void split(std::string_view text) {
    while (!text.empty()) {
      lines_.push_back(trimmed_right(std::string(take_until(text, '\n').substr(0, kMaxLine))));
    }
  }

  /// What the compiler wrote.
  [[nodiscard]] Message written(std::string text) const { return verbatim(without_paths(std::move(text))); }

  // The student's name of a file; none for a file of the toolchain.
  [[nodiscard]] std::optional<std::string> own_name(const std::string& file) const {
    const fs::path path = fs::path(file).lexically_normal();
    const auto below = [&path](const fs::path& folder) { return !folder.empty() && is_below(path, folder); };
    if (below(work_)) return path.lexically_relative(work_).string();
    if (std::any_of(system_.begin(), system_.end(), below) || path.string().rfind("/tmp/tmpxft", 0) == 0) {
      return std::nullopt;
    }
    return path.string();
  }

  // Replaces the machine's paths with file names.
  [[nodiscard]] std::string without_paths(std::string text) const {
    const auto in_path = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/._-+~", c);
    };
    const auto cut = [&text, in_path](const std::string& prefix, bool to_name) {
      for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
        if (at > 0 && in_path(text[at - 1])) {  // the middle of another path: "tools/bin/x" is not in /bin
          ++at;
          continue;
        }
        const auto end = std::min(text.find_first_of("\"' :;,)(", at), text.size());
        const auto slash = to_name ? text.rfind('/', end - 1) + 1 : at + prefix.size();
        text.erase(at, std::max(slash, at) - at);
      }
    };
    if (!context_.work.empty()) cut(context_.work.string() + "/", false);
    for (const auto& folder : context_.system) cut(folder.string() + "/", true);
    return text;
  }

  void add(CompilerMessage message) {
    if (message.kind == MessageKind::Note) return;  // candidates and the like: the lines above are enough
    if (stopped_ && message.kind == MessageKind::Error) return;
    if (reads_built_in_variable(message.text)) {
      // This is the second error at one place, about the internals of our headers.
      if (last_error_ != nullptr && is_built_in_variable(last_error_->text)) output_.errors.pop_back();
      message.text = msg::built_in_variables_elsewhere();
    }
    if (lacks_semicolon_before(message.text)) show_code_before(message);
    last_error_ = nullptr;
    std::string text;
    for (const Message& part : message.text) text += packed(part);
    if (!seen_.emplace(message.kind, message.file, message.line, std::move(text)).second)
      return;  // each compiler pass repeats it
    const bool is_error = message.kind == MessageKind::Error;
    // Any other name would be a file of the machine, under an unexpected path.
    const auto is_this = [&](const SourceFile& own) { return own.name == message.file; };
    if (is_error && message.line > 0 && std::ranges::any_of(context_.files, is_this)) output_.placed = true;
    auto& list = is_error ? output_.errors : output_.warnings;
    if (list.size() < kMaxMessages) {
      advise(message);
      list.push_back(std::move(message));
      if (is_error) last_error_ = &list.back();
    } else if (is_error) {
      ++output_.errors_left_out;
    }
  }

  /// Where the error's place begins a line, or follows __global__ there, the mistake is at the end of the
  /// last line of code before it. It may be in a header that is included between them: then the place stays.
  void show_code_before(CompilerMessage& message) const {
    if (message.column < 1 || !only_attributes(message.source.substr(0, message.column - 1))) return;
    const auto own = std::ranges::find(context_.files, message.file, &SourceFile::name);
    if (own == context_.files.end()) return;
    const std::string code = without_comments(own->content);
    for (int line = message.line - 1; line > 0; --line) {
      const std::string before = line_of(code, line).value_or("");
      const std::size_t first = before.find_first_not_of(" \t");
      if (first == std::string::npos) continue;
      if (before[first] == '#') {
        if (before.find("include", first) != std::string::npos) return;
        continue;
      }
      message.line = line;
      message.column = static_cast<int>(before.size()) + 1;
      message.source = line_of(own->content, line).value_or("");
      return;
    }
  }

  /// "", or "static __global__": no statement ends there.
  static bool only_attributes(std::string_view text) {
    while (behind_blanks(text, 0) != text.size()) {
      text.remove_prefix(behind_blanks(text, 0));
      std::size_t end = 0;
      while (end < text.size() && in_name(text[end])) ++end;
      const std::string_view word = text.substr(0, end);
      if (word != "static" && !(word.starts_with("__") && word.ends_with("__"))) return false;
      text.remove_prefix(end);
    }
    return true;
  }

  /// Gives each advice once.
  void advise(CompilerMessage& message) {
    Message advice = advice_for(message.text);
    // After a word that the compiler does not know it expects a semicolon, which would not help.
    const auto same_line = [&](const CompilerMessage& other) {
      return other.file == message.file && other.line == message.line;
    };
    if (advice.is(msg::semicolon_missing) && std::ranges::any_of(output_.errors, same_line)) return;
    const bool fresh = !advice.empty() && advised_.insert(&advice.row()).second;
    message.advice = fresh ? std::move(advice) : Message();
  }

  // Adds an error inside the toolchain's headers, at the student's line that led there, if that is known.
  void add_foreign(CompilerMessage message, const std::string& file, Origin led_here) {
    if (message.kind != MessageKind::Error) return;
    const std::string header = fs::path(file).filename().string();
    message.column = 0;
    if (led_here) {
      message.text = msg::used_from_here(std::move(message.text), header);
      message.file = led_here->first;
      message.line = led_here->second;
      message.source = source_line(message.file, message.line).value_or("");
      add(std::move(message));
    } else if (!elsewhere_) {
      message.text = msg::within(std::move(message.text), header);
      message.file = context_.files.empty() ? "" : context_.files[0].name;
      message.line = 0;
      elsewhere_ = std::move(message);
    }
  }

  /// A header of NVIDIA's libraries is missing. All later errors are about names that it would have declared.
  static bool needs_toolkit(const std::string& file) {
    return fs::path(file).filename() == "needs_toolkit.h";
  }

  // The lines that led to an error in the toolchain's headers come after the last of the error's notes.
  void settle_pending(const Origin& led_here) {
    if (pending_) add_foreign(std::move(pending_->first), pending_->second, led_here);
    pending_.reset();
  }

  static Origin led_here_of_note(const CompilerMessage& message, const Origin& led_here) {
    return message.kind == MessageKind::Note ? led_here : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> source_line(const std::string& file, int line) const {
    for (const auto& own : context_.files) {
      if (own.name == file) return line_of(own.content, line);
    }
    return std::nullopt;
  }

  static MessageKind severity_of(const std::string& word) {
    if (word.find("error") != std::string::npos) return MessageKind::Error;
    return word == "warning" ? MessageKind::Warning : MessageKind::Note;
  }

  // nvcc's front end: "row_max.cu(12): error: text", then the line as it read it, indented, then a caret.
  bool front_end() {
    static const std::regex head(
        R"(^([^\s(][^(]*)\((\d+)\): (error|warning|note|catastrophic error)(?: #\d+(?:-D)?)?: (.*)$)");
    std::smatch match;
    if (!std::regex_match(lines_[next_], match, head)) return false;
    CompilerMessage message;
    const std::string file = match[1];
    message.line = number(match[2]);
    message.kind = severity_of(match[3]);
    std::string text = match[4];
    ++next_;
    // The rest of the block: more of the text (deeper indented), the source line and its caret, and the lines
    // that led here.
    static const std::regex led(R"re(at line (\d+) of "?([^"]+?)"?$)re");
    Origin led_here;
    std::string shown, caret;
    for (; next_ < lines_.size() && !lines_[next_].empty() && lines_[next_][0] == ' '; ++next_) {
      const std::string& line = lines_[next_];
      const bool is_caret = line.find_first_not_of(' ') == line.size() - 1 && line.back() == '^';
      if (is_caret && caret.empty()) {
        caret = line;
      } else if (std::regex_search(line, match, led)) {
        if (const auto own = own_name(match[2])) led_here = {*own, number(match[1])};
      } else if (caret.empty()) {
        // Continued text is indented deeper than the source line, which is the last line before the caret.
        if (!shown.empty()) text += " " + shown.substr(shown.find_first_not_of(' '));
        shown = line;
      }
    }
    message.text = written(std::move(text));
    if (message.kind != MessageKind::Note || led_here) settle_pending(led_here_of_note(message, led_here));
    const auto own = own_name(file);
    if (!own) {
      if (message.kind == MessageKind::Note) return true;
      pending_ = {std::move(message), file};
      if (led_here) settle_pending(led_here);
      return true;
    }
    message.file = *own;
    message.source = source_line(*own, message.line).value_or("");
    if (shown.size() > 2 && caret.size() > 2)
      message.column = column(message.source, shown.substr(2), caret.size() - 3);
    add(std::move(message));
    return true;
  }

  // The column in the real line of the caret under the line that the compiler shows (with macros such as
  // __global__ expanded): the text behind the caret is the same in both, or the caret is at the first word.
  static int column(const std::string& real, const std::string& shown, std::size_t caret) {
    if (caret >= shown.size()) return 0;
    const std::size_t first = real.find_first_not_of(" \t");
    if (first != std::string::npos && caret == shown.find_first_not_of(" \t"))
      return static_cast<int>(first) + 1;
    const std::string rest = shown.substr(caret);
    if (real.size() < rest.size() || real.compare(real.size() - rest.size(), rest.size(), rest) != 0)
      return 0;
    return static_cast<int>(real.size() - rest.size()) + 1;
  }

  // g++: "row_max.cu:12:5: error: text"; "file:line:col:   required from here" leads to it.
  bool host_compiler() {
    static const std::regex head(
        R"(^([^\s:][^:]*):(\d+):(?:(\d+):)? (error|warning|note|fatal error):(?: (.*))?$)");
    static const std::regex from(R"(^([^\s:][^:]*):(\d+):(?:\d+:)?\s+required from here$)");
    static const std::regex included(R"(^In file included from ([^:]+):(\d+)[:,]$)");
    std::smatch match;
    if (std::regex_match(lines_[next_], match, included)) {
      if (const auto own = own_name(match[1])) included_from_ = {*own, number(match[2])};
      ++next_;
      return true;
    }
    if (std::regex_match(lines_[next_], match, from)) {
      if (const auto own = own_name(match[1])) required_from_ = {*own, number(match[2])};
      ++next_;
      return true;
    }
    if (!std::regex_match(lines_[next_], match, head)) return false;
    CompilerMessage message;
    const std::string file = match[1];
    message.line = number(match[2]);
    message.column = match[3].matched ? number(match[3]) : 0;
    message.kind = severity_of(match[4]);
    message.text = written(match[5]);
    ++next_;
    const auto own = own_name(file);
    if (message.kind == MessageKind::Note) {
      note(message, match[5], own);
      return true;
    }
    settle_pending(std::nullopt);
    if (!own && included_from_ && message.kind == MessageKind::Error && needs_toolkit(file)) {
      message.text = msg::needs_nvidia_library();
      message.file = included_from_->first;
      message.line = included_from_->second;
      message.column = 0;
      message.source = source_line(message.file, message.line).value_or("");
      add(std::move(message));
      stopped_ = true;
    } else if (own) {
      message.file = *own;
      message.source = source_line(*own, message.line).value_or("");
      if (message.column > static_cast<int>(message.source.size()) + 1) message.column = 0;
      add(std::move(message));
    } else if (required_from_) {
      add_foreign(std::move(message), file, required_from_);
    } else {
      last_error_ = nullptr;
      pending_ = {std::move(message), file};  // clang prints the lines that led there afterwards
    }
    required_from_.reset();
    return true;
  }

  /// Adds the information of clang's notes to the error above them.
  void note(const CompilerMessage& message, const std::string& text, const std::optional<std::string>& own) {
    const bool leads_here =
        text.find("requested here") != std::string::npos || text.starts_with("called by ");
    if (pending_ && own && leads_here) {
      // One mistake in a line can cause many errors in a library.
      if (used_from_.emplace(*own, message.line).second) {
        settle_pending(Origin({*own, message.line}));
      } else {
        pending_.reset();
      }
    } else if (last_error_ != nullptr) {
      if (Message better = explained_by_note(last_error_->text, text); !better.empty()) {
        last_error_->text = std::move(better);
        advise(*last_error_);
      }
    }
  }

  // Messages about no line: from the assembler, which names a temporary file ("/tmp/x.s:12: Error: file not
  // found: data.bin"), or from a compiler that stops ("cc1plus: fatal error: secret.h: Permission denied").
  bool whole_file() {
    static const std::regex assembler(R"(^\S+\.s:\d+: Error: (.*)$)");
    static const std::regex compiler(
        R"(^(?:cc1plus|cc1|cudafe\+\+|cicc|g\+\+|nvcc|clang\+\+|clang\+\+-\d+|clang)\s*:? (?:fatal error|error|fatal)\s*: (.*)$)");
    std::smatch match;
    CompilerMessage message;
    message.file = context_.files.empty() ? "" : context_.files[0].name;
    if (std::regex_match(lines_[next_], match, assembler)) {
      message.text = msg::in_assembly_code(without_paths(match[1]));
    } else if (std::regex_match(lines_[next_], match, compiler)) {
      message.text = written(match[1]);
    } else {
      return false;
    }
    ++next_;
    if (match[1].str().starts_with("clang frontend command failed")) {
      if (backend_failed_) return true;
      message.text = msg::clang_crashed();
    }
    add(std::move(message));
    return true;
  }

  // clang has parsed the source, but its code generator cannot continue: the message names no line, and a
  // stack of clang's functions follows.
  bool backend() {
    static const std::regex head(R"(^fatal error: error in backend: (.*)$)");
    static const std::regex within(R"(^\d+\.\s+Running pass '.*Instruction Selection' on function '@(.*)'$)");
    std::smatch match;
    if (!std::regex_match(lines_[next_], match, head)) return false;
    CompilerMessage message;
    message.file = context_.files.empty() ? "" : context_.files[0].name;
    const std::string what = match[1];
    static const std::regex stack(R"(dynamic_stackalloc.*, (\S+):(\d+):(\d+)$)");
    if (std::regex_search(what, match, stack)) {
      message.text = msg::no_alloca();
      if (const auto own = own_name(match[1])) {
        message.file = *own;
        message.line = number(match[2]);
        message.column = number(match[3]);
        message.source = source_line(*own, message.line).value_or("");
      }
    } else {
      message.text = msg::no_code_for_gpu(without_paths(what));
    }
    for (++next_; next_ < lines_.size() && !lines_[next_].starts_with(" #"); ++next_) {
      if (std::regex_match(lines_[next_], match, within))
        message.text = msg::within(std::move(message.text), demangled(match[1].str()));
    }
    backend_failed_ = true;
    add(std::move(message));
    return true;
  }

  // clang crashed: its stack dump begins with the place that it had reached.
  bool crash() {
    static const std::regex place(R"(^1\.\s+(\S.*):(\d+):\d+: current parser token .*$)");
    std::smatch match;
    if (!std::regex_match(lines_[next_], match, place)) return false;
    CompilerMessage message;
    message.text = msg::clang_crashed();
    if (const auto own = own_name(match[1])) {
      message.file = *own;
      message.line = number(match[2]);
      message.source = source_line(*own, message.line).value_or("");
    } else {
      message.file = context_.files.empty() ? "" : context_.files[0].name;
      message.text = msg::within(std::move(message.text), fs::path(match[1].str()).filename().string());
    }
    ++next_;
    backend_failed_ = true;
    add(std::move(message));
    return true;
  }

  static Message why_undefined(const std::string& name) {
    static constexpr std::array<std::string_view, 9> kLibraries{
        "cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "nccl", "nvrtc", "nvml"};
    static const std::regex of_driver("cu[A-Z]\\w*");
    if (name.starts_with("cuda") || name.starts_with("__cuda")) return msg::not_in_our_runtime();
    if (std::ranges::any_of(kLibraries, [&](std::string_view one) { return name.starts_with(one); }))
      return msg::no_other_nvidia_library();
    return std::regex_match(name, of_driver) ? msg::no_driver_api() : Message();
  }

  bool linker() {
    static const std::regex undefined(R"(undefined reference to [`'](.*)')");
    static const std::regex missing(R"(cannot find -l:?([^\s:]+))");
    static const std::regex twice(R"(multiple definition of [`'](.*?)')");
    std::smatch match;
    CompilerMessage message;
    message.file = context_.files.empty() ? "" : context_.files[0].name;
    if (std::regex_search(lines_[next_], match, undefined)) {
      const std::string name = demangled(match[1].str());
      message.text = msg::used_but_not_defined(name, why_undefined(name));
    } else if (std::regex_search(lines_[next_], match, missing)) {
      message.text = msg::library_missing(match[1].str());
    } else if (std::regex_search(lines_[next_], match, twice)) {
      message.text = msg::defined_more_than_once(demangled(match[1].str()));
    } else {
      return false;
    }
    ++next_;
    output_.placed = true;
    add(std::move(message));
    return true;
  }

  static int number(const std::string& digits) { return digits.size() > 9 ? 0 : std::stoi(digits); }

  const MessageContext& context_;
  fs::path work_;  ///< the context's folders, for comparison
  std::vector<fs::path> system_;
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
  CompilerOutput output_;
  CompilerMessage* last_error_ = nullptr;  ///< while its notes may follow
  bool backend_failed_ = false;
  std::optional<CompilerMessage> elsewhere_;
  Origin required_from_;
  Origin included_from_;  ///< the student's line that included the header of the next message
  bool stopped_ = false;  ///< no further errors need to be reported
  std::optional<std::pair<CompilerMessage, std::string>> pending_;
  std::set<std::tuple<MessageKind, std::string, int, std::string>> seen_;
  std::set<const MessageRow*> advised_;
  /// Lines that led to errors in libraries, from clang's notes.
  std::set<std::tuple<std::string, int>> used_from_;
};

}  // namespace

Message CompilerMessage::message() const {
  std::string place = file;
  if (line > 0) place += ":" + std::to_string(line);
  if (line > 0 && column > 0) place += ":" + std::to_string(column);
  std::string marked;
  if (!source.empty()) marked = "\n  " + source;
  if (!source.empty() && column > 0) {
    std::string caret = source.substr(0, static_cast<std::size_t>(column) - 1);
    std::replace_if(
        caret.begin(), caret.end(), [](char c) { return c != '\t'; }, ' ');
    marked += "\n  " + caret + "^";
  }
  const char* const word = kind == MessageKind::Error     ? "error"
                           : kind == MessageKind::Warning ? "warning"
                                                          : "note";
  return msg::compiler_message(place, word, text, marked, advice);
}

CompilerOutput read_compiler_output(std::string_view text, const MessageContext& context) {
  return Reader(context).read(text);
}

std::vector<CompilerMessage> notes_on_gone(const std::vector<std::string>& missed,
                                           const MessageContext& context) {
  std::vector<CompilerMessage> notes;
  std::set<std::string_view> told;
  for (const std::string& said : missed) {
    CompilerOutput read = read_compiler_output(said, context);
    // C only warns of a function that nobody declares.
    std::ranges::move(read.warnings, std::back_inserter(read.errors));
    for (const CompilerMessage& error : read.errors) {
      for (GoneNote& gone : gone_in(error.display())) {
        if (!told.insert(gone.name).second) continue;
        notes.push_back(error);
        notes.back().kind = MessageKind::Note;
        notes.back().text = std::move(gone.note);
        notes.back().advice = {};
      }
    }
  }
  return notes;
}

}  // namespace cudalabs
