"""`python bench/detectors/run.py [--small | --web]`: what every detector costs on the same graphs."""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.detectors import subjects, tables, web_suites
from bench.detectors.claims import claims
from bench.detectors.endurance import Endurance, endure
from bench.detectors.families import Subject
from bench.detectors.figures import read_csv, write_csv, write_figures
from bench.detectors.measure import FACTORS, Row, measure
from bench.detectors.subjects import COMPARED_SIZES, SMALL, WHOLE, Extent
from bench.kit.environment import DEFAULT_CACHE
from bench.kit.result import machine
from bench.kit.say import say
from unknot.detect.algorithms import ALGORITHMS

_RESULTS = Path(__file__).resolve().parent / "results"
_ENDURING = ("sieve",)


def main() -> int:
    options = _options()
    extent = SMALL if options.small else WHOLE
    directory = options.output or (DEFAULT_CACHE / "detectors" if options.small else _RESULTS)
    directory.mkdir(parents=True, exist_ok=True)
    say(f"seed {options.seed}; {', '.join(options.detectors)}")
    if not options.web:
        _measure_families(directory, extent, options)
    _measure_web_suites(directory, extent, options)
    return 0


def _measure_families(directory: Path, extent: Extent, options: argparse.Namespace) -> None:
    began = time.monotonic()
    drawn = list(subjects.drawn_from(extent, options.seed))
    rows = _measured(drawn, options.detectors, extent, options.processes)
    if options.others_from:
        rows = _with_others(rows, drawn, options.others_from / "rows.csv")
    enduring = _endured(options.detectors, extent, options.seed)
    write_csv(directory / "rows.csv", rows)
    figures = write_figures(directory, rows)
    took = time.monotonic() - began
    text = _text(rows, enduring, extent, options.seed, took, options.detectors if options.others_from else ())
    (directory / "README.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    say(f"{took:.0f} s; in {directory}: README.md, rows.csv, {', '.join(figure.name for figure in figures)}")


def _with_others(rows: Sequence[Row], drawn: Sequence[Subject], path: Path) -> list[Row]:
    """The rows, and those of all other detectors from an earlier run, in the same sequence as if all were measured."""
    measured = {row.detector for row in rows}
    place = {(each.family, each.probability, each.size, each.number): number for number, each in enumerate(drawn)}
    rank = {detector: number for number, detector in enumerate(ALGORITHMS)}
    both = [*rows, *(row for row in read_csv(path) if row.detector not in measured)]
    return sorted(both, key=lambda row: (place[row.family, row.probability, row.size, row.number], rank[row.detector]))


def _measure_web_suites(directory: Path, extent: Extent, options: argparse.Namespace) -> None:
    began = time.monotonic()
    rows = _measured(list(subjects.web_suites()), options.detectors, extent, options.processes)
    write_csv(directory / "web-suites.csv", rows)
    text = web_suites.page(rows, time.monotonic() - began)
    (directory / "web-suites.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    say(f"in {directory}: web-suites.md, web-suites.csv")


def _measured(found: Sequence[Subject], detectors: Sequence[str], extent: Extent, processes: int) -> list[Row]:
    """The largest first, so that no process is left with a large one at the end; the rows in a fixed order."""
    tasks = [(place, detector) for place in range(len(found)) for detector in detectors]
    tasks.sort(key=lambda task: -found[task[0]].size)
    done: dict[tuple[int, str], list[Row]] = {}
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        jobs = ((place, found[place], detector, extent) for place, detector in tasks)
        for number, (place, detector, rows) in enumerate(pool.imap_unordered(_job, jobs), start=1):
            done[place, detector] = rows
            if number % 100 == 0 or number == len(tasks):
                say(f"  {number} of {len(tasks)}")
    return [row for place in range(len(found)) for detector in detectors for row in done[place, detector]]


def _job(job: tuple[int, Subject, str, Extent]) -> tuple[int, str, list[Row]]:
    place, subject, detector, extent = job
    return place, detector, measure(subject, detector, extent)


def _endured(detectors: Sequence[str], extent: Extent, seed: int) -> list[Endurance]:
    found = []
    for detector in detectors:
        if detector in _ENDURING:
            for factor in FACTORS:
                say(f"  {detector} on {extent.endurance[0]:,} tests, clean state {factor:g} tests")
                found.append(endure(detector, factor, *extent.endurance, seed))
    return found


def _text(
    rows: Sequence[Row],
    enduring: Sequence[Endurance],
    extent: Extent,
    seed: int,
    took: float,
    measured: Sequence[str],
) -> str:
    here = machine()
    sizes = [size for size in extent.sizes if size in (52, *COMPARED_SIZES, 492)] or list(extent.sizes)
    timed = COMPARED_SIZES[0] if COMPARED_SIZES[0] in extent.sizes else extent.sizes[-1]
    parts = [
        "# What every detector costs on the same graphs\n",
        f"Written by `bench/detectors/run.py`, seed {seed}, in {took:.0f} s on {here['cores']} cores with Python"
        f" {here['python']}. The suites are simulated and keep their reference order, which is taken as known. A test"
        " takes a second, or what was measured; a clean state is given in tests of average length. Figures are medians"
        " over graphs."
        + (f" Measured in this run: {', '.join(measured)}; the others in an earlier one.\n" if measured else "\n"),
        f"OOB: out of budget ({extent.seconds:g} s of CPU, {extent.orders:,} orders or {extent.tests:,} tests for one"
        " graph, or a suite too large for this detector to begin with); the figures in `rows.csv` say how far it came,"
        " the pictures leave it out. A star: the graph found is not always the hidden one.\n",
        "## What was to be reached\n",
        tables.claims_table(claims(rows, enduring)),
        "## Orders / tests\n\nAll that were run, proofs included. A clean state costs as much as a test; one worker."
        " The lower bound is what no detector can stay below on all graphs with so many edges (see `bound.py`).\n",
        tables.families_table(rows, sizes),
        "## How far sieve is from the lower bound\n",
        tables.bound_table(rows, sizes),
        "## Predicted wall time, in tests\n",
        tables.time_table(rows, timed),
    ]
    return "\n".join(parts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What every detector costs on the same graphs; no test is run.")
    parser.add_argument("detectors", nargs="*", metavar="detector", help=f"of {', '.join(ALGORITHMS)} (default: all)")
    extents = parser.add_mutually_exclusive_group()
    extents.add_argument("--small", action="store_true", help="few and small graphs: seconds instead of minutes")
    extents.add_argument("--web", action="store_true", help="only the web suites: a minute")
    parser.add_argument(
        "--others-from", type=Path, metavar="DIR", help="take the other detectors' rows from rows.csv of an earlier run"
    )
    parser.add_argument("--seed", type=int, default=2025, help="of the graphs (default: 2025)")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)), help="(default: all cores)")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help=f"(default: {_RESULTS}; with --small {DEFAULT_CACHE / 'detectors'})"
    )
    options = parser.parse_args()
    options.detectors = options.detectors or list(ALGORITHMS)
    if unknown := sorted(set(options.detectors) - set(ALGORITHMS)):
        parser.error(f"unknown detectors: {', '.join(unknown)}")
    if options.processes < 1:
        parser.error("--processes must be at least 1")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
