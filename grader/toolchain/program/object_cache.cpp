#include "grader/toolchain/program/object_cache.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/base/hash/sha256.h"
#include "grader/base/paths.h"
#include "grader/course/cache.h"
#include "grader/course/embedded_course.h"
#include "grader/toolchain/build_sandbox.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr std::string_view kObjectFormat = "4";  // of cache entries
constexpr std::string_view kNvccTemporary = "tmpxft_";
constexpr std::chrono::milliseconds kClockTick{20};  // the times of files are a clock tick old

/// The program at a path, which an update replaces.
std::string identity(const fs::path& program) {
  std::error_code problem;
  const auto size = fs::file_size(program, problem);
  const auto time = fs::last_write_time(program, problem);
  return program.string() + ":" + std::to_string(size) + ":" +
         std::to_string(time.time_since_epoch().count());
}

bool may_be_included(const fs::path& name) {
  static constexpr std::array kExtensions{"",     ".h",   ".hh",  ".hpp", ".hxx", ".cuh",
                                          ".inl", ".inc", ".ipp", ".tpp", ".def", ".cu"};
  return std::ranges::find(kExtensions, name.extension().string()) != kExtensions.end();
}

/// The names in the folders where the user's headers are searched: a new header may hide one that was found
/// elsewhere.
std::set<std::string> names_in(const std::set<std::string>& folders) {
  std::set<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code problem;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, problem), end; !problem && entry != end;
         entry.increment(problem))
      if (may_be_included(entry->path())) names.insert(entry->path().string());
  }
  return names;
}

/// The folders that a source's options name for its headers: -I DIR and -IDIR, in all their spellings.
std::set<std::string> folders_of(const ObjectInputs& inputs) {
  std::set<std::string> folders{fs::path(inputs.source).parent_path().string()};
  bool names = false;
  for (const std::string& flag : inputs.flags) {
    if (names) folders.insert(flag);
    names = flag == "-I" || flag == "--include-path" || flag == "-isystem" || flag == "--system-include";
    for (const std::string_view option : {"-I", "--include-path=", "-isystem=", "--system-include="})
      if (flag.starts_with(option) && flag.size() > option.size()) folders.insert(flag.substr(option.size()));
  }
  return folders;
}

/// Whether a file belongs to a compiler or to the system, not to the user.
bool is_installed(const fs::path& file, const std::vector<fs::path>& folders) {
  const auto is_in = [&](const fs::path& path) {
    return std::ranges::any_of(folders, [&](const fs::path& folder) { return is_below(path, folder); });
  };
  std::error_code problem;
  return is_in(file.lexically_normal()) || is_in(fs::weakly_canonical(file, problem));
}

/// Whether the result depends on more than the files that are read.
bool asks_for_more(std::string_view text) {
  return std::ranges::any_of(
      std::array{"__TIME__", "__DATE__", "__TIMESTAMP__", "__has_include", "#embed", "incbin"},
      [&](const char* word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

std::vector<std::string> prerequisites(std::string_view rules) {
  std::vector<std::string> files;
  std::set<std::string> known;
  std::string word;
  const auto end_word = [&] {
    // "a.o:" is a target, whose own name does not matter
    if (!word.empty() && !word.ends_with(':') &&
        !fs::path(word).filename().string().starts_with(kNvccTemporary) && known.insert(word).second)
      files.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const char c = rules[i], next = i + 1 < rules.size() ? rules[i + 1] : '\0';
    if (c == '\\' && (next == '\n' || next == ' ' || next == '#')) {
      if (next == '\n')
        end_word();
      else
        word += next;
      ++i;
    } else if (c == '$' && next == '$') {
      word += c;
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return files;
}

fs::path default_object_folder() {
  const auto root = cache_folder();
  return root ? *root / "objects" : fs::path();
}

ObjectCache::ObjectCache(const Toolchain& toolchain, const fs::path& folder) : toolchain_(toolchain) {
  if (folder.empty()) return;
  if (auto parts = BuildCache::open(folder)) parts_ = std::move(*parts);
}

std::string ObjectCache::key(const ObjectInputs& inputs) const {
  std::error_code problem;
  Sha256 hash;
  hash.add_part("object")
      .add_part(kObjectFormat)
      .add_part(toolchain_.cuda->key())
      .add_part(embedded_cuda_headers_hash());
  hash.add_part(identity(toolchain_.cuda->program())).add_part(toolchain_.host_version);
  hash.add_part(identity(inputs.host_compiler)).add_part(fs::current_path(problem).string());
  hash.add_part(inputs.source).add_part(inputs.text);
  for (const std::string& flag : inputs.flags) hash.add_part(flag);
  hash.add_part("names");
  for (const std::string& name : names_in(folders_of(inputs))) hash.add_part(name);
  return hash.hex();
}

std::optional<Compilation> ObjectCache::find(const std::string& key) const try {
  if (!parts_) return std::nullopt;
  auto bytes = parts_->find_part(key);
  const auto end = bytes ? bytes->find('\n') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  const json head = json::parse(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(end));
  for (const auto& [file, digest] : head.at("files").items()) {
    const auto now = damage_digest_of(file);
    if (!now || *now != digest) return std::nullopt;
  }
  Compilation made;
  made.end.exited = true;
  made.end.err = head.at("err");
  made.end.out = head.at("out");
  made.missed = head.at("missed").get<std::vector<std::string>>();
  made.object = bytes->substr(end + 1);
  return made;
} catch (const json::exception&) {
  return std::nullopt;  // written by another version
}

void ObjectCache::keep(const std::string& key, std::string_view text, const Compilation& made,
                       fs::file_time_type started) const {
  const auto files = prerequisites(made.rules);
  if (!parts_ || files.empty() || !made.end.success() || asks_for_more(text)) return;
  json head = {
      {"files", json::object()}, {"err", made.end.err}, {"out", made.end.out}, {"missed", made.missed}};
  const auto installed = toolchain_.folders();
  for (const std::string& file : files) {
    if (is_installed(file, installed)) continue;  // the key names the compilers
    const auto content = read_file(file, BuildSandbox::kFileBytes);
    std::error_code problem;
    if (!content || fs::last_write_time(file, problem) >= started - kClockTick) return;
    if (asks_for_more(*content)) return;
    head["files"][file] = damage_digest(*content);
  }
  // A disk without room costs only the next run's time.
  (void)parts_->keep_part(key,
                          head.dump(-1, ' ', false, json::error_handler_t::replace) + "\n" + made.object);
}

}  // namespace cudalabs
