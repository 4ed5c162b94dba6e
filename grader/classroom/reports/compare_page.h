#pragma once
// The page that shows two similar files side by side.

#include <span>
#include <string>
#include <string_view>

namespace cudalabs {

struct ComparedFile {
  std::string title;  ///< the student, or "the reference solution"
  std::string_view source;
};

/// The whole document, UTF-8, without scripts. `share`: of the code in common. Sources are untrusted: they
/// are escaped and cut to a bounded length.
std::string compare_page(const ComparedFile& left, const ComparedFile& right, double share,
                         std::span<const std::string_view> handed_out);

}  // namespace cudalabs
