#include "grader/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "grader/config/device_profile.h"
#include "grader/device/gpu/gpu_device.h"
#include "grader/support/text.h"

namespace cudalabs::cli {
namespace {

std::string see_help(const CLI::App& app) {
  return fmt::format("`{} --help` shows what is possible", app.get_name());
}

Diagnostic unknown_argument(const CLI::App& app, const std::vector<std::string>& extras) {
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
    return extra.size() > 1 && extra.front() == '-';
  });
  if (option == extras.end())
    return error(fmt::format("unexpected argument '{}'", extras.front()), see_help(app));
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> names;
  for (const CLI::Option* known : app.get_options()) {
    for (const std::string& flag : known->get_lnames()) names.push_back("--" + flag);
  }
  return error(fmt::format("unknown option '{}'{}", name, did_you_mean(name, names)), see_help(app));
}

/// CLI11's own usage line shows no order and no examples of its words.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return "\nUsage: " + usage_ + "\n"; }

 private:
  std::string usage_;
};

}  // namespace

std::span<const std::string> command_names() {
  static const std::array<std::string, 7> names{"list",   "init",       "run",    "explain",
                                                "ladder", "check-labs", "new-lab"};
  return names;
}

int complain(const Diagnostic& problem, ExitStatus status) {
  fmt::print(stderr, "grader: {}\n", problem.text());
  return status;
}

std::optional<int> parse(CLI::App& app, const Arguments& arguments) {
  app.allow_extras();
  Arguments reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return kPassed;
  } catch (const CLI::ArgumentMismatch& problem) {
    const std::string text = problem.what();
    return complain(error(text.substr(0, text.find(':')) + " needs a value", see_help(app)), kUsage);
  } catch (const CLI::ParseError& problem) {
    return complain(error(problem.what(), see_help(app)), kUsage);
  }
  if (const std::vector<std::string> extras = app.remaining(); !extras.empty()) {
    return complain(unknown_argument(app, extras), kUsage);
  }
  return std::nullopt;
}

void describe(CLI::App& app, const std::string& usage) {
  app.formatter(std::make_shared<HelpFormatter>(usage));
  app.set_help_flag("-h,--help", "This help");
}

void add_course_option(CLI::App& app, std::string& folder) {
  app.add_option("--course", folder, "Folder of the course (with configs/, labs/, ...), for its staff")
      ->type_name("DIR");
}

void add_device_option(CLI::App& app, std::string& name) {
  app.add_option("--device", name, "simulator, gpu, or auto: a GPU if there is one [auto]")
      ->type_name("NAME");
}

Result<DeviceChoice> chosen_device(const std::string& name, bool with_profile) {
  static const std::vector<std::string> names{"auto", "simulator", "gpu"};
  if (name == "simulator") return DeviceChoice::Simulator;
  if (name == "auto") return with_profile ? DeviceChoice::Simulator : DeviceChoice::Auto;
  if (name != "gpu") {
    return error(fmt::format("unknown device '{}'{}", name, did_you_mean(name, names)),
                 "the devices are auto, simulator and gpu");
  }
  if (with_profile) {
    return error("--device-profile is for times that are estimated; a GPU's are measured",
                 "leave one of --device gpu and --device-profile out");
  }
  if (auto driver = find_gpu_driver(); !driver) return driver.problem();
  return DeviceChoice::Gpu;
}

void add_profile_option(CLI::App& app, std::string& name) {
  app.add_option("--device-profile", name,
                 fmt::format("Estimate the times of this card [{}]", kDefaultProfile))
      ->type_name("NAME");
}

}  // namespace cudalabs::cli
