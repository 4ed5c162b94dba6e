#pragma once
// Debian 12 has Catch2 version 2, others version 3: the tests use what both provide.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // as in version 2
#else
#include <catch2/catch.hpp>
#endif
