"""The Python API: the functions that `import unknot` offers.

Every option has the name and the meaning of the command line's. An option that is None is taken from the configuration
of the project, or has the default of the command line. Nothing is printed; pass a `ProgressListener` to follow.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from unknot.app.blame.blame import BlameOptions, BlameResult
from unknot.app.blame.blame import blame as find_blame
from unknot.app.blame.failed_run import FailedRun
from unknot.app.configuration import ProjectConfiguration, read_configuration, with_new_option_names
from unknot.app.detect import DetectOptions, record_detection_coverage
from unknot.app.detect import detect as run_detection
from unknot.app.options import LOCK, RunnerName, WorkdirName, options_from
from unknot.app.plan import PlanOptions, make_plan
from unknot.app.progress import ProgressListener
from unknot.app.run.options import RunOptions
from unknot.app.run.run import SuiteRun
from unknot.app.run.run import run as run_suite
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.plan import Plan
from unknot.plan.makers.optimal import TIME_LIMIT
from unknot.plan.problem import CLEAN_STATE
from unknot.store.state_directory import STATE


def detect(
    path: str | Path = ".",
    *,
    paths: Sequence[str] = (),
    pytest_options: Sequence[str] = (),
    workers: int | None = None,
    runner: RunnerName | None = None,
    suite: Sequence[str] | None = None,
    cluster: str | None = None,
    workdir: WorkdirName | None = None,
    reset: str | None = None,
    timeout: float | None = None,
    algorithm: str | None = None,
    bound: int | None = None,
    orders: Literal["any", "reference"] | None = None,
    thorough: bool | None = None,
    seed: int | None = None,
    full: bool | None = None,
    no_cache: bool | None = None,
    coverage: bool | None = None,
    max_orders: int | None = None,
    max_tests: int | None = None,
    max_seconds: float | None = None,
    trace: bool | None = None,
    trust_trace: bool | None = None,
    trace_stop: str | None = None,
    hints: str | None = None,
    free_values: Sequence[str] | None = None,
    lock: str | Path | None = None,
    state_dir: str | Path | None = None,
    progress: ProgressListener | None = None,
) -> Dependencies:
    """Finds the dependencies between the tests of a suite, and proves them. Writes the lock file and the state
    directory, as `unknot detect` does.

    `path` is the directory to start the tests in, usually that of the project, or a file or node id to test; `paths`
    are files, directories or node ids below it. If a limit is reached, or the search is interrupted with Ctrl-C, the
    result is what was found until then: see `Dependencies.complete`. Raises `UnknotError`.
    """
    options = options_from(DetectOptions, values_of_options(locals()))
    listener = progress or ProgressListener()
    detection = run_detection(options, listener)
    record_detection_coverage(detection, options, listener)
    return detection.dependencies


def blame(
    test: str,
    path: str | Path = ".",
    *,
    paths: Sequence[str] = (),
    pytest_options: Sequence[str] = (),
    workers: int | None = None,
    runner: RunnerName | None = None,
    suite: Sequence[str] | None = None,
    cluster: str | None = None,
    workdir: WorkdirName | None = None,
    reset: str | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    random_order_seed: int | None = None,
    order: str | Path | None = None,
    junit: str | Path | None = None,
    log: str | Path | None = None,
    reason: bool = True,
    fix: bool = True,
    save: bool = False,
    no_cache: bool | None = None,
    max_seconds: float | None = None,
    lock: str | Path | None = None,
    state_dir: str | Path | None = None,
    progress: ProgressListener | None = None,
) -> BlameResult:
    """Finds out what breaks one test, as `unknot blame` does. Writes the lock file only with `save`.

    `path` and `paths` are as in `detect`. `seed`, `random_order_seed`, `order`, `junit` and `log` describe a run in
    which the test failed. `verdict` of the result says whether the test is dependent, flaky, failing or passing; `cuts`
    are its dependencies with reasons and tried changes. Raises `UnknotError`.
    """
    given = {**locals(), "seed": None}
    values = values_of_options(given)
    files = {name: Path(value) if value else None for name, value in (("order", order), ("junit", junit), ("log", log))}
    values["failed_run"] = FailedRun(seed=seed, random_order_seed=random_order_seed, **files)
    return find_blame(test, options_from(BlameOptions, values), progress or ProgressListener())


def plan(
    dependencies: Dependencies,
    *,
    workers: int | None = None,
    planner: str = "auto",
    clean_state: float = CLEAN_STATE,
    time_limit: float = TIME_LIMIT,
) -> Plan:
    """A plan for a parallel run that respects the dependencies; it was checked. Runs nothing.

    `clean_state` are the seconds that it takes to reach a clean state, for each order; `time_limit` is for the planner
    `optimal`. Raises `UsageError` for an unknown planner, and for `optimal` without the extra `unknot[optimal]`.
    """
    options = PlanOptions(workers=workers, planner=planner, clean_state=clean_state, time_limit=time_limit)
    return make_plan(dependencies, options)


def run(
    path: str | Path = ".",
    *,
    paths: Sequence[str] = (),
    pytest_options: Sequence[str] = (),
    workers: int | None = None,
    runner: RunnerName | None = None,
    suite: Sequence[str] | None = None,
    cluster: str | None = None,
    workdir: WorkdirName | None = None,
    reset: str | None = None,
    timeout: float | None = None,
    shard: tuple[int, int] | None = None,
    planner: str | None = None,
    from_recording: bool | None = None,
    fix_order: bool | None = None,
    frozen: bool | None = None,
    no_repair: bool | None = None,
    repair_seconds: float | None = None,
    lock: str | Path | None = None,
    state_dir: str | Path | None = None,
    progress: ProgressListener | None = None,
) -> SuiteRun:
    """Runs a suite in parallel, by a plan that respects the dependencies of its lock file, as `unknot run` does.

    `path` and `paths` are as in `detect`; what the chosen tests need runs too. `shard=(2, 6)` runs the second of six
    parts. `from_recording` plans by one recorded run, proved or not. `fix_order` runs tests
    that fail in suite order after what they need. Raises `UnknotError`, a `UsageError` if there is no lock file to plan
    by.
    """
    return run_suite(options_from(RunOptions, values_of_options(locals())), progress or ProgressListener())


def values_of_options(given: dict[str, Any]) -> dict[str, Any]:
    """The values of all options: the caller's, else those of the configuration; the files of the project count from
    its directory. An option that neither has is missing."""
    place, separator, node = str(given["path"]).partition("::")
    directory, paths = Path(place).absolute(), tuple(given["paths"])
    if not directory.exists():
        raise UsageError(
            f"no such file or directory: {place}", hint="Give the directory of a project.", slug="path-not-found"
        )
    if not directory.is_dir():
        directory, paths = directory.parent, (f"{directory.name}{separator}{node}", *paths)
    configuration = with_new_option_names(read_configuration(directory), lambda _: None)
    values = {key.replace("-", "_"): _checked(configuration, key) for key in configuration.options}
    values |= {name: value for name, value in given.items() if value is not None}
    values |= {"directory": directory, "configuration": configuration, "paths": paths}
    values["pytest_options"] = tuple(given["pytest_options"])
    files: dict[str, Any] = {"lock": LOCK, "state_dir": STATE, **values}
    return values | {name: directory / files[name] for name in ("lock", "state_dir", "durations_file") if name in files}


def _checked(configuration: ProjectConfiguration, key: str) -> object:
    value = configuration.options[key]
    if not isinstance(value, str | int | float | list):
        raise UsageError(
            f"{configuration.where} {key} must be text, a number, true, false or a list, not {value!r}",
            hint=f"See the option --{key} of the command line.",
            slug="config-invalid-value",
        )
    return value
