"""Random simulated applications that take any text, for laws of drafts."""

from typing import Any

from hypothesis import strategies as st

from unknot.model.web.element import TEXT, Element
from unknot.web.simulated.site import Site, action, link


class TextSite(Site):
    """Its hidden state is what was added. `said` is shown once."""

    start = "P0"

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = ["Seed one"]
        self.said = ""

    def in_view(self) -> dict[str, list[str]]:
        return {"notes": self.notes}

    def beside(self, load: int) -> list[Element]:
        clock = Element(TEXT, text=f"It is {load} o'clock")
        return [clock, Element("status", children=(Element(TEXT, text=self.said),))] if self.said else [clock]


@st.composite
def text_sites(draw: st.DrawFn) -> type[Site]:
    """Up to three pages; on some of them a text can be added, taken away or looked for, and some say so."""
    pages = [f"P{number}" for number in range(draw(st.integers(1, 3)))]
    members: dict[str, Any] = {}
    for number, page in enumerate(pages):
        members[f"to{number}"] = link(*pages, to=page, named=f"to {page}")
        for verb in draw(st.lists(st.sampled_from(("add", "remove", "find")), unique=True)):
            target = draw(st.sampled_from(pages))
            method = _METHODS[verb](says=draw(st.booleans()))
            guard = "" if verb == "add" else "it is there"
            members[f"{verb}{number}"] = action(page, to=target, guard=guard, named=f"{verb} {number}", text=())(method)
    return type("Drawn", (TextSite,), members)


def _adding(*, says: bool) -> Any:
    def add(site: TextSite, text: str) -> None:
        site.notes.append(text)
        site.said = f"{text} was added" if says else ""

    return add


def _removing(*, says: bool) -> Any:
    def remove(site: TextSite, text: str) -> None:
        site.require(text in site.notes, "there is no such note")
        site.notes.remove(text)
        site.said = "It was removed" if says else ""

    return remove


def _finding(*, says: bool) -> Any:
    def find(site: TextSite, text: str) -> None:
        site.require(text in site.notes, "there is no such note")
        site.said = f"This is {text}" if says else ""

    return find


_METHODS = {"add": _adding, "remove": _removing, "find": _finding}
