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
    Three replays for a draft whose last step needs nothing else; more for those that can be shortened.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unknot.web.application.protocol import Application
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.learned_model import place_of
from unknot.web.crawl.trace import TakenStep
from unknot.web.suite.checks import candidates, is_about, is_true, rank_of, strongest, was_true
from unknot.web.suite.draft import Check, CheckKind, Draft, replaced
from unknot.web.suite.faults import FaultDraft, FaultKey, Faults, fault_keys
from unknot.web.suite.first_times import FirstTimes, ReadWalk
from unknot.web.suite.known_ways import KnownWays, is_link
from unknot.web.suite.new_data import NewData
from unknot.web.suite.own_data import borrows, with_own_data
from unknot.web.suite.replay import Replay, replay
from unknot.web.suite.shortening import shortened

REPLAYS = 3
_ANOTHER_DAY = 40
"""Days that the browser's clock is ahead in one of the replays: another month, too."""

_NUMBER = re.compile(r"\d+")

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
    """Used with one application. `shift_clock` sets the clock of the browser ahead by so many days, from the next reset
    on."""

    def __init__(
        self,
        application: Application,
        reader: PageReader,
        seed: int,
        goes_on: Callable[[], bool],
        shift_clock: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.kept: list[Draft] = []
        self.fault_drafts: list[FaultDraft] = []
        self.dropped: Counter[str] = Counter()
        self.replays = self.replayed_steps = 0
        self.faults = Faults()
        self.ways = KnownWays()
        self._application = application
        self._reader = reader
        self._goes_on = goes_on
        self._shift_clock = shift_clock
        self._first_times = FirstTimes()
        self._data = NewData(seed)
        self._waiting: list[_Waiting] = []
        self._signatures: set[_Signature] = set()
        self._tried_faults: set[FaultKey] = set()
        self._start = ""
        self._kinds: dict[str, None] = {}
        """In the sequence in which they were found."""

    def add(self, walk: Sequence[TakenStep]) -> None:
        """A walk, from its reset on. Nothing is tried yet."""
        self._start = walk[0].after.kind
        self._kinds |= dict.fromkeys(each.after.kind for each in walk)
        read = ReadWalk(walk)
        self.faults.add(read)
        for step in walk:
            self.ways.learn(step, read.data)
            if step.chosen is not None:
                self._data.taken(value for _, value in step.chosen.values)
        for each in self._first_times.of(read):
            found = candidates(each.draft, each.before, each.after)
            if not found:
                self.dropped[NOTHING_TO_CHECK] += 1
                continue
            # A link has done its work if the page is there.
            strongest_kind = CheckKind.PAGE if is_link(each.draft.steps[-1]) else found[0].kind
            wanted = tuple(check for check in found if check.kind is strongest_kind) or found
            self._waiting.append(_Waiting(each.draft, wanted))

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def try_next(self) -> Draft | None:
        """Tries the draft that promises the strongest checks, those about its data first, and the shortest of several.
        The draft, if it is kept."""
        best = min(self._waiting, key=_promise)
        self._waiting.remove(best)
        signature = _signature(best.draft, best.wanted)
        if signature in self._signatures:
            self.dropped[SAME] += 1
            return None
        self._signatures.add(signature)
        kept = self._tried(best)
        if kept is not None:
            self.kept.append(kept)
        return kept

    def try_faults(self) -> None:
        """Tries to show what went wrong, each once."""
        for key, draft in list(self.faults.sometimes()):
            if key not in self._tried_faults and self._goes_on():
                self._tried_faults.add(key)
                if (found := self._shown(key, draft)) is not None:
                    self.fault_drafts.append(found)

    def give_up(self) -> None:
        """Counts what is left."""
        self.dropped[NO_TIME] += len(self._waiting)
        self._waiting.clear()

    def in_order(self) -> list[Draft]:
        """What was kept: by page, then by what it needs."""
        places = {kind: place for place, kind in enumerate(self._kinds)}
        return sorted(self.kept, key=lambda each: (places[each.steps[-1].kind], len(each.steps)))

    def _tried(self, waiting: _Waiting) -> Draft | None:
        worked: dict[Draft, Replay] = {}

        def works(draft: Draft) -> bool:
            done, data = self._replayed(draft)
            if not done.worked:
                return False
            worked[draft] = done
            return any(_holds(check, data, done) for check in waiting.wanted)

        short = shortened(waiting.draft, self._start, self.ways, works, self._goes_on)
        if short is None:
            self.dropped[NOT_REPEATABLE if self._goes_on() else NO_TIME] += 1
            return None
        if borrows(short):
            # One replay each: what made the row works, and so do the steps in it.
            short = next((each for each in with_own_data(short, self.kept) if self._goes_on() and works(each)), short)
        first = worked[short]
        checks = candidates(first.draft, first.before, first.after)
        for number in range(1, REPLAYS):
            if not self._goes_on():
                self.dropped[NO_TIME] += 1
                return None
            done, data = self._replayed(first.draft, days=_ANOTHER_DAY if number == 1 else 0)
            if not done.worked:
                self.dropped[UNSTABLE] += 1
                return None
            checks = tuple(check for check in checks if _holds(check, data, done))
        checks = strongest(checks)
        signature = _signature(first.draft, checks)
        if not checks:
            self.dropped[NO_CHECK] += 1
        elif any(_signature(each, each.checks) == signature for each in self.kept):
            self.dropped[SAME] += 1
        else:
            return first.draft.with_checks(checks)
        return None

    def _shown(self, key: FaultKey, draft: Draft) -> FaultDraft | None:
        text = ""

        def shows(shorter: Draft) -> bool:
            nonlocal text
            done, _ = self._replayed(shorter, may_be_refused=True)
            found = fault_keys(done.after.observation.events) if done.worked else {}
            text = found.get(key, text)
            return key in found

        short = shortened(draft, self._start, self.ways, shows, self._goes_on)
        if short is None or not self._goes_on() or not shows(short):
            return None
        return FaultDraft(key[0], text, short)

    def _replayed(self, draft: Draft, *, days: int = 0, may_be_refused: bool = False) -> tuple[Replay, dict[str, str]]:
        """With other data, and which is in the place of which."""
        renewed, data = self._data.renewed(draft)
        self._shift_clock(days)
        done = replay(self._application, self._reader, renewed, may_be_refused=may_be_refused)
        self._shift_clock(0)
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
