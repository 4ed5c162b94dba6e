#pragma once
// SARIF 2.1.0, in which `grader run` and a grading tell editors and code scanning what is wrong and where.

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "grader/base/result.h"

namespace cudalabs {

enum class SarifLevel : std::uint8_t { Error, Warning, Note };

/// A rule: what its results have in common. `id` is that of a message if it has a row.
struct SarifRule {
  std::string id, about;
  std::string category;  ///< what found it, such as a checker's name; may be empty
};

/// The rule of a message: its id and its template.
SarifRule sarif_rule(const Message& message, std::string category = {});

/// A place with what happened there, which may be nothing.
nlohmann::ordered_json sarif_location(const Location& where, const std::string& what = {});

class SarifDocument {
 public:
  /// Adds a result, to which the caller adds locations and properties before the next one.
  nlohmann::ordered_json& add(const SarifRule& rule, SarifLevel level, const std::string& text);

  /// The document; `version` is the grader's.
  [[nodiscard]] std::string text(const std::string& version) const;

 private:
  nlohmann::ordered_json rules_ = nlohmann::ordered_json::array(), results_ = nlohmann::ordered_json::array();
  std::set<std::string> listed_;  ///< the ids of the rules
};

}  // namespace cudalabs
