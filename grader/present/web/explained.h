#pragma once
// `grader explain --html`: one HTML page without scripts, fonts, images or network access.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/present/explain/document.h"
#include "grader/present/web/html.h"

namespace cudalabs::explain {

std::string html_page(const Document& document);

// The bank map, for use on other pages.
/// One row for each turn of the banks. `label` names it.
html::Html bank_table(const BankMap& map, std::string_view label);
int turn_heat(std::size_t turn);               ///< 0 to 3, for classes of the style sheet
std::string short_lanes(std::uint32_t lanes);  ///< "4": one lane; "4+": the first of several

}  // namespace cudalabs::explain
