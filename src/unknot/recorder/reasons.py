"""Which of all that was seen to flow explains an edge, best first."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.recording import Access, Account, Location, Recording, Stack
from unknot.model.suite import Order, TestId
from unknot.recorder.sentences import NOTHING, Reason, why
from unknot.recorder.undone import undone

Line = tuple[str, int]
"""File and line, as frames name them."""

_MOST_SENTENCES = 3
"""More would say less: the first ones are the best."""

_OTHERS_MEMORY = ("sys.", "warnings.", "logging.", "builtins.")
_RANK = {"memory": 0, "environment": 1, "table": 1, "file": 2, "process": 2, "port": 3, "directory": 4, "subprocess": 5}
_LAST_RANK = 6
_UNSEEN = {"subprocess": "what another process does is not watched"}


def reasons_for_need(need: Need, recording: Recording, failing: Collection[Line] = ()) -> tuple[Reason, ...]:
    """What the dependent found of each alternative, those of one alternative together. `failing` are lines of the
    dependent's failure, where these are known: what was read there comes first.

    Sure are those that were seen to flow in the reference order; not sure is what an alternative would have left,
    had another not written over it, and what nobody can see being read.
    """
    found: list[Reason] = []
    for option in need.any_of:
        found += _best_first(_flowing(option, need.dependent, recording), failing) or _best_first(
            _shared(option, need.dependent, recording), failing
        )
    return tuple(found)


def reasons_for_conflict(
    conflict: Conflict, recording: Recording, failing: Collection[Line] = ()
) -> tuple[Reason, ...]:
    """What each polluter leaves and the victim reads, whichever stood first in the reference order. A location that
    a cleaner writes too is the likelier one, and the reason names the cleaner."""
    found: list[Reason] = []
    for polluter in conflict.polluters:
        reasons = (
            replace(reason, cleaner=_cleaner(reason.location, conflict.cleaners, recording))
            for reason in _shared(polluter, conflict.victim, recording)
        )
        found += _best_first(reasons, failing)
    return tuple(found)


def with_reasons(dependencies: Dependencies, recording: Recording) -> Dependencies:
    """The same, each need and each conflict with its reasons in words, the best first, or with one line that says
    that nothing was seen."""
    return replace(
        dependencies,
        needs=tuple(replace(need, why=_told(reasons_for_need(need, recording))) for need in dependencies.needs),
        conflicts=tuple(
            replace(conflict, why=_told_of(conflict, dependencies, recording)) for conflict in dependencies.conflicts
        ),
    )


def best_of_each(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The first reason for each writer: two tests that are needed together leave different things."""
    found: dict[TestId, Reason] = {}
    for reason in reasons:
        found.setdefault(reason.writer, reason)
    return tuple(found.values())


def _told_of(conflict: Conflict, dependencies: Dependencies, recording: Recording) -> tuple[str, ...]:
    reasons = reasons_for_conflict(conflict, recording)
    if any(not reason.unseen for reason in reasons):
        return _told(reasons)
    needs = [(need, reasons_for_need(need, recording)) for need in dependencies.needs_of.get(conflict.victim, ())]
    return undone(conflict, needs, recording)[:_MOST_SENTENCES] or _told(reasons)


def _told(reasons: tuple[Reason, ...]) -> tuple[str, ...]:
    best = best_of_each(reasons)
    # What may have been read says nothing where something else was seen to be.
    seen = tuple(reason for reason in best if not reason.unseen) or best
    return tuple(why(reason) for reason in seen[:_MOST_SENTENCES]) or (NOTHING,)


def _flowing(writer: TestId, reader: TestId, recording: Recording) -> Iterator[Reason]:
    for flow in recording.flows_to.get(reader, ()):
        if flow.writer == writer:
            yield Reason(
                location=flow.location,
                writer=writer,
                reader=reader,
                written=flow.written,
                read=flow.read,
                shown=flow.shown,
                sure=not flow.harmless,
            )


def _shared(writer: TestId, reader: TestId, recording: Recording) -> Iterator[Reason]:
    """What the one leaves and the other reads, and what it leaves that nobody can be seen to read."""
    read_by = _reads_of(reader, recording)
    for account in recording.accounts:
        write = _left_by(writer, account)
        if write is None:
            continue
        read = _read_of(reader, account)
        # Whoever goes through all of a dict reads what was put into it, under the name of the whole.
        whole = None if read is not None else _whole(account.location, read_by)
        unseen = account.unseen or _UNSEEN.get(account.location.kind, "")
        if read is not None or whole is not None or unseen:
            yield Reason(
                location=account.location,
                writer=writer,
                reader=reader,
                written=write.stack,
                read=read.stack if read is not None else whole or (),
                shown=write.shown,
                sure=read is not None,
                unseen=unseen if read is None and whole is None else "",
            )


def _left_by(test: TestId, account: Account) -> Access | None:
    """The test's last write, unless it put back what had been there before all tests."""
    last = next((write for write in reversed(account.writes) if write.test == test), None)
    return None if last is None or last.restored else last


def _read_of(test: TestId, account: Account) -> Access | None:
    return next((read for read in account.reads if read.test == test), None)


def _reads_of(test: TestId, recording: Recording) -> dict[Location, Stack]:
    return {
        account.location: read.stack for account in recording.accounts if (read := _read_of(test, account)) is not None
    }


def _whole(location: Location, reads: dict[Location, Stack]) -> Stack | None:
    """Where something was read of which this location is a part."""
    for other, stack in reads.items():
        if other.kind == location.kind and location.name.startswith((f"{other.name}[", f"{other.name}.")):
            return stack
    return None


def _cleaner(location: Location, cleaners: Order, recording: Recording) -> TestId | None:
    account = recording.account_of.get(location)
    writers = {write.test for write in account.writes} if account is not None else set()
    return next((cleaner for cleaner in cleaners if cleaner in writers), None)


def _best_first(reasons: Iterable[Reason], failing: Collection[Line]) -> list[Reason]:
    lines = set(failing)

    def rank(reason: Reason) -> tuple[object, ...]:
        is_near = any((frame.file, frame.line) in lines for frame in reason.read)
        # A longer road is the more specific one; the name makes the order the same each time.
        depth = reason.location.name.count(".") + reason.location.name.count("[")
        return (
            bool(reason.unseen),
            not reason.sure,
            not is_near,
            reason.cleaner is None,
            _generality(reason.location),
            not reason.read,
            -depth,
            reason.location,
        )

    return sorted(reasons, key=rank)


def _generality(location: Location) -> int:
    if location.kind == "memory" and location.name.startswith(_OTHERS_MEMORY):
        return _RANK["port"]
    return _RANK.get(location.kind, _LAST_RANK)
