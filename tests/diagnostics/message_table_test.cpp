// The rows of the table: each can be read, in each language, and is what its kind says.

#include "grader/diagnostics/message_table.h"

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "grader/base/message_template.h"
#include "grader/diagnostics/catalogue.h"
#include "grader/diagnostics/embedded_tables.h"
#include "grader/diagnostics/json.h"
#include "tests/harness/catch.h"

namespace cudalabs {

TEST_CASE("ids are words of their own, and rows are found by them") {
  static const std::regex id("[a-z][a-z0-9_]*");
  std::set<std::string> ids;
  for (const MessageRow* row : all_rows()) {
    INFO(row->id);
    CHECK(std::regex_match(row->id, id));
    CHECK(ids.insert(row->id).second);
    CHECK(find_row(row->id) == row);
  }
  CHECK(find_row("no_such_row") == nullptr);
  CHECK(find_row("") == nullptr);
}

TEST_CASE("each template can be read") {
  for (const MessageRow* row : all_rows()) {
    INFO(row->id);
    std::string problem;
    CHECK(MessageTemplate::read(row->english, row->parameters, problem) != nullptr);
    CHECK(problem == "");
  }
}

TEST_CASE("statements have no full stop, and advice has one") {
  for (const MessageRow* row : all_rows()) {
    const std::string_view text = row->english;
    INFO(row->id << ": " << text);
    if (row->kind == RowKind::Advice)
      CHECK((text.ends_with('.') || text.ends_with('}')));
    else
      CHECK_FALSE(text.ends_with('.'));
  }
}

TEST_CASE("every translation is of a row, and every row has its translation") {
  std::set<std::string> languages;
  Catalogue catalogue;
  for (const EmbeddedTable& file : embedded_messages()) {
    const auto added =
        catalogue.add_translations(file.po, std::string(file.language), std::string(file.file));
    if (!added.ok()) FAIL(added.problem().text());
    languages.insert(std::string(file.language));
  }
  CHECK(languages.contains("ru"));
  for (const std::string& language : languages) {
    for (const MessageRow* row : all_rows()) {
      if (row == &kVerbatim || row == &kCourseText) continue;
      INFO(language << ": " << row->id);
      CHECK(catalogue.has(row->id, language));
    }
  }
}

TEST_CASE("messages come back from their JSON, and others are refused") {
  std::vector<Argument> arguments;
  arguments.emplace_back(std::int64_t{12});
  Messages all = Message(kFewBytes, std::move(arguments));
  all.add(verbatim("by a compiler"));
  const auto json = json_of(all);
  CHECK(
      json.dump() ==
      R"([{"id":"few_bytes","arguments":{"count":12}},{"id":"verbatim","arguments":{"text":"by a compiler"}}])");
  CHECK(messages_of(json) == all);
  for (const char* wrong :
       {R"([{"id":"no_such_row","arguments":{}}])", R"([{"id":"few_bytes","arguments":{}}])",
        R"([{"id":"few_bytes","arguments":{"count":"12"}}])",
        R"([{"id":"few_bytes","arguments":{"other":12}}])", R"([{"id":7}])", R"([7])", R"({})", "7"})
    CHECK_FALSE(messages_of(nlohmann::ordered_json::parse(wrong)));
}

}  // namespace cudalabs
