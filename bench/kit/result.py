"""Writes results: a Markdown table on stdout, everything as JSON."""

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column is text, the others are aligned to the right unless they hold sentences."""
    texts = [any(" " in row[place] for row in rows) or place == 0 for place in range(len(head))]
    rule = ["---" if text else "---:" for text in texts]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, rule, *(map(_escaped, row) for row in rows)))


def publish(table: str, result: Mapping[str, object], file: Path | None) -> None:
    """The table to stdout, the rest with a description of the machine to `file`."""
    sys.stdout.write(table)
    sys.stdout.flush()
    if file is not None:
        file.write_text(json.dumps({"machine": machine(), **result}, indent=2) + "\n", encoding="utf-8")


def machine() -> dict[str, object]:
    """What figures depend on."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(pages / 1024**3),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
