#include "grader/diagnostics/json.h"

#include <nlohmann/json.hpp>

#include "grader/diagnostics/message_table.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kMaxDepth = 6;

/// The names of a row's parameters, in their order.
std::vector<std::string> names_of(const MessageRow& row) {
  std::vector<std::string> names;
  std::string_view rest = row.parameters;
  while (!rest.empty()) {
    names.emplace_back(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
  }
  return names;
}

Json json_of(const Argument& argument) {
  if (const auto* list = std::get_if<Messages>(&argument)) return cudalabs::json_of(*list);
  if (const auto* text = std::get_if<std::string>(&argument)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&argument)) return *whole;
  return std::get<double>(argument);
}

std::optional<Messages> list_of(const Json& json, int depth);

std::optional<Argument> argument_of(const Json& json, ArgumentKind kind, int depth) {
  switch (kind) {
    case ArgumentKind::Text:
    case ArgumentKind::Words:
      if (json.is_string()) return Argument(json.get<std::string>());
      break;
    case ArgumentKind::Integer:
      if (json.is_number_integer()) return Argument(json.get<std::int64_t>());
      break;
    case ArgumentKind::Real:
      if (json.is_number()) return Argument(json.get<double>());
      break;
    case ArgumentKind::List:
      if (auto list = list_of(json, depth + 1)) return Argument(std::move(*list));
      break;
  }
  return std::nullopt;
}

std::optional<Message> message_of(const Json& json, int depth) {
  if (!json.is_object() || !json.contains("id") || !json["id"].is_string()) return std::nullopt;
  const MessageRow* const row = find_row(json["id"].get<std::string>());
  if (row == nullptr) return std::nullopt;
  const Json arguments = json.contains("arguments") ? json["arguments"] : Json::object();
  const std::vector<std::string> names = names_of(*row);
  if (!arguments.is_object() || arguments.size() != names.size()) return std::nullopt;
  std::vector<Argument> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = arguments.find(names[i]);
    if (found == arguments.end()) return std::nullopt;
    auto value = argument_of(*found, row->signature.kinds[i], depth);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return Message(*row, std::move(values));
}

std::optional<Messages> list_of(const Json& json, int depth) {
  if (!json.is_array() || depth > kMaxDepth) return std::nullopt;
  Messages all;
  for (const Json& one : json) {
    auto message = message_of(one, depth);
    if (!message) return std::nullopt;
    all.add(std::move(*message));
  }
  return all;
}

}  // namespace

Json json_of(const Messages& messages) {
  Json all = Json::array();
  for (const Message& message : messages) {
    const std::vector<std::string> names = names_of(message.row());
    Json arguments = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) arguments[names[i]] = json_of(message.arguments()[i]);
    all.push_back({{"id", message.id()}, {"arguments", std::move(arguments)}});
  }
  return all;
}

std::optional<Messages> messages_of(const Json& json) { return list_of(json, 0); }

}  // namespace cudalabs
