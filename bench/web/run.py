"""`python -m bench.web.run`: suites of the examples in a real browser, every way of detecting side by side.

For each suite: plain pytest, three times; a detection from nothing for each way, on two workers, one after another;
`unknot run -n 2` by what the first detection has found, ten times. Every run must be green. All ways on both whole
suites take hours; `--part FILE` takes some files of one suite.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.failure import BenchFailure
from bench.kit.process import end_when_asked
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.web.measure import Detection, detection, plain, planned
from bench.web.suites import OURS, SUBJECTS, truth_of

_SUSPECTS = (
    "original+verb",
    "original+dobj",
    "original+noun",
    "original+object",
    "strings",
    "strings+verb",
    "strings+dobj",
    "strings+noun",
    "strings+object",
    "traffic",
)

_IN_ORDER = ("--orders", "reference")
"""TEDD looks for nothing else than what shows when tests keep their order."""

WAYS: Mapping[str, Sequence[str]] = {
    "sieve, any order": (),
    "sieve": _IN_ORDER,
    **{f"sieve, {words}": (*_IN_ORDER, "--hints", words) for words in _SUSPECTS},
    "tedd": ("--algorithm", "tedd"),
    **{f"tedd, {words}": ("--algorithm", "tedd", "--hints", words) for words in _SUSPECTS},
}

_HEAD = (
    "suite",
    "configuration",
    "orders",
    "tests run",
    "seconds",
    "plain runs",
    "needs",
    "conflicts",
    "others",
    "flaky",
    "complete",
)


def main() -> int:
    options = _options()
    end_when_asked()
    rows, samples = [], []
    for suite in options.suites:
        try:
            seconds = [plain(suite, options.part) for _ in range(options.plain)]
            say(f"{suite}: plain {seconds}")
            with tempfile.TemporaryDirectory() as directory:
                found = list(_detections(suite, options.ways, Path(directory), options.part))
                first = Path(directory) / "0.json"
                runs = planned(suite, first, options.runs, options.part) if found and options.runs else []
        except BenchFailure as failure:
            say(f"{suite}: {failure}")
            return 1
        say(f"{suite}: planned {runs}")
        rows += [_row(each, statistics.median(seconds), options.part) for each in found]
        samples.append(
            {"suite": suite, "plain": seconds, "planned": runs, "detections": [asdict(one) for one in found]}
        )
    publish(markdown(_HEAD, rows) + "\n" + _runs(samples), {"suites": samples}, options.json)
    return 0


def _detections(suite: str, ways: Sequence[str], directory: Path, part: Sequence[str]) -> list[Detection]:
    found = []
    for number, way in enumerate(ways):
        found.append(detection(suite, way, WAYS[way], directory / f"{number}.json", part))
        say(f"{suite}: {found[-1]}")
    return found


def _row(done: Detection, plain_seconds: float, part: Sequence[str]) -> list[str]:
    truth = truth_of(done.suite, part)
    return [
        done.suite,
        done.way,
        str(done.orders),
        str(done.tests),
        f"{done.seconds:.0f}",
        f"{done.seconds / plain_seconds:.1f}",
        f"{done.agreement.needs}/{len(truth.needs)}",
        f"{done.agreement.conflicts}/{len(truth.conflicts)}",
        str(done.agreement.others),
        str(done.flaky),
        "yes" if done.complete else "no",
    ]


def _runs(samples: Sequence[Mapping[str, object]]) -> str:
    rows = [[str(each["suite"]), *(_seconds(each[kind]) for kind in ("plain", "planned"))] for each in samples]
    return markdown(("suite", "plain pytest", "unknot run -n 2"), rows)


def _seconds(values: object) -> str:
    if not isinstance(values, list) or not values:
        return ""
    return f"{statistics.median(values):.1f} s, {min(values):.1f} to {max(values):.1f} in {len(values)}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", nargs="+", default=OURS, choices=tuple(SUBJECTS), metavar="NAME")
    parser.add_argument("--part", nargs="+", default=(), metavar="FILE", help="files of the suite, from the example")
    parser.add_argument("--ways", nargs="+", default=tuple(WAYS), choices=tuple(WAYS), metavar="WAY")
    parser.add_argument("--plain", type=int, default=3, metavar="N", help="plain runs of each suite")
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="planned runs of each suite")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="every sample")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
