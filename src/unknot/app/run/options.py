"""What a user can say about a run."""

from dataclasses import dataclass, field

from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.runners.settings import Measure

REPAIR_SECONDS = 120.0

Shard = tuple[int, int]
"""`(2, 6)` is the second of six."""


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """`shard` is one part of the suite, counted from 1. `from_recording` plans by what one recorded run showed, proved
    or not. `fix_order` puts tests that fail in suite order behind what they need. `frozen` leaves the lock file as it
    is; `no_repair` counts a test that fails only in the plan as failed, and does not search for the reason.
    `reports` and `measure` are those of Settings."""

    runner: RunnerOptions
    files: ProjectFiles = field(default_factory=ProjectFiles)
    shard: Shard | None = None
    planner: str = "auto"
    reports: bool = False
    measure: Measure | None = None
    from_recording: bool = False
    fix_order: bool = False
    frozen: bool = False
    no_repair: bool = False
    repair_seconds: float = REPAIR_SECONDS
