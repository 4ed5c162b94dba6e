#include "grader/program/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "grader/base/fd.h"
#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"

namespace cudalabs {
namespace {

constexpr int kDeviceFd = 3;  // the descriptor at which the program finds its device

std::vector<std::string> environment_with_device() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("CUDALABS_DEVICE_FD=")) variables.emplace_back(*variable);
  }
  variables.push_back("CUDALABS_DEVICE_FD=" + std::to_string(kDeviceFd));
  return variables;
}

}  // namespace

Result<ProgramRun> run_program(DeviceProcess& device, const std::filesystem::path& executable,
                               const std::vector<std::string>& arguments, const ProgramOptions& options) {
  const logging::Timed timed(logging::Metric::Program);
  auto client = device.new_client();
  if (!client) return client.problem();
  UniqueFd client_fd(*client);

  Command command;
  command.argv = {executable.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.env = environment_with_device();
  if (options.call_frames || options.failed_calls)
    command.env.emplace_back(options.call_frames ? "CUDALABS_CALL_FRAMES=1" : "CUDALABS_CALL_FRAMES=failed");
  if (options.failed_calls) command.env.emplace_back("CUDALABS_NOTES=1");
  std::string order = options.check_streams ? "check" : "";
  if (options.shuffle_streams) order += " shuffle=" + std::to_string(*options.shuffle_streams);
  if (!order.empty()) command.env.push_back("CUDALABS_STREAM_ORDER=" + order);
  if (options.per_thread_stream) command.env.emplace_back("CUDALABS_PER_THREAD_STREAM=1");
  command.fds = {{client_fd.get(), kDeviceFd}};
  command.inherit_output = options.output == ProgramOutput::Inherited;
  if (options.estimated_clock) command.env.emplace_back("CUDALABS_ESTIMATED_CLOCK=1");
  auto process = Process::start(std::move(command));
  if (!process) return process.problem();
  client_fd.reset();
  logging::info(logging::Stage::Run, [&] {
    return fmt::format("started {}, process {}", executable.string(), (*process)->pid());
  });
  ProgramRun run;
  run.device = device.serve_program(options.look);
  run.end = (*process)->wait();
  logging::info(logging::Stage::Run, [&] {
    return fmt::format("it ended: exit {} signal {}, {} launches, {:.3f} s", run.end.exit_code,
                       run.end.signal, run.device.launches.size(), run.end.wall_seconds);
  });
  return run;
}

}  // namespace cudalabs
