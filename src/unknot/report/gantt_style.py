"""Style of the drawings of lanes; it builds on the colours of `html_style`. Constant, as that is."""

GANTT_STYLE = """
:root { --bar: #9ec5fe; --again: #fff3cd; --stripe: #b58900; --track: #f6f8fa; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --bar: #1f4f8f; --again: #3a2f0b; --stripe: #b8860b; --track: #151b23;
 --bad: #ff7b72; } }
.gantt text { font: 11px ui-monospace, monospace; pointer-events: none; }
.gantt .tick { fill: var(--dim); } .gantt .grid { stroke: var(--line); stroke-width: 1; }
.gantt .longest > text { font-weight: 700; }
.gantt .track { fill: var(--track); stroke: none; } .gantt .longest .track { stroke: var(--ink); stroke-width: 1; }
.gantt .slot rect { fill: var(--bar); stroke: none; } .gantt .slot.again rect { fill: url(#again); }
.gantt .slot.bad rect { stroke: var(--bad); stroke-width: 2; } .gantt .slot:hover rect { stroke: var(--ink);
 stroke-width: 1.5; }
.gantt .slot.again text { font-style: italic; paint-order: stroke; stroke: var(--again); stroke-width: 4px; }
.gantt .bound line { stroke: var(--victim); stroke-width: 1.5; stroke-dasharray: 6 4; }
.gantt .bound text { fill: var(--victim); }
#again .ground { fill: var(--again); stroke: none; } #again .stripe { fill: var(--stripe); stroke: none; }
.key { display: inline-block; width: 1.6em; height: .9em; vertical-align: -.1em; margin: 0 .3em 0 1em;
 background: var(--bar); }
.key.again { background: repeating-linear-gradient(45deg, var(--stripe) 0 2px, var(--again) 2px 5px); }
.key.bad { box-sizing: border-box; border: 2px solid var(--bad); }
.key.end { background: none; width: 0; border-left: 2px dashed var(--victim); }
ol { margin: .2rem 0; padding-left: 3rem; }
"""
