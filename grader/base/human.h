#pragma once
// Numbers as a person reads them, the same in every sentence.

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

std::string human_time(double nanoseconds);    ///< "870 ns", "18.4 us", "2.31 ms", "1.20 s"
std::string human_count(std::uint64_t value);  ///< "1,048,576"
std::string human_bytes(std::uint64_t bytes);  ///< "512 bytes", "4.0 KiB", "1.5 MiB"
std::string human_factor(double factor);       ///< "1.02", "13.4", "8,210": three significant digits
std::string human_tenths(double value);        ///< "0.4", "9.0", "12"
std::string human_points(double points);       ///< "7", "7.5", "7.25"
std::string plural(std::uint64_t count, std::string_view noun);  ///< "1 case", "3 cases"
double round_points(double points);                              ///< rounds to hundredths
std::string base_name(std::string_view path);
std::string utc_time(std::int64_t seconds);  ///< since 1970: "2026-01-31T12:00:00Z"

}  // namespace cudalabs
