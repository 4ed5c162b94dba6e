#pragma once
// Styles that the pages of a submission and of a class add to html::base_style().

#include "grader/present/web/html.h"

namespace cudalabs::parts {

inline constexpr html::Piece kStyle = R"css(body { max-width: 72rem; }
header { padding-bottom: 0.25rem; }
h2 { margin-top: 2.5rem; }
section > h2:first-child { scroll-margin-top: 1rem; }
caption.sr { position: absolute; }
.who { font-weight: 600; }
.score { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 2rem; margin: 1rem 0 0; padding: 1rem 1.25rem;
  border: 1px solid var(--rule); border-radius: 10px; background: var(--panel); }
.score .big { font-size: 2.6rem; font-weight: 700; line-height: 1; letter-spacing: -0.02em; white-space: nowrap; font-variant-numeric: tabular-nums; }
.score .big small { font-size: 1.1rem; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.score .meter { flex: 1 1 14rem; height: 0.75rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.75rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.tiles li { border: 1px solid var(--rule); border-radius: 10px; background: var(--panel); padding: 0.6rem 0.9rem; }
.tiles b { display: block; font-size: 1.5rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: 0.875rem; }
.chip { display: inline-block; padding: 0.05rem 0.55rem; border-radius: 999px; font-size: 0.875rem; font-weight: 600; white-space: nowrap; }
.chip.good { color: var(--good); background: var(--good-back); }
.chip.warn { color: var(--warn); background: var(--warn-back); }
.chip.bad { color: var(--bad); background: var(--bad-back); }
.chip.none { color: var(--soft); background: var(--panel); }
.meter { display: block; width: 100%; height: 0.375rem; border-radius: 999px; }
.track { fill: var(--rule); }
.fill-good { fill: var(--good); } .fill-warn { fill: var(--warn); } .fill-bad { fill: var(--bad); } .fill-none { fill: var(--soft); }
.grid-table { width: 100%; font-size: 0.9rem; }
.grid-table th, .grid-table td { padding: 0.4rem 0.75rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--rule); vertical-align: top; }
.grid-table thead th { border-top: 0; color: var(--soft); background: var(--panel); font-weight: 600; font-size: 0.8125rem; vertical-align: bottom; }
.grid-table th:first-child, .grid-table .words { text-align: left; white-space: normal; min-width: 6.5rem; }
@media (min-width: 60rem) { .grid-table th:first-child, .grid-table .words { overflow-wrap: anywhere; } }
.grid-table .wordy { display: inline-block; min-width: min(12rem, 50vw); }
.checks { list-style: none; padding: 0; margin: 0.4rem 0; } .checks li { margin: 0.45rem 0; overflow-wrap: anywhere; }
.grid-table thead th { white-space: normal; }
.grid-table tr.sum > * { border-top: 2px solid var(--rule); font-weight: 700; }
.grid-table .meter { min-width: 4rem; margin-top: 0.2rem; }
.of { color: var(--soft); font-weight: 400; }
.loss { border: 1px solid var(--rule); border-left: 5px solid var(--bad); border-radius: 8px; padding: 0.75rem 1rem; margin: 0.9rem 0; }
.loss.cheap { border-left-color: var(--warn); }
.loss h3 { margin: 0 0 0.4rem; display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
.loss h3 .minus { color: var(--bad); font-variant-numeric: tabular-nums; white-space: nowrap; }
.loss p { margin: 0.4rem 0; overflow-wrap: anywhere; white-space: pre-line; }
.advice { padding: 0.5rem 0.75rem; border-radius: 6px; background: var(--good-back); }
.advice b { color: var(--good); }
.place { font-size: 0.8125rem; color: var(--soft); margin: 0.6rem 0 0.2rem; overflow-wrap: anywhere; }
.excerpt { border: 1px solid var(--rule); border-radius: 6px; background: var(--panel); padding: 0.3rem 0; margin: 0.2rem 0 0.6rem; font-size: 0.875rem; }
.l { display: flex; }
.l .n { flex: 0 0 4.2rem; padding-right: 0.75rem; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; user-select: none; }
.l code { flex: 1 1 0; min-width: 0; padding-right: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.l.at { background: var(--h1); color: var(--hot); }
.l.at .n { color: inherit; font-weight: 700; }
mark { background: var(--h3); color: var(--hot); }
pre.compiler { border: 1px solid var(--rule); border-radius: 6px; background: var(--panel); padding: 0.6rem 0.8rem; margin: 0.5rem 0; overflow-x: auto; font-size: 0.875rem; }
figure { margin: 0.75rem 0 1.25rem; }
svg .full { fill: var(--good); }
.names { overflow-wrap: anywhere; }
figure > svg { display: block; width: 100%; max-width: 44rem; height: auto; }
figcaption { color: var(--soft); font-size: 0.875rem; max-width: 60rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 0.5rem 2rem; }
.pair > figure { margin-bottom: 0.25rem; min-width: 0; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
svg text.tick, svg text.axis, svg text.soft { fill: var(--soft); font-size: 11px; }
svg text.label { font-weight: 600; font-size: 12px; } svg text.label.soft { font-weight: 400; font-size: 11px; }
svg text.lane { font-size: 7.5px; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .axis-line { stroke: var(--soft); stroke-width: 1; }
svg .cap { stroke: var(--ink); stroke-width: 3; } svg .cap.theirs { stroke: var(--soft); stroke-width: 2; }
svg .cap.stem { stroke-width: 1; stroke-dasharray: 2 3; }
svg .roof { stroke: var(--ink); stroke-width: 2; } svg .roof.cache { stroke-dasharray: 5 4; stroke: var(--soft); stroke-width: 1.5; }
svg .yours { fill: var(--link); stroke: var(--page); stroke-width: 1; }
svg .theirs { fill: var(--page); stroke: var(--soft); stroke-width: 2; }
svg .b0 { fill: var(--h0); } svg .b1 { fill: var(--h1); } svg .b2 { fill: var(--h2); } svg .b3 { fill: var(--h3); }
svg .bank { stroke: var(--rule); stroke-width: 0.5; } svg .bank.empty { fill: none; }
svg text.on { fill: var(--hot); }
.plain { padding-left: 1.2rem; margin: 0.4rem 0; } .plain li { margin: 0.15rem 0; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1.25rem; margin: 0.5rem 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
@media (max-width: 40rem) {
  body { font-size: 15px; padding-top: 0.9rem; }
  .score { padding: 0.8rem 0.9rem; gap: 0.6rem 1.25rem; }
  .score .big { font-size: 2.1rem; }
  .grid-table th, .grid-table td { padding: 0.35rem 0.5rem; }
  .grid-table th:first-child { white-space: normal; min-width: 5.5rem; }
  .l .n { flex-basis: 3.4rem; padding-right: 0.5rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: 0.4rem; }
  svg text.tick, svg text.axis, svg text.soft, svg text.label.soft { font-size: 13px; } svg text { font-size: 13px; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 10.5pt; max-width: none; padding: 0; }
  nav { display: none; }
  h2, h3 { break-after: avoid; }
  .excerpt, .advice, figure, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  .grid-table th, .grid-table td { padding: 0.2rem 0.4rem; white-space: normal; }
  details::details-content { content-visibility: visible; height: auto; }
  .l.at, mark, .chip, .meter, svg { print-color-adjust: exact; }
}
)css";

}  // namespace cudalabs::parts
