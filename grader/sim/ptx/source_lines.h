#pragma once
// Source locations from `.file`, `.loc` and `.debug_str`. nvcc writes the `.file` lines at the end of the
// text, after their use, so numbers are converted to indices when everything is read.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

class SourceLines {
 public:
  struct Position {
    std::uint64_t file = 0;  ///< its number in `.file`
    std::uint32_t line = 0, column = 0;
    auto operator<=>(const Position&) const = default;
  };

  SourceLines();

  void add_file(std::uint64_t number, std::string_view path);
  /// Clears the last line: lines do not continue from one function into the next.
  void begin_function();
  /// Processes a `.loc`. `function_label` and `function_offset` refer to a string in .debug_str; `inlined_at`
  /// is null if the line is not inlined. Returns the location now in force; line 0 keeps the previous one, as
  /// moved.
  LocId add_loc(const Position& position, std::string_view function_label, std::int64_t function_offset,
                const Position* inlined_at);

  void add_string_label(std::string_view label);
  void add_string_byte(std::uint8_t byte);

  /// "row_max.cu:57" for a location of this object, as far as the files are known.
  [[nodiscard]] std::string place(LocId loc) const;
  /// Moves the files and locations to the module, with numbers resolved to indices and labels to names.
  void finish(Module& module);

 private:
  struct Entry {
    Position position;
    std::string_view function_label;
    std::int64_t function_offset = 0;
    LocId inlined_at = 0;
    bool moved = false;
  };
  LocId intern(const Entry& entry);
  [[nodiscard]] std::string string_at(std::string_view label, std::int64_t offset) const;

  std::map<std::uint64_t, std::string> files_;
  std::vector<Entry> entries_;  ///< [0] is unknown
  std::map<std::tuple<Position, std::string_view, std::int64_t, LocId, bool>, LocId> interned_;
  std::map<Position, LocId> last_at_;  ///< in this function: targets of `inlined_at`
  LocId current_ = 0;
  std::string strings_;
  std::unordered_map<std::string_view, std::size_t> string_labels_;
};

}  // namespace cudalabs::ptx
