import subprocess
import sys
from pathlib import Path

import pytest
from process_changes import LOGGING, OTHERS, PROCESS

from unknot.recorder.inside.process.restore import restore

_HERE = str(Path(__file__).parent.parent)


@pytest.mark.parametrize("name", [*PROCESS, *LOGGING, *OTHERS])
def test_a_fixture_made_of_the_lines_undoes_the_change(name: str, tmp_path: Path) -> None:
    lines = restore(name)
    assert lines is not None
    table = "PROCESS" if name in PROCESS else "LOGGING" if name in LOGGING else "OTHERS"
    indented = ["    " + line for line in [*lines.save, "yield", *lines.restore]]
    code = [
        "import contextlib, logging, os, sys, warnings",
        f"sys.path.append({_HERE!r})",
        "import process_changes",
        "from unknot.recorder.inside.process.state import ProcessState",
        "from unknot.recorder.inside.memory.logging_state import LoggingState",
        *lines.imports,
        "@contextlib.contextmanager",
        "def fixture():",
        *indented,
        "logging.getLogger('shop.cart')",
        "lookers = ProcessState(), LoggingState()",
        "def others(): return dict(os.environ), [*sys.path], dict(sys.modules), [*warnings.filters]",
        "def look(): return [seen for looker in lookers for seen in looker.look()]",
        "look()",
        "before = others()",
        "with fixture():",
        f"    process_changes.{table}[{name!r}]()",
        "    changed = look()",
        f"    assert [seen.name for seen in changed] == [{name!r}] or others() != before, changed",
        "for seen in look():",
        "    assert seen.sign == seen.sign_clean, seen",
        "assert others() == before",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(code)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_put_back_has_no_lines() -> None:
    assert restore("threading.enumerate()") is None
    assert restore("os.waitid()") is None
    assert restore("shop.cart.CART") is None


def test_the_lines_of_the_directory() -> None:
    assert restore("os.getcwd()") == (("import os",), ("directory = os.getcwd()",), ("os.chdir(directory)",))
