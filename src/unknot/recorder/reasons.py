"""Which of the recorded flows explains a dependency, the best first.

A conflict without a flow may have another reason: the polluter undoes what the victim needs. It restores a location, or
it stands outside of the class or file of the two other tests, so that pytest tears down what these share.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.reason import NO_TEST, Reason, ReasonKind
from unknot.model.recording import Access, Account, Location, Recording
from unknot.model.suite import Order, TestId

Line = tuple[str, int]
"""File and line, as frames name them."""

_MOST_REASONS = 3
"""More would explain less: the first ones are the best."""

_LIBRARY_MEMORY = ("sys.", "warnings.", "logging.", "builtins.")
_RANK = {"memory": 0, "environment": 1, "table": 1, "file": 2, "process": 2, "port": 3, "directory": 4, "subprocess": 5}
_LAST_RANK = 6
_UNSEEN = {"subprocess": "other processes are not recorded"}

_Needs = Sequence[tuple[Need, Sequence[Reason]]]


def reasons_for_need(need: Need, recording: Recording, failing: Collection[Line] = ()) -> tuple[Reason, ...]:
    """What the dependent reads of each alternative, grouped by alternative. `failing` are lines of the dependent's
    failure, if known: what was read there comes first.

    Sure are flows recorded in the reference order. Not sure is what an alternative would have left had another test not
    overwritten it, and locations whose reads cannot be recorded.
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
    """What each polluter leaves and the victim reads, whichever comes first in the reference order. A location that a
    cleaner writes too is more likely, and the reason names the cleaner."""
    found: list[Reason] = []
    for polluter in conflict.polluters:
        reasons = (
            replace(reason, cleaner=_cleaner(reason.location, conflict.cleaners, recording))
            for reason in _shared(polluter, conflict.victim, recording)
        )
        found += _best_first(reasons, failing)
    return tuple(found)


def with_reasons(dependencies: Dependencies, recording: Recording) -> Dependencies:
    """The same, each need and conflict with its reasons, the best first, or with the reason that nothing was
    recorded. Where memory was not recorded, a reason that was known before stays."""

    def why(claim: Need | Conflict, found: tuple[Reason, ...]) -> tuple[Reason, ...]:
        known = () if recording.has_memory else claim.why
        return found or known or (nothing_found(recording),)

    def explained(conflicts: tuple[Conflict, ...]) -> tuple[Conflict, ...]:
        return tuple(replace(one, why=why(one, _why_conflict(one, dependencies, recording))) for one in conflicts)

    return replace(
        dependencies,
        needs=tuple(
            replace(need, why=why(need, _most_likely(reasons_for_need(need, recording)))) for need in dependencies.needs
        ),
        conflicts=explained(dependencies.conflicts),
        conflicts_when_failing=explained(dependencies.conflicts_when_failing),
    )


def nothing_found(recording: Recording) -> Reason:
    """The reason of a claim that the recording does not explain."""
    return Reason(ReasonKind.NOTHING if recording.has_memory else ReasonKind.MEMORY_NOT_RECORDED)


