#include "grader/toolchain/build_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "grader/base/fd.h"
#include "grader/base/log/log.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/json.h"
#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t kMaxEntries = 256;  // each is a program of two or three megabytes
constexpr std::size_t kMaxInUse = 4096;
constexpr std::chrono::minutes kInUse{10};  // longer than a submission may take
constexpr std::size_t kMaxFile = std::size_t{256} << 20;

json to_json(const CompilerMessage& m) {
  return {{"file", m.file},
          {"line", m.line},
          {"column", m.column},
          {"kind", static_cast<int>(m.kind)},
          {"text", json_of(m.text)},
          {"source", m.source},
          {"advice", json_of(m.advice)}};
}

/// Nothing for messages by another version of the grader: the entry is then built again.
Messages messages_at(const json& j, const char* key) {
  auto known = messages_of(j.at(key));
  if (!known) throw json::other_error::create(0, key, &j);
  return *std::move(known);
}

CompilerMessage message_from(const json& j) {
  return {j.at("file"),
          j.at("line"),
          j.at("column"),
          static_cast<MessageKind>(j.at("kind").get<int>()),
          messages_at(j, "text"),
          j.at("source"),
          messages_at(j, "advice")};
}

std::string written(const BuildOutcome& outcome, const std::string& program_digest) {
  json j = {{"status", static_cast<int>(outcome.status)},
            {"sentence", json_of(outcome.sentence)},
            {"program", program_digest},
            {"errors_left_out", outcome.errors_left_out},
            {"errors", json::array()},
            {"warnings", json::array()},
            {"entries", json::array()}};
  for (const auto& message : outcome.errors) j["errors"].push_back(to_json(message));
  for (const auto& message : outcome.warnings) j["warnings"].push_back(to_json(message));
  for (const auto& entry : outcome.entries) {
    j["entries"].push_back({{"version", entry.version},
                            {"entry", entry.entry},
                            {"defined", entry.defined},
                            {"near_miss", json_of(entry.near_miss)}});
  }
  // The student's lines may not be UTF-8.
  return j.dump(1, ' ', false, json::error_handler_t::replace);
}

struct Entry {
  BuildOutcome outcome;
  std::string program_digest;
};

std::optional<Entry> entry_from(const std::string& text) try {
  const json j = json::parse(text);
  Entry entry;
  entry.program_digest = j.at("program");
  BuildOutcome& outcome = entry.outcome;
  outcome.status = static_cast<BuildStatus>(j.at("status").get<int>());
  outcome.sentence = messages_at(j, "sentence");
  outcome.errors_left_out = j.at("errors_left_out");
  for (const auto& message : j.at("errors")) outcome.errors.push_back(message_from(message));
  for (const auto& message : j.at("warnings")) outcome.warnings.push_back(message_from(message));
  for (const auto& e : j.at("entries")) {
    const Messages near = messages_at(e, "near_miss");
    outcome.entries.push_back(
        {e.at("version"), e.at("entry"), e.at("defined"), near.empty() ? Message() : near[0]});
  }
  return entry;
} catch (const json::exception&) {
  return std::nullopt;  // written by another version: build again
}

}  // namespace

Result<fs::path> default_build_cache() {
  auto root = cache_folder();
  if (!root) return root.problem();
  return *root / "build";
}

Result<BuildCache> BuildCache::open(const fs::path& folder) {
  if (auto made = make_private_folder(folder); !made) return made.problem();
  return BuildCache(folder);
}

std::optional<BuildOutcome> BuildCache::find(const std::string& key) const {
  auto known = read(key);
  logging::debug(logging::Stage::Cache,
                 [&] { return "build " + key + (known ? ": found" : ": not there, or damaged"); });
  return known;
}

