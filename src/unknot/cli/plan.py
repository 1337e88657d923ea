"""`unknot plan`: which worker would run what when, how fast that is, and what limits it."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from unknot.app.export import FORMATS, export
from unknot.app.options import worker_count
from unknot.app.plan import PLANNERS, PlanOptions, last_run, make_plan, plan_report, require_lock, shard_report
from unknot.cli.options import (
    add_durations,
    add_files,
    add_output,
    add_workers,
    positive_float,
    positive_int,
    project_files,
    seconds,
)
from unknot.cli.terminal import terminal_progress, write_rich, write_text
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, UsageError
from unknot.plan.makers.optimal import TIME_LIMIT
from unknot.plan.problem import CLEAN_STATE
from unknot.report.plan.plan_html import plan_to_html
from unknot.report.plan.plan_json import dumps_plan
from unknot.report.plan.plan_report import PlanReport
from unknot.report.plan.plan_text import plan_text
from unknot.store.graph_file import read_dependencies

DESCRIPTION = """\
Shows the plan by which `unknot run` would run the suite: the lanes, the predicted time, the time that
no plan can beat, and what limits this one. Reads unknot.lock.json; runs nothing and collects nothing.

  unknot plan -n 8                        on eight workers
  unknot plan -n 8 -v                     with the tests of each lane
  unknot plan -n 8 --planner optimal      with a solver, which also proves how good the plan is
  unknot plan -n 8 --format html -o plan.html
                                          a picture, with the times of the last run beside the predicted
  unknot plan --shards 6                  for six machines, each of which runs `unknot run --shard 1/6` …
  echo "matrix=$(unknot plan --shards 6 --export github)" >> "$GITHUB_OUTPUT"
  unknot plan --graph graph.json -n 4 --format json
                                          for a dependency graph without a suite
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    lanes = parser.add_argument_group("the plan")
    add_workers(lanes)
    lanes.add_argument(
        "--shards",
        type=positive_int,
        default=None,
        metavar="K",
        help="plan for so many machines, instead of workers on one",
    )
    lanes.add_argument(
        "--planner",
        choices=PLANNERS,
        default="auto",
        help="greedy; closures: as in the literature, one order for each test that no other needs; prefix-tree: the"
        " same with common beginnings run once, for runners that fork; optimal: with a solver, requires"
        " `unknot[optimal]` (default: the fastest of those that need neither)",
    )
    lanes.add_argument(
        "--time-limit",
        type=positive_float,
        default=TIME_LIMIT,
        metavar="SECONDS",
        help=f"time limit for the solver of --planner optimal (default: {TIME_LIMIT:g})",
    )
    lanes.add_argument(
        "--clean-state",
        type=seconds,
        default=None,
        metavar="SECONDS",
        help=f"time to reach a clean state, for each order (default: {CLEAN_STATE}; 0 with --graph or --shards)",
    )
    lanes.add_argument(
        "--graph", type=Path, default=None, metavar="FILE", help="read a dependency graph, or another lock file"
    )
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json", "html"), default="text", help="(default: text)")
    output.add_argument(
        "--export",
        choices=tuple(FORMATS),
        default=None,
        help="write the plan for another tool: "
        + "; ".join(f"{name}: {found.help}" for name, found in FORMATS.items()),
    )
    add_output(output)
    output.add_argument("-v", "--verbose", action="store_true", help="list the tests of each lane")
    add_durations(parser)
    add_files(parser)
    parser.set_defaults(verb=run_plan)


def run_plan(given: argparse.Namespace, console: Console) -> ExitCode:
    if given.export and FORMATS[given.export].of_shards and not given.shards:
        raise UsageError(
            f"--export {given.export} needs a plan for shards",
            hint="Add `--shards 6`, for example.",
            slug="option-requires-other",
        )
    dependencies = _dependencies(given, console)
    report = _report(given, dependencies, console)
    if given.export:
        sys.stdout.write(export(given.export, dependencies, report.plan, given.output))
    else:
        _write(given, console, report)
    return ExitCode.CLEAN


def _dependencies(given: argparse.Namespace, console: Console) -> Dependencies:
    if given.graph is not None:
        return read_dependencies(given.graph)
    return require_lock(
        project_files(given),
        terminal_progress(given, console),
        "Run `unknot detect` first, or name a graph with `--graph`.",
    )


def _report(given: argparse.Namespace, dependencies: Dependencies, console: Console) -> PlanReport:
    if given.shards:
        return shard_report(dependencies, given.shards, given.clean_state or 0.0)
    count = worker_count(given.workers)
    default = CLEAN_STATE if given.graph is None else 0.0
    options = PlanOptions(
        workers=count,
        planner=given.planner,
        clean_state=default if given.clean_state is None else given.clean_state,
        time_limit=given.time_limit,
    )
    plan = make_plan(dependencies, options)
    note = terminal_progress(given, console).note
    real = last_run(given.state_dir, dependencies, note) if given.graph is None else None
    return plan_report(dependencies, plan, count, options.clean_state, real=real)


def _write(given: argparse.Namespace, console: Console, report: PlanReport) -> None:
    if given.format == "text" and given.output is None:
        out = Console(highlight=False)
        write_rich(plan_text(report, width=out.width, verbose=given.verbose, encoding=out.encoding))
        return
    writers = {
        "text": lambda: plan_text(report, verbose=given.verbose).plain,
        "json": lambda: dumps_plan(report),
        "html": lambda: plan_to_html(report),
    }
    write_text(writers[given.format](), given.output, console)
