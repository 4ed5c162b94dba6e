#pragma once
// Catch2 is version 2 on Debian 12 and version 3 elsewhere: the tests use what both have.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // as version 2 does
#else
#include <catch2/catch.hpp>
#endif
