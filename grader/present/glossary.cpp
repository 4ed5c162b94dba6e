#include "grader/present/glossary.h"

#include <array>
#include <cctype>

#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/present.h"

namespace cudalabs {
namespace {

constexpr std::array<GlossaryWord, 18> kWords{{
    {"atomic", &msg::word_atomic},
    {"bank conflict", &msg::word_bank_conflict},
    {"barrier", &msg::word_barrier},
    {"coalesced", &msg::word_coalesced},
    {"divergence", &msg::word_divergence},
    {"grid-stride loop", &msg::word_grid_stride_loop},
    {"lane", &msg::word_lane},
    {"latency", &msg::word_latency},
    {"occupancy", &msg::word_occupancy},
    {"poison", &msg::word_poison},
    {"race", &msg::word_race},
    {"register tile", &msg::word_register_tile},
    {"request", &msg::word_request},
    {"sector", &msg::word_sector},
    {"ulp", &msg::word_ulp},
    {"uninitialized", &msg::word_uninitialized},
    {"warp", &msg::word_warp},
    {"wavefront", &msg::word_wavefront},
}};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// As a word of its own, or in the plural.
bool uses(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; at += name.size()) {
    std::size_t end = at + name.size();
    if (end < text.size() && text[end] == 's') ++end;
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::string GlossaryWord::shown() const { return translated_word(std::string(name)); }

std::span<const GlossaryWord> glossary() { return kWords; }

std::vector<const GlossaryWord*> words_in(std::string_view english) {
  std::vector<const GlossaryWord*> used;
  for (const GlossaryWord& word : kWords)
    if (uses(english, word.name)) used.push_back(&word);
  return used;
}

std::vector<const GlossaryWord*> words_of(std::span<const Cause> causes,
                                          std::span<const VersionLimit> limits) {
  std::string shown;
  for (const Cause& cause : causes)
    shown += cause.reason().english() + " " + cause.lost->advice.english() + " ";
  for (const VersionLimit& one : limits)
    shown += one.limit.english() + " " + one.changes.english() + " " + one.next.english() + " ";
  return words_in(shown);
}

}  // namespace cudalabs
