// Device profiles: the contents of the files, and the error messages for mistakes in them.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "grader/course/device_profile.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

const Course kProfilesCourse{CUDALABS_SOURCE};

std::string text_of(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(kProfilesCourse.root / "configs" / "devices" / (name + ".yaml")).rdbuf();
  return text.str();
}

/// The error message for a100.yaml after one change.
std::string profile_problem_after(const std::string& from, const std::string& to) {
  std::string pattern = fs::temp_directory_path() / "profile_test_XXXXXX";
  const fs::path root = mkdtemp(pattern.data());
  fs::create_directories(root / "configs" / "devices");
  std::string text = text_of("a100");
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  std::ofstream(root / "configs" / "devices" / "card.yaml") << text;
  const auto profile = load_device_profile(Course{root}, "card");
  fs::remove_all(root);
  return profile ? "read without a problem" : profile.problem().text();
}

}  // namespace

TEST_CASE("every profile of the course can be read", "[profile]") {
  const auto names = device_profile_names(kProfilesCourse);
  for (const char* wanted : {"a100", "gtx1080ti", "gtx280", "h100", "h200", "k40c", "rtx2060s"}) {
    CHECK(std::find(names.begin(), names.end(), wanted) != names.end());
  }
  for (const std::string& name : names) {
    const auto profile = load_device_profile(kProfilesCourse, name);
    INFO(name << ": " << (profile ? "" : profile.problem().text()));
    CHECK(profile.ok());
  }
}

TEST_CASE("the built-in profile is the default one's file", "[profile]") {
  const auto profile = load_device_profile(kProfilesCourse, kDefaultProfile);
  REQUIRE(profile.ok());
  CHECK(profile->numbers == sim::DeviceProfile{});
  CHECK(load_device_profile(Course{"/no/such/course", false, CUDALABS_SOURCE}, kDefaultProfile)->title ==
        profile->title);
}

TEST_CASE("an unknown profile: the nearest name", "[profile]") {
  const auto profile = load_device_profile(kProfilesCourse, "k40");
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.problem().message.english() == "there is no device profile 'k40'; did you mean 'k40c'?");
  CHECK_FALSE(load_device_profile(kProfilesCourse, "../labs/lab3/variant4").ok());
}

TEST_CASE("mistakes in a profile are told with their place", "[profile]") {
  CHECK(profile_problem_after("clock_ghz: 1.41", "clock_ghz: 1.41") == "read without a problem");
  CHECK(profile_problem_after("l2_latency", "l2_latancy").find("card.yaml:") != std::string::npos);
  CHECK(profile_problem_after("l2_latency", "l2_latancy").find("did you mean 'l2_latency'?") !=
        std::string::npos);
  CHECK(profile_problem_after("clock_ghz: 1.41", "").find("clock_ghz") != std::string::npos);
  CHECK(profile_problem_after("clock_ghz: 1.41", "clock_ghz: 1410").find("card.yaml:5:12") !=
        std::string::npos);
  CHECK(profile_problem_after("clock_ghz: 1.41", "clock_ghz: nan").find("card.yaml:5:12") !=
        std::string::npos);
  CHECK(profile_problem_after("shared_banks: 32", "shared_banks: 17").find("must be 16 or 32") !=
        std::string::npos);
}
