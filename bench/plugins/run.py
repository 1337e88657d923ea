"""`python bench/plugins/run.py [plugins…]`: small suites that use plugins of pytest, with unknot."""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import CHECKOUT, DEFAULT_CACHE, Environment, environment, install_unknot, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import run
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.plugins.fixtures import FIXTURES
from bench.plugins.running import RUNNING
from bench.plugins.services import SERVICES
from bench.plugins.subject import Subject
from bench.plugins.trial import Trial, Verdict

SUBJECTS = (*RUNNING, *FIXTURES, *SERVICES)
_HEAD = ("plugin", "version", "with", "`unknot detect`", "`unknot run -n 2`")
_PAGE = CHECKOUT / "docs" / "reference" / "plugins.md"
_TABLE = re.compile(r"^\| plugin \|.*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_LIST = """
import importlib.metadata, json
found = {}
for dist in importlib.metadata.distributions():
    names = [point.name for point in dist.entry_points if point.group == "pytest11"]
    found[dist.name.lower().replace("_", "-")] = [dist.version, names]
print(json.dumps(found))
"""


def main() -> int:
    """Two suites at a time; one that cannot be tried is named and does not stop the rest."""
    options = _options()
    requirements = (Path(__file__).parent / "requirements.txt").read_text(encoding="utf-8").split()
    made = environment(options.cache / "plugins", requirements)
    install_unknot(made, unknot_wheel(options.cache))
    installed = _installed(made, options.cache)
    chosen = [subject for subject in SUBJECTS if not options.plugins or subject.distribution in options.plugins]
    numbers = count()

    def tried(subject: Subject) -> Verdict:
        place = options.cache / "plugin-suites" / f"{subject.distribution}-{next(numbers)}"
        kept = {"unknot", subject.distribution, *subject.needs}
        others = [name for dist, (_, names) in installed.items() if dist not in kept for name in names]
        try:
            verdict = Trial(made, place, subject, others).verdict()
        except BenchFailure as problem:
            verdict = Verdict(f"not tried: {problem}", "", 0.0)
        say(f"{subject.distribution}: {verdict.detect} | {verdict.run} ({verdict.seconds} s)")
        return verdict

    with ThreadPoolExecutor(2) as threads:
        verdicts = list(threads.map(tried, chosen))
    rows = [
        (subject.distribution, installed[subject.distribution][0], subject.setting, verdict.detect, verdict.run)
        for subject, verdict in zip(chosen, verdicts, strict=True)
    ]
    table = markdown(_HEAD, sorted(rows))
    results = [
        {"plugin": subject.distribution, **asdict(verdict)} for subject, verdict in zip(chosen, verdicts, strict=True)
    ]
    publish(table, {"results": results}, options.json)
    if options.page:
        page = _PAGE.read_text(encoding="utf-8")
        _PAGE.write_text(_TABLE.sub(lambda _: table.rstrip(), page), encoding="utf-8")
    return 0


def _installed(made: Environment, cache: Path) -> Mapping[str, tuple[str, list[str]]]:
    """Versions and plugins by what PyPI calls them."""
    log = cache / "plugins.list.log"
    done = run([made.python, "-c", _LIST], directory=cache, environment=made.variables(), timeout=60, log=log)
    found: dict[str, tuple[str, list[str]]] = json.loads(done.last_line())
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plugins", nargs="*", help="what PyPI calls them (default: all)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--page", action="store_true", help="put the table into docs/reference/plugins.md")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
