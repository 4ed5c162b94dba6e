#include "grader/base/log/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/base.h"

namespace cudalabs::logging {
namespace {

constexpr std::size_t kLongestLine = 8192;  ///< bytes of text; the end of a longer one is left out

using Loggers = std::array<std::shared_ptr<spdlog::logger>, kStages.size()>;

/// One logger a stage, over one sink. Empty before start().
Loggers& loggers() {
  static Loggers all;
  return all;
}

std::string& file_name() {
  static std::string name;
  return name;
}

constexpr const char* kWhole = "%H:%M:%S.%e %P %-7l %-9n %v";
constexpr const char* kForRelay = "%l %n %v";

/// Writes to a descriptor, also where no file may be opened any more.
class DescriptorSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& line) override {
    spdlog::memory_buf_t text;
    formatter_->format(line, text);
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t written = ::write(descriptor_, text.data() + done, text.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;  // nobody reads any more
      done += static_cast<std::size_t>(written);
    }
  }
  void flush_() override {}

 private:
  int descriptor_;
};

spdlog::level::level_enum level_of_spdlog(Level level) {
  switch (level) {
    case Level::Off: return spdlog::level::off;
    case Level::Error: return spdlog::level::err;
    case Level::Warning: return spdlog::level::warn;
    case Level::Info: return spdlog::level::info;
    case Level::Debug: return spdlog::level::debug;
    case Level::Trace: return spdlog::level::trace;
  }
  return spdlog::level::off;
}

/// `enabled` decides what is written, so that nobody else needs spdlog's headers to ask.
void log_into(const spdlog::sink_ptr& sink, const Levels& levels, const std::string& pattern) {
  sink->set_formatter(
      std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::local, "\n"));
  for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
    auto logger = std::make_shared<spdlog::logger>(std::string(kStages[stage]), sink);
    logger->set_level(spdlog::level::trace);
    logger->flush_on(spdlog::level::trace);  // a process that is killed loses nothing
    loggers()[stage] = std::move(logger);
    detail::enabled[stage] = levels[stage];
  }
}

std::optional<std::size_t> index_of(std::string_view name, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> words(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

Result<Level> read_level(std::string_view name, std::string_view source) {
  if (const auto level = index_of(name, kLevels)) return static_cast<Level>(*level);
  const std::vector<std::string> names = words(kLevels);
  return error(msg::no_such_log_level(source, name, suggestion(name, names)), msg::log_levels(listed(names)));
}

}  // namespace

namespace detail {

std::array<std::atomic<Level>, kStages.size()> enabled{};

void write(Stage stage, Level level, std::string_view text) {
  const auto& logger = loggers()[static_cast<std::size_t>(stage)];
  if (!logger) return;
  const bool cut = text.size() > kLongestLine;
  std::string line = escaped_bytes(text.substr(0, kLongestLine));
  if (cut) line += "...";
  logger->log(level_of_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace detail

Result<Levels> read_levels(std::string_view text, std::string_view source, Levels levels) {
  while (!text.empty()) {
    const std::string_view part = take_until(text, ',');
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      if (index_of(part, kStages)) return error(msg::log_stage_without_level(source, part));
      const auto level = read_level(part, source);
      if (!level) return level.problem();
      levels.fill(*level);
      continue;
    }
    const std::string_view name = part.substr(0, equals);
    const auto stage = index_of(name, kStages);
    if (!stage) {
      const std::vector<std::string> names = words(kStages);
      return error(msg::no_such_log_stage(source, name, suggestion(name, names)),
                   msg::log_stages(listed(names)));
    }
    const auto level = read_level(part.substr(equals + 1), source);
    if (!level) return level.problem();
    levels[*stage] = *level;
  }
  return levels;
}

std::string spelling(const Levels& levels) {
  std::string text;
  for (std::size_t stage = 0; stage < levels.size(); ++stage) {
    if (levels[stage] == Level::Off) continue;
    text += text.empty() ? "" : ",";
    text += kStages[stage];
    text += '=';
    text += kLevels[static_cast<std::size_t>(levels[stage])];
  }
  return text;
}

Result<void> start(const Levels& levels, const std::string& file) {
  try {
    log_into(std::make_shared<spdlog::sinks::basic_file_sink_mt>(file), levels, kWhole);
  } catch (const spdlog::spdlog_ex& refused) {
    return error(msg::log_file_not_writable(file, refused.what()));
  }
  file_name() = file;
  return {};
}

void start(const Levels& levels, int descriptor) {
  log_into(std::make_shared<DescriptorSink>(descriptor), levels, kWhole);
  file_name().clear();
}

void start_for_relay(const Levels& levels, int descriptor) {
  log_into(std::make_shared<DescriptorSink>(descriptor), levels, kForRelay);
}

void relay(std::string_view line) {
  const std::string_view whole = line;
  const auto level = index_of(take_until(line, ' '), kLevels);
  const auto stage = index_of(take_until(line, ' '), kStages);
  // Only a device process has its lines relayed.
  const bool known =
      level && *level != 0 && stage &&
      (*stage == static_cast<std::size_t>(Stage::Device) || *stage == static_cast<std::size_t>(Stage::Wire));
  if (!known) {
    warning(Stage::Device, [whole] { return "not a line of a log: " + std::string(whole); });
  } else {
    write(static_cast<Stage>(*stage), static_cast<Level>(*level), [line] { return line; });
  }
}

Levels levels() {
  Levels all{};
  std::ranges::transform(detail::enabled, all.begin(), [](const auto& level) { return level.load(); });
  return all;
}

const std::string& file() { return file_name(); }

}  // namespace cudalabs::logging
