#include "grader/toolchain/options/old_cuda.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

enum class GoneKind : std::uint8_t { Gone, Changed, Needless, Header };

struct GoneName {
  GoneKind kind;
  std::string_view name, also, shown, instead, macro;
};

constexpr GoneName kGone[] = {
#define GONE(kind, name, also, shown, instead, macro) {GoneKind::kind, name, also, shown, instead, macro},
#include "grader/toolchain/options/gone.def"
#undef GONE
};

bool in_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !in_a_word(text[at - 1])) && (end == text.size() || !in_a_word(text[end]))) return true;
  }
  return false;
}

bool names(std::string_view text, const GoneName& gone) {
  return has_word(text, gone.name) && (gone.also.empty() || has_word(text, gone.also));
}

/// A name and the word beside it stand in one line.
bool a_line_names(std::string_view text, const GoneName& gone) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (names(text.substr(0, end), gone)) return true;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return false;
}

bool includes(std::string_view text, const GoneName& gone) {
  const std::string name(gone.name);
  return text.find("<" + name + ">") != std::string_view::npos ||
         text.find("\"" + name + "\"") != std::string_view::npos;
}

Message note_on(const GoneName& gone) {
  switch (gone.kind) {
    case GoneKind::Gone: return msg::gone_from_cuda(gone.shown, gone.instead);
    case GoneKind::Changed: return msg::changed_in_cuda(gone.shown, gone.instead);
    case GoneKind::Needless: return msg::needless_in_cuda(gone.shown);
    case GoneKind::Header: return msg::header_is_ours(gone.shown);
  }
  return {};
}

/// The options that make our header known, for the names that compilers have missed.
std::vector<std::string> options_for(const std::set<const GoneName*>& missed, const fs::path& old) {
  std::vector<std::string> options{"-I" + (old / "samples").string(), "-include=" + (old / "old.h").string()};
  // The host's half of a texture reference is what the program means to write.
  options.emplace_back("-diag-suppress=20091,20092");
  std::set<std::string_view> macros;
  for (const GoneName* gone : missed) {
    if (!gone->macro.empty() && macros.insert(gone->macro).second)
      options.push_back("-DCUDALABS_OLD_" + std::string(gone->macro));
  }
  return options;
}

}  // namespace

std::vector<GoneNote> gone_in(std::string_view error) {
  std::vector<GoneNote> notes;
  for (const GoneName& gone : kGone) {
    if (a_line_names(error, gone)) notes.push_back({gone.shown, note_on(gone)});
  }
  return notes;
}

Message advice_on_gone(std::string_view error) {
  const auto* const gone = std::ranges::find_if(
      kGone, [&](const GoneName& one) { return one.kind == GoneKind::Gone && names(error, one); });
  return gone == std::end(kGone) ? Message() : msg::write_instead(gone->shown, gone->instead);
}

Result<Compilation> compile_of_any_year(const fs::path& old, std::string_view text,
                                        const CompileWith& compile) {
  std::set<const GoneName*> missed;
  std::vector<std::string> said;
  auto made = compile({});
  while (made && !made->end.success() && made->end.exited && made->end.limit == LimitHit::None) {
    said.push_back(made->end.err + made->end.out);
    const std::size_t known = missed.size();
    for (const GoneName& gone : kGone) {
      if (a_line_names(said.back(), gone) || (gone.kind == GoneKind::Header && includes(text, gone)))
        missed.insert(&gone);
    }
    if (missed.size() == known) return made;
    made = compile(options_for(missed, old));
  }
  if (made && made->end.success()) made->missed = std::move(said);
  return made;
}

}  // namespace cudalabs
