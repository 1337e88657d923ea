"""`python -m bench.knotted.run [--only a,d]`: detections of planted suites, against plain runs and the truth."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from bench.kit.environment import DEFAULT_CACHE
from bench.kit.failure import BenchFailure
from bench.kit.process import end_when_asked
from bench.kit.result import machine, markdown, publish
from bench.kit.say import say
from bench.knotted.measure import Sample, measure
from bench.knotted.suites import SUITES, Planted

RESULTS = Path(__file__).with_name("results")
_HEAD = (
    "suite",
    "tests",
    "plain s",
    "detect s",
    "orders",
    "test runs",
    "plain runs of work",
    "goal",
    "first claim: s",
    "first claim: plain runs",
    "complete",
    "found",
    "partly",
    "missed",
    "other",
    "false",
)


def main() -> int:
    options = _options()
    end_when_asked()
    chosen = [planted for planted in SUITES if options.only is None or planted.letter in options.only]
    samples: dict[str, list[Sample]] = {}
    for planted in chosen:
        for number in range(1, options.times + 1):
            place = options.cache / "knotted" / planted.letter
            try:
                sample = measure(planted, place, options.detect, options.max_seconds, str(number))
            except BenchFailure as problem:
                say(str(problem))
                return 1
            samples.setdefault(planted.letter, []).append(sample)
            say(_progress(planted, sample))
    rows = [_row(planted, sample) for planted in chosen for sample in samples[planted.letter]]
    document = {letter: [sample.to_json() for sample in taken] for letter, taken in samples.items()}
    table = markdown(_HEAD, rows)
    publish(table, document, options.json)
    if options.write:
        _write(table, document)
    return 0


def _progress(planted: Planted, sample: Sample) -> str:
    verdict = sample.verdict
    lines = [
        f"{planted.letter} {planted.name}: plain {sample.plain_seconds:.1f} s, detect {sample.seconds:.1f} s,"
        f" {sample.orders} orders, {sample.work:.1f} plain runs of work,"
        f" {verdict.found} of {verdict.planted} found, {len(verdict.false)} false",
        *(f"  false: {text}" for text in verdict.false),
        *(f"  missed: {text}" for text in verdict.missed[:10]),
        *(f"  partly: {text}" for text in verdict.partly[:10]),
        *(f"  left outside the project: {path}" for path in sample.outside),
    ]
    return "\n".join(lines)


def _row(planted: Planted, sample: Sample) -> list[str]:
    verdict, first = sample.verdict, sample.first
    goals = [
        f"{planted.goal:.0f} runs" if planted.goal else "",
        f"{planted.seconds[0]:.0f} s, first {planted.seconds[1]:.0f} s" if planted.seconds else "",
    ]
    return [
        f"{planted.letter} {planted.name}",
        str(sample.tests),
        f"{sample.plain_seconds:.1f}",
        f"{sample.seconds:.1f}",
        f"{sample.orders:,}",
        f"{sample.test_runs:,}",
        f"{sample.work:.1f}",
        ", ".join(filter(None, goals)) or "-",
        f"{first.seconds:.1f}" if first else "-",
        f"{first.test_runs / sample.tests:.1f}" if first else "-",
        "yes" if sample.complete else "no",
        f"{verdict.found} of {verdict.planted}",
        str(len(verdict.partly)),
        str(len(verdict.missed)),
        str(verdict.other),
        str(len(verdict.false)),
    ]


def _write(table: str, document: dict[str, list[dict[str, object]]]) -> None:
    RESULTS.mkdir(exist_ok=True)
    head = (
        "# Planted suites\n\nWritten by `python -m bench.knotted.run --write`; see [bench/README](../../README.md).\n"
    )
    (RESULTS / "README.md").write_text(f"{head}\n{table}", encoding="utf-8")
    text = json.dumps({"machine": machine(), **document}, indent=1)
    (RESULTS / "samples.json").write_text(text + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Detections of planted suites, against plain runs and the truth.",
        epilog="; ".join(f"{planted.letter}: {planted.name}" for planted in SUITES),
    )
    parser.add_argument("--only", type=_letters, metavar="a,d", help="only these suites (default: all)")
    parser.add_argument("--max-seconds", type=float, metavar="N", help="passed on to each detection")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="detections of each suite (default: 1)")
    parser.add_argument("--detect", action="append", default=[], metavar="WORD", help="an option for detect; repeat it")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, metavar="DIR", help="where suites are written")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all samples, for machines")
    parser.add_argument("--write", action="store_true", help="write bench/knotted/results")
    return parser.parse_args()


def _letters(text: str) -> Sequence[str]:
    letters = [word.strip() for word in text.split(",")]
    known = {planted.letter for planted in SUITES}
    if unknown := [letter for letter in letters if letter not in known]:
        raise argparse.ArgumentTypeError(f"no suite {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    return letters


if __name__ == "__main__":
    raise SystemExit(main())
