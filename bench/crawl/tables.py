"""The results of crawls as Markdown."""

import statistics
from collections.abc import Callable, Sequence

from bench.crawl.measure import CLIENT, SERVER, CrawlRecord
from bench.crawl.ways import OURS
from bench.kit.result import machine, markdown

_HEAD = (
    "application",
    "way",
    "edges %",
    "area %",
    "client %",
    "client area %",
    "server lines",
    "server gain",
    "kinds",
    "steps a second",
    "refused %",
    "settling %",
    "resets",
)


def report(records: Sequence[CrawlRecord], minutes: float, at_once: int, revisions: Sequence[str]) -> str:
    """Means over seeds; least and most of the edges in brackets if they differ."""
    about = machine()
    groups: dict[tuple[str, str], list[CrawlRecord]] = {}
    for each in records:
        groups.setdefault((each.application, each.way), []).append(each)
    rows = [
        _row(application, way, group, _client_bytes(records, application))
        for (application, way), group in groups.items()
    ]
    seeds = len({each.seed for each in records})
    return "\n".join(
        [
            f"# Crawls of four applications, {minutes:g} minutes of the browser",
            "",
            f"Written by `python -m bench.crawl.run --minutes {minutes:g} --seeds {seeds} -n {at_once}`, {at_once} at a"
            f" time on {about['cores']} cores, Python {about['python']}, of {', '.join(revisions)}. Edges: the share of"
            " a navigation graph that a person wrote before any crawl. Area: the mean over all seconds. Client: bytes"
            " of own JavaScript that ran, of the most that a run has loaded. Server gain: lines beyond those of the"
            " start page and the login. Settling: the share of the time in which pages were only waited for.",
            "",
            markdown(_HEAD, rows),
            *_missed(groups),
        ]
    )


def _row(application: str, way: str, group: Sequence[CrawlRecord], client_bytes: int) -> tuple[str, ...]:
    shares = [100 * each.series["edges"][-1] / each.edges for each in group]
    spread = f" ({min(shares):.0f}-{max(shares):.0f})" if max(shares) - min(shares) >= 1 else ""
    return (
        application,
        way,
        f"{statistics.mean(shares):.0f}{spread}",
        _mean(group, lambda each: 100 * statistics.mean(each.series["edges"]) / each.edges),
        _mean(group, lambda each: 100 * each.series[CLIENT][-1] / client_bytes),
        _mean(group, lambda each: 100 * statistics.mean(each.series[CLIENT]) / client_bytes),
        _mean(group, lambda each: each.series[SERVER][-1]),
        _mean(group, lambda each: each.series[SERVER][-1] - each.start[SERVER]),
        _mean(group, lambda each: each.series["kinds"][-1]),
        _mean(group, lambda each: each.steps / each.seconds, 1),
        _mean(group, lambda each: 100 * each.refused / max(each.steps, 1)),
        _mean(group, lambda each: 100 * each.settling / each.seconds),
        _mean(group, lambda each: each.resets),
    )


def _client_bytes(records: Sequence[CrawlRecord], application: str) -> int:
    """At least 1, for applications without."""
    return max(1, *(each.known[CLIENT] for each in records if each.application == application))


def _mean(group: Sequence[CrawlRecord], value: Callable[[CrawlRecord], float], digits: int = 0) -> str:
    return f"{statistics.mean(map(value, group)):,.{digits}f}"


def _missed(groups: dict[tuple[str, str], list[CrawlRecord]]) -> list[str]:
    """The edges that ours took in no run."""
    lines = [f"Edges that `{OURS}` took in no run:", ""]
    for (application, way), group in groups.items():
        if way == OURS:
            missed = [edge for edge in group[0].missing if all(edge in each.missing for each in group)]
            lines.append(f"- {application}: {'; '.join(missed) or 'none'}.")
    problems = [
        f"- {each.application}, {each.way}, seed {each.seed}: {each.problem}"
        for group in groups.values()
        for each in group
        if each.problem
    ]
    return [*lines, "", *(["Runs that ended early:", "", *problems, ""] if problems else [])]
