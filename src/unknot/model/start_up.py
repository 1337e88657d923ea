"""What a run of a suite costs besides its tests, and the wall time that follows from it."""

from dataclasses import dataclass

USUAL_REST = 0.6
"""Seconds, until a parallel run was measured on this machine."""

_LEAST_GAIN = 0.05
"""A parallel run that is predicted to save less than this part is not worth its cost."""


@dataclass(frozen=True)
class StartUp:
    """Seconds as measured: `collecting` from the start of pytest until it has collected the suite; `rest` is all else
    of a parallel run in which no test runs: starting, planning, forking, ending."""

    collecting: float
    rest: float = USUAL_REST


@dataclass(frozen=True)
class WallTime:
    """Predicted seconds from the start to the end of the whole command."""

    parallel: float
    plain: float

    @classmethod
    def predict(cls, start_up: StartUp, *, work: float, makespan: float) -> "WallTime":
        """`work` are the seconds of all tests one after another, `makespan` those of the longest lane. Assumes that a
        test takes as long beside others as alone."""
        return cls(start_up.collecting + start_up.rest + makespan, start_up.collecting + work)

    @property
    def is_plain_faster(self) -> bool:
        return self.parallel > self.plain * (1 - _LEAST_GAIN)

    @property
    def speed_up(self) -> float:
        return self.plain / self.parallel if self.parallel else 1.0
