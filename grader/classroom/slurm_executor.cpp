// Each task of the array is `grader __grade FOLDER`, the same worker as on one machine, with a file of
// sources on descriptor 3. Only the folder connects the nodes with the batch: results appear in it, and Slurm
// is asked only whether a task is still running.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/base/process/process.h"
#include "grader/classroom/executor.h"
#include "grader/classroom/worker.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 3;
constexpr std::size_t kMaxJobFile = 4096;

/// How one of Slurm's programs ended, and what it printed.
Result<ProcessEnd> run_slurm(const std::vector<std::string>& words) {
  Command command;
  command.argv = {"/usr/bin/env"};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.env = worker_environment();
  command.limits.wall = std::chrono::minutes(1);
  return run(std::move(command));
}

/// The error for a program of Slurm's that failed.
Diagnostic slurm_failed(const std::string& program, const ProcessEnd& end) {
  std::string said = end.err.substr(0, 2000);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return error(
      msg::slurm_program_failed(
          program, said.empty() ? msg::process_ended(end.exit_code, Message(), Message()) : verbatim(said)),
      msg::is_this_a_slurm_machine());
}

/// Runs one of Slurm's programs and returns what it printed.
Result<std::string> slurm(const std::vector<std::string>& words) {
  auto end = run_slurm(words);
  if (!end) return end.problem();
  if (!end->success()) return slurm_failed(words.front(), *end);
  return std::move(end->out);
}

/// States of tasks in Slurm's spelling: "COMPLETED", "NODE_FAIL", "CANCELLED by 1000".
using States = std::map<unsigned, std::string>;

bool is_waiting(const std::string& state) {
  for (const char* word : {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED", "SUSPENDED",
                           "RESIZING", "STAGE_OUT", "SIGNALING", "STOPPED"}) {
    if (state.starts_with(word)) return true;
  }
  return false;
}

/// Key for an array's tasks that are not listed separately.
constexpr unsigned kOtherTasks = UINT_MAX;

/// The tasks that a job's name represents: "17_3", "17_[4-9%2]", or "17" for all others.
std::vector<unsigned> tasks_named(const std::string& name) {
  const std::size_t at = name.find('_');
  if (at == std::string::npos) return {kOtherTasks};
  std::string list = name.substr(at + 1);
  std::erase_if(list, [](char c) { return c == '[' || c == ']'; });
  list = list.substr(0, list.find('%'));
  std::vector<unsigned> tasks;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    std::string_view rest = part;
    const auto first = take_leading_number<unsigned>(rest);
    if (!first) continue;
    const auto last = rest.starts_with('-') ? parse_number<unsigned>(rest.substr(1)) : first;
    for (unsigned task = *first; task <= last.value_or(*first) && tasks.size() < 100'000; ++task)
      tasks.push_back(task);
  }
  return tasks;
}

/// Uses sacct if job accounting is available, and otherwise squeue, which forgets jobs some time after they
/// end.
Result<States> states_of(const std::string& job) {
  auto text = slurm({"sacct", "-X", "-n", "-P", "-j", job, "-o", "JobID,State"});
  if (!text || text->empty()) {
    const std::string program = "squeue";
    auto end = run_slurm({program, "-h", "-r", "-t", "all", "-j", job, "-o", "%i|%T"});
    if (!end) return end.problem();
    // "Invalid job id specified": it has ended, and is forgotten.
    if (!end->success() && end->err.find("Invalid job id") != std::string::npos) return States();
    if (!end->success()) return slurm_failed(program, *end);
    text = std::move(end->out);
  }
  States states;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    if (bar == std::string::npos) continue;
    for (const unsigned task : tasks_named(line.substr(0, bar))) states[task] = line.substr(bar + 1);
  }
  return states;
}

class SlurmExecutor : public Executor {
 public:
  SlurmExecutor(SlurmOptions options, const std::atomic<bool>* cancel)
      : options_(std::move(options)), cancel_(cancel) {}

