"""Why a test breaks another though nothing flows between them: it undoes what the other needs."""

from collections.abc import Iterator, Sequence

from unknot.model.dependencies import Conflict, Need
from unknot.model.recording import Account, Recording
from unknot.model.suite import TestId
from unknot.recorder.sentences import Reason, place, short


def undone(conflict: Conflict, needs: Sequence[tuple[Need, Sequence[Reason]]], recording: Recording) -> tuple[str, ...]:
    """In words, for the victim's needs and their reasons: a polluter puts a location back that the victim needs
    changed, or stands outside of the class or file that both others are in, so that pytest tears down what these share.
    The latter is a conclusion from where they stand, and is told as one."""
    put_back = tuple(dict.fromkeys(_put_back(conflict, needs, recording)))
    return put_back or tuple(dict.fromkeys(_left_in_between(conflict, needs)))


def _put_back(
    conflict: Conflict, needs: Sequence[tuple[Need, Sequence[Reason]]], recording: Recording
) -> Iterator[str]:
    for _, reasons in needs:
        for reason in reasons:
            account = recording.account_of.get(reason.location)
            for polluter in conflict.polluters:
                if account is not None and (where := _restored_by(polluter, account)) is not None:
                    yield (
                        f"{short(polluter)} puts `{reason.location.name}` back as it was{where};"
                        f" {short(conflict.victim)} needs it as {short(reason.writer)} leaves it"
                    )


def _restored_by(test: TestId, account: Account) -> str | None:
    """Where, in brackets; None if it did not."""
    last = next((write for write in reversed(account.writes) if write.test == test), None)
    if last is None or not last.restored:
        return None
    return f" ({place(last.stack)})" if last.stack else ""


def _left_in_between(conflict: Conflict, needs: Sequence[tuple[Need, Sequence[Reason]]]) -> Iterator[str]:
    for need, reasons in needs:
        for setter in need.any_of:
            node = _common(setter, conflict.victim)
            may_share = "::" in node or any(reason.location.name.startswith("<fixture ") for reason in reasons)
            if may_share and not any(polluter.startswith(f"{node}::") for polluter in conflict.polluters):
                yield (
                    f"nothing was seen to flow, but whoever runs in between from outside of {node} makes pytest set up"
                    f" again what {short(setter)} has changed for {short(conflict.victim)}"
                )


def _common(one: TestId, other: TestId) -> str:
    """The innermost class or file that both are in; empty if there is none."""
    shared = []
    for mine, theirs in zip(_nodes(one), _nodes(other), strict=False):
        if mine != theirs:
            break
        shared.append(mine)
    return "::".join(shared)


def _nodes(test: TestId) -> list[str]:
    """File and classes. Parameters may hold what looks like a separator."""
    return test.partition("[")[0].split("::")[:-1]
