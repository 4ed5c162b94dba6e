#include "grader/toolchain/options/old_cuda.h"

#include <algorithm>
#include <optional>
#include <set>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

enum class GoneKind : std::uint8_t { Gone, Changed, Needless, Header, GoneHeader, NeedlessHeader };

struct GoneName {
  GoneKind kind;
  std::string_view name, also, shown, instead, macro;
};

constexpr GoneName kGone[] = {
#define GONE(kind, name, also, shown, instead, macro) {GoneKind::kind, name, also, shown, instead, macro},
#include "grader/toolchain/options/gone.def"
#undef GONE
};

bool names(std::string_view text, const GoneName& gone) {
  return has_word(text, gone.name) && (gone.also.empty() || has_word(text, gone.also));
}

/// A name and the word beside it stand in one line.
bool a_line_names(std::string_view text, const GoneName& gone) {
  while (!text.empty()) {
    if (names(take_until(text, '\n'), gone)) return true;
  }
  return false;
}

Message note_on(const GoneName& gone) {
  switch (gone.kind) {
    case GoneKind::Gone:
    case GoneKind::GoneHeader: return msg::gone_from_cuda(gone.shown, gone.instead);
    case GoneKind::Changed: return msg::changed_in_cuda(gone.shown, gone.instead);
    case GoneKind::Needless:
    case GoneKind::NeedlessHeader: return msg::needless_in_cuda(gone.shown);
    case GoneKind::Header: return msg::header_is_ours(gone.shown);
  }
  return {};
}

/// What a compiler says where it accepts a name that is gone: C takes a function that nobody declares for
/// one of the program's own, and nvcc leaves a host function out of the device's half of a function for both.
std::string lines_on_accepted(std::string_view text) {
  std::string lines;
  each_line(text, [&](std::string_view line) {
    if (line.find("implicit declaration") != std::string_view::npos ||
        line.find("calling a __host__ function") != std::string_view::npos)
      lines += line;
  });
  return lines;
}

/// The options that make our headers known, for the names that compilers have missed. Where only a header is
/// missing, no compiler has said yet which names are.
std::vector<std::string> options_for(const std::set<const GoneName*>& missed, const fs::path& old) {
  std::vector<std::string> options;
  // Programs of books include "../common/book.h", "common/book.h" or "book.h".
  for (const char* folder : {"samples", "samples/common", "toolkit"})
    options.push_back("-I" + (old / folder).string());
  if (std::ranges::all_of(missed, [](const GoneName* gone) { return gone->kind >= GoneKind::Header; }))
    return options;
  options.push_back("-include=" + (old / "old.h").string());
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

Result<Compilation> compile_of_any_year(const fs::path& old, const CompileWith& compile) {
  std::set<const GoneName*> missed;
  std::vector<std::string> said;
  auto made = compile({});
  std::optional<Compilation> accepted;
  while (made && made->end.exited && made->end.limit == LimitHit::None) {
    std::string text = made->end.err + made->end.out;
    if (made->end.success()) text = lines_on_accepted(text);
    const std::size_t known = missed.size();
    for (const GoneName& gone : kGone) {
      if (a_line_names(text, gone)) missed.insert(&gone);
    }
    if (missed.size() == known) break;
    said.push_back(std::move(text));
    if (made->end.success()) accepted = std::move(*made);
    made = compile(options_for(missed, old));
  }
  if (made && made->end.success())
    made->missed = std::move(said);
  else if (accepted)
    return *std::move(accepted);
  return made;
}

}  // namespace cudalabs
