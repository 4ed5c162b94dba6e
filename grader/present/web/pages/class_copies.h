#pragma once
// The part of a class's page for its staff that names students with similar files.

#include "grader/present/web/html.h"
#include "grader/present/web/pages/class_page.h"

namespace cudalabs {

/// Identical files, groups of similar ones, and files like the reference solution.
html::Html copies_section(const ClassPage& page);

}  // namespace cudalabs
