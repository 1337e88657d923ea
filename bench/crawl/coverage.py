"""What the measurement of coverage costs a crawl of the library of examples/webapp.

    python -m bench.crawl.coverage [--write]

The server alone: requests a second with and without, alternating. A crawl: the same random walk with and without,
alternating, and how long the answers of browser and server take. CPU time is that of all processes; unlike the other
figures it hardly depends on what else the machine does.
"""

import resource
import statistics
import sys
import time
import urllib.request
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bench.kit.say import say
from unknot.app.crawl.login import login_function
from unknot.model.web.code_coverage import StepCoverage
from unknot.runners.sut.instance import SandboxedInstance
from unknot.runners.sut.spec import InstanceSpec, ResetSpec
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.client_coverage import ClientCoverage
from unknot.web.browser.launch import launch, origin_of
from unknot.web.browser.own_code import OwnCode
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.safety import Safety

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

RESULTS = Path(__file__).parent / "results" / "coverage.md"
APPLICATION = Path(__file__).parents[2] / "examples" / "webapp"
ROUNDS = 3
REQUESTS = 400
STEPS = 50

_SERVER = """\
import sys
from pathlib import Path

from library.server import serving

serving(Path(sys.argv[1]) / "library.db", int(sys.argv[2])).serve_forever()
"""
SPEC = InstanceSpec(
    start=(sys.executable, "-c", _SERVER, "{dir}", "{port0}"),
    ports=1,
    ready=("port",),
    reset=ResetSpec("sqlite", (("file", "{dir}/library.db"),)),
)


class Timed:
    """A function, and the seconds of each of its calls."""

    def __init__(self, function: Callable[[], StepCoverage]) -> None:
        self._function = function
        self.seconds: list[float] = []

    def __call__(self) -> StepCoverage:
        started = time.perf_counter()
        try:
            return self._function()
        finally:
            self.seconds.append(time.perf_counter() - started)


class TimedClient(ClientCoverage):
    def __init__(self, own: OwnCode) -> None:
        super().__init__(own)
        self.timed = Timed(super().taken)

    def taken(self) -> StepCoverage:
        return self.timed()


def requests_a_second(*, measured: bool) -> float:
    instance = SandboxedInstance(SPEC, APPLICATION, measured=measured)
    try:
        address = f"http://127.0.0.1:{instance.variables['UNKNOT_PORT_0']}/"
        for _ in range(20):
            urllib.request.urlopen(address).read()
        started = time.perf_counter()
        for _ in range(REQUESTS):
            urllib.request.urlopen(address).read()
        return REQUESTS / (time.perf_counter() - started)
    finally:
        instance.close()


def cpu_seconds() -> float:
    """Of this process, and of all that it has started and that have ended."""
    found = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in found)


def steps_of_a_walk(playwright: "Playwright", seed: int, *, measured: bool) -> tuple[list[float], float, float]:
    """The seconds of each step, and the median seconds of an answer of the browser and of the server."""
    instance = SandboxedInstance(SPEC, APPLICATION, measured=measured)

    def clean() -> str:
        instance.reset()
        return f"http://127.0.0.1:{instance.variables['UNKNOT_PORT_0']}/"

    origin = origin_of(clean())
    browser = launch(playwright, [origin])
    client = TimedClient(OwnCode([origin])) if measured else None
    server = Timed(instance.coverage.taken) if instance.coverage else None
    application = BrowserApplication(browser, clean, login_function("login.py::log_in", APPLICATION), client, server)
    reader = PageReader(FoldedKinds(), Safety(frozenset([origin]), True, ()))
    taken = crawl(application, RandomWalk(seed), reader, lambda: True)
    worked = (each.after.observation.seconds for each in taken if each.chosen is not None and not each.after.refused)
    try:
        steps = list(islice(worked, STEPS))
    finally:
        application.close()
        browser.close()
        instance.close()
    if client is None or server is None:
        return steps, 0.0, 0.0
    return steps, statistics.median(client.timed.seconds), statistics.median(server.seconds)


def main() -> None:
    from playwright.sync_api import sync_playwright

    rates: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(ROUNDS):
        for measured, found in rates.items():
            found.append(requests_a_second(measured=measured))
            say(f"{found[-1]:.0f} requests a second, {measured=}")
    steps: dict[bool, list[float]] = {True: [], False: []}
    answers: list[tuple[float, float]] = []
    cpu: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(ROUNDS):
        for measured, seconds in steps.items():
            before = cpu_seconds()
            with sync_playwright() as playwright:
                took, client, server = steps_of_a_walk(playwright, seed, measured=measured)
            cpu[measured].append(1000 * (cpu_seconds() - before) / STEPS)
            seconds.extend(took)
            say(f"{1000 * statistics.median(took):.0f} ms a step, CPU {cpu[measured][-1]:.0f} ms, {measured=}")
            if measured:
                answers.append((client, server))
    rate = {measured: statistics.median(found) for measured, found in rates.items()}
    step = {measured: 1000 * statistics.median(found) for measured, found in steps.items()}
    client, server = (1000 * statistics.median(each) for each in zip(*answers, strict=True))
    lines = [
        "# What coverage costs",
        "",
        f"Written by `python -m bench.crawl.coverage --write` on the library of examples/webapp; medians of {ROUNDS}"
        f" rounds of {REQUESTS} requests, and of {ROUNDS} random walks of {STEPS} steps, alternating.",
        "",
        "| | without | with |",
        "| --- | ---: | ---: |",
        f"| requests a second, one after another | {rate[False]:.0f} | {rate[True]:.0f} |",
        f"| ms a step | {step[False]:.0f} | {step[True]:.0f} |",
        f"| CPU ms a step | {statistics.median(cpu[False]):.0f} | {statistics.median(cpu[True]):.0f} |",
        f"| answer of the browser, ms | | {client:.1f} |",
        f"| answer of the server, ms | | {server:.1f} |",
    ]
    print("\n".join(lines))  # noqa: T201 - the result
    if "--write" in sys.argv[1:]:
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
