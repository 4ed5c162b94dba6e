#pragma once
// The frame of every page: a document without external resources, in which the browser permits nothing else.

#include <string_view>

#include "grader/present/web/html.h"

namespace cudalabs::html {

/// A whole document. `title` is text, `style` is CSS, `script` is JavaScript, or empty. The
/// Content-Security-Policy allows this style sheet and this script by their hashes and nothing else: no other
/// script, no `style` attribute, no URL.
Html document(std::string_view title, Piece style, const Html& body, Piece script = "");

/// The Content-Security-Policy for a page with this style sheet and script; an empty one is not allowed.
Html security_policy(std::string_view style, std::string_view script = {});

/// The style of all pages: colours in light and dark mode, headings, tables, code. It precedes a page's own
/// style.
Piece base_style();

}  // namespace cudalabs::html
