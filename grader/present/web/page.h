#pragma once
// The frame of every page: a document without external resources, in which the browser permits nothing else.

#include <string>
#include <string_view>

namespace cudalabs::html {

/// A whole document. `title` is text; `style` and `body` are trusted CSS and markup. The
/// Content-Security-Policy allows this style sheet by its hash and nothing else: no script, no `style`
/// attribute, no URL.
std::string document(std::string_view title, std::string_view style, std::string_view body);

/// The Content-Security-Policy for a page with this style sheet.
std::string security_policy(std::string_view style);

/// The style of all pages: colours in light and dark mode, headings, tables, code. It precedes a page's own
/// style.
std::string_view base_style();

}  // namespace cudalabs::html
