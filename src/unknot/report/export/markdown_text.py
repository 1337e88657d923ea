"""Text from a suite in Markdown that GitHub and its like show as it is: no markup, mention, link or HTML in it acts."""

import re
from collections.abc import Iterable

from unknot.model.sanitise import shown

_TICKS = re.compile("`+")


def code(text: str, *, most: int) -> str:
    r"""One line as code, which no renderer looks into; cut after so many characters.

    >>> code("a `b` @c", most=80)
    '``a `b` @c``'
    """
    visible = shown(text)
    if not visible:
        # Fences around nothing would be taken for the beginning of something else.
        return ""
    if len(visible) > most:
        visible = visible[: most - 1] + "…"
    fence = "`" * (_longest_run(visible) + 1)
    # A blank at both ends is taken away by the renderer; without, a backtick would lengthen the fence.
    pad = " " if visible[:1] in ("`", " ") or visible[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{visible}{pad}{fence}"


def cell(text: str) -> str:
    """Markdown as a cell of a table: rows are cut at bars before anything else is looked at, those in code too."""
    return text.replace("|", "\\|")


def block(language: str, lines: Iterable[str]) -> list[str]:
    """Lines of code between fences that none of them can close."""
    lines = list(lines)
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return [f"{fence}{language}", *lines, fence]


def folded(title: str, lines: Iterable[str]) -> list[str]:
    """Shown when the reader asks for it. The title is ours: it is not escaped."""
    return ["", "<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>"]


def _longest_run(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
