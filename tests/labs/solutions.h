#pragma once
// The solutions that tests hand in: the references with bugs planted (mutants.yaml), and right ones of other
// shapes (right/). Paths are the callers': the tests of the card run where the checkout lies elsewhere.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace e2e {

struct Mutant {
  std::string slug;
  int number = 0;  ///< among those of this variant
  std::vector<std::pair<std::string, std::string>> edits;
  std::map<std::string, std::string> fails;  ///< version -> what must be said
  bool repeated = false;                     ///< in CI it is planted in another of its labs
};

/// `tests_labs`: the folder of mutants.yaml and right/. Of one lab, in the file's order.
std::vector<Mutant> read_mutants(const std::filesystem::path& tests_labs, const std::string& lab);

/// The one source of `reference`/`slug`, with the headers that the lab's references share in the places of
/// their #include, so that it can be handed in alone.
std::string reference_source(const std::filesystem::path& reference, const std::string& slug);

/// The reference with the bug. Throws std::runtime_error if a text does not stand there exactly once.
std::string edited(std::string text, const Mutant& mutant);

struct Alternative {
  std::string slug, name, source;
};

/// Solutions that a student may hand in instead of the reference's: right/LAB/VARIANT/*.cu, and for every
/// variant with an operation.cuh, which is put in front of them, right/LAB/shapes/*.cu. By name.
std::vector<Alternative> read_alternatives(const std::filesystem::path& tests_labs, const std::string& lab);

/// Whether $LABS_ONLY, a lab or lab/variant, selects this variant. All are selected without it.
bool chosen(const std::string& slug);

/// The one .cu file of a folder.
std::filesystem::path only_source(const std::filesystem::path& folder);

std::string text_of(const std::filesystem::path& file);

}  // namespace e2e
