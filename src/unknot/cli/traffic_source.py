"""The traffic of a suite, for those who suspect by it."""

import argparse
from typing import TYPE_CHECKING

from rich.console import Console

from unknot.cli.suite_kind import PYTEST
from unknot.model.errors import UsageError
from unknot.runners.pytest.settings import Settings

if TYPE_CHECKING:
    from unknot.model.traffic import Traffic


def recorded_traffic(settings: Settings, options: argparse.Namespace, kind: str, console: Console) -> "Traffic":
    """Runs the suite once in its own order and listens to its browsers. Raises UsageError for a suite of another kind,
    and RunnerError if that run does not come to its end. With a limit for the search it may take half as long."""
    if kind != PYTEST:
        raise UsageError(
            f"traffic and storage are recorded of pytest suites, and this one is run by {kind}",
            hint="suspect by `strings`, whose code is read in any language, or by names",
        )
    if not options.quiet:
        console.print("listening to the browser while the suite runs once in its own order", markup=False)
    from unknot.cli.traffic_recording import record_traffic, tell_traffic, write_traffic

    limit = getattr(options, "max_seconds", None)
    found = record_traffic(settings, seconds=float("inf") if limit is None else limit / 2)
    write_traffic(found, options.state_dir)
    if not options.quiet:
        tell_traffic(found, console)
    return found
