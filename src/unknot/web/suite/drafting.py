"""From walks to drafts that are worth keeping: replayed with other data, shortened, with checks that can fail.

Idea
    What a walk did for the first time is a draft. It is made shorter by trying, each time from a clean state and with
    other data. What is so after its last step, and was not before, is checked in three replays; checks that fail in one
    of them are left out, and a draft without any is dropped.
Assumptions
    A reset leads to the clean state.
Guarantee
    A draft that is kept has worked three times, each time with data of its own, with checks that held, and that did not
    hold before its last step. It has no more steps than the walk, but for those that make what it changes.
    Deterministic by seed, as long as `goes_on` is.
Cost
    Three replays for a draft whose last step needs nothing else; more for those that can be shortened, and one more for
    a form in which nothing was entered.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from unknot.web.crawl.learned_model import place_of
from unknot.web.crawl.trace import TakenStep
from unknot.web.suite.checks import candidates, is_about, is_true, rank_of, strongest, was_true
from unknot.web.suite.draft import Check, CheckKind, Draft, replaced
from unknot.web.suite.faults import FaultDraft, FaultKey, Faults, fault_keys
from unknot.web.suite.first_times import FirstTimes, ReadWalk, WalkDraft
from unknot.web.suite.known_ways import KnownWays, is_link
from unknot.web.suite.new_data import NewData
from unknot.web.suite.own_data import borrows, with_own_data
from unknot.web.suite.replay import Replay, ReplayPlace
from unknot.web.suite.shortening import LONGEST, shortened

REPLAYS = 3
_ANOTHER_DAY = 40
"""Days that the browser's clock is ahead in one of the replays: another month, too."""

_NUMBER = re.compile(r"\d+")

_MOST_TRIES = 2
"""Of drafts that seem to be about the same, if the first cannot be kept."""

NOT_REPEATABLE = "did not work again with other data"
UNSTABLE = "worked only sometimes"
NO_CHECK = "no check held each time"
NOTHING_TO_CHECK = "nothing to check"
SAME = "the same as another"
NO_TIME = "no time left to try"

_Signature = tuple[str, str, frozenset[Check]]


@dataclass(frozen=True)
class _Waiting:
    """`wanted` are the checks of the strongest sort that held in the walk: one of them has to hold when it is
    shorter."""

    draft: Draft
    wanted: tuple[Check, ...]


