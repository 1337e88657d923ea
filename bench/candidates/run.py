"""`python -m bench.candidates.run`: what each configuration of hints saves, beside the TEDD paper's Table 3."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from bench.candidates.measure import Row, measure, sieved
from bench.candidates.published import OURS, TABLE_3
from bench.candidates.subjects import subjects
from bench.candidates.tables import edges_table, goals_table, sieve_table, suites_table
from bench.kit.say import say

_RESULTS = Path(__file__).resolve().parent / "results"

_TEXT = """\
# Candidates of browser suites

Written by `python -m bench.candidates.run`; the same figures on every machine. Three suites of the TEDD paper with
their names, strings and measured seconds; true graphs answer. Nothing is trusted: `tedd` validates what is kept and
recovers what was lost, and `sieve` only tries candidates first. A clean state costs nothing here; one worker; the
reference order is taken as known. `recovered` and `disconnected` count final edges that were not among those kept: the
ones shown when the first validation ended, and the others. `lost` are true edges that were not extracted or were
filtered.

## Saving over validating the complete graph

All three suites together; the paper's is that of its six suites, in minutes. As in the paper, edges are validated one
at a time.

{goals}
`original+noun` stays behind the paper because of claroline: half of its names have the noun course, and
many pairs that have nothing to do with each other have it in common. `object` is our own filter: the later test must
name what the earlier one writes.

## Edges

Averages over the three suites; below each the paper's over its six. Here filters by name stand over strings without
dependency-free values; the paper seems to filter one or the other.

{edges}
## Each suite

`saved` is what this saves of the orders, tests and seconds that `original` takes, in percent.

{suites}
## sieve

Orders and tests are the search's own; `with proofs` also counts the orders that show what was found.

{sieve}"""


def main() -> int:
    options = _options()
    rows: list[Row] = []
    plain = {}
    for subject in subjects():
        say(f"{subject.name}, {len(subject.suite)} tests")
        rows += [measure(subject, configuration) for configuration in (*TABLE_3, *OURS)]
        plain[subject.name] = sieved(subject, None)
    text = _TEXT.format(
        goals=goals_table(rows), edges=edges_table(rows), suites=suites_table(rows), sieve=sieve_table(rows, plain)
    )
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "README.md").write_text(text, encoding="utf-8")
    told = {"rows": [asdict(row) for row in rows], "sieve": {name: asdict(asked) for name, asked in plain.items()}}
    (options.output / "rows.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(text)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What each configuration of hints saves; no test is run.")
    parser.add_argument("--output", type=Path, metavar="DIR", default=_RESULTS, help=f"(default: {_RESULTS})")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
