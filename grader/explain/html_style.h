#pragma once
// The style sheet of the page. Heat is never told by colour alone: marks and words stand beside it.

#include <string_view>

namespace cudalabs::explain {

inline constexpr std::string_view kStyle = R"css(:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1d2126; --soft: #5d6670; --rule: #d5dae0; --panel: #f5f7f9; --link: #0b57b0;
  --bar: #cfe0f5; --h0: #dfe9f5; --h1: #fff0b8; --h2: #ffd09a; --h3: #ffaea3; --hot: #1d2126;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --ink: #e4e7ea; --soft: #9aa4ae; --rule: #343b43; --panel: #1d2227; --link: #8ab8ff;
    --bar: #23425f; --h0: #26364a; --h1: #574a12; --h2: #6f431a; --h3: #7d2c26; --hot: #ffffff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.25rem clamp(0.75rem, 3vw, 2.5rem) 3rem; max-width: 100rem;
  background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.5rem; margin: 0; line-height: 1.25; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; padding-top: 1rem; border-top: 2px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.4rem; overflow-wrap: anywhere; }
.sub, .note { color: var(--soft); margin: 0.3rem 0; }
.note { font-size: 0.875rem; }
nav ul { list-style: none; padding: 0; margin: 0.75rem 0 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.25rem; }
a { color: var(--link); }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
.facts { margin: 0.25rem 0 0.75rem; padding-left: 1.2rem; }
.remark { border-left: 4px solid var(--h3); background: var(--panel); padding: 0.4rem 0.75rem; margin: 0.5rem 0; }
.scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
table.src { width: 100%; font-size: 0.8125rem; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0.6rem; background: var(--panel); }
.src th, .src td { padding: 0.1rem 0.4rem; text-align: right; white-space: nowrap; vertical-align: top; }
.src thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); background: var(--panel); }
.src tbody th { color: var(--soft); font-weight: 400; }
.src .code { text-align: left; width: 100%; border-left: 1px solid var(--rule); }
.src td.code { min-width: 18rem; padding-left: 2.2rem; text-indent: -1.7rem; }
.src td.code code { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.95em; }
.src tr.idle .code { color: var(--soft); }
.src tbody tr:hover { background: var(--panel); }
.src .gap td { text-align: left; color: var(--soft); padding: 0 0.9rem; background: var(--panel); }
.bar { background: linear-gradient(to left, var(--bar) var(--p), transparent var(--p)); }
.h0 { background: var(--h0); }
.h1 { background: var(--h1); color: var(--hot); }
.h2 { background: var(--h2); color: var(--hot); }
.h3 { background: var(--h3); color: var(--hot); }
.src td a { color: inherit; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; font-weight: 600; }
.banks { font-size: 0.75rem; margin: 0.25rem; }
.banks th { color: var(--soft); font-weight: 400; padding: 0 0.3rem; white-space: nowrap; }
.banks tbody th { text-align: right; }
.banks td { min-width: 1.9rem; height: 1.35rem; text-align: center; border: 1px solid var(--rule); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1rem; max-width: 60rem; }
dt { font-weight: 600; }
dd { margin: 0; }
@media (max-width: 50rem) {
  body { font-size: 15px; }
  .src thead { display: none; }
  .src, .src tbody, .src tr, .src caption { display: block; }
  .src tr { display: flex; flex-wrap: wrap; align-items: baseline; padding: 0.15rem 0.4rem; border-bottom: 1px solid var(--rule); }
  .src tr.idle { border-bottom: 0; }
  .src td:empty { display: none; }
  .src th, .src td { padding: 0.05rem 0.35rem; }
  .src tbody th { order: -2; min-width: 2.4rem; }
  .src td.code { order: -1; flex: 1 1 calc(100% - 3rem); width: auto; min-width: 0; border: 0; }
  .src td[data-n]::before { content: attr(data-n) " "; color: var(--soft); }
  .src td[class^="h"]::before { color: inherit; }
  .src tr td[data-n] { font-size: 0.8rem; border-radius: 4px; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin: 0 0 0.5rem; }
}
@media print { .scroll { overflow: visible; } nav { display: none; } }
)css";

}  // namespace cudalabs::explain
