#pragma once
// The sources in the cells of a Jupyter notebook.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

struct NotebookSource {
  std::string name;  ///< plain file name: that of the cell's magic, otherwise "cell_3.cu"
  std::string content;
};

bool is_notebook_name(std::string_view name);

/// The files that cells write by %%writefile or %%file (also with -a), and the cells of %%cuda and similar
/// magics, in order. A later cell replaces the file of an earlier one. Nothing: this is no notebook.
std::optional<std::vector<NotebookSource>> sources_of_notebook(std::string_view text);

}  // namespace cudalabs
