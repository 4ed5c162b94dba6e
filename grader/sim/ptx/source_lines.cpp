#include "grader/sim/ptx/source_lines.h"

#include <algorithm>
#include <array>

namespace cudalabs::ptx {
namespace {

using namespace std::string_view_literals;

/// The headers for clang are unpacked in a folder cuda-<16 digits of a hash> (course/embedded_course.h).
bool is_of_ours(std::string_view file) {
  constexpr std::string_view kBegin = "/cuda-";
  constexpr std::size_t kDigits = 16;
  for (std::size_t at = 0; (at = file.find(kBegin, at)) != file.npos;) {
    at += kBegin.size();
    if (file.find_first_not_of("0123456789abcdef", at) == at + kDigits && file[at + kDigits] == '/')
      return true;
  }
  return false;
}

/// True for a header of the toolkit, of a compiler or of the C++ library, wherever it is installed. A folder
/// called include is not sufficient: programs have their own.
bool is_of_toolchain(std::string_view file) {
  static constexpr std::array kBegins{"/usr/include/"sv, "/usr/lib/"sv, "/usr/local/cuda/"sv,
                                      "/usr/local/cuda-1"sv};
  static constexpr std::array kParts{
      // <toolkit>/targets/x86_64-linux/include, or sbsa-linux: nvcc's names for its own headers.
      "64-linux/include/"sv, "sbsa-linux/include/"sv, "site-packages/nvidia/"sv, "/nvvm/libdevice/"sv,
      "/include/c++/"sv, "/lib/gcc/"sv, "/lib/clang/"sv,
      // Headers of a toolkit that is specified by -I.
      "/include/thrust/"sv, "/include/cub/"sv, "/include/cuda/std/"sv, "/include/cuda/__"sv, "/include/nv/"sv,
      "/include/crt/"sv, "/include/cooperative_groups.h"sv, "/include/cooperative_groups/"sv,
      "/include/cuda_fp16."sv, "/include/cuda_bf16."sv, "/include/sm_"sv};
  const auto begins = [&](std::string_view begin) { return file.starts_with(begin); };
  const auto has = [&](std::string_view part) { return file.find(part) != file.npos; };
  return std::ranges::any_of(kBegins, begins) || std::ranges::any_of(kParts, has) || is_of_ours(file);
}

/// Names of inlined functions are copied into every location, so a malicious text must not multiply them.
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kLongestPath = 512;  // of a file: it is part of the report for each line
constexpr std::size_t kAllNames = std::size_t{64} << 20;

}  // namespace

SourceLines::SourceLines() : entries_(1) {}

void SourceLines::add_file(std::uint64_t number, std::string_view path) {
  files_[number] = std::string(path.substr(path.size() - std::min(path.size(), kLongestPath)));
}

void SourceLines::begin_function() {
  current_ = 0;
  last_at_.clear();
}

LocId SourceLines::intern(const Entry& entry) {
  const auto [it, is_new] = interned_.try_emplace(
      {entry.position, entry.function_label, entry.function_offset, entry.inlined_at, entry.moved},
      static_cast<LocId>(entries_.size()));
  if (is_new) entries_.push_back(entry);
  return it->second;
}

LocId SourceLines::add_loc(const Position& position, std::string_view function_label,
                           std::int64_t function_offset, const Position* inlined_at) {
  if (position.line == 0) {
    if (current_ == 0) return current_;
    Entry moved = entries_[current_];
    moved.moved = true;
    return current_ = intern(moved);
  }
  Entry entry{position, function_label, function_offset};
  if (inlined_at != nullptr && inlined_at->line != 0) {
    const auto outer = last_at_.find(*inlined_at);
    entry.inlined_at = outer != last_at_.end() ? outer->second : intern({*inlined_at, {}, 0, 0});
  }
  current_ = intern(entry);
  last_at_[position] = current_;
  return current_;
}

void SourceLines::add_string_label(std::string_view label) { string_labels_.emplace(label, strings_.size()); }
void SourceLines::add_string_byte(std::uint8_t byte) { strings_ += static_cast<char>(byte); }

std::string SourceLines::string_at(std::string_view label, std::int64_t offset) const {
  const auto it = string_labels_.find(label);
  if (it == string_labels_.end() || offset < 0) return {};
  const std::uint64_t start = it->second + static_cast<std::uint64_t>(offset);
  if (start >= strings_.size()) return {};
  const std::string_view rest = std::string_view(strings_).substr(start, kLongestName);
  return std::string(rest.substr(0, rest.find('\0')));
}

std::string SourceLines::place(LocId loc) const {
  if (loc == 0) return {};
  const Position& position = entries_[loc].position;
  const auto file = files_.find(position.file);
  Module module;
  module.locations.resize(2);
  module.locations[1].line = position.line;
  module.files.push_back(file == files_.end() ? std::string{} : file->second);
  return module.place(1);
}

void SourceLines::finish(Module& module) {
  std::map<std::uint64_t, std::uint32_t> indices;
  std::vector<bool> of_toolchain;  // by index
  for (const auto& [number, path] : files_) {
    indices.emplace(number, static_cast<std::uint32_t>(module.files.size()));
    module.files.push_back(path);
    of_toolchain.push_back(is_of_toolchain(path));
  }
  of_toolchain.push_back(false);
  const auto unknown = static_cast<std::uint32_t>(module.files.size());
  bool has_unknown = false;
  std::size_t names = 0;
  for (const Entry& entry : entries_) {
    SourceLoc loc;
    const auto index = indices.find(entry.position.file);
    loc.file = index != indices.end() ? index->second : unknown;
    has_unknown |= index == indices.end() && entry.position.line != 0;
    loc.line = entry.position.line;
    loc.column = entry.position.column;
    loc.inlined_at = entry.inlined_at;
    loc.moved = entry.moved;
    loc.of_toolchain = of_toolchain[loc.file];
    if (!entry.function_label.empty() && names < kAllNames) {
      loc.function = string_at(entry.function_label, entry.function_offset);
      names += loc.function.size();
    }
    module.locations.push_back(std::move(loc));
  }
  module.locations[0] = {};
  if (has_unknown) module.files.emplace_back();
}

}  // namespace cudalabs::ptx
