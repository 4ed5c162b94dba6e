#pragma once
// The templates of messages by language: those of the table, those of its translations, and those by which a
// course words a message its own way.

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "grader/base/message_template.h"
#include "grader/base/result.h"

namespace cudalabs {

class Catalogue {
 public:
  /// Takes in a file of translations (messages/<language>/*.po).
  /// Errors: a row that there is not, or is there twice; a template with a mistake.
  Result<void> add_translations(std::string_view po, const std::string& language, const std::string& name);

  /// Words a message otherwise from now on. `where`: of the text, for errors, which are as above.
  Result<void> reword(const std::string& id, const std::string& language, const std::string& text,
                      const Location& where);

  /// A message in a language; where the language has no row for it, in English.
  [[nodiscard]] std::string render(const Message& message, const std::string& language,
                                   const MessageTemplate::Inside& inside) const;
  [[nodiscard]] bool has(std::string_view id, const std::string& language) const;

 private:
  using Key = std::pair<std::string, std::string>;  ///< language and id
  Result<void> add(std::map<Key, std::unique_ptr<MessageTemplate>>& into, const std::string& id,
                   const std::string& language, const std::string& text, const Location& where);

  std::map<Key, std::unique_ptr<MessageTemplate>> translations_, own_;
};

}  // namespace cudalabs
