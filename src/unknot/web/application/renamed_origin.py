"""An application whose address changes, under one that stays."""

import re
from collections.abc import Callable
from dataclasses import replace

from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation, PageEvent
from unknot.web.application.protocol import Application


class RenamedOrigin:
    """Each copy of the system under test has a port of its own, which may be another one the next time. In
    observations, `here()`, the host and port of the application now, is replaced by `name`, and in steps the other way
    round: so what one copy has shown can be compared with another, and repeated there. Cost: one look at each string.
    """

    def __init__(self, application: Application, here: Callable[[], str], name: str) -> None:
        self._application = application
        self._here = here
        self._name = name

    def reset(self) -> Observation:
        return self._renamed(self._application.reset())

    def perform(self, step: PageStep) -> Observation:
        here, name = self._here(), self._name

        def there(locator: Locator) -> Locator:
            attribute, within = locator.attribute, locator.within
            return replace(
                locator,
                name=locator.name.replace(name, here),
                attribute=attribute and (attribute[0], attribute[1].replace(name, here)),
                text=locator.text.replace(name, here),
                within=within and there(within),
            )

        inputs = tuple(
            replace(each, locators=tuple(map(there, each.locators)), value=each.value.replace(name, here))
            for each in step.inputs
        )
        return self._renamed(self._application.perform(PageStep(tuple(map(there, step.locators)), inputs)))

    def look_again(self) -> Observation | None:
        seen = self._application.look_again()
        return None if seen is None else self._renamed(seen)

    def _renamed(self, seen: Observation) -> Observation:
        here, name = self._here(), self._name
        # Port 4000 is no part of port 40001.
        pattern = re.compile(re.escape(here) + r"(?!\d)")

        def renamed(text: str) -> str:
            return pattern.sub(lambda _: name, text) if here in text else text

        return replace(
            seen,
            address=renamed(seen.address),
            title=renamed(seen.title),
            root=_renamed_tree(seen.root, renamed),
            events=tuple(PageEvent(each.kind, renamed(each.text)) for each in seen.events),
            refusal=renamed(seen.refusal),
            html=renamed(seen.html),
        )


def _renamed_tree(root: Element, renamed: Callable[[str], str]) -> Element:
    """The same element where nothing is to be replaced. Without recursion: pages may be nested deeply."""
    made: list[Element] = []
    for each in reversed(list(root.walk())):
        children = tuple(made.pop() for _ in each.children)
        made.append(_renamed_element(each, children, renamed))
    (found,) = made
    return found


def _renamed_element(element: Element, children: tuple[Element, ...], renamed: Callable[[str], str]) -> Element:
    new = Element(
        element.role,
        renamed(element.name),
        element.tag,
        renamed(element.text),
        renamed(element.value),
        tuple((key, renamed(value)) for key, value in element.attributes),
        tuple(map(renamed, element.options)),
        element.states,
        children,
    )
    is_same = all(one is other for one, other in zip(children, element.children, strict=True))
    texts = (new.name, new.text, new.value, new.attributes, new.options)
    is_same = is_same and texts == (element.name, element.text, element.value, element.attributes, element.options)
    return element if is_same else new
