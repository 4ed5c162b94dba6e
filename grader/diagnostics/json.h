#pragma once
// Messages in JSON: their ids and arguments, by which other programs count and compare what was said.

#include <nlohmann/json_fwd.hpp>

#include "grader/base/message.h"

namespace cudalabs {

/// [{"id": "element_wrong", "arguments": {"element": "out[3]", ...}}]; arguments that are messages are such
/// lists.
nlohmann::ordered_json json_of(const Messages& messages);

/// The messages that json_of() wrote. Nothing if the document is another one, or names rows or arguments that
/// there are not, such as one by another version of the grader.
std::optional<Messages> messages_of(const nlohmann::ordered_json& json);

}  // namespace cudalabs
