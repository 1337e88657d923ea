"""The order that a shuffling plugin gives to the suite: pytest collects with the plugin and runs nothing."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from unknot.model.errors import CollectionError
from unknot.model.suite import Order, TestId
from unknot.runners.pytest.inside.collected_order import VARIABLE
from unknot.runners.settings import Settings

_LINES = 10


def shuffled_order(settings: Settings, words: Sequence[str], plugin: str) -> Order:
    """With these words for pytest beside those of the settings. Raises CollectionError."""
    with tempfile.TemporaryDirectory(prefix="unknot-") as home:
        answer = Path(home) / "order.json"
        safe_path = [] if settings.python_m else ["-P"]
        ours = ["-p", "unknot.runners.pytest.inside.collected_order", "-p", "no:cacheprovider", "--collect-only", "-q"]
        done = subprocess.run(
            [settings.python, *safe_path, "-m", "pytest", *ours, *settings.options, *words, *settings.paths],
            cwd=settings.directory,
            env={**os.environ, VARIABLE: str(answer), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode or not answer.exists():
            output = done.stdout.decode("utf-8", "replace").strip().splitlines()
            raise CollectionError(
                f"pytest could not collect with {' '.join(words)}:\n" + "\n".join(output[-_LINES:]),
                hint=f"Install {plugin} beside pytest, and give the options of the failed run after `--`.",
                slug="shuffle-failed",
            )
        found: list[str] = json.loads(answer.read_text(encoding="utf-8"))
    return tuple(map(TestId, found))
