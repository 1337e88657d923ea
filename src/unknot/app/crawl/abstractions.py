"""The state abstractions that a crawl can use: what counts as the same page."""

from collections.abc import Callable

from unknot.model.errors import UsageError
from unknot.web.crawl.kinds import FoldedKinds, PageKinds

ABSTRACTIONS = ("folded", "exact-dom", "levenshtein", "tree-edit")
"""The first is ours, the others are those of Crawljax."""


def page_kinds(named: str) -> PageKinds:
    """Raises UsageError if what it needs is not installed."""
    if named == ABSTRACTIONS[0]:
        return FoldedKinds()
    try:
        from unknot.web.crawl.page_kinds.dom_kinds import ExactDom, LevenshteinDom, TreeEditDom
    except ImportError as problem:
        raise UsageError(
            f"--abstraction {named} needs rapidfuzz, which is not installed",
            hint="Install it with `pip install 'unknot[web]'`.",
            slug="rapidfuzz-missing",
        ) from problem
    made: dict[str, Callable[[], PageKinds]] = {
        "exact-dom": ExactDom,
        "levenshtein": LevenshteinDom,
        "tree-edit": TreeEditDom,
    }
    return made[named]()
