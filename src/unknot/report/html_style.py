"""Style and script of the HTML report. Constant: nothing of a suite comes in here."""

STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1f2328; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa;
 --brittle: #9a6700; --victim: #cf222e; --both: #8250df; --clean: #1a7f37; --link: #0969da; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --ink: #e6edf3; --dim: #9198a1; --line: #3d444d;
 --soft: #151b23; --brittle: #d29922; --victim: #ff7b72; --both: #d2a8ff; --clean: #3fb950; --link: #58a6ff; } }
body { margin: 0 auto; max-width: 90rem; padding: 1.5rem; background: var(--back); color: var(--ink);
 font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
a { color: var(--link); }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
.scroll { overflow: auto; max-height: 80vh; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .6rem; border-top: 1px solid var(--line); }
tr:target { background: var(--soft); outline: 2px solid var(--link); }
.kind { font-weight: 600; white-space: nowrap; }
.kind.brittle { color: var(--brittle); } .kind.victim { color: var(--victim); }
.kind.brittle.victim { color: var(--both); }
.claim + .claim { margin-top: .8rem; padding-top: .8rem; border-top: 1px dotted var(--line); }
.proof { display: flex; gap: .6rem; align-items: baseline; margin: .2rem 0; }
.proof span { flex: 0 0 5.5rem; color: var(--dim); }
.proof code { flex: 1; background: var(--soft); padding: .2rem .5rem; border-radius: 4px; white-space: pre-wrap;
 user-select: all; }
.proof button { font: inherit; font-size: 12px; }
dt { color: var(--dim); float: left; clear: left; width: 8rem; } dd { margin: 0 0 .2rem 8rem; }
.dim { color: var(--dim); }
svg { display: block; } svg text { font: 12px ui-monospace, monospace; fill: var(--ink); }
svg .part { font-size: 10px; fill: var(--dim); }
svg rect { fill: var(--soft); stroke: var(--dim); stroke-width: 1.5; }
svg .brittle rect { stroke: var(--brittle); } svg .victim rect { stroke: var(--victim); }
svg .brittle.victim rect { stroke: var(--both); stroke-width: 3; }
svg path { fill: none; stroke: var(--dim); stroke-width: 1.3; } svg marker path { fill: var(--dim); stroke: none; }
svg .need { stroke: var(--ink); } svg .any { stroke-dasharray: 9 3; }
svg .conflict { stroke: var(--victim); stroke-dasharray: 5 4; }
svg .cleans { stroke: var(--clean); stroke-dasharray: 1 4; }
"""

SCRIPT = """
document.querySelectorAll(".proof button").forEach(function (button) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", function () {
    navigator.clipboard.writeText(button.previousElementSibling.textContent)
      .then(function () { button.textContent = "copied"; });
  });
});
"""
