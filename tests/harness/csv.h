#pragma once
// Parses comma-separated values, as Nsight Compute writes its counters.

#include <istream>
#include <map>
#include <string>
#include <vector>

#include "tests/harness/catch.h"

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

/// The cells below a line of names, by line and name. Each line must have as many fields.
inline std::vector<std::map<std::string, std::string>> csv_rows(std::istream& csv) {
  std::string line;
  std::getline(csv, line);
  const std::vector<std::string> names = csv_fields(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(csv, line)) {
    const std::vector<std::string> values = csv_fields(line);
    REQUIRE(values.size() == names.size());
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
  }
  return rows;
}
