"""`python bench/recorder/detections.py [names…]`: which data dependencies are manifest, and what a recording saves."""

import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import DEFAULT_CACHE, unknot_wheel
from bench.kit.process import end_when_asked, run
from bench.kit.result import machine, markdown
from bench.kit.say import say
from bench.recorder.prepare import NAMES, Prepared, prepare
from unknot.model.reason import ReasonKind
from unknot.store.known_result import read_known_result
from unknot.store.state_directory import STATE, StateDirectory

_RESULTS = Path(__file__).resolve().parent / "results"
_HEAD = (
    *("suite", "tests", "suspected pairs", "manifest: dependents", "of them with a reason"),
    *("orders asked", "seconds"),
)
_PAIRS = re.compile(r"recorded: ([\d,]+) pairs?")
_TIMEOUT = 1800.0


def main() -> int:
    end_when_asked()
    cache = DEFAULT_CACHE.resolve()
    wheel = unknot_wheel(cache)
    rows = [_detected(prepare(name, cache, wheel)) for name in sys.argv[1:] or NAMES]
    _RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": machine(), "suites": rows}, indent=2) + "\n"
    (_RESULTS / "detections.json").write_text(text, encoding="utf-8")
    sys.stdout.write(markdown(_HEAD, [[str(row[name]) for name in _HEAD] for row in rows]))
    return 0


def _detected(prepared: Prepared) -> dict[str, object]:
    """In a copy: the lock file and the journal of a suite must not reach the next measurement."""
    directory = prepared.results / "detected"
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(prepared.directory, directory, symlinks=True)
    log = prepared.results / "detect.log"
    done = run(
        [prepared.environment.python, "-m", "unknot", "detect", "--trace", "-q"],
        directory=directory,
        environment=prepared.environment.variables(),
        timeout=_TIMEOUT,
        log=log,
    )
    said = log.read_text(encoding="utf-8", errors="replace")
    dependencies = json.loads((directory / "unknot.lock.json").read_text(encoding="utf-8"))
    known = read_known_result(directory / "unknot.lock.json", StateDirectory(directory / STATE))
    claims = [*dependencies["needs"], *dependencies["conflicts"]]
    dependents = {claim.get("dependent", claim.get("victim")) for claim in claims}
    explained = {
        claim.get("dependent", claim.get("victim"))
        for claim in claims
        if claim["why"] and claim["why"][0]["kind"] != ReasonKind.NOTHING
    }
    pairs = _PAIRS.search(said)
    say(f"  {prepared.name}: {len(dependents)} dependents, status {done.code}")
    values = (
        f"{prepared.name} {prepared.version}",
        len(known.suite),
        pairs.group(1) if pairs else "?",
        len(dependents),
        len(explained),
        known.cost.orders,
        known.cost.seconds,
    )
    return dict(zip(_HEAD, values, strict=True))


if __name__ == "__main__":
    raise SystemExit(main())
