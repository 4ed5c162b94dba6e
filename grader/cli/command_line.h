#pragma once
// Parses the arguments after `grader NAME`. Only command_line.cpp includes CLI11, because it is large.

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudalabs::cli {

using Arguments = std::vector<std::string>;

/// An argument of a command, as its help shows it.
struct ArgumentRow {
  std::string name;  ///< "--device"; of a positional "LAB"
  std::string type;  ///< the name of an option's value, "FILE"; empty for a flag
  std::string help;
  std::vector<std::string> choices;  ///< the values that it takes, if they are known
};

/// The command line of one command.
struct CommandTable {
  std::string about;
  std::vector<ArgumentRow> options, positionals;
};

/// Calls a command only as far as its command line.
CommandTable table_of(int (*command)(const Arguments&));

/// The arguments of a command and the variables for their values. A missing argument leaves its variable
/// unchanged.
class CommandLine {
 public:
  /// `name`: "grader list". `usage`: "grader list [OPTIONS]". `about`: what the command does.
  CommandLine(const std::string& name, const std::string& usage, const std::string& about);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void positional(const std::string& name, std::string& value, const std::string& help);
  /// One or more arguments, after all other positionals.
  void positionals(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// `type`: the name of the value in the help, "FILE".
  void option(const std::string& name, const std::string& type, std::string& value, const std::string& help);
  void repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  /// A flag with an optional value, "--name=VALUE".
  void flag_or_value(const std::string& name, std::string& value, const std::string& help);
  /// Collects unknown options and arguments, in order, instead of reporting an error.
  void rest(std::vector<std::string>& words);
  void footer(const std::string& text);
  /// The values that an option or positional takes, for the shell's completion.
  void choices(const std::string& name, std::vector<std::string> values);

  /// Parses the arguments. On --help it prints the help; on an error it prints the problem and the nearest
  /// valid name. If it returns a value, the command must exit with that status.
  [[nodiscard]] std::optional<int> parse(const Arguments& arguments);

  /// Returns whether this option was given.
  [[nodiscard]] bool given(const std::string& option) const;
  /// The first of `options` that was given, if any.
  [[nodiscard]] std::optional<std::string> first_given(const std::vector<std::string>& options) const;
  /// The documented options: "--check", "--device".
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string help() const;

 private:
  void add_common_options();
  [[nodiscard]] CommandTable table() const;

  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace cudalabs::cli
