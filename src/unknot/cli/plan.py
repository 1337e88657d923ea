"""`unknot plan`: who would run what when, how fast that is, and what holds it back."""

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.export import FORMATS, export
from unknot.app.plan import last_run, planned
from unknot.cli.emit import emit_told
from unknot.cli.options import add_files, add_verb, positive_float, positive_int, seconds, workers
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, UsageError
from unknot.model.plan import Lane, Plan
from unknot.plan.makers.optimal import TIME_LIMIT, make_optimal
from unknot.plan.makers.registry import MAKERS, best_plan
from unknot.plan.partial import make_shards
from unknot.plan.problem import CLEAN_STATE
from unknot.report.plan.plan_html import plan_to_html
from unknot.report.plan.plan_json import dumps_plan
from unknot.report.plan.plan_report import PlanReport
from unknot.report.plan.plan_text import plan_text
from unknot.report.text.lines import print_text
from unknot.store.graph_file import read_dependencies
from unknot.store.lock import read_lock

_DESCRIPTION = """\
Shows the plan by which `unknot run` would run the suite: the lanes, the predicted time, the time that no
plan can beat, and what holds this one back. Reads unknot.lock.json; runs nothing and collects nothing.

  unknot plan -n 8                        on eight workers
  unknot plan -n 8 -v                     with the tests of each lane
  unknot plan -n 8 --maker optimal        by a solver, which also proves how good it is
  unknot plan -n 8 --format html -o plan.html
                                          a picture, with the times of the last run beside the predicted
  unknot plan --shards 6                  for six machines, each of which runs `unknot run --shard 1/6` …
  echo "matrix=$(unknot plan --shards 6 --export github)" >> "$GITHUB_OUTPUT"
  unknot plan --graph graph.json -n 4 --format json
                                          for a graph of which no suite is at hand
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "plan", "who would run what when, and what holds it back", _DESCRIPTION)
    lanes = parser.add_argument_group("the plan")
    lanes.add_argument(
        "-n", "--workers", type=positive_int, default=None, metavar="N", help="at the same time (default: all cores)"
    )
    lanes.add_argument(
        "--shards", type=positive_int, default=None, metavar="K", help="for so many machines, instead of workers of one"
    )
    lanes.add_argument(
        "--maker",
        choices=("auto", *MAKERS),
        default="auto",
        help="greedy; closures: what the papers do, one order for each test that none needs; prefix-tree: the same with"
        " shared beginnings run once, for runners that fork; optimal: a solver's, with the extra `unknot[optimal]`"
        " (default: the fastest of those that need neither)",
    )
    lanes.add_argument(
        "--time-limit",
        type=positive_float,
        default=TIME_LIMIT,
        metavar="SECONDS",
        help=f"for the solver of --maker optimal (default: {TIME_LIMIT:g})",
    )
    lanes.add_argument(
        "--clean-state",
        type=seconds,
        default=None,
        metavar="SECONDS",
        help=f"to reach a clean state, for each order (default: {CLEAN_STATE}; 0 with --graph or --shards)",
    )
    lanes.add_argument("--graph", type=Path, default=None, metavar="FILE", help="for a graph, or for another lock file")
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json", "html"), default="text")
    output.add_argument(
        "--export",
        choices=tuple(FORMATS),
        default=None,
        help="instead, for another tool: " + "; ".join(f"{name}: {found.help}" for name, found in FORMATS.items()),
    )
    output.add_argument("-o", "--output", type=Path, default=None, metavar="FILE", help="(default: standard output)")
    output.add_argument("-v", "--verbose", action="store_true", help="name the tests of each lane")
    add_files(parser)
    parser.set_defaults(verb=plan)


def plan(options: argparse.Namespace, console: Console) -> ExitCode:
    if options.export and FORMATS[options.export].of_shards and not options.shards:
        raise UsageError(f"--export {options.export} is about shards", hint="say how many with `--shards 6`")
    dependencies = _dependencies(options)
    report = _sharded(options, dependencies) if options.shards else _planned(options, dependencies, console)
    if options.export:
        sys.stdout.write(export(options.export, dependencies, report.plan, options.output))
    else:
        _write(options, console, report)
    return ExitCode.CLEAN


def _dependencies(options: argparse.Namespace) -> Dependencies:
    if options.graph is not None:
        return read_dependencies(options.graph)
    if not options.lock.exists():
        raise UsageError(
            f"there is no {options.lock} to plan by", hint="run `unknot detect` first, or give a graph with `--graph`"
        )
    return read_lock(options.lock)


def _planned(options: argparse.Namespace, dependencies: Dependencies, console: Console) -> PlanReport:
    count = workers(options.workers)
    usual = CLEAN_STATE if options.graph is None else 0.0
    clean_state = usual if options.clean_state is None else options.clean_state
    made = _made(options, dependencies, count, clean_state)
    real = last_run(options.state_dir, dependencies, console) if options.graph is None else None
    return planned(dependencies, made, count, clean_state, real=real)


def _made(options: argparse.Namespace, dependencies: Dependencies, count: int, clean_state: float) -> Plan:
    if options.maker == "auto":
        return best_plan(dependencies, count, clean_state=clean_state, can_share=False)
    if options.maker == "optimal":
        return make_optimal(dependencies, count, clean_state=clean_state, time_limit=options.time_limit)
    return MAKERS[options.maker](dependencies, count, clean_state=clean_state)


def _sharded(options: argparse.Namespace, dependencies: Dependencies) -> PlanReport:
    """Each shard as the lane of a machine that runs it one test after another; how many workers that machine has is
    for `unknot run --shard` to know."""
    lanes = tuple(Lane((order,) if order else ()) for order in make_shards(dependencies, options.shards))
    clean_state = options.clean_state or 0.0
    longest = max(clean_state + sum(dependencies.seconds[test] for test in lane.tests) for lane in lanes)
    return planned(dependencies, Plan(lanes, longest), options.shards, clean_state, noun="shard")


def _write(options: argparse.Namespace, console: Console, report: PlanReport) -> None:
    if options.format == "text" and options.output is None:
        out = Console(highlight=False)
        print_text(out, plan_text(report, width=out.width, verbose=options.verbose, encoding=out.encoding))
        return
    writers = {
        "text": lambda: plan_text(report, verbose=options.verbose).plain,
        "json": lambda: dumps_plan(report),
        "html": lambda: plan_to_html(report),
    }
    written = writers[options.format]()
    emit_told(written, options.output, console)
