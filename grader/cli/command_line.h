#pragma once
// The words after `grader NAME`. CLI11 parses them; it is large, and only command_line.cpp sees it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudalabs::cli {

using Arguments = std::vector<std::string>;

/// What a command takes, and where it goes. Values that are not given stay as they are.
class CommandLine {
 public:
  /// `name`: "grader list". `usage`: "grader list [OPTIONS]". `about`: what the command does.
  CommandLine(const std::string& name, const std::string& usage, const std::string& about);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void positional(const std::string& name, std::string& value, const std::string& help);
  /// One or more words; after every other positional.
  void positionals(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// `type`: what the help calls the value, "FILE".
  void option(const std::string& name, const std::string& type, std::string& value, const std::string& help);
  void repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  /// A flag that may also be given a value, "--name=VALUE".
  void flag_or_value(const std::string& name, std::string& value, const std::string& help);
  /// What is no option of ours goes there, in order, instead of being an error.
  void rest(std::vector<std::string>& words);
  void footer(const std::string& text);

  /// Parses; on --help prints the help and on an error says what is wrong and which name was meant. A value
  /// is the exit status with which the command must end at once.
  [[nodiscard]] std::optional<int> parse(const Arguments& arguments);

  /// Was this option given?
  [[nodiscard]] bool given(const std::string& option) const;
  /// The first of `options` that was given, if any.
  [[nodiscard]] std::optional<std::string> first_given(const std::vector<std::string>& options) const;
  /// "--check", "--device": those that people are told of.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string help() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace cudalabs::cli
