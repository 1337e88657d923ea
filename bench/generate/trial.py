"""One run of one generator on one simulated application."""

from dataclasses import dataclass

from bench.generate.contestants import GENERATORS, SITES
from bench.generate.reader import TitleReader
from unknot.web.generate.execution import PathExecution
from unknot.web.simulated.simulated_application import SimulatedApplication

BUDGET = 5000
"""One for each step that was tried, three for each reset."""


@dataclass(frozen=True)
class Trial:
    application: str
    generator: str
    seed: int

    @property
    def key(self) -> str:
        return f"{self.application}/{self.generator}/{self.seed}"

    def first_times(self) -> list[int]:
        """The costs at which transitions were taken that had not been taken before, one for each transition."""
        site = SITES[self.application]
        application, graph = SimulatedApplication(site), site.navigation_graph()
        times: list[int] = []

        def goes_on() -> bool:
            times.extend([round(application.seconds)] * (len(application.taken) - len(times)))
            return application.seconds < BUDGET

        execution = PathExecution(application, TitleReader(), graph, goes_on)
        for _ in GENERATORS[self.generator](graph, self.seed).generate(execution):
            goes_on()
        return [each for each in times if each <= BUDGET]


def transitions(application: str) -> int:
    return len(SITES[application].navigation_graph().transitions)
