"""Guards are learned from tries, and nothing false is learned."""

from collections import Counter

import pytest

from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.guards import Guards
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.model_builder import ModelBuilder
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site, action
from unknot.web.simulated.trello import Trello

WORDS = ("milk", "eggs", "bread", "salt")


class Notes(Site):
    """Every sort of guard."""

    start = "Notes"

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []
        self.hidden: set[str] = set()
        self.count = 0

    @action("Notes", text=WORDS)
    def add(self, text: str) -> None:
        self.notes.append(text)
        self.count += 1

    @action("Notes")
    def free(self) -> None: ...

    @action("Notes", guard="the notes allow it", text=WORDS)
    def show(self, text: str) -> None:
        self.require(text in self.notes)

    @action("Notes", guard="the notes allow it", text=WORDS)
    def add_first(self, text: str) -> None:
        self.require(text not in self.notes)

    @action("Notes", guard="the notes allow it")
    def clear(self) -> None:
        self.require(bool(self.notes))
        self.notes.clear()

    @action("Notes", guard="the notes allow it")
    def fill(self) -> None:
        self.require(not self.notes)

    @action("Notes", guard="the notes allow it")
    def undo(self) -> None:
        self.require(len(self.notes) > 1)

    @action("Notes", guard="the notes allow it", one=WORDS, other=WORDS)
    def compare(self, one: str, other: str) -> None:
        self.require(one == other)

    @action("Notes", guard="the notes allow it", old=WORDS, new=WORDS)
    def rename(self, old: str, new: str) -> None:
        self.require(old in self.notes and new not in self.notes)

    @action("Notes", secret=WORDS)
    def hide(self, secret: str) -> None:
        self.hidden.add(secret)

    @action("Notes", guard="the notes allow it", guess=WORDS)
    def find(self, guess: str) -> None:
        self.require(guess in self.hidden)

    @action("Notes", guard="the notes allow it")
    def every_third(self) -> None:
        self.count += 1
        self.require(self.count % 3 == 0)

    @action("Notes", guard="the notes allow it", lot=WORDS)
    def draw(self, lot: str) -> None:
        self.count += 1
        self.require((self.count * 7919 + len(lot)) % 5 < 2)

    def in_view(self) -> dict[str, list[str]]:
        return {"notes": self.notes, "fixed": ["milk", "flour"]}


EXPECTED = {
    "add": "",
    "free": "",
    "show": "needs `text` in the list `notes`",
    "add_first": "needs `text` not in the list `notes`",
    "clear": "needs something in the list `notes`",
    "fill": "needs nothing in the list `notes`",
    "undo": "needs more than one in the list `notes`",
    "compare": "needs `one` equal to `other`",
    "rename": "needs `old` in the list `notes`, and `new` not in the list `notes`",
    "hide": "",
    "find": "needs `guess` entered before as `secret` of hide",
    "every_third": "",
    "draw": "",
}


def learned(site: type[Site], explorer: Explorer, cost: float) -> dict[str, str]:
    application, builder = SimulatedApplication(site), ModelBuilder()
    for step in crawl(application, explorer, PageReader(KindByTitle()), lambda: application.seconds < cost):
        builder.add(step)
    return {
        each.action.title: each.guard.text if each.guard else ""
        for page in builder.model().pages
        for each in page.actions
    }


@pytest.mark.parametrize("seed", range(2))
def test_with_enough_tries_the_guards_of_a_site_are_learned_and_no_others(seed: int) -> None:
    assert learned(Notes, RandomWalk(seed), 4000) == EXPECTED


@pytest.mark.parametrize("cost", [100, 300, 1000])
@pytest.mark.parametrize("seed", range(4))
def test_with_few_tries_nothing_false_is_learned(seed: int, cost: int) -> None:
    found = learned(Notes, RandomWalk(seed), cost)
    assert {name: text for name, text in found.items() if text and text != EXPECTED[name]} == {}


@pytest.mark.parametrize("seed", range(2))
def test_what_is_learned_of_trello_predicts_other_crawls(seed: int) -> None:
    """With values for which the guard holds it works, with others it does not, each time."""
    reader, guards = PageReader(KindByTitle()), Guards()
    application = SimulatedApplication(Trello)
    for step in crawl(application, PromisingFirst(seed), reader, lambda: application.seconds < 1000):
        if step.before is None or step.chosen is None:
            guards.begin(step.after)
        else:
            guards.add(step.before.kind, step.before, step.chosen, step.after)
    tested: Counter[bool] = Counter()
    other = SimulatedApplication(Trello)
    for step in crawl(other, RandomWalk(seed), reader, lambda: other.seconds < 1500):
        if step.before is not None and step.chosen is not None:
            place = step.before.kind, step.chosen.action.key
            guard = guards.guard(*place)
            # What was entered before is not followed here.
            if guard is not None and "before" not in guard.text:
                expected = guards.allows(*place, step.before, dict(step.chosen.values))
                tested[expected == (not step.after.refused)] += 1
    assert tested[True] >= 100
    assert not tested[False]
