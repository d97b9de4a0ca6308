"""The style of ``report.html``: everything is in the page, nothing is fetched."""

__all__ = ["STYLE"]

STYLE = """
:root { --ink: #1b2530; --muted: #5b6773; --line: #dfe4e9; --soft: #f5f7f9; --good: #0b6b3a; --bad: #a11d1d;
  --good-soft: #e5f4ec; --bad-soft: #fbe9e7; --open: #6b5200; --open-soft: #fdf3d3; --accent: #0b4f7d; }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.2rem; }
body { margin: 0; color: var(--ink); background: #fff; font: 15px/1.55 system-ui, "Segoe UI", Helvetica, Arial,
  "Liberation Sans", sans-serif; }
main, header { max-width: 74rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.35rem; margin: 0 0 .8rem; letter-spacing: -.005em; }
h3 { font-size: 1.02rem; margin: 1.8rem 0 .5rem; }
p { margin: .5rem 0; max-width: 60rem; }
a { color: var(--accent); }
.about { color: var(--muted); }
.about b { color: var(--ink); font-weight: 600; }
nav { position: sticky; top: 0; z-index: 5; background: #fff; border-bottom: 1px solid var(--line);
  margin-top: 1.4rem; }
nav div { max-width: 74rem; margin: 0 auto; padding: .5rem 1.5rem; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
nav a { text-decoration: none; font-size: .9rem; white-space: nowrap; }
nav a:hover { text-decoration: underline; }
section { padding: 2.2rem 0 1.2rem; border-bottom: 1px solid var(--line); }
section:last-of-type { border-bottom: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; margin: .4rem 0; }
th { font-weight: 600; text-align: right; padding: .25rem .55rem; border-bottom: 1.5px solid var(--ink);
  white-space: nowrap; }
th[rowspan] { white-space: normal; max-width: 10rem; vertical-align: bottom; }
th.group { text-align: center; border-bottom: 1px solid var(--line); }
th small { font-weight: 400; color: var(--muted); }
td { text-align: right; padding: .2rem .55rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.first, th.first { border-left: 1px solid var(--line); padding-left: .8rem; }
td.paper { color: var(--muted); }
td .error { color: var(--muted); font-size: .8em; }
tbody tr:hover td { background: var(--soft); }
.best { font-weight: 700; }
.worst { text-decoration: underline; text-underline-offset: 2px; }
td.off { color: var(--bad); background: var(--bad-soft); font-weight: 600; }
tr:not(.sum) + tr.sum td { border-top: 1.5px solid var(--ink); }
.overview td, .overview th { text-align: left; white-space: normal; }
.findings { list-style: none; margin: .4rem 0 0; padding: 0; }
.findings li { display: grid; grid-template-columns: 8.2rem 1fr; gap: 0 1rem; padding: .6rem 0;
  border-top: 1px solid var(--line); }
.findings li:last-child { border-bottom: 1px solid var(--line); }
.findings p { margin: 0; }
.evidence { color: var(--muted); }
.verdict { justify-self: start; align-self: start; font-size: .8rem; font-weight: 700; border-radius: 3px;
  padding: .12rem .5rem; white-space: nowrap; }
.verdict.yes { color: var(--good); background: var(--good-soft); }
.verdict.no { color: var(--bad); background: var(--bad-soft); }
.verdict.open { color: var(--open); background: var(--open-soft); }
figure { margin: .4rem 0; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption, .notes { color: var(--muted); font-size: .88rem; max-width: 60rem; }
.notes ul { margin: .3rem 0; padding-left: 1.1rem; }
.missing { background: var(--open-soft); padding: .5rem .8rem; border-radius: 3px; }
details summary { cursor: pointer; color: var(--accent); margin: .6rem 0; }
footer { max-width: 74rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; color: var(--muted); font-size: .85rem; }
@media (max-width: 40rem) { .findings li { grid-template-columns: 1fr; gap: .3rem; } }
@media print { nav { display: none; } section { break-inside: auto; } figure, tr { break-inside: avoid; }
  body { font-size: 10pt; } details > * { display: block; } }
"""
"""A style sheet."""
