"""Renames what is called differently in the working copy in which the suite was recorded."""

from collections.abc import Callable
from dataclasses import replace

from unknot.model.recording import Access, Location, Recording, Stack


def renamed(recording: Recording, word: Callable[[str], str]) -> Recording:
    """The same with `word` applied to all names of locations and files, to shown values, and to the notes. Tests keep
    their ids. Two locations that get one name stay two accounts."""

    def location(one: Location) -> Location:
        return replace(one, name=word(one.name))

    def stack(frames: Stack) -> Stack:
        return tuple(replace(frame, file=word(frame.file)) for frame in frames)

    def access(one: Access) -> Access:
        return replace(one, stack=stack(one.stack), shown=word(one.shown))

    return replace(
        recording,
        accounts=tuple(
            replace(
                account,
                location=location(account.location),
                writes=tuple(map(access, account.writes)),
                reads=tuple(map(access, account.reads)),
            )
            for account in recording.accounts
        ),
        flows=tuple(
            replace(
                flow,
                location=location(flow.location),
                written=stack(flow.written),
                read=stack(flow.read),
                shown=word(flow.shown),
            )
            for flow in recording.flows
        ),
        left=tuple(
            replace(left, location=location(left.location), written=stack(left.written), shown=word(left.shown))
            for left in recording.left
        ),
        notes=tuple(map(word, recording.notes)),
    )
