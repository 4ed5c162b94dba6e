#include "grader/diagnostics/catalogue.h"

#include <vector>

#include "grader/base/text.h"
#include "grader/diagnostics/message_table.h"
#include "grader/diagnostics/messages/course.h"
#include "grader/diagnostics/po_file.h"

namespace cudalabs {
namespace {

constexpr const char* kTemplateLanguage = "en";

}  // namespace

Result<std::unique_ptr<MessageTemplate>> read_template(const std::string& id, const std::string& text,
                                                       const Location& where) {
  const MessageRow* const row = find_row(id);
  if (row == nullptr) {
    std::vector<std::string> ids;
    for (const MessageRow* known : all_rows()) ids.emplace_back(known->id);
    return Diagnostic{where, msg::unknown_message(id, suggestion(id, ids)), msg::how_to_list_messages()};
  }
  std::string problem;
  auto read = MessageTemplate::read(text, row->parameters, problem);
  if (read != nullptr) return read;
  return Diagnostic{where, msg::own_words_wrong(id, problem),
                    row->signature.count == 0 ? msg::message_without_arguments()
                                              : msg::arguments_of_message(row->parameters)};
}

Result<void> Catalogue::add_translations(std::string_view po, const std::string& language,
                                         const std::string& name) {
  const auto rows = read_po(po, name);
  if (!rows) return rows.problem();
  for (const PoRow& row : *rows) {
    const Location where{name, row.line, 0};
    if (translations_.contains({language, row.id}))
      return Diagnostic{where, msg::message_translated_twice(row.id), msg::remove_one_of_two_rows()};
    auto read = read_template(row.id, row.text, where);
    if (!read) return read.problem();
    translations_[{language, row.id}] = std::move(*read);
  }
  return {};
}

Result<void> Catalogue::reword(const std::string& id, const std::string& language, const std::string& text,
                               const Location& where) {
  auto read = read_template(id, text, where);
  if (!read) return read.problem();
  own_[{language, id}].push_back(std::move(*read));
  return {};
}

void Catalogue::forget(const std::string& id, const std::string& language) {
  const auto found = own_.find({language, id});
  found->second.pop_back();
  if (found->second.empty()) own_.erase(found);
}

bool Catalogue::has(std::string_view id, const std::string& language) const {
  const Key key{language, std::string(id)};
  return language == kTemplateLanguage || translations_.contains(key) || own_.contains(key);
}

std::string Catalogue::render(const Message& message, const std::string& language,
                              const MessageTemplate::Inside& inside) const {
  const MessageRow& row = message.row();
  const auto own = [&](const std::string& in) {
    const auto found = own_.find({in, row.id});
    return found == own_.end() ? nullptr : found->second.back().get();
  };
  const MessageTemplate* known = own(language);
  if (const auto found = translations_.find({language, row.id});
      known == nullptr && found != translations_.end())
    known = found->second.get();
  std::string in = language;
  std::unique_ptr<MessageTemplate> english;
  if (known == nullptr) {
    in = kTemplateLanguage;
    known = own(in);
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
