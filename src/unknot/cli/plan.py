"""`unknot plan`: which worker would run what when, how fast that is, and what limits it."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from unknot.app.export import FORMATS, export
from unknot.app.options import ProjectFiles, RunnerOptions, options_from, worker_count
from unknot.app.plan import PlanOptions, last_run, make_plan, plan_report, require_lock, shard_report
from unknot.app.recording.assumed import assumed_result
from unknot.cli.options import FIX_ORDER, FROM_RECORDING, OptionGroup, positive_float, positive_int, seconds
from unknot.cli.terminal import TerminalProgress, write_rich, write_text
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, StorageError, UsageError
from unknot.model.recording import Recording
from unknot.plan.fixed_order import with_fixed_order
from unknot.plan.makers.optimal import TIME_LIMIT
from unknot.plan.makers.registry import PLANNERS
from unknot.plan.problem import CLEAN_STATE
from unknot.report.plan.plan_html import plan_to_html
from unknot.report.plan.plan_json import dumps_plan
from unknot.report.plan.plan_report import PlanReport
from unknot.report.plan.plan_text import plan_text
from unknot.store.graph_file import read_dependencies
from unknot.store.recording_file import read_recording
from unknot.store.start_up import read_start_up
from unknot.store.state_directory import StateDirectory

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
  unknot plan --from-recording -n 8       by one recorded run, without a detection
  unknot plan --graph graph.json -n 4 --format json
                                          for a dependency graph without a suite
"""


def add_options(parser: OptionGroup) -> None:
    lanes = parser.group("the plan")
    lanes.workers()
    lanes.value("--shards", "K", "plan for so many machines, instead of workers on one", positive_int)
    lanes.choice(
        "--planner",
        PLANNERS,
        "auto",
        "greedy; closures: as in the literature, one order for each test that no other needs; prefix-tree: the"
        " same with common beginnings run once, for runners that fork; optimal: with a solver, requires"
        " `unknot[optimal]` (default: the fastest of those that need neither)",
    )
    limit = "time limit for the solver of --planner optimal"
    lanes.value("--time-limit", "SECONDS", limit, positive_float, TIME_LIMIT)
    default = f"(default: {CLEAN_STATE}; 0 with --graph or --shards)"
    lanes.value("--clean-state", "SECONDS", f"time to reach a clean state, for each order {default}", seconds)
    lanes.value("--graph", "FILE", "read a dependency graph, or another lock file", Path)
    lanes.flag("--from-recording", FROM_RECORDING)
    lanes.flag("--fix-order", FIX_ORDER)
    output = parser.output(("text", "json", "html"), file=True)
    formats = "; ".join(f"{name}: {found.help}" for name, found in FORMATS.items())
    output.add("--export", choices=tuple(FORMATS), help=f"write the plan for another tool: {formats}")
    output.flag("-v|--verbose", "list the tests of each lane")
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    if given.export and FORMATS[given.export].of_shards and not given.shards:
        raise UsageError(
            f"--export {given.export} needs a plan for shards",
            hint="Add `--shards 6`, for example.",
            slug="option-requires-other",
        )
    dependencies = _dependencies(given, progress)
    if given.fix_order:
        dependencies = with_fixed_order(dependencies)
    report = _report(given, dependencies, progress)
    if given.export:
        recording = None if given.graph is not None else _recording(given.state_dir)
        sys.stdout.write(export(given.export, dependencies, report.plan, given.output, recording))
    else:
        _write(given, progress, report)
    return ExitCode.CLEAN


def _recording(state_dir: Path) -> Recording | None:
    """What earlier detections have recorded. Without, or with a damaged one, the export says what it lacks."""
    try:
        return read_recording(StateDirectory(state_dir).recording)
    except StorageError:
        return None


def _dependencies(given: argparse.Namespace, progress: TerminalProgress) -> Dependencies:
    if given.from_recording and given.graph is not None:
        raise UsageError(
            "--from-recording and --graph both say what to plan by", hint="Give one of them.", slug="options-conflict"
        )
    if given.graph is not None:
        return read_dependencies(given.graph)
    if given.from_recording:
        return assumed_result(
            options_from(RunnerOptions, vars(given)), options_from(ProjectFiles, vars(given)), progress
        )
    return require_lock(
        options_from(ProjectFiles, vars(given)),
        progress,
        "Run `unknot detect` first, or name a graph with `--graph`.",
    )


def _report(given: argparse.Namespace, dependencies: Dependencies, progress: TerminalProgress) -> PlanReport:
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
    real = last_run(given.state_dir, dependencies, progress.note) if given.graph is None else None
    start_up = read_start_up(StateDirectory(given.state_dir).start_up) if given.graph is None else None
    return plan_report(dependencies, plan, count, options.clean_state, real=real, start_up=start_up)


def _write(given: argparse.Namespace, progress: TerminalProgress, report: PlanReport) -> None:
    if given.format == "text" and given.output is None:
        out = Console(highlight=False)
        write_rich(plan_text(report, width=out.width, verbose=given.verbose, encoding=out.encoding))
        return
    writers = {
        "text": lambda: plan_text(report, verbose=given.verbose).plain,
        "json": lambda: dumps_plan(report),
        "html": lambda: plan_to_html(report),
    }
    write_text(writers[given.format](), given.output, progress)
