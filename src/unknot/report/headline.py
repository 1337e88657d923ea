"""The result in one sentence."""

from unknot.report.roles import Roles


def headline(roles: Roles) -> str:
    """How many tests depend on others, and how. An unfinished search never calls a suite clean."""
    size = counted(len(roles.dependencies.suite), "test")
    if not roles.dependents:
        if roles.dependencies.complete:
            return f"None of {size} depends on another."
        return f"No dependency found among {size} so far."
    kinds = [f"{len(roles.brittle):,} brittle"] if roles.brittle else []
    kinds += [counted(len(roles.victims), "victim")] if roles.victims else []
    verb = "depends" if len(roles.dependents) == 1 else "depend"
    least = "" if roles.dependencies.complete else "At least "
    return f"{least}{len(roles.dependents):,} of {size} {verb} on others: {', '.join(kinds)}."


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1200, "pair")
    '1,200 pairs'
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
