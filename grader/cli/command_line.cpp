#include "grader/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/print.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/terminal/terminal_text.h"

namespace cudalabs::cli {
namespace {

Message see_help(const CLI::App& app) { return msg::see_help(app.get_name()); }

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* known : app.get_options()) {
    for (const std::string& flag : known->get_lnames()) names.push_back("--" + flag);
  }
  return names;
}

Diagnostic unknown_argument(const CLI::App& app, const std::vector<std::string>& extras) {
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
    return extra.size() > 1 && extra.front() == '-';
  });
  if (option == extras.end()) return error(msg::unexpected_argument(extras.front()), see_help(app));
  const std::string name = option->substr(0, option->find('='));
  return error(msg::unknown_option(name, suggestion(name, names_of(app))), see_help(app));
}

/// CLI11's own usage line shows neither the order of the arguments nor examples.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return "\nUsage: " + usage_ + "\n"; }

 private:
  std::string usage_;
};

/// What table_of() wants filled by the next parse().
CommandTable* wanted_table = nullptr;

}  // namespace

CommandTable table_of(int (*command)(const Arguments&)) {
  CommandTable table;
  wanted_table = &table;
  (void)command({});
  wanted_table = nullptr;
  return table;
}

struct CommandLine::Parser {
  CLI::App app;
  std::string language{};  ///< main has already read it
  std::string log{}, log_file{}, colour{};
  std::vector<std::string>* rest = nullptr;
  std::map<std::string, std::vector<std::string>> choices{};
};

CommandLine::CommandLine(const std::string& name, const std::string& usage, const std::string& about)
    : parser_(new Parser{CLI::App(about, name)}) {
  parser_->app.formatter(std::make_shared<HelpFormatter>(usage));
  parser_->app.set_help_flag("-h,--help", "This help");
}

CommandLine::~CommandLine() = default;

void CommandLine::positional(const std::string& name, std::string& value, const std::string& help) {
  parser_->app.add_option(name, value, help)->option_text(" ");
}

void CommandLine::positionals(const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
  parser_->app.add_option(name, values, help)->option_text(" ");
}

void CommandLine::option(const std::string& name, const std::string& type, std::string& value,
                         const std::string& help) {
  parser_->app.add_option(name, value, help)->type_name(type);
}

void CommandLine::repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                           const std::string& help) {
  parser_->app.add_option(name, values, help)->type_name(type)->expected(1)->take_all();
}

void CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help);
}

void CommandLine::flag_or_value(const std::string& name, std::string& value, const std::string& help) {
  parser_->app.add_flag(name, value, help)->option_text(" ");
}

void CommandLine::rest(std::vector<std::string>& words) { parser_->rest = &words; }

void CommandLine::footer(const std::string& text) { parser_->app.footer(text); }

void CommandLine::choices(const std::string& name, std::vector<std::string> values) {
  parser_->choices[name] = std::move(values);
}

void CommandLine::add_common_options() {
  CLI::App& app = parser_->app;
  if (app.get_option_no_throw("--language") == nullptr) {
    app.add_option(
           "--language", parser_->language,
           fmt::format("Use this language: {} [LANGUAGE, else en]", fmt::join(language_names(), ", ")))
        ->type_name("NAME")
        ->take_last();
    choices("--language", language_names());
  }
  app.add_option("--color", parser_->colour,
                 "Colours: always, auto (on a terminal) or never [FORCE_COLOR, NO_COLOR, else auto]")
      ->type_name("WHEN")
      ->take_last();
  choices("--color", {"always", "auto", "never"});
  app.add_option("--log", parser_->log,
                 "Log what the grader does, to stderr: error, warning, info, debug or trace, or by stage, as "
                 "in\nrun=debug,wire=trace [CUDA_LABS_LOG, else off]")
      ->type_name("LEVEL")
      ->take_last();
  choices("--log", {"error", "warning", "info", "debug", "trace"});
  app.add_option("--log-file", parser_->log_file,
                 "Log to the end of this file, at level info if --log names none [CUDA_LABS_LOG_FILE]")
      ->type_name("FILE")
      ->take_last();
}

CommandTable CommandLine::table() const {
  CommandTable table{parser_->app.get_description(), {}, {}};
  const auto add = [&](std::vector<ArgumentRow>& rows, std::string name, const CLI::Option& option) {
    const auto known = parser_->choices.find(name);
    const bool is_flag = option.get_items_expected_max() == 0;
    rows.push_back({std::move(name), is_flag ? std::string() : option.get_type_name(),
                    option.get_description(),
                    known == parser_->choices.end() ? std::vector<std::string>() : known->second});
  };
  for (const CLI::Option* option : parser_->app.get_options()) {
    if (option->get_positional()) add(table.positionals, option->get_name(), *option);
    for (const std::string& name : option->get_lnames()) add(table.options, "--" + name, *option);
  }
  return table;
}

std::optional<int> CommandLine::parse(const Arguments& arguments) {
  CLI::App& app = parser_->app;
  app.allow_extras();
  add_common_options();
  if (wanted_table != nullptr) {
    *wanted_table = table();
    return kPassed;
  }
  Arguments reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    write_out(app.help());
    return kPassed;
  } catch (const CLI::ArgumentMismatch& problem) {
    const std::string text = problem.what();
    return report_error(error(msg::option_needs_value(text.substr(0, text.find(':'))), see_help(app)),
                        kUsage);
  } catch (const CLI::ParseError& problem) {
    return report_error(error(verbatim(problem.what()), see_help(app)), kUsage);
  }
  if (!parser_->colour.empty() && !ConsoleStyle::choose_colour(parser_->colour))
    return report_error(error(msg::no_such_colour(printable(parser_->colour)), see_help(app)), kUsage);
  if (auto started = start_log(parser_->log, parser_->log_file); !started)
    return report_error(started.problem(), kUsage);
  const std::vector<std::string> extras = app.remaining();
  if (parser_->rest != nullptr) {
    *parser_->rest = extras;
  } else if (!extras.empty()) {
    return report_error(unknown_argument(app, extras), kUsage);
  }
  return std::nullopt;
}

bool CommandLine::given(const std::string& option) const { return parser_->app.count(option) > 0; }

std::optional<std::string> CommandLine::first_given(const std::vector<std::string>& options) const {
  const auto found = std::ranges::find_if(options, [&](const std::string& option) { return given(option); });
  return found == options.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> CommandLine::names() const { return names_of(parser_->app); }

std::string CommandLine::help() const { return parser_->app.help(); }

}  // namespace cudalabs::cli