std::optional<BuildOutcome> BuildCache::read(const std::string& key) const {
  const fs::path entry = folder_ / key;
  std::error_code problem;
  if (!fs::is_directory(entry, problem)) return std::nullopt;
  auto bytes = read_file(entry / "outcome.json", kMaxFile);
  const auto text = bytes ? unsealed(std::move(*bytes)) : std::nullopt;
  auto known = text ? entry_from(*text) : std::nullopt;
  if (!known) return std::nullopt;
  if (known->outcome.status == BuildStatus::Ok) {
    known->outcome.executable = entry / "program";
    if (!fs::is_regular_file(known->outcome.executable, problem)) return std::nullopt;
    // A damaged program would crash or answer wrongly, and the student would be blamed.
    const auto digest = damage_digest_of(known->outcome.executable);
    if (!digest || *digest != known->program_digest) return std::nullopt;
  }
  // marks it as recently used, so that it is not removed next
  ::utimensat(AT_FDCWD, entry.c_str(), nullptr, 0);
  known->outcome.cached = true;
  return std::move(known->outcome);
}

Result<BuildOutcome> BuildCache::keep(const std::string& key, BuildOutcome outcome,
                                      std::string_view program) const {
  logging::debug(logging::Stage::Cache, [&] { return "build " + key + ": kept"; });
  std::string pattern = (folder_ / ".new-XXXXXX").string();
  const auto refused = [this](std::error_code why) {
    return error(msg::build_cache_not_writable(folder_.string(), why.message()),
                 room_hint(why.value(), folder_));
  };
  if (!::mkdtemp(pattern.data())) return refused({errno, std::generic_category()});
  const fs::path fresh = pattern;
  const auto put = [&](const char* name, std::string_view bytes) {
    return write_file_atomically(fresh / name, bytes);
  };
  std::error_code problem, ignored;
  auto whole = put("outcome.json", sealed(written(outcome, damage_digest(program))));
  if (whole && outcome.status == BuildStatus::Ok) {
    whole = put("program", program);
    // Everybody can read it, but only we can enter its folder: the submission's own user runs it by
    // descriptor.
    ::chmod((fresh / "program").c_str(), 0755);
    outcome.executable = folder_ / key / "program";
  }
  if (whole) fs::rename(fresh, folder_ / key, problem);
  // Another grader may have stored the same entry first, or a damaged entry is in the way.
  if (problem && find(key)) problem.clear();
  if (problem) {
    fs::remove_all(folder_ / key, ignored);
    fs::rename(fresh, folder_ / key, problem);
  }
  fs::remove_all(fresh, ignored);
  if (!whole) return whole.problem();
  if (problem) return refused(problem);
  prune();
  return outcome;
}

std::optional<std::string> BuildCache::find_part(const std::string& key) const {
  const fs::path part = folder_ / (key + ".part");
  auto bytes = read_file(part, kMaxFile);
  if (!bytes) return std::nullopt;
  ::utimensat(AT_FDCWD, part.c_str(), nullptr, 0);  // recently used, as in find()
  return unsealed(std::move(*bytes));
}

Result<void> BuildCache::keep_part(const std::string& key, std::string_view bytes) const {
  auto kept = write_file_atomically(folder_ / (key + ".part"), sealed(bytes));
  prune();
  return kept;
}

void BuildCache::prune() const {
  // One grader prunes at a time: two would remove twice as much. An entry is renamed first and then removed,
  // so a concurrent reader finds the whole entry or nothing.
  const UniqueFd lock(::open((folder_ / ".prune").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  auto entries = by_age(folder_);
  if (entries.size() <= kMaxEntries) return;
  const bool can_wait = entries.size() <= kMaxInUse;
  entries.resize(entries.size() - kMaxEntries * 3 / 4);
  // Another grader may be about to start a program that was used just now.
  if (can_wait) {
    const auto now = fs::file_time_type::clock::now();
    std::erase_if(entries, [&](const auto& entry) { return now - entry.first < kInUse; });
  }
  std::error_code problem;
  for (const auto& [when, path] : entries) {
    const fs::path going = folder_ / (".old-" + path.filename().string());
    fs::rename(path, going, problem);
    fs::remove_all(problem ? path : going, problem);
  }
}

}  // namespace cudalabs
