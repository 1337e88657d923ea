"""`python -m bench.crawl.run`: ways to crawl side by side on four applications, in equal seconds of the browser.

    python -m bench.crawl.run --minutes 2 --seeds 3 -n 2
    python -m bench.crawl.run --minutes 10 --ways ours

Each run is a process of its own, with its own instance and browser. A run that has ended is kept in
`results/samples` and not repeated, unless `--again` is given; so an interrupted comparison goes on.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.crawl.measure import CrawlRecord
from bench.crawl.subjects import SUBJECTS
from bench.crawl.tables import report
from bench.crawl.ways import WAYS
from bench.kit.environment import CHECKOUT, DEFAULT_CACHE, Environment
from bench.kit.process import end_when_asked, run
from bench.kit.say import say

RESULTS = Path(__file__).parent / "results"
_MINUTE = 60
_SPARE_SECONDS = 300
"""For the start of the instance, and for what the crawler thinks."""


@dataclass(frozen=True)
class Planned:
    """A run, and where its record is."""

    application: str
    way: str
    seed: int
    minutes: float

    @property
    def file(self) -> Path:
        folder = RESULTS / "samples" / f"{self.minutes:g}-minutes"
        return folder / f"{self.application}-{'-'.join(re.findall('[a-z]+', self.way.lower()))}-{self.seed}.json"

    def __str__(self) -> str:
        return f"{self.application}, {self.way}, seed {self.seed}, {self.minutes:g} minutes"


def main() -> int:
    options = _options()
    end_when_asked()
    plan = [
        Planned(application, way, seed, options.minutes)
        for application in options.applications
        for seed in range(options.seeds)
        for way in options.ways
    ]
    for each in SUBJECTS:
        if each.name in options.applications:
            each.installed(DEFAULT_CACHE)
    missing = [each for each in plan if options.again or not each.file.exists()]
    revision = _revision()
    with ThreadPoolExecutor(options.n) as pool:
        done = list(pool.map(lambda each: _run(each, revision), missing))
    records = [_record(each) for each in plan if each.file.exists()]
    if records:
        table = report([each for each, _ in records], options.minutes, options.n, sorted({name for _, name in records}))
        (RESULTS / f"applications-{options.minutes:g}-minutes.md").write_text(table, encoding="utf-8")
        sys.stdout.write(table)
    return 0 if all(done) else 1


def _run(planned: Planned, revision: str) -> bool:
    """Whether there is a record of it now. A process that fails leaves none."""
    say(str(planned))
    unfinished = planned.file.with_suffix(".unfinished")
    planned.file.parent.mkdir(parents=True, exist_ok=True)
    seconds = planned.minutes * _MINUTE
    words = ["-m", "bench.crawl.measure", planned.application, planned.way, planned.seed, seconds, unfinished]
    done = run(
        [sys.executable, *map(str, words)],
        directory=CHECKOUT,
        environment=Environment(Path(sys.prefix)).variables(),
        timeout=2 * seconds + _SPARE_SECONDS,
        log=DEFAULT_CACHE / "crawl" / f"{planned.file.stem}.log",
    )
    if done.code or not unfinished.exists():
        say(f"  no result of {planned}: {done.last_line()}")
        unfinished.unlink(missing_ok=True)
        return False
    record = {"revision": revision, **json.loads(unfinished.read_text(encoding="utf-8"))}
    unfinished.write_text(json.dumps(record) + "\n", encoding="utf-8")
    unfinished.rename(planned.file)
    return True


def _record(planned: Planned) -> tuple[CrawlRecord, str]:
    written = json.loads(planned.file.read_text(encoding="utf-8"))
    revision = written.pop("revision")
    return CrawlRecord(**written), revision


def _revision() -> str:
    """Of the checkout; marked if it has changes."""
    words = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [each.name for each in SUBJECTS]
    parser.add_argument("--minutes", type=float, default=2, help="of the browser, for each run")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ways", default="all", type=names_of(list(WAYS)), help=f"all, or some of: {', '.join(WAYS)}")
    parser.add_argument(
        "--applications", default="all", type=names_of(names), help=f"all, or some of: {', '.join(names)}"
    )
    parser.add_argument("-n", type=int, default=1, help="runs at a time")
    parser.add_argument("--again", action="store_true", help="repeat finished runs")
    return parser.parse_args()


def names_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Reads `all`, or names separated by commas."""

    def names(given: str) -> list[str]:
        chosen = list(known) if given == "all" else [name.strip() for name in given.split(",")]
        if unknown := [name for name in chosen if name not in known]:
            raise argparse.ArgumentTypeError(f"there is no {', '.join(unknown)}: choose from {', '.join(known)}")
        return chosen

    return names


if __name__ == "__main__":
    sys.exit(main())
