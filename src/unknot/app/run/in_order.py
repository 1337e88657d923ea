"""Runs a suite in its own order by one plain pytest: for a debugger, which needs the terminal."""

from contextlib import ExitStack

from unknot.app.plan import require_lock
from unknot.app.progress import ProgressListener
from unknot.app.run.options import RunOptions
from unknot.app.run.scope import open_scope
from unknot.runners.pytest.plain import run_plain


def run_in_order(options: RunOptions, listener: ProgressListener) -> int:
    """pytest's exit code. The tests that the chosen ones need run before them; the directory is the project's own.
    Raises what `run` raises before tests run."""
    with ExitStack() as resources:
        scope = open_scope(options, require_lock(options.files, listener), listener, resources)
    for line in scope.lines:
        listener.note(line)
    return run_plain(scope.settings)