  Result<void> run(const WorkFolder& folder, const std::vector<std::string>& sources,
                   const std::function<Result<void>(const WorkResult&)>& ended) override {
    const fs::path place = fs::absolute(folder.path()) / "slurm";
    if (auto ready = prepare(place); !ready) return ready;
    std::vector<std::string> left = sources;
    for (int attempt = 1; !left.empty() && !cancelled(); ++attempt) {
      std::map<std::string, std::string> why;  // sources without a result, and Slurm's state of their task
      if (auto tried = run_array(folder, place, left, ended, why); !tried) return tried;
      left.clear();
      for (const auto& [source, state] : why) {
        if (attempt < kTries) {
          left.push_back(source);
          continue;
        }
        auto order = folder.order();
        if (!order) return order.problem();
        const Message reason = msg::slurm_gave_no_result(kTries, state);
        if (auto told = ended({order->run, source, {}, reason}); !told) return told;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }

  /// Copies the program beside the work, because nodes need not have it, and cancels jobs that a killed batch
  /// left running.
  static Result<void> prepare(const fs::path& place) {
    std::error_code problem;
    fs::create_directories(place / "tasks", problem);
    if (!problem) fs::create_directories(place / "output", problem);
    if (problem) return Diagnostic{{place.string(), 0, 0}, msg::cannot_be_made(problem.message()), {}};
    if (auto job = read_file(place / "job", kMaxJobFile)) (void)slurm({"scancel", *job});
    const fs::path fresh = place / "grader.new";
    fs::copy_file("/proc/self/exe", fresh, fs::copy_options::overwrite_existing, problem);
    if (!problem) fs::permissions(fresh, fs::perms::owner_all, problem);
    if (!problem) fs::rename(fresh, place / "grader", problem);
    if (problem)
      return Diagnostic{
          {(place / "grader").string(), 0, 0}, msg::cannot_be_written_to(problem.message()), {}};
    return {};
  }

  Result<std::string> submit(const WorkFolder& folder, const fs::path& place, std::size_t tasks) const {
    std::vector<std::string> words = {"sbatch", "--parsable", "--job-name=cuda-labs", "--requeue",
                                      fmt::format("--output={}/output/%A_%a.txt", place.string())};
    words.push_back(fmt::format("--array=0-{}{}", tasks - 1,
                                options_.at_once > 0 ? fmt::format("%{}", options_.at_once) : ""));
    if (!options_.partition.empty()) words.push_back("--partition=" + options_.partition);
    if (!options_.gres.empty()) words.push_back("--gres=" + options_.gres);
    if (!options_.time.empty()) words.push_back("--time=" + options_.time);
    const std::string script =
        "#!/bin/sh\n"
        "# One task: the sources of its file, one after the other.\n"
        "exec \"$1/slurm/grader\" __grade \"$1\" 3<\"$1/slurm/tasks/$SLURM_ARRAY_TASK_ID\"\n";
    if (auto written = write_file_atomically(place / "task.sh", script); !written) return written.problem();
    words.push_back((place / "task.sh").string());
    words.push_back(fs::absolute(folder.path()).string());
    auto printed = slurm(std::move(words));
    if (!printed) return printed.problem();
    const std::string job = printed->substr(0, printed->find_first_of(";\n"));
    if (auto written = write_file_atomically(place / "job", job); !written) return written.problem();
    return job;
  }

  /// Runs one array. `why` receives the sources that have no result when it has ended.
  Result<void> run_array(const WorkFolder& folder, const fs::path& place,
                         const std::vector<std::string>& sources,
                         const std::function<Result<void>(const WorkResult&)>& ended,
                         std::map<std::string, std::string>& why) {
    const std::size_t chunk = std::max(1u, options_.per_task);
    std::map<std::string, unsigned> task_of;
    std::size_t tasks = 0;
    for (std::size_t first = 0; first < sources.size(); first += chunk, ++tasks) {
      std::string lines;
      for (std::size_t i = first; i < std::min(sources.size(), first + chunk); ++i) {
        lines += sources[i] + "\n";
        task_of[sources[i]] = static_cast<unsigned>(tasks);
      }
      if (auto written = write_file_atomically(place / "tasks" / std::to_string(tasks), lines); !written)
        return written;
    }
    auto job = submit(folder, place, tasks);
    if (!job) return job.problem();

    std::set<std::string> open(sources.begin(), sources.end());
    for (;;) {
      // The states are read before the results, so the results of ended tasks are complete.
      auto states = states_of(*job);
      if (auto told = collect(folder, open, ended); !told) return told;
      if (cancelled()) break;
      if (open.empty()) break;
      if (!states) return states.problem();
      const bool waiting = std::ranges::any_of(*states, [](const auto& s) { return is_waiting(s.second); });
      if (!waiting) {
        // Files of other machines may appear here after a delay.
        std::this_thread::sleep_for(std::chrono::duration<double>(options_.poll_seconds));
        if (auto told = collect(folder, open, ended); !told) return told;
        for (const std::string& source : open) {
          const auto state = states->find(task_of[source]);
          why[source] = state == states->end() ? "unknown" : state->second;
        }
        if (std::ranges::any_of(*states, [](const auto& s) { return s.second.starts_with("CANCELLED"); }) &&
            !open.empty())
          return error(msg::slurm_job_cancelled(*job), msg::same_command_goes_on());
        break;
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(options_.poll_seconds));
    }
    if (!open.empty() && cancelled()) (void)slurm({"scancel", *job});
    std::error_code ignored;
    fs::remove(place / "job", ignored);
    return {};
  }

  static Result<void> collect(const WorkFolder& folder, std::set<std::string>& open,
                              const std::function<Result<void>(const WorkResult&)>& ended) {
    for (const std::string& source : folder.finished()) {
      if (!open.contains(source)) continue;
      auto result = folder.result(source);
      if (!result) return result.problem();
      if (!*result) continue;
      open.erase(source);
      if (auto told = ended(**result); !told) return told;
    }
    return {};
  }

  const SlurmOptions options_;
  const std::atomic<bool>* cancel_;
};

}  // namespace

std::unique_ptr<Executor> slurm_executor(SlurmOptions options, const std::atomic<bool>* cancel) {
  return std::make_unique<SlurmExecutor>(std::move(options), cancel);
}

}  // namespace cudalabs
