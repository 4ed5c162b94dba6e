#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/ladder/ladder.h"
#include "grader/ladder/table.h"

namespace cudalabs::cli {
namespace {

struct LadderOptions {
  std::string ladder, type, size, device = "auto", compiler, format = "text", course;
  std::string profile{kDefaultProfile};
  bool no_cpu = false, every_card = false, stats = false;
};

/// `unknown`: the row for a word that is none of the names.
Result<void> one_of(const std::string& word, const auto& unknown, const std::vector<std::string>& names) {
  if (std::ranges::find(names, word) != names.end()) return {};
  return error(unknown(word, suggestion(word, names)), msg::possible_names(listed(names)));
}

Result<ElementType> choose_type(const Ladder& ladder, const std::string& word) {
  if (word.empty()) return ladder.types.front();
  std::vector<std::string> names;
  for (const ElementType type : ladder.types) names.emplace_back(spelling(type));
  if (auto known = one_of(word, msg::unknown_type, names); !known) return known.problem();
  return *std::ranges::find(ladder.types, word, [](ElementType type) { return spelling(type); });
}

Result<std::optional<std::int64_t>> choose_size(const Ladder& ladder, const std::string& text) {
  if (text.empty()) return std::optional<std::int64_t>();
  const std::int64_t size = parse_number<std::int64_t>(text).value_or(0);
  if (size < 1 || size > INT32_MAX) return error(msg::not_a_ladder_size(INT32_MAX, text));
  if (size % ladder.size_step != 0) {
    const std::int64_t below = size / ladder.size_step * ladder.size_step, above = below + ladder.size_step;
    return error(msg::ladder_size_step(size, ladder.name, ladder.size_step),
                 below == 0 ? msg::nearest_size(above) : msg::nearest_sizes(below, above));
  }
  return std::optional(size);
}

int list_ladders(const Course& course) {
  const auto names = ladder_names(course);
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const std::string& name : names) {
    const auto ladder = load_ladder(course, name);
    if (!ladder) return report_error(ladder.problem(), kUsage);
    print_out("{:<{}}   {}, {} rungs\n", name, width, translated_word(ladder->title), ladder->rungs.size());
  }
  return kPassed;
}

/// A GPU's times, and the element type for which they were published.
struct Card {
  NamedProfile profile;
  ElementType type{};
};

Result<std::vector<Card>> choose_cards(const Course& course, const Ladder& ladder,
                                       const LadderOptions& options, ElementType type) {
  std::vector<std::pair<std::string, ElementType>> wanted{{options.profile, type}};
  for (const PublishedFigures& published : ladder.published) {
    const std::pair card{published.profile, published.type};
    if (options.every_card && std::ranges::find(wanted, card) == wanted.end()) wanted.push_back(card);
  }
  std::vector<Card> cards;
  for (const auto& [name, card_type] : wanted) {
    auto profile = load_device_profile(course, name);
    if (!profile) return profile.problem();
    cards.push_back({std::move(*profile), card_type});
  }
  return cards;
}

void report_progress(const std::string& rung) {
  if (::isatty(STDERR_FILENO) == 1) print_err("running {}\n", rung);
}

void add_options(CommandLine& line, LadderOptions& options) {
  line.positional("LADDER", options.ladder, "The ladder, for example reduction");
  line.option("--type", "TYPE", options.type, "float, double or int, where the ladder has it [its first]");
  line.option("--size", "N", options.size,
              "N of the ladder [what the simulator runs in seconds; a card is measured with more]");
  add_device_option(line, options.device);
  add_compiler_option(line, options.compiler);
  line.option("--format", "NAME", options.format, "text or markdown [text]");
  line.flag("--no-cpu", options.no_cpu, "Leave out the CPU, whose time differs from run to run");
  line.flag("--every-card", options.every_card,
            "Show further tables for the cards that have published figures");
  add_profile_option(line, options.profile);
  add_course_option(line, options.course);
  add_stats_option(line, options.stats);
  line.footer(
      "Examples:\n"
      "  grader ladder matmul\n"
      "  grader ladder reduction --type double --device-profile k40c\n\n"
      "Exit status: 0 every rung's answer is right, 1 one is not, 2 wrong usage, 3 could not run them.\n");
}

}  // namespace

int ladder_command(const Arguments& arguments) {
  LadderOptions options;
  CommandLine line(
      "grader ladder", "grader ladder [LADDER] [OPTIONS]",
      "Runs every rung of one of the course's ladders and shows what each gains: the time, the rate, the\n"
      "speedup, the use of shared and global memory, the published figures of the card beside ours, and\n"
      "what the checkers find in it. On a machine with a GPU it shows the measured times beside the\n"
      "estimated ones. Without a name it lists the ladders.");
  add_options(line, options);
  if (auto status = line.parse(arguments)) return *status;
  const PrintedStats printed_stats(options.stats);
  auto course = find_course(options.course);
  if (!course) return report_error(course.problem(), kUsage);
  if (auto has = check_has_solutions(*course, "ladder"); !has) return report_error(has.problem(), kUsage);
  if (options.ladder.empty()) {
    const auto given = line.first_given({"--type", "--size", "--device", "--compiler", "--format", "--no-cpu",
                                         "--every-card", "--device-profile"});
    if (!given) return list_ladders(*course);
    return report_error(error(msg::which_ladder(*given), msg::ladders_are(listed(ladder_names(*course)))),
                        kUsage);
  }

  const auto device = chosen_device(options.device, false);
  if (!device) return report_error(device.problem(), kUsage);
  const auto compiler = chosen_compiler(options.compiler);
  if (!compiler) return report_error(compiler.problem(), kUsage);
  if (auto known = one_of(options.format, msg::unknown_format, {"text", "markdown"}); !known)
    return report_error(known.problem(), kUsage);
  const auto ladder = load_ladder(*course, options.ladder);
  if (!ladder) return report_error(ladder.problem(), kUsage);
  const auto type = choose_type(*ladder, options.type);
  if (!type) return report_error(type.problem(), kUsage);
  const auto size = choose_size(*ladder, options.size);
  if (!size) return report_error(size.problem(), kUsage);
  const auto cards = choose_cards(*course, *ladder, options, *type);
  if (!cards) return report_error(cards.problem(), kUsage);

  const Interrupt interrupt;
  const auto gpu =
      start_card(*device, {}, [](const Message& line) { print_err("grader: {}\n", rendered(line)); });
  if (!gpu) return report_error(gpu.problem(), kCouldNotGrade);
  bool right = true;
  for (const Card& card : *cards) {
    const bool first = &card == &cards->front();
    LadderRequest request;
    request.type = card.type;
    request.size = size->value_or(ladder->size);
    if (*gpu && first) {
      request.card_size = size->value_or(ladder->card_size);
      request.card = (*gpu)->facts().name;
    }
    request.compiler = *compiler;
    request.profile = card.profile;
    request.cpu = !options.no_cpu;
    request.check = first;
    request.cancelled = interrupt.flag();
    request.progress = report_progress;
    const auto run = run_ladder(*ladder, request);
    if (!run) return report_error(run.problem(), kCouldNotGrade);
    const LadderReport report{*ladder, request, *run, course->root};
    print_out("{}{}", first || options.format == "markdown" ? "" : "\n",
              options.format == "markdown"
                  ? ladder_markdown(report, !first)
                  : ladder_text(report, ConsoleStyle::for_descriptor(STDOUT_FILENO)));
    right = right && run->all_right();
  }
  return right ? kPassed : kLostPoints;
}

}  // namespace cudalabs::cli
