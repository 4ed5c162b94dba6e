// `grader --completion SHELL` prints a script for the shell. The script asks `grader __complete WORDS...` at
// each press of the key, so that it stays true for the next version of the grader and for other courses.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/completion/candidates.h"
#include "grader/cli/files/editor_files.h"
#include "grader/cli/print.h"
#include "grader/diagnostics/messages/cli.h"

namespace cudalabs::cli {
namespace {

/// How `__complete` says that files are welcome. No candidate begins with a colon.
constexpr const char* kFilesToo = ":files";

constexpr const char* kBashScript = R"(_grader_complete() {
  local word current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == = ]] && current=
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ $word == :files ]]; then
      compopt -o filenames
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("$word")
    fi
  done < <(@GRADER@ __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _grader_complete grader
)";

constexpr const char* kZshScript = R"(#compdef grader
_grader() {
  local line about
  local -a candidates
  for line in "${(@f)$(@GRADER@ __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
    elif [[ -n $line ]]; then
      about=${line#*$'\t'}
      candidates+=("${${line%%$'\t'*}//:/\\:}${about:+:$about}")
    fi
  done
  (( $#candidates )) && _describe grader candidates
}
if [[ $funcstack[1] == _grader ]]; then _grader "$@"; else compdef _grader grader; fi
)";

constexpr const char* kFishScript = R"(function __grader_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    for line in (@GRADER@ __complete $typed[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            printf '%s\n' $line
        end
    end
end
complete -c grader -f -a '(__grader_complete)'
)";

struct Shell {
  const char *name, *script;
};
constexpr std::array<Shell, 3> kShells{{{"bash", kBashScript}, {"zsh", kZshScript}, {"fish", kFishScript}}};

/// In quotes that mean the same in all three shells.
std::string quoted_command() {
  std::string out = "'";
  for (const char c : own_command()) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

int print_script(const std::string& name) {
  const auto shell = std::ranges::find(kShells, name, [](const Shell& one) { return std::string(one.name); });
  if (shell == kShells.end()) {
    std::vector<std::string> names;
    for (const Shell& one : kShells) names.emplace_back(one.name);
    return report_error(error(msg::unknown_shell(name, suggestion(name, names)),
                              msg::for_example("source <(grader --completion bash)")),
                        kUsage);
  }
  std::string script = shell->script;
  const std::string_view hole = "@GRADER@";
  script.replace(script.find(hole), hole.size(), quoted_command());
  print_out("{}", script);
  return kPassed;
}

}  // namespace

int completion_command(const Arguments& arguments) {
  if (arguments.front() == "--completion") return print_script(arguments.size() == 2 ? arguments[1] : "");
  const Candidates found = candidates_for(Arguments(arguments.begin() + 1, arguments.end()));
  for (const Candidate& one : found.words) print_out("{}\t{}\n", one.word, one.about);
  if (found.files) print_out("{}\n", kFilesToo);
  return kPassed;
}

}  // namespace cudalabs::cli
