"""Runs a suite by one pytest, in suite order, where that is predicted to be faster than workers."""

from unknot.app.configuration import PYTEST
from unknot.app.options import worker_count
from unknot.app.progress import ProgressListener
from unknot.app.run.options import RunOptions
from unknot.app.session.session import settings_from
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.start_up import WallTime
from unknot.report.wording import duration
from unknot.runners.pytest.command_line import only_report
from unknot.runners.pytest.one_process import run_in_one_process
from unknot.store.durations import read_durations, update_durations
from unknot.store.start_up import read_start_up, update_start_up
from unknot.store.state_directory import StateDirectory


def run_if_faster(options: RunOptions, listener: ProgressListener) -> int | None:
    """pytest's exit code. None if workers are faster, or as fast as far as is known; if a number of workers was given,
    or anything that one pytest cannot do; or if the process died before its end."""
    wall = _predicted(options)
    if wall is None or not wall.is_plain_faster:
        return None
    workers = worker_count(options.runner.workers)
    listener.status(
        f"one process, in suite order: predicted {duration(wall.plain)}, with {workers} workers"
        f" {duration(wall.parallel)} (`-n {workers}` runs them)"
    )
    found = run_in_one_process(settings_from(options.runner, listener))
    if found is None:
        listener.note("pytest ended before all tests were run; they are run again, by workers")
        return None
    state = StateDirectory(options.files.state_dir)
    measured = {test: result.seconds for test, result in found.results.items() if result.outcome is Outcome.PASSED}
    try:
        state.prepare()
        update_durations(state.durations, measured)
        update_start_up(state.start_up, collecting=found.collecting)
    except StorageError as problem:
        listener.note(f"the times of this run are not kept: {problem.message}")
    return found.exit_status


def _predicted(options: RunOptions) -> WallTime | None:
    """From the durations alone, so that nothing else has to be read: no plan is shorter than an even share of them."""
    if not _may_be_one_process(options) or not options.files.lock.exists():
        return None
    state = StateDirectory(options.files.state_dir)
    start_up = read_start_up(state.start_up)
    try:
        seconds = read_durations(options.files.durations_file or state.durations).values()
    except StorageError:
        return None
    if start_up is None or not seconds:
        return None
    work = sum(seconds)
    makespan = max(*seconds, work / worker_count(options.runner.workers))
    return WallTime.predict(start_up, work=work, makespan=makespan)


def _may_be_one_process(options: RunOptions) -> bool:
    """With a choice of tests, what they need would have to be found first."""
    runner = options.runner
    is_plain = runner.kind == PYTEST and not (runner.cluster or runner.reset or runner.paths)
    is_plain &= only_report(runner.pytest_options)
    is_default = runner.workers is None and runner.runner == "auto" and runner.workdir == "auto"
    is_whole = options.shard is None and not options.from_recording and not options.fix_order
    return is_plain and is_default and is_whole and options.planner == "auto" and runner.instance is None
