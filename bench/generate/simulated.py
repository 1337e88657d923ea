"""Generators of tests on simulated applications: the share of the transitions that each takes, by cost.

    python -m bench.generate.simulated [--seeds 20] [-n 2] [--application NAME] [--generator NAME] [--fresh] [--write]

A run that was interrupted goes on where it was: samples are kept in `bench/.cache`. They do not notice that the code
has changed; `--fresh` forgets them.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from bench.generate.contestants import GENERATORS, OURS, SITES
from bench.generate.tables import report
from bench.generate.trial import Trial
from bench.kit.environment import DEFAULT_CACHE
from bench.kit.say import say

RESULTS = Path(__file__).parent / "results" / "simulated.md"
SAMPLES = DEFAULT_CACHE / "generate-simulated.json"
_SAVED_EVERY_SECONDS = 20


def _measured(trial: Trial) -> tuple[list[int], float]:
    """With the CPU seconds."""
    begin = time.process_time()
    return trial.first_times(), time.process_time() - begin


def _measure(trials: Sequence[Trial], samples: dict[str, list[int]], processes: int) -> None:
    used = dict.fromkeys(GENERATORS, 0.0)
    saved = time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(_measured, each): each for each in trials}
        for count, done in enumerate(as_completed(waiting), 1):
            trial = waiting[done]
            samples[trial.key], seconds = done.result()
            used[trial.generator] += seconds
            if time.monotonic() - saved > _SAVED_EVERY_SECONDS or count == len(trials):
                saved = time.monotonic()
                _save(samples)
                say(f"{count} of {len(trials)} runs")
    say("CPU seconds: " + ", ".join(f"{name} {seconds:.0f}" for name, seconds in used.items() if seconds))


def _save(samples: dict[str, list[int]]) -> None:
    SAMPLES.parent.mkdir(parents=True, exist_ok=True)
    whole = SAMPLES.with_suffix(".new")
    whole.write_text(json.dumps(samples), encoding="utf-8")
    whole.replace(SAMPLES)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("-n", type=int, default=2, dest="processes")
    options.add_argument("--application", action="append", choices=SITES)
    options.add_argument("--generator", action="append", choices=GENERATORS)
    options.add_argument("--fresh", action="store_true", help="forget the samples of earlier runs")
    options.add_argument("--write", action="store_true", help=f"write the tables to {RESULTS.name}")
    chosen = options.parse_args()
    applications = chosen.application or list(SITES)
    generators = list(dict.fromkeys([OURS, *(chosen.generator or GENERATORS)]))
    samples: dict[str, list[int]] = {}
    if SAMPLES.exists() and not chosen.fresh:
        samples = json.loads(SAMPLES.read_text(encoding="utf-8"))
    trials = [
        Trial(application, generator, seed)
        for seed in range(chosen.seeds)
        for application in applications
        for generator in generators
    ]
    _measure([each for each in trials if each.key not in samples], samples, chosen.processes)
    text = "".join(report(samples, chosen.seeds, applications, generators))
    sys.stdout.write(text)
    if chosen.write:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
