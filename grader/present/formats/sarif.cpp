#include "grader/present/formats/sarif.h"

#include "grader/diagnostics/json.h"
#include "grader/diagnostics/sarif.h"
#include "grader/present/formats/parts.h"
#include "grader/present/losses.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxArgument = 400;

/// Cuts the texts of arguments, in which there may be what a submission or a compiler wrote.
void bound(Json& json) {
  if (json.is_string()) {
    json = plain(json.get<std::string>(), kMaxArgument);
  } else if (json.is_structured()) {
    for (Json& inner : json) bound(inner);
  }
}

SarifLevel level_of(const Loss& loss, const Message& cause) {
  if (cause.row().kind == RowKind::Note) return SarifLevel::Note;
  return loss.wrong ? SarifLevel::Error : SarifLevel::Warning;
}

std::string text_of(const LostPoints& lost) {
  const std::string advice = lost.advice.empty() ? "" : ". " + lost.advice.english();
  return plain(lost.reason.english() + advice, kMaxMessage);
}

}  // namespace

std::string sarif_report(const GradeResult& result) {
  SarifDocument document;
  for (const Loss& loss : losses_of(result)) {
    const LostPoints& lost = *loss.first;
    const Message& cause = cause_of(lost.reason);
    if (cause.empty()) continue;
    Json& one = document.add(sarif_rule(cause), level_of(loss, cause), text_of(lost));
    Location where = lost.where;
    where.file = path_of(result, where.file.empty() ? result.file : where.file);
    one["locations"].push_back(sarif_location(where));
    Json arguments = json_of(cause)[0]["arguments"];
    bound(arguments);
    one["properties"] = {{"part", lost.part},
                         {"points", loss.points},
                         {"versions", loss.versions},
                         {"case", plain(lost.case_name, kMaxArgument)},
                         {"arguments", std::move(arguments)}};
  }
  return document.text(result.nondeterministic.grader_version);
}

}  // namespace cudalabs
