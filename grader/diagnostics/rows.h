#pragma once
// Makes the rows of a section of the table of messages: grader/diagnostics/messages/<section>.h includes its
// .def between these. A row is a constant that is called with its arguments, `msg::race_between_warps(name,
// "tile.cu")`, and gives a Message.

#include "grader/base/message.h"

#define CUDALABS_MESSAGE(id, kind, parameters, english)   \
  inline constexpr TypedRow<signature_of(parameters)> id{ \
      {#id, RowKind::kind, parameters, signature_of(parameters), english}};
