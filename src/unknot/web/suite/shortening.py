"""Makes a draft shorter: most steps of a walk do not matter for its last one.

Idea
    Steps that only lead from page to page are replaced by the shortest way that is known. Of the others, first those
    are tried that enter what the last step speaks of, if any, with choices that were there anyway; then also the last
    one before, the last two, four, and so on. From what works some are left out, as delta debugging does (Zeller,
    Hildebrandt 2002), until no single one can be.
Assumptions
    What works once works again.
Guarantee
    The result was tried and works, and has no more steps than the draft, and no more than 30. Deterministic.
Cost
    One try where the last step needs nothing else; else up to seven, and then up to the square of the steps that
    matter, as long as `goes_on`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from unknot.web.suite.draft import Draft, DraftStep, names
from unknot.web.suite.known_ways import KnownWays, is_link
from unknot.web.suite.rows import names_any

Trial = Callable[[Draft], bool]

LONGEST = 30
"""Steps of a draft that is worth trying."""

_LAST = (1, 2, 4, 8, 16, LONGEST)
"""So many of the last steps that matter are tried together."""


def shortened(draft: Draft, start: str, ways: KnownWays, works: Trial, goes_on: Callable[[], bool]) -> Draft | None:
    """`start` is the kind of page at which the application begins. None if nothing works, not even the draft itself."""
    plain = _with_plain_choices(draft)
    shortening = _Shortening(plain, start, ways, works)
    first_try = next(shortening.first_tries())
    if plain != draft and goes_on() and (found := shortening.tried(first_try)) is not None:
        return shortening.reduced(first_try, found, goes_on)
    shortening = _Shortening(draft, start, ways, works)
    for kept in shortening.first_tries():
        if not goes_on():
            return None
        if (found := shortening.tried(kept)) is not None:
            return shortening.reduced(kept, found, goes_on)
    return draft if goes_on() and len(draft.steps) <= LONGEST and works(draft) else None


class _Shortening:
    def __init__(self, draft: Draft, start: str, ways: KnownWays, works: Trial) -> None:
        self._draft = draft
        self._start = start
        self._ways = ways
        self._works = works
        self._act = draft.steps[-1]
        self._matter = [place for place, step in enumerate(draft.steps[:-1]) if not is_link(step)]
        self._failed: set[tuple[int, ...]] = set()

    def first_tries(self) -> Iterator[tuple[int, ...]]:
        """Places of the steps to keep, beside the last one: each choice once."""
        needed = self._needed()
        tries = {needed: None}
        for last in _LAST:
            tries.setdefault(tuple(sorted({*needed, *self._matter[-last:]})))
        yield from tries

    def tried(self, kept: tuple[int, ...]) -> Draft | None:
        """The draft with these steps only, if it works."""
        if kept in self._failed:
            return None
        shorter = self._assembled(kept)
        longest = min(LONGEST, len(self._draft.steps))
        if shorter is None or len(shorter.steps) > longest or not self._works(shorter):
            self._failed.add(kept)
            return None
        return shorter

    def reduced(self, kept: tuple[int, ...], found: Draft, goes_on: Callable[[], bool]) -> Draft:
        """Delta debugging: without a part of the steps, in ever smaller parts."""
        fixed = self._named_by_act()
        parts = 2 if len(kept) > 1 else 1
        while kept and goes_on():
            size = -(-len(kept) // parts)
            for begin in range(0, len(kept), size):
                left = kept[:begin] + kept[begin + size :]
                is_possible = not fixed.intersection(kept[begin : begin + size])
                if is_possible and goes_on() and (shorter := self.tried(left)) is not None:
                    kept, found, parts = left, shorter, max(parts - 1, 2 if len(left) > 1 else 1)
                    break
            else:
                if size == 1:
                    break
                parts = min(len(kept), 2 * parts)
        return found

    def _assembled(self, kept: tuple[int, ...]) -> Draft | None:
        """None if no way is known between them."""
        steps: list[DraftStep] = []
        kind = self._start
        for place in (*kept, len(self._draft.steps) - 1):
            step = self._draft.steps[place]
            # The latest links led to what the step is about.
            way = self._ways.between(kind, step.kind, self._draft.steps[:place][::-1])
            if way is None:
                return None
            steps += (*way, step)
            kind = step.leads_to
        entered = {value for step in steps for _, value in step.values}
        data = tuple(each for each in self._draft.data if each in entered)
        return replace(self._draft, steps=tuple(steps), data=data)

    def _needed(self) -> tuple[int, ...]:
        """The steps that enter what the last one, or another of them, speaks of."""
        needed: set[int] = set()
        waiting = [self._act]
        while waiting:
            place = self._entering(self._named(waiting.pop())) - needed
            needed |= place
            waiting += [self._draft.steps[each] for each in place]
        return tuple(sorted(needed))

    def _named_by_act(self) -> frozenset[int]:
        """Without these, there is no such row."""
        locators = self._act.action.locators
        return frozenset(
            self._entering(value for value in self._draft.data if any(names_any(each, (value,)) for each in locators))
        )

    def _entering(self, data: Iterable[str]) -> set[int]:
        """The first step that enters each."""
        first: set[int] = set()
        for value in data:
            places = (place for place in self._matter if _enters(self._draft.steps[place], value))
            first.update(place for place in [next(places, None)] if place is not None)
        return first

    def _named(self, step: DraftStep) -> list[str]:
        texts = [value for _, value in step.values]
        return [
            value
            for value in self._draft.data
            if any(names(text, value) for text in texts)
            or any(names_any(each, (value,)) for each in step.action.locators)
        ]


def _with_plain_choices(draft: Draft) -> Draft:
    """Where it chooses what it has made itself, another choice that was there."""
    return replace(draft, steps=tuple(_with_plain_choice(each, draft.data) for each in draft.steps))


def _with_plain_choice(step: DraftStep, data: tuple[str, ...]) -> DraftStep:
    choices = {
        field.label: next(
            (each for each in field.options if each.strip() and not any(names(each, value) for value in data)), ""
        )
        for field in step.action.fields
    }
    values = tuple(
        (label, (any(names(text, value) for value in data) and choices.get(label)) or text)
        for label, text in step.values
    )
    return replace(step, values=values)


def _enters(step: DraftStep, value: str) -> bool:
    return any(entered == value for _, entered in step.values)
