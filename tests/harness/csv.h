#pragma once
// Parses comma-separated values, as Nsight Compute writes its counters.

#include <string>
#include <vector>

/// The fields of a line. Quoted fields may contain commas, and the line may end in CR LF.
inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}
