"""The results of all runs as Markdown."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from bench.generate.contestants import OURS, SITES
from bench.generate.published import PAGE_OBJECTS_BY_HAND, PAGE_OBJECTS_OF_APOGEN
from bench.generate.trial import BUDGET, Trial, transitions
from bench.kit.ranks import effect_size, p_value
from bench.kit.result import markdown

COSTS = (250, 500, 1000, 2000, 5000)
SHARES = (0.7, 0.95)

Samples = Mapping[str, Sequence[int]]
"""The first times of each trial, by its key."""


def report(samples: Samples, seeds: int, applications: Sequence[str], generators: Sequence[str]) -> Iterator[str]:
    yield "# Generators on simulated applications\n\n"
    yield (
        f"Written by `python -m bench.generate.simulated --seeds {seeds} --write`. The cost is one for each step that"
        " was tried and three for each reset; a step that is refused is left out, and the test goes on. Shares of all"
        " published transitions in per cent, means of all seeds. *Area*: that under the curve, per cent. *Cost of 70 %*"
        f" and *of 95 %*: the median over the seeds; a dash if half did not reach it. *p* and *effect*: the area"
        f" of {OURS} against that of the row (Mann-Whitney, Vargha-Delaney: the chance that it is larger).\n"
    )
    for name in applications:
        graph = SITES[name].navigation_graph()
        guarded = sum(bool(each.guard) for each in graph.transitions)
        yield f"\n## {name}: {len(graph.pages)} pages, {len(graph.transitions)} transitions, {guarded} guarded\n\n"
        yield markdown(_HEAD, [_row(samples, seeds, name, each) for each in generators])
    yield from _published(samples, seeds, applications, generators)


_HEAD = ("generator", *(f"{cost:,}" for cost in COSTS), "area", "cost of 70 %", "cost of 95 %", "p", "effect")


def share(times: Sequence[int], cost: int, total: int) -> float:
    """Of the transitions that were taken by then."""
    return 100 * sum(each <= cost for each in times) / total


def area(times: Sequence[int], total: int) -> float:
    """Under the curve of the share over the cost, in per cent of what it could be."""
    return 100 * sum(BUDGET - each for each in times) / (BUDGET * total)


def _runs(samples: Samples, seeds: int, application: str, generator: str) -> list[Sequence[int]]:
    return [samples[Trial(application, generator, seed).key] for seed in range(seeds)]


def _row(samples: Samples, seeds: int, application: str, generator: str) -> list[str]:
    total = transitions(application)
    runs = _runs(samples, seeds, application, generator)
    areas = [area(each, total) for each in runs]
    ours = [area(each, total) for each in _runs(samples, seeds, application, OURS)]
    compared = ["", ""] if generator == OURS else [f"{p_value(ours, areas):.2g}", f"{effect_size(ours, areas):.2f}"]
    shares = [statistics.mean(share(each, cost, total) for each in runs) for cost in COSTS]
    costs = [_median_cost(runs, wanted * total) for wanted in SHARES]
    return [generator, *(f"{each:.1f}" for each in (*shares, statistics.mean(areas))), *costs, *compared]


def _median_cost(runs: Sequence[Sequence[int]], wanted: float) -> str:
    """Of so many transitions."""
    reached = (next((cost for count, cost in enumerate(sorted(each), 1) if count >= wanted), None) for each in runs)
    median = statistics.median_high(cost if cost is not None else BUDGET + 1 for cost in reached)
    return f"{median:,}" if median <= BUDGET else "–"


def _published(samples: Samples, seeds: int, applications: Sequence[str], generators: Sequence[str]) -> Iterator[str]:
    yield (
        "\n## Beside the thesis\n\nTransitions covered and area under the curve, per cent. The figures of the thesis"
        " (Tables 4.8 and 4.6) are those of its own programs, on the real applications, in half an hour on its machine;"
        f" ours are at a cost of {BUDGET:,} on the simulated ones, whose guards and values are our reading. Table 4.6"
        " is about other page objects, with fewer transitions.\n\n"
    )
    rows = []
    for name in applications:
        for generator, figures in PAGE_OBJECTS_BY_HAND[name].items():
            if generator not in generators:
                continue
            total = transitions(name)
            runs = _runs(samples, seeds, name, generator)
            final, under = (
                statistics.mean(measure)
                for measure in zip(*((share(r, BUDGET, total), area(r, total)) for r in runs), strict=True)
            )
            table = [f"{covered} ({auc})" for covered, auc in (figures, PAGE_OBJECTS_OF_APOGEN[name][generator])]
            rows.append([name, generator, f"{final:.1f} ({under:.1f})", *table])
    yield markdown(
        ("application", "generator", "here, simulated", "thesis, page objects by hand", "thesis, those of Apogen"), rows
    )