def best_of_each(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The first reason of each writer: two tests that are needed together leave different things."""
    found: dict[TestId, Reason] = {}
    for reason in reasons:
        found.setdefault(reason.writer, reason)
    return tuple(found.values())


def _why_conflict(conflict: Conflict, dependencies: Dependencies, recording: Recording) -> tuple[Reason, ...]:
    reasons = reasons_for_conflict(conflict, recording)
    if any(not reason.unseen for reason in reasons):
        return _most_likely(reasons)
    needs = [(need, reasons_for_need(need, recording)) for need in dependencies.needs_of.get(conflict.victim, ())]
    return _undone(conflict, needs, recording)[:_MOST_REASONS] or _most_likely(reasons)


def _most_likely(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    best = best_of_each(reasons)
    # What may have been read explains nothing where another read was recorded.
    recorded = tuple(reason for reason in best if not reason.unseen) or best
    return tuple(reason.portable() for reason in recorded[:_MOST_REASONS])


def _undone(conflict: Conflict, needs: _Needs, recording: Recording) -> tuple[Reason, ...]:
    """How a polluter undoes what the victim needs, given the victim's needs and their reasons. That pytest tears down
    what the tests share is a conclusion from their ids, not a recorded event."""
    restored = tuple(dict.fromkeys(_restored(conflict, needs, recording)))
    return restored or tuple(dict.fromkeys(_set_up_again(conflict, needs)))


def _restored(conflict: Conflict, needs: _Needs, recording: Recording) -> Iterator[Reason]:
    for _, reasons in needs:
        for reason in reasons:
            account = recording.account_of.get(reason.location)
            for polluter in conflict.polluters:
                write = _last_write(polluter, account)
                if write is not None and write.restored:
                    yield Reason(
                        ReasonKind.RESTORED,
                        writer=polluter,
                        reader=conflict.victim,
                        location=reason.location,
                        written=write.stack,
                        setter=reason.writer,
                    ).portable()


def _set_up_again(conflict: Conflict, needs: _Needs) -> Iterator[Reason]:
    for need, reasons in needs:
        for setter in need.any_of:
            node = _common_node(setter, conflict.victim)
            may_share = "::" in node or any(reason.location.name.startswith("<fixture ") for reason in reasons)
            if may_share and not any(polluter.startswith(f"{node}::") for polluter in conflict.polluters):
                yield Reason(
                    ReasonKind.SET_UP_AGAIN, reader=conflict.victim, location=Location("scope", node), setter=setter
                )


def _common_node(one: TestId, other: TestId) -> str:
    """The innermost class or file that both are in; empty if there is none."""
    shared = []
    for mine, theirs in zip(_nodes(one), _nodes(other), strict=False):
        if mine != theirs:
            break
        shared.append(mine)
    return "::".join(shared)


def _nodes(test: TestId) -> list[str]:
    """File and classes. Parameters may contain what looks like a separator."""
    return test.partition("[")[0].split("::")[:-1]


def _flowing(writer: TestId, reader: TestId, recording: Recording) -> Iterator[Reason]:
    for flow in recording.flows_to.get(reader, ()):
        if flow.writer == writer:
            yield Reason(
                ReasonKind.FLOW,
                location=flow.location,
                writer=writer,
                reader=reader,
                written=flow.written,
                read=flow.read,
                shown=flow.shown,
                sure=not flow.harmless,
            )


def _shared(writer: TestId, reader: TestId, recording: Recording) -> Iterator[Reason]:
    """What one test leaves and the other reads, and what it leaves whose reads cannot be recorded."""
    reads = {account.location: read for account in recording.accounts for read in account.reads if read.test == reader}
    for account in recording.accounts:
        write = _last_write(writer, account)
        if write is None or write.restored:
            continue
        own = reads.get(account.location)
        read = own or _read_around(account.location, reads)
        unseen = account.unseen or _UNSEEN.get(account.location.kind, "")
        if read is not None or unseen:
            yield Reason(
                ReasonKind.FLOW,
                location=account.location,
                writer=writer,
                reader=reader,
                written=write.stack,
                read=read.stack if read is not None else (),
                shown=write.shown,
                sure=own is not None,
                unseen=unseen if read is None else "",
            )


def _last_write(test: TestId, account: Account | None) -> Access | None:
    writes = account.writes if account is not None else ()
    return next((write for write in reversed(writes) if write.test == test), None)


def _read_around(location: Location, reads: Mapping[Location, Access]) -> Access | None:
    """The read of something that this location is a part of: a test that iterates over a dict reads every item, under
    the name of the dict."""
    for other, read in reads.items():
        if other.kind == location.kind and location.name.startswith((f"{other.name}[", f"{other.name}.")):
            return read
    return None


def _cleaner(location: Location, cleaners: Order, recording: Recording) -> TestId:
    account = recording.account_of.get(location)
    writers = {write.test for write in account.writes} if account is not None else set()
    return next((cleaner for cleaner in cleaners if cleaner in writers), NO_TEST)


def _best_first(reasons: Iterable[Reason], failing: Collection[Line]) -> list[Reason]:
    lines = set(failing)

    def rank(reason: Reason) -> tuple[object, ...]:
        is_near = any((frame.file, frame.line) in lines for frame in reason.read)
        # A longer name is more specific; the name itself makes the order the same each time.
        depth = sum(map(reason.location.name.count, ".[{"))
        return (
            bool(reason.unseen),
            not reason.sure,
            not is_near,
            not reason.cleaner,
            _generality(reason.location),
            not reason.read,
            -depth,
            reason.location,
        )

    return sorted(reasons, key=rank)


def _generality(location: Location) -> int:
    if location.kind == "memory" and location.name.startswith(_LIBRARY_MEMORY):
        return _RANK["port"]
    return _RANK.get(location.kind, _LAST_RANK)