class Drafting:
    """Several threads may add walks and try drafts, each on an application of its own, if they share a `guard`. What it
    keeps has the sequence in which they do."""

    def __init__(
        self, seed: int, goes_on: Callable[[], bool], guard: AbstractContextManager[object] | None = None
    ) -> None:
        self.kept: list[Draft] = []
        self.fault_drafts: list[FaultDraft] = []
        self.dropped: Counter[str] = Counter()
        self.replays = self.replayed_steps = 0
        self.faults = Faults()
        self.ways = KnownWays()
        self._goes_on = goes_on
        self._guard = guard or nullcontext()
        self._first_times = FirstTimes()
        self._data = NewData(seed)
        self._waiting: list[_Waiting] = []
        self._tries: Counter[_Signature] = Counter()
        self._tried_faults: set[FaultKey] = set()
        self._start = ""
        self._kinds: dict[str, None] = {}
        """In the sequence in which they were found."""

    def add(self, walk: Sequence[TakenStep]) -> None:
        """A walk, from its reset on. Nothing is tried yet."""
        read = ReadWalk(walk)
        with self._guard:
            self._start = walk[0].after.kind
            self._kinds |= dict.fromkeys(each.after.kind for each in walk)
            self.faults.add(read)
            for step in walk:
                self.ways.learn(step, read.data)
                if step.chosen is not None:
                    self._data.taken(value for _, value in step.chosen.values)
            for each in self._first_times.of(read):
                self._wait(each)

    def _wait(self, done: WalkDraft) -> None:
        found = candidates(done.draft, done.before, done.after)
        if not found:
            self.dropped[NOTHING_TO_CHECK] += 1
            return
        # A link has done its work if the page is there.
        strongest_kind = CheckKind.PAGE if is_link(done.draft.steps[-1]) else found[0].kind
        wanted = tuple(check for check in found if check.kind is strongest_kind) or found
        self._waiting.append(_Waiting(done.draft, wanted))

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def try_next(self, place: ReplayPlace) -> Draft | None:
        """Tries the draft that promises the strongest checks, those about its data first, and the shortest of several.
        The draft, if it is kept."""
        with self._guard:
            if not self._waiting:
                return None
            best = min(self._waiting, key=_promise)
            self._waiting.remove(best)
            signature = _signature(best.draft, best.wanted)
            if self._tries[signature] >= _MOST_TRIES:
                self.dropped[SAME] += 1
                return None
            self._tries[signature] += 1
        kept = self._tried(best, place)
        if kept is not None:
            self._tries[signature] = _MOST_TRIES
        return kept

    def try_faults(self, place: ReplayPlace) -> None:
        """Tries to show what went wrong, each once."""
        while self._goes_on():
            with self._guard:
                left = (each for each in self.faults.sometimes() if each[0] not in self._tried_faults)
                key, draft = next(left, (None, None))
                if key is None or draft is None:
                    return
                self._tried_faults.add(key)
            if (found := self._shown(key, draft, place)) is not None:
                self.fault_drafts.append(found)

    def give_up(self) -> None:
        """Counts what is left."""
        if self._waiting:
            self.dropped[NO_TIME] += len(self._waiting)
        self._waiting.clear()

    def in_order(self) -> list[Draft]:
        """What was kept: by page, then by what it needs."""
        places = {kind: place for place, kind in enumerate(self._kinds)}
        return sorted(self.kept, key=lambda each: (places[each.steps[-1].kind], len(each.steps)))

    def _tried(self, waiting: _Waiting, place: ReplayPlace) -> Draft | None:
        worked: dict[Draft, Replay] = {}

        def works(draft: Draft) -> bool:
            done, data = self._replayed(draft, place)
            if not done.worked:
                return False
            worked[draft] = done
            return any(_holds(check, data, done) for check in waiting.wanted)

        with self._guard:
            ways, makers = self.ways.copy(), tuple(self.kept)

        def own(draft: Draft) -> Draft | None:
            """One replay each: what made the row works, and so may the steps in it."""
            found = with_own_data(draft, makers) if borrows(draft) else ()
            return next(
                (each for each in found if len(each.steps) <= LONGEST and self._goes_on() and works(each)), None
            )

        short = own(replace(waiting.draft, steps=waiting.draft.steps[-1:]))
        if short is None:
            short = shortened(waiting.draft, self._start, ways, works, self._goes_on)
            short = own(short or waiting.draft) or short
        if short is None:
            return self._drop(NOT_REPEATABLE)
        with self._guard:
            filled = self._data.filled(short)
        if filled is not None and self._goes_on() and works(filled):
            short = filled
        first = worked[short]
        checks = candidates(first.draft, first.before, first.after)
        for number in range(1, REPLAYS):
            if not self._goes_on():
                return self._drop(NO_TIME)
            done, data = self._replayed(first.draft, place, days=_ANOTHER_DAY if number == 1 else 0)
            if not done.worked:
                return self._drop(UNSTABLE)
            checks = tuple(check for check in checks if _holds(check, data, done))
        checks = strongest(checks)
        if not checks:
            return self._drop(NO_CHECK)
        with self._guard:
            signature = _signature(first.draft, checks)
            if any(_signature(each, each.checks) == signature for each in self.kept):
                return self._drop(SAME)
            kept = first.draft.with_checks(checks)
            self.kept.append(kept)
            return kept

    def _drop(self, why: str) -> Draft | None:
        """Counts it. There is no draft then."""
        with self._guard:
            self.dropped[why if self._goes_on() else NO_TIME] += 1
        return None

    def _shown(self, key: FaultKey, draft: Draft, place: ReplayPlace) -> FaultDraft | None:
        text = ""

        def shows(shorter: Draft) -> bool:
            nonlocal text
            done, _ = self._replayed(shorter, place, may_be_refused=True)
            found = fault_keys(done.after.observation.events) if done.worked else {}
            text = found.get(key, text)
            return key in found

        with self._guard:
            ways = self.ways.copy()
        short = shortened(draft, self._start, ways, shows, self._goes_on)
        if short is None or not self._goes_on() or not shows(short):
            return None
        return FaultDraft(key[0], text, short)

    def _replayed(
        self, draft: Draft, place: ReplayPlace, *, days: int = 0, may_be_refused: bool = False
    ) -> tuple[Replay, dict[str, str]]:
        """With other data, and which is in the place of which."""
        with self._guard:
            renewed, data = self._data.renewed(draft)
        done = place.replay(renewed, days=days, may_be_refused=may_be_refused)
        with self._guard:
            self.replays += 1
            self.replayed_steps += len(done.views) - 1
        return done, data


def _promise(waiting: _Waiting) -> tuple[int, bool, int]:
    """Smaller is better. What is about its own data makes rows for others."""
    wanted, draft = waiting.wanted, waiting.draft
    return rank_of(wanted[0]), not any(is_about(each.text, draft.data) for each in wanted), len(draft.steps)


def _holds(check: Check, data: dict[str, str], done: Replay) -> bool:
    """After the last step, and not before it."""
    renewed = replace(check, text=replaced(check.text, data))
    return is_true(renewed, done.before, done.after) and not was_true(renewed, done.before)


def _signature(draft: Draft, checks: Sequence[Check]) -> _Signature:
    """Drafts with the same one are about the same."""
    act = draft.steps[-1]
    data = dict.fromkeys(draft.data, "*")
    without = frozenset(
        each if each.kind is CheckKind.PAGE else replace(each, text=_NUMBER.sub("#", replaced(each.text, data)))
        for each in checks
    )
    return place_of(act.kind, act.action), act.action.key, without
