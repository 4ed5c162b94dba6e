#pragma once
// Styles that the page adds to the style sheet of all pages (grader/present/web). Marks and words show heat
// too, so that it does not depend on colour alone.

#include "grader/present/web/html.h"

namespace cudalabs::explain {

inline constexpr html::Piece kStyle = R"css(.facts { margin: 0.25rem 0 0.75rem; padding-left: 1.2rem; }
.remark { border-left: 4px solid var(--h3); background: var(--panel); padding: 0.4rem 0.75rem; margin: 0.5rem 0; }
table.src { width: 100%; font-size: 0.8125rem; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0.6rem; background: var(--panel); }
.src th, .src td { padding: 0.1rem 0.4rem; text-align: right; white-space: nowrap; vertical-align: top; }
.src thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); background: var(--panel); }
.src tbody th { color: var(--soft); font-weight: 400; }
.src .code { text-align: left; width: 100%; border-left: 1px solid var(--rule); }
.src td.code { min-width: 18rem; padding-left: 2.2rem; text-indent: -1.7rem; }
.src td.code code { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.95em; }
.src .ptx { text-indent: 0; color: var(--soft); } .src .ptx summary { cursor: pointer; font-size: 0.85em; }
.src .ptx pre { margin: 0 0 0.25rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.src tr.idle .code { color: var(--soft); }
.src tbody tr:hover { background: var(--panel); }
.src .gap td { text-align: left; color: var(--soft); padding: 0 0.9rem; background: var(--panel); }
.bar { background: linear-gradient(to left, var(--bar) var(--p), transparent var(--p)); }
.src td a { color: inherit; }
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
