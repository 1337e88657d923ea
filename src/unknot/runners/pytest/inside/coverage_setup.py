"""A coverage.py that measures all of the project, with contexts."""

import importlib.util
import os
from typing import Any

_CORE = "COVERAGE_CORE"

_WARNINGS = (
    "already-imported",
    "couldnt-parse",
    "dynamic-conflict",
    "include-ignored",
    "module-not-imported",
    "module-not-measured",
    "no-ctracer",
    "no-data-collected",
    "no-sysmon",
    "trace-changed",
)
"""A suite that turns warnings into errors would fail because it is measured."""


def start_measuring(data: str, roots: tuple[str, ...]) -> Any:
    """A Coverage, started, for all files below the roots, the tests among them: a change of a test is a change.

    Of the project's own configuration it keeps how to measure (branches, kinds of threads), but not what. The tracers
    that know contexts are chosen by name: the faster way to measure that newer Pythons have does not know them.
    """
    import coverage

    core = "ctrace" if importlib.util.find_spec("coverage.tracer") else "pytrace"
    before = os.environ.get(_CORE)
    os.environ[_CORE] = core
    try:
        made: Any = coverage.Coverage(data_file=data, data_suffix=False, check_preimported=False, messages=False)
        concurrency = [way for way in made.get_option("run:concurrency") or [] if way != "multiprocessing"]
        wanted: dict[str, object] = {
            "run:concurrency": concurrency or ["thread"],
            "run:context": None,
            "run:core": core,
            "run:disable_warnings": list(_WARNINGS),
            "run:dynamic_context": None,
            "run:include": [os.path.join(root, "*") for root in roots],
            "run:omit": ["*/site-packages/*", "*/dist-packages/*", "*/.tox/*", "*/.nox/*"],
            "run:parallel": False,
            "run:patch": [],
            "run:plugins": [],
            "run:relative_files": False,
            "run:source": None,
            "run:source_dirs": [],
            "run:source_pkgs": [],
        }
        for name, value in wanted.items():
            try:
                made.set_option(name, value)
            except coverage.CoverageException:
                # An option that this version does not have yet.
                continue
        made.start()
    finally:
        # Tests that measure something themselves choose their own way.
        if before is None:
            del os.environ[_CORE]
        else:
            os.environ[_CORE] = before
    return made
