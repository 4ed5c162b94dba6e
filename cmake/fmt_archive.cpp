// fmt, compiled once. Distributions ship it as a shared library, which a grader that was copied elsewhere would
// miss, and as headers alone, which cost five seconds in every file that formats anything.
#include <fmt/format-inl.h>

// What fmt/format.h declares as instantiated elsewhere.
template auto fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref)
    -> fmt::detail::thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl<char>(fmt::detail::locale_ref) -> char;
