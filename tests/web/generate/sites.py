"""Random simulated applications, for laws of generators."""

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from unknot.web.simulated.site import Site, Target, action

VALUES = ("red", "green", "blue")


class RandomSite(Site):
    """Its hidden state is what has been marked so far."""

    start = "P0"

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[str] = []

    def in_view(self) -> dict[str, list[str]]:
        return {"marks": self.marks}


@st.composite
def sites(draw: st.DrawFn) -> type[Site]:
    """Up to four pages and seven actions. Each may take a value, be guarded by what was marked, mark or take away a
    mark, and lead to several pages, or to one page in two ways."""
    pages = [f"P{number}" for number in range(draw(st.integers(1, 4)))]
    members: dict[str, Any] = {}
    for number in range(draw(st.integers(0, 7))):
        sources = draw(st.lists(st.sampled_from(pages), min_size=1, max_size=2, unique=True))
        targets = draw(
            st.one_of(
                st.lists(st.sampled_from(pages), max_size=3, unique=True),
                st.sampled_from(pages).map(lambda page: [(page, "one way"), (page, "another")]),
            )
        )
        guard = draw(st.sampled_from(("", "value", *VALUES)))
        takes_value = guard == "value" or draw(st.booleans())
        method = _method(targets, guard, draw(st.sampled_from(("", "value", *VALUES))), takes_away=draw(st.booleans()))
        members[f"a{number}"] = _action(sources, targets, guard, takes_value=takes_value)(method)
    return type("Drawn", (RandomSite,), members)


def _action(
    sources: Sequence[str], targets: Sequence[str | Target], guard: str, *, takes_value: bool
) -> Callable[[Any], Any]:
    if takes_value:
        return action(*sources, to=targets, guard=guard, value=VALUES)
    return action(*sources, to=targets, guard=guard)


def _method(targets: Sequence[str | Target], guard: str, marked: str, *, takes_away: bool) -> Callable[..., Any]:
    def act(site: RandomSite, value: str = VALUES[0]) -> str | Target | None:
        site.require(not guard or (value if guard == "value" else guard) in site.marks)
        mark = value if marked == "value" else marked
        if takes_away and mark in site.marks:
            site.marks.remove(mark)
        elif mark and mark not in site.marks:
            site.marks.append(mark)
        return targets[len(site.marks) % len(targets)] if len(targets) > 1 else None

    return act
