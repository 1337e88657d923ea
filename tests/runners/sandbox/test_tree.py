"""Trees are removed whatever their owner was forbidden."""

import os
import tempfile
from pathlib import Path

from unknot.runners.sandbox.tree import remove, remove_if_possible

_NOBODY = 65534


def test_directories_that_their_owner_may_not_read_are_removed_with_all_that_is_in_them() -> None:
    myself = os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        # Permissions do not bind root.
        os.chown(directory, myself or _NOBODY, -1)
        os.seteuid(myself or _NOBODY)
        try:
            inner = Path(directory) / "top" / "outer" / "inner"
            inner.mkdir(parents=True)
            (inner / "file").write_text("text")
            for each in (inner, inner.parent):
                each.chmod(0)
            remove(str(Path(directory) / "top"))
            assert not os.listdir(directory)
        finally:
            os.seteuid(myself)


def test_what_cannot_be_removed_is_left_in_silence(tmp_path: Path) -> None:
    remove_if_possible(tmp_path / ("x" * 300))
    remove_if_possible(tmp_path / "absent")
