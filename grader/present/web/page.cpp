#include "grader/present/web/page.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "grader/base/hash/sha256.h"
#include "grader/base/parse_number.h"
#include "grader/diagnostics/language.h"
#include "grader/present/web/escape.h"

namespace cudalabs::html {
namespace {

/// Base64 of bytes that are given as hex digits.
std::string base64_of_hex(std::string_view hex) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < hex.size(); at += 6) {  // three bytes become four digits
    const std::string_view piece = hex.substr(at, 6);
    const std::uint32_t bits = parse_number<std::uint32_t>(piece, 16).value_or(0) << 4 * (6 - piece.size());
    const std::size_t digits = piece.size() / 2 + 1;
    for (std::size_t d = 0; d < 4; ++d) out += d < digits ? kDigits[bits >> (18 - 6 * d) & 63] : '=';
  }
  return out;
}

}  // namespace

Html security_policy(std::string_view style, std::string_view script) {
  const auto source = [](Piece kind, std::string_view text) {
    return text.empty() ? Html()
                        : format(" {} 'sha256-{}';", kind, escaped(base64_of_hex(Sha256().add(text).hex())));
  };
  return format("default-src 'none'; style-src 'sha256-{}';{} base-uri 'none'; form-action 'none'",
                escaped(base64_of_hex(Sha256().add(style).hex())), source("script-src", script));
}

Html document(std::string_view title, Piece style, const Html& body, Piece script) {
  return format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}{}</body>\n</html>\n",
      escaped(spoken_language()), security_policy(style.text(), script.text()), escaped(title, 200), style,
      body, script.text().empty() ? Html() : format("<script>{}</script>\n", script));
}

Piece base_style() {
  return R"css(:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1d2126; --soft: #565f69; --rule: #d5dae0; --panel: #f5f7f9; --link: #0b57b0;
  --bar: #cfe0f5; --h0: #dfe9f5; --h1: #fff0b8; --h2: #ffd09a; --h3: #ffaea3; --hot: #1d2126;
  --good: #17603a; --good-back: #dff3e6; --bad: #a6201a; --bad-back: #fde7e4; --warn: #744b00; --warn-back: #fff0cc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --ink: #e4e7ea; --soft: #a2acb6; --rule: #343b43; --panel: #1d2227; --link: #8ab8ff;
    --bar: #23425f; --h0: #26364a; --h1: #574a12; --h2: #6f431a; --h3: #7d2c26; --hot: #ffffff;
    --good: #7fd8a0; --good-back: #14301f; --bad: #ffaba2; --bad-back: #431c19; --warn: #f2c66d; --warn-back: #3a2d0d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.25rem clamp(0.75rem, 3vw, 2.5rem) 3rem; max-width: 100rem;
  background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.5rem; margin: 0; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; padding-top: 1rem; border-top: 2px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.4rem; overflow-wrap: anywhere; }
.sub, .note { color: var(--soft); margin: 0.3rem 0; }
.note { font-size: 0.875rem; }
nav ul { list-style: none; padding: 0; margin: 0.75rem 0 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.25rem; }
a { color: var(--link); }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
.scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.h0 { background: var(--h0); }
.h1 { background: var(--h1); color: var(--hot); }
.h2 { background: var(--h2); color: var(--hot); }
.h3 { background: var(--h3); color: var(--hot); }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; font-weight: 600; }
.banks { font-size: 0.75rem; margin: 0.25rem; }
.banks th { color: var(--soft); font-weight: 400; padding: 0 0.3rem; white-space: nowrap; }
.banks tbody th { text-align: right; }
.banks td { min-width: 1.9rem; height: 1.35rem; text-align: center; border: 1px solid var(--rule); }
)css";
}

}  // namespace cudalabs::html
