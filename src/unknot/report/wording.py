"""Numbers, durations and the headline in words."""

from collections import Counter
from collections.abc import Iterator

from unknot.model.cause import Cause
from unknot.model.dependencies import Cost, Dependencies, SuspicionKind
from unknot.model.suite import Order, TestId
from unknot.report.roles import Roles


def duration(seconds: float) -> str:
    """A duration with about three digits.

    >>> [duration(seconds) for seconds in (0, 0.0123, 1.234, 41.27, 754.6, 11_100)]
    ['0 s', '12 ms', '1.23 s', '41.3 s', '12 min 35 s', '3 h 05 min']
    """
    if seconds < 0.0995:
        milliseconds = seconds * 1000
        return "0 s" if not milliseconds else f"{milliseconds:.0f} ms" if milliseconds >= 1 else "under 1 ms"
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 119.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 7200:
        return f"{whole // 60} min {whole % 60:02} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60:02} min"


def how_sure(dependencies: Dependencies, test: TestId) -> str:
    """How certain it is that the test is flaky; empty if no repeated runs decided it. Never says 100 %: runs make it
    likely, not certain."""
    known = dependencies.confidence.get(test)
    if known is None:
        return ""
    percent = min(99, int(known.sure * 100))
    return f"differed in {known.differed} of {known.runs} runs of the same order, {percent} % sure"


def headline(roles: Roles) -> str:
    """How many tests depend on others, and how; and what was not tried. A suite is called clean only if every test was
    tried directly after every other."""
    dependencies = roles.dependencies
    size = counted(len(dependencies.suite), "test")
    company = dependencies.only_in_company
    left = (
        f"{counted(company, 'pair')} {'was' if company == 1 else 'were'} only seen in company (`--thorough` tries each)"
    )
    if not roles.dependents:
        if not dependencies.complete:
            suspected = len(dependencies.suspected)
            more = f"; {suspected:,} may depend on others, not proved yet" if suspected else ""
            return f"No dependency found among {size} so far{more}."
        if not company:
            return f"None of {size} depends on another."
        orders = f" in {counted(dependencies.cost.orders, 'order')}" if dependencies.cost.orders else ""
        return f"No dependency found among {size}{orders}; {left}."
    late = len(dependencies.misplaced)
    in_suite_order = f" ({late:,} {'fails' if late == 1 else 'fail'} in suite order)" if late else ""
    kinds = [f"{len(roles.brittle):,} brittle{in_suite_order}"] if roles.brittle else []
    kinds += [counted(len(roles.victims), "victim")] if roles.victims else []
    verb = "depends" if len(roles.dependents) == 1 else "depend"
    least = "" if dependencies.complete else "At least "
    more = f" {left[0].upper()}{left[1:]}." if company and dependencies.complete else ""
    return f"{least}{len(roles.dependents):,} of {size} {verb} on others: {', '.join(kinds)}.{more}"


def cause_words(cause: Cause, location: str) -> str:
    """A cause on one line: its location, as given, and how much follows from it."""
    many = f"{cause.dependencies:,} dependencies" if cause.dependencies > 1 else "1 dependency"
    tests = len(cause.tests)
    return f"{location}: {many}" + (f" of {counted(tests, 'test')}" if tests != cause.dependencies else "")


_SUSPECTED = {
    SuspicionKind.BRITTLE: ("fails alone", "fail alone", "setter"),
    SuspicionKind.VICTIM: (
        "passes alone and fails in another order",
        "pass alone and fail in another order",
        "polluter",
    ),
    SuspicionKind.UNCLEAR: ("fails in another order", "fail in another order", "test"),
    SuspicionKind.RECORDED: (
        "reads what others write, by the recording, and was not run directly after them",
        "read what others write, by the recording, and were not run directly after them",
        "",
    ),
}


def suspicion_words(dependencies: Dependencies) -> Iterator[tuple[str, Order]]:
    """For each kind of suspicion, what is suspected, and the tests that are: "28 tests fail in another order; one
    polluter suspected", and this polluter. If they have no suspects in common, the tests that fail."""
    for kind, (singular, plural, role) in _SUSPECTED.items():
        found = [one for one in dependencies.suspected if one.kind is kind]
        if not found:
            continue
        text = f"{counted(len(found), 'test')} {singular if len(found) == 1 else plural}"
        votes = Counter(other for one in found for other in one.others)
        top = [test for test, count in votes.items() if count == max(votes.values())]
        if role and top and (len(top) == 1 or votes[top[0]] == len(found)):
            many = f"one {role}" if len(top) == 1 else counted(len(top), role)
            yield f"{text}; {many} suspected", tuple(top)
        else:
            yield text, tuple(one.test for one in found)


def when_failing_words(dependencies: Dependencies) -> str:
    """How many tests break others only when they fail themselves."""
    many = counted(len({one.polluters for one in dependencies.conflicts_when_failing}), "test")
    return f"{many} can break others, but only without what they need; plans never run them so"


def cost_words(cost: Cost) -> str:
    """What a detection ran, and how long that took."""
    runs = f"{counted(cost.orders, 'order')}, {counted(cost.tests, 'test run')}"
    return f"{runs}, {cost.seconds:,.1f} s ({cost.algorithm})"


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1200, "pair")
    '1,200 pairs'
    >>> counted(2, "address")
    '2 addresses'
    """
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
