#pragma once
// The frame of every page: a document that needs nothing else, and that a browser lets do nothing else.

#include <string>
#include <string_view>

namespace cudalabs::html {

/// A whole document. `title` is text; `style` and `body` are CSS and markup of our own. The
/// Content-Security-Policy allows this style sheet, by its hash, and nothing else: no script, no
/// `style` attribute, no address.
std::string document(std::string_view title, std::string_view style, std::string_view body);

/// The policy for a page with this style sheet.
std::string security_policy(std::string_view style);

/// What all pages look like: colours in light and dark, headings, tables, code. Goes before what a page adds.
std::string_view base_style();

}  // namespace cudalabs::html
