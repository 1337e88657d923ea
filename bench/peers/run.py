"""`python bench/peers/run.py [words…]`: what each tool finds in the planted suite, and how long it takes."""

import argparse
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import DEFAULT_CACHE, Environment, environment, install_unknot, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.interpreters import find_python
from bench.kit.process import end_when_asked
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.peers.tools import detect_test_pollution, find_dependencies, ipflakies, unknot, whyflaky
from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import Claim, Score, read_truth, score
from bench.peers.workbench import PLANTED, OutOfTime, Workbench

_TOOLS: tuple[Tool, ...] = (
    *unknot.TOOLS,
    *detect_test_pollution.TOOLS,
    *find_dependencies.TOOLS,
    *ipflakies.TOOLS,
    *whyflaky.TOOLS,
)
_HEAD = ("tool", "listed", "found", "right", "wrong", "seconds", "notes")


@dataclass(frozen=True)
class Result:
    """One row. Without a score the tool could not be run; the notes say why."""

    tool: str
    score: Score | None
    seconds: float
    notes: str


def main() -> int:
    """One tool after the other; one that does not work is named and does not stop the rest."""
    options = _options()
    end_when_asked()
    truth = read_truth(PLANTED)
    results = []
    for tool in options.tools:
        say(tool.name)
        results.append(_result(tool, truth, options.cache, options.timeout))
        say(f"  {results[-1].seconds:.1f} s: {results[-1].notes}")
    table = markdown(_HEAD, [_cells(result, len(truth)) for result in results])
    publish(table, {"dependent_tests": len(truth), "tools": [asdict(result) for result in results]}, options.json)
    return 0


def _result(tool: Tool, truth: Mapping[str, Claim], cache: Path, timeout: float) -> Result:
    answer = Answer()
    place = cache / "peers" / re.sub(r"[^a-z0-9.]+", "-", tool.name.lower())
    try:
        bench = Workbench(_environment(tool, cache), place, timeout)
    except BenchFailure as problem:
        return Result(tool.name, None, 0.0, f"not run: {problem}")
    try:
        tool.ask(bench, list(truth), answer)
    except OutOfTime as problem:
        answer.notes[str(problem)] += 1
    except BenchFailure as problem:
        answer.notes[f"failed: {problem}"] += 1
    return Result(tool.name, score(answer.claims, truth), bench.seconds, answer.told())


def _environment(tool: Tool, cache: Path) -> Environment:
    python = sys.executable
    if tool.pythons:
        found = next(filter(None, map(find_python, tool.pythons)), None)
        if found is None:
            raise BenchFailure(f"needs Python {' or '.join(tool.pythons)}, which is not installed")
        python = found
    directory = cache / "peers" / f"{re.sub(r'[^a-z0-9.]+', '-', '-'.join(tool.requirements))}-env"
    made = environment(directory, tool.requirements, python=python)
    if tool.is_unknot:
        install_unknot(made, unknot_wheel(cache))
    return made


def _cells(result: Result, dependents: int) -> list[str]:
    if result.score is None:
        return [result.tool, "-", "-", "-", "-", "-", result.notes]
    found = result.score
    return [
        result.tool,
        f"{found.listed}/{dependents}",
        f"{found.found}/{dependents}",
        f"{found.right}/{dependents}",
        str(found.wrong),
        f"{result.seconds:.1f}",
        result.notes,
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The planted suite through unknot and its peers.")
    parser.add_argument("words", nargs="*", metavar="word", help="only tools with this in their name (default: all)")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one tool (default: 600)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="environments, logs (default: bench/.cache)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the same, for machines")
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    words = [word.lower() for word in options.words] or [""]
    options.tools = [tool for tool in _TOOLS if any(word in tool.name.lower() for word in words)]
    if not options.tools:
        parser.error(f"no tool has that in its name; there are: {', '.join(tool.name for tool in _TOOLS)}")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
