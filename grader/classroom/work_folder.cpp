#include "grader/classroom/work_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/base/parse_number.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/json.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxOrderBytes = 1 << 20;
constexpr std::size_t kMaxResultBytes = 256 << 20;

std::string written(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Diagnostic damaged(const fs::path& file, const std::string& why) {
  return {{file.string(), 0, 0}, msg::work_file_damaged(why), msg::remove_damaged_file()};
}

Diagnostic cannot_be_made(const fs::path& folder, std::error_code why) {
  return {
      {folder.string(), 0, 0}, msg::cannot_be_made(why.message()), {}, is_infrastructure_error(why.value())};
}

}  // namespace

Result<WorkFolder> WorkFolder::open(const fs::path& folder) {
  WorkFolder work(folder);
  for (const char* part : {"sources", "results"}) {
    std::error_code problem;
    fs::create_directories(folder / part, problem);
    if (problem) return cannot_be_made(folder / part, problem);
  }
  return work;
}

Result<void> WorkFolder::write_order(const WorkOrder& order) const {
  const Json json = {{"run", order.run},
                     {"lab", order.lab},
                     {"variant", order.variant},
                     {"course", order.course},
                     {"seed_policy", order.seed_policy},
                     {"device", order.device},
                     {"compiler", order.compiler},
                     {"engine", order.engine},
                     {"language", order.language},
                     {"profile", order.profile},
                     {"versions", order.versions},
                     {"require_sandbox", order.require_sandbox},
                     {"run_again", order.run_again},
                     {"stats", order.stats}};
  return write_file_atomically(folder_ / "order.json", written(json));
}

Result<WorkOrder> WorkFolder::order() const {
  const fs::path file = folder_ / "order.json";
  auto text = read_file(file, kMaxOrderBytes);
  if (!text) return text.problem();
  try {
    const Json json = Json::parse(*text);
    WorkOrder order;
    order.run = json.at("run").get<std::int64_t>();
    const std::pair<const char*, std::string*> words[] = {
        {"lab", &order.lab},        {"variant", &order.variant},   {"course", &order.course},
        {"device", &order.device},  {"compiler", &order.compiler}, {"engine", &order.engine},
        {"profile", &order.profile}};
    for (const auto& [key, word] : words) *word = json.at(key).get<std::string>();
    order.seed_policy = json.value("seed_policy", order.seed_policy);
    order.language = json.value("language", order.language);
    order.require_sandbox = json.value("require_sandbox", order.require_sandbox);
    order.run_again = json.value("run_again", order.run_again);
    order.stats = json.value("stats", order.stats);
    order.versions = json.at("versions").get<std::vector<std::string>>();
    return order;
  } catch (const Json::exception& wrong) {
    return damaged(file, wrong.what());
  }
}

Result<void> WorkFolder::lay_out(const std::string& source, const Submission& submission,
                                 const std::string& seed) const {
  const fs::path place = folder_ / "sources" / source;
  std::error_code problem;
  fs::create_directories(place, problem);
  if (problem) return cannot_be_made(place, problem);
  for (const SourceFile& header : submission.headers) {
    if (auto written = write_file_atomically(place / header.name, header.content); !written) return written;
  }
  if (auto written = write_file_atomically(place / submission.source.name, submission.source.content);
      !written)
    return written;
  if (auto written = write_file_atomically(place / ".seed", seed); !written) return written;
  return write_file_atomically(place / ".name", submission.source.name);
}

Result<WorkFolder::LaidOut> WorkFolder::laid_out(const std::string& source) const {
  const fs::path place = folder_ / "sources" / source;
  const auto name = read_file(place / ".name", 4096);
  if (!name) return name.problem();
  const auto seed = read_file(place / ".seed", 4096);
  if (!seed) return seed.problem();
  const auto number = parse_number<std::uint64_t>(*seed);
  if (!number) return damaged(place / ".seed", *seed);
  return LaidOut{place / *name, *number};
}

fs::path WorkFolder::result_file(const std::string& source) const {
  return folder_ / "results" / (source + ".json");
}

Result<void> WorkFolder::write_result(const WorkResult& result) const {
  Json json = {{"run", result.run}, {"source", result.source}, {"failure", json_of(result.failure)}};
  json["body"] = result.body;
  if (!result.stats.empty()) json["stats"] = result.stats;
  return write_file_atomically(result_file(result.source), written(json));
}

Result<std::optional<WorkResult>> WorkFolder::result(const std::string& source) const {
  const fs::path file = result_file(source);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::optional<WorkResult>();
  auto text = read_file(file, kMaxResultBytes);
  if (!text) return text.problem();
  try {
    const Json json = Json::parse(*text);
    auto failure = messages_of(json.at("failure"));
    if (!failure) return damaged(file, "failure");
    WorkResult result{json.at("run").get<std::int64_t>(), json.at("source").get<std::string>(),
                      json.at("body").get<std::string>(), std::move(*failure),
                      json.value("stats", std::string())};
    return std::optional(std::move(result));
  } catch (const Json::exception& wrong) {
    return damaged(file, wrong.what());
  }
}

std::vector<std::string> WorkFolder::finished() const {
  std::vector<std::string> sources;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder_ / "results", problem)) {
    if (entry.path().extension() == ".json") sources.push_back(entry.path().stem().string());
  }
  std::ranges::sort(sources);
  return sources;
}

void WorkFolder::remove_result(const std::string& source) const {
  std::error_code ignored;
  fs::remove(result_file(source), ignored);
}

void WorkFolder::clear_sources() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_ / "sources", ignored)) {
    std::error_code busy;
    fs::remove_all(entry.path(), busy);
  }
}

}  // namespace cudalabs
