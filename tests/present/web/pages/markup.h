#pragma once
// Reads a page as strictly as our own pages are written: whatever else it holds came from a submission.

#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::test {

/// What is wrong with the page, a line each; empty if nothing is. Every element and attribute must be one
/// that our pages use, closed where it must be; links stay on the page or lead to another one of its class;
/// ids are unique, and what refers to one finds it; the only script is ours; the text is UTF-8 without
/// control characters.
std::vector<std::string> faults_of(std::string_view page);

/// The cells of the table with this caption, row by row, as text: markup taken out, entities resolved.
/// Throws if there is none.
std::vector<std::vector<std::string>> table_of(std::string_view page, std::string_view caption);

/// Texts of all <text> elements in the figure with this id.
std::vector<std::string> labels_of(std::string_view page, std::string_view id);

}  // namespace cudalabs::test
