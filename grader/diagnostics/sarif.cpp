#include "grader/diagnostics/sarif.h"

#include <cctype>
#include <filesystem>

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

/// A path as part of a URI: other characters are percent-encoded.
std::string address_of(const std::string& path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out = std::filesystem::path(path).is_absolute() ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0 || std::string_view("/._-~").find(c) != std::string::npos)) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

const char* spelling(SarifLevel level) {
  return level == SarifLevel::Error ? "error" : level == SarifLevel::Warning ? "warning" : "note";
}

}  // namespace

SarifRule sarif_rule(const Message& message, std::string category) {
  return {std::string(message.id()), message.row().english, std::move(category)};
}

Json sarif_location(const Location& where, const std::string& what) {
  Json location = {{"physicalLocation", {{"artifactLocation", {{"uri", address_of(where.file)}}}}}};
  if (where.line > 0) {
    Json& region = location["physicalLocation"]["region"];
    region["startLine"] = where.line;
    if (where.column > 0) region["startColumn"] = where.column;
  }
  if (!what.empty()) location["message"]["text"] = what;
  return location;
}

Json& SarifDocument::add(const SarifRule& rule, SarifLevel level, const std::string& text) {
  if (listed_.insert(rule.id).second) {
    Json one = {{"id", rule.id}, {"shortDescription", {{"text", rule.about}}}};
    if (!rule.category.empty()) one["properties"]["category"] = rule.category;
    rules_.push_back(std::move(one));
  }
  results_.push_back({{"ruleId", rule.id}, {"level", spelling(level)}, {"message", {{"text", text}}}});
  return results_.back();
}

std::string SarifDocument::text(const std::string& version) const {
  const Json driver = {{"name", "cuda-labs"}, {"semanticVersion", version}, {"rules", rules_}};
  const Json run = {{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", results_}};
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({run})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cudalabs
