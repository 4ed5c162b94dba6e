#pragma once
// The log of what the grader does, for those who look for a mistake in it or in a machine. It is off unless
// --log or CUDA_LABS_LOG asks for it; results never depend on it. Only log.cpp includes spdlog, because it is
// large.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace cudalabs::logging {

/// The part of the grader that writes a line. `kStages` has the names.
enum class Stage : std::uint8_t {
  Course,
  Compile,
  Run,
  Compare,
  Explain,
  Score,
  Device,
  Wire,
  Cache,
  Classroom,
};
inline constexpr std::array<std::string_view, 10> kStages = {
    "course", "compile", "run", "compare", "explain", "score", "device", "wire", "cache", "classroom"};

/// A stage writes the lines of its level and of those above it in this list. `kLevels` has the names.
enum class Level : std::uint8_t { Off, Error, Warning, Info, Debug, Trace };
inline constexpr std::array<std::string_view, 6> kLevels = {"off",  "error", "warning",
                                                            "info", "debug", "trace"};

/// The level of each stage.
using Levels = std::array<Level, kStages.size()>;

/// Reads "debug", which means all stages, or "run=debug,wire=trace", or both, from left to right, over the
/// levels that are there. `source` is the option or the variable that an error names.
Result<Levels> read_levels(std::string_view text, std::string_view source, Levels before = {});
/// The text that read_levels() turns into these levels: "run=debug,wire=trace".
std::string spelling(const Levels& levels);

/// Writes the lines of these levels from now on, each with its time and this process, to the end of a file or
/// to a descriptor such as stderr. Call it before threads start. Error: the file cannot be written.
Result<void> start(const Levels& levels, const std::string& file);
void start(const Levels& levels, int descriptor);

/// Writes them without time and process, for another process that passes them to relay().
void start_for_relay(const Levels& levels, int descriptor);
/// A line of a process that called start_for_relay(). It is not trusted: a line in another form is logged as
/// a warning of the device.
void relay(std::string_view line);

/// The levels that are on in this process, and the file that it writes to, if it is one.
Levels levels();
const std::string& file();

namespace detail {
extern std::array<std::atomic<Level>, kStages.size()> enabled;
void write(Stage stage, Level level, std::string_view text);
}  // namespace detail

/// Whether lines of this stage and level are written.
inline bool wants(Stage stage, Level level) {
  return detail::enabled[static_cast<std::size_t>(stage)].load(std::memory_order_relaxed) >= level;
}

/// Writes one line. `text` is a function that makes its text; it is not called if nobody wants the line.
/// The text may hold any bytes (escaped_bytes() of grader/base/text.h).
template <class Text>
void write(Stage stage, Level level, const Text& text) {
  if (wants(stage, level)) detail::write(stage, level, text());
}
template <class Text>
void warning(Stage stage, const Text& text) {
  write(stage, Level::Warning, text);
}
template <class Text>
void info(Stage stage, const Text& text) {
  write(stage, Level::Info, text);
}
template <class Text>
void debug(Stage stage, const Text& text) {
  write(stage, Level::Debug, text);
}
template <class Text>
void trace(Stage stage, const Text& text) {
  write(stage, Level::Trace, text);
}

}  // namespace cudalabs::logging
