#include "grader/diagnostics/catalogue.h"

#include <vector>

#include "grader/base/text.h"
#include "grader/diagnostics/message_table.h"
#include "grader/diagnostics/po_file.h"

namespace cudalabs {
namespace {

constexpr const char* kTemplateLanguage = "en";

Diagnostic no_such_row(const std::string& id, const Location& where) {
  std::vector<std::string> ids;
  for (const MessageRow* row : all_rows()) ids.emplace_back(row->id);
  return {where, "there is no message '" + id + "'" + did_you_mean(id, ids),
          "`grader explain --messages` lists the messages"};
}

}  // namespace

Result<void> Catalogue::add(std::map<Key, std::unique_ptr<MessageTemplate>>& into, const std::string& id,
                            const std::string& language, const std::string& text, const Location& where) {
  const MessageRow* const row = find_row(id);
  if (row == nullptr) return no_such_row(id, where);
  std::string problem;
  auto read = MessageTemplate::read(text, row->parameters, problem);
  if (read == nullptr) {
    return Diagnostic{where, "message '" + id + "': " + problem,
                      *row->parameters == '\0' ? std::string("this message has no arguments")
                                               : std::string("its arguments are ") + row->parameters};
  }
  into[{language, id}] = std::move(read);
  return {};
}

Result<void> Catalogue::add_translations(std::string_view po, const std::string& language,
                                         const std::string& name) {
  const auto rows = read_po(po, name);
  if (!rows) return rows.problem();
  for (const PoRow& row : *rows) {
    const Location where{name, row.line, 0};
    if (translations_.contains({language, row.id}))
      return Diagnostic{where, "message '" + row.id + "' is here twice", "remove one of the two rows"};
    if (auto added = add(translations_, row.id, language, row.text, where); !added) return added;
  }
  return {};
}

Result<void> Catalogue::reword(const std::string& id, const std::string& language, const std::string& text,
                               const Location& where) {
  return add(own_, id, language, text, where);
}

bool Catalogue::has(std::string_view id, const std::string& language) const {
  const Key key{language, std::string(id)};
  return language == kTemplateLanguage || translations_.contains(key) || own_.contains(key);
}

std::string Catalogue::render(const Message& message, const std::string& language,
                              const MessageTemplate::Inside& inside) const {
  const MessageRow& row = message.row();
  const auto find = [&](const auto& templates, const std::string& in) {
    const auto found = templates.find({in, row.id});
    return found == templates.end() ? nullptr : found->second.get();
  };
  const MessageTemplate* known = find(own_, language);
  if (known == nullptr) known = find(translations_, language);
  std::string in = language;
  std::unique_ptr<MessageTemplate> english;
  if (known == nullptr) {
    in = kTemplateLanguage;
    known = find(own_, in);
  }
  if (known == nullptr) {
    std::string problem;
    english = MessageTemplate::read(row.english, row.parameters, problem);
    if (english == nullptr) return row.english;  // the tests read each row
    known = english.get();
  }
  return known->render(row, message.arguments(), counting_rules(in), inside);
}

}  // namespace cudalabs
