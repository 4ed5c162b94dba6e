#pragma once
// The frame of every page: a document without external resources, in which the browser permits nothing else.

#include <string_view>

#include "grader/present/web/html.h"

namespace cudalabs::html {

/// A whole document. `title` is text, `style` is CSS. The Content-Security-Policy allows this style sheet by
/// its hash and nothing else: no script, no `style` attribute, no URL.
Html document(std::string_view title, Piece style, const Html& body);

/// The Content-Security-Policy for a page with this style sheet.
Html security_policy(std::string_view style);

/// The style of all pages: colours in light and dark mode, headings, tables, code. It precedes a page's own
/// style.
Piece base_style();

}  // namespace cudalabs::html
