#pragma once
// The templates of messages by language: those of the table, those of its translations, and those by which a
// course words a message its own way.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message_template.h"
#include "grader/base/result.h"

namespace cudalabs {

/// Reads a text for a message. Errors: no such message, with the nearest name; a mistake in the template.
Result<std::unique_ptr<MessageTemplate>> read_template(const std::string& id, const std::string& text,
                                                       const Location& where);

class Catalogue {
 public:
  /// Takes in a file of translations (messages/<language>/*.po).
  /// Errors: a row that there is not, or is there twice; a template with a mistake.
  Result<void> add_translations(std::string_view po, const std::string& language, const std::string& name);

  /// Words a message otherwise, until forget(). Of several such texts the last counts. `where`: of the text,
  /// for errors, which are as above.
  Result<void> reword(const std::string& id, const std::string& language, const std::string& text,
                      const Location& where);
  /// Takes back the last reword() of a message in a language.
  void forget(const std::string& id, const std::string& language);

  /// A message in a language; where the language has no row for it, in English.
  [[nodiscard]] std::string render(const Message& message, const std::string& language,
                                   const MessageTemplate::Inside& inside) const;
  [[nodiscard]] bool has(std::string_view id, const std::string& language) const;

 private:
  using Key = std::pair<std::string, std::string>;  ///< language and id
  std::map<Key, std::unique_ptr<MessageTemplate>> translations_;
  std::map<Key, std::vector<std::unique_ptr<MessageTemplate>>> own_;  ///< the last one counts
};

}  // namespace cudalabs
