"""Crawl strategies on a simulated application: the share of its transitions that each reaches, by cost.

    python -m bench.crawl.simulated [--write]

The cost is one for each step and three for each reset. No strategy knows the transitions.
"""

import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from bench.kit.say import say
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.systematic import BreadthFirst, DepthFirst
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.trello import Trello

RESULTS = Path(__file__).parent / "results" / "simulated.md"
COSTS = (250, 500, 1000, 2000, 5000)
SEEDS = 10
TRANSITIONS = 38

STRATEGIES: dict[str, Callable[[int], Explorer]] = {
    "promising": PromisingFirst,
    "promising, values at random": lambda seed: PromisingFirst(seed, reuse_values=False),
    "promising, failures are final": lambda seed: PromisingFirst(seed, restore=False),
    "depth first": DepthFirst,
    "breadth first": BreadthFirst,
    "random": RandomWalk,
}


def reached(make: Callable[[int], Explorer], seed: int) -> tuple[list[int], float]:
    """Transitions taken at each cost, and the share of steps that were possible."""
    application = SimulatedApplication(Trello)
    taken = dict.fromkeys(COSTS, 0)
    steps = possible = 0
    reader = PageReader(KindByTitle())
    for step in crawl(application, make(seed), reader, lambda: application.seconds < COSTS[-1]):
        if step.chosen is not None:
            steps += 1
            possible += not step.after.refused
        for cost in COSTS:
            if application.seconds <= cost:
                taken[cost] = len(application.taken)
    return list(taken.values()), possible / steps


def main() -> None:
    lines = [
        "# Crawl strategies on Phoenix Trello, simulated",
        "",
        f"Written by `python -m bench.crawl.simulated --write`, {SEEDS} seeds. Mean share of {TRANSITIONS} transitions"
        " in per cent, at a cost of one for each step and three for each reset. No strategy knows the transitions.",
        "",
        f"| strategy | {' | '.join(f'{cost:,}' for cost in COSTS)} | steps that were possible |",
        f"| --- | {' | '.join('---:' for _ in COSTS)} | ---: |",
    ]
    for name, make in STRATEGIES.items():
        runs = [reached(make, seed) for seed in range(SEEDS)]
        means = [statistics.mean(run[0][place] for run in runs) for place in range(len(COSTS))]
        shares = " | ".join(f"{100 * mean / TRANSITIONS:.1f}" for mean in means)
        lines.append(f"| {name} | {shares} | {100 * statistics.mean(run[1] for run in runs):.0f} % |")
        say(lines[-1])
    if "--write" in sys.argv[1:]:
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
