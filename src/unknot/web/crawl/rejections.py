"""Whether the application accepted a step, and what it says of the fields if it did not.

Idea
    A step was rejected if the server answers with an error of the client's; if the browser objects to a field, so that
    the form was never sent; or if the same page is in view with a message that it calls an error, by class or role.
    What stands on such pages anyway, such as the heading of a danger zone, is no message: it was there when a link
    opened the page.
Assumptions
    Pages show errors as errors. A rejection in plain text counts as accepted. A form that is sent by POST does not say
    in an alert that it worked.
Guarantee
    A link was rejected only if the server said so.
Cost
    Linear in the tree.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from unknot.model.web.action import Action
from unknot.model.web.element import ERROR, INVALID, TEXT, VALIDATION, Element
from unknot.web.application.observation import EventKind
from unknot.web.crawl.parts import is_field
from unknot.web.crawl.view import View
from unknot.web.crawl.words import words

_LONGEST = 200
_HALF = 0.5
_ALERT = "alert: "


class Rejections:
    """Remembers, for each kind of page, the errors that stand there anyway."""

    def __init__(self) -> None:
        self._standing: defaultdict[str, set[str]] = defaultdict(set)

    def why(self, before: View, action: Action, after: View) -> str:
        """Empty if the application accepted the action."""
        if after.observation.refusal:
            return ""
        root = after.observation.root
        messages = list(dict.fromkeys(error_texts(root)))
        if action.writes and (said := _alert(after)) and any(each.key == action.key for each in after.actions):
            return said
        answer = next((each.text for each in after.observation.events if each.kind is EventKind.REJECTED), "")
        if answer:
            return _first(messages) or f"the server answers {answer.partition(' ')[0]}"
        if action.href:
            # A link that leads nowhere leaves the answer to an earlier step in view.
            self._standing[after.kind].update(set(messages).difference(error_texts(before.observation.root)))
            return ""
        if objection := _first(list(objections(root))):
            return objection
        if after.kind != before.kind and not any(each.key == action.key for each in after.actions):
            return ""
        return _first([each for each in messages if each not in self._standing[after.kind]])


def _alert(after: View) -> str:
    """What the page says in a box: a form that is sent leads to a page instead."""
    said = (each.text for each in after.observation.events if each.kind is EventKind.DIALOG)
    return next((text.removeprefix(_ALERT)[:_LONGEST] for text in said if text.startswith(_ALERT)), "")


@dataclass
class FieldMessages:
    """What a page says of the fields of a form: by their labels, and of the form as a whole."""

    by_label: dict[str, str] = field(default_factory=dict)
    of_form: list[str] = field(default_factory=list)


def field_messages(root: Element, action: Action) -> FieldMessages:
    """A message belongs to the field whose label it names, or else to the one before it, if both are in one form."""
    labels: dict[int, str] = {}
    for each in action.fields:
        for found in each.locators[0].find(root)[:1]:
            labels[id(found)] = each.label
    said = FieldMessages()
    latest = ""
    for element in root.walk():
        if id(element) in labels:
            latest = labels[id(element)]
            if objection := element.attribute(VALIDATION):
                said.by_label[latest] = objection
            elif INVALID in element.states and element.attribute("aria-invalid") not in ("", "false"):
                said.by_label.setdefault(latest, "")
        elif is_field(element):
            latest = ""
        elif element.role == TEXT and ERROR in element.states:
            named = _named(element.text, labels.values()) or ([latest] if latest else [])
            for label in named:
                said.by_label[label] = f"{said.by_label.get(label, '')} {element.text}".strip()
            if not named:
                said.of_form.append(element.text)
    return said


def _named(text: str, labels: Iterable[str]) -> list[str]:
    """The labels that the text has all words of, but for those that are a part of a longer one; or else the one of
    which most words are in the text, at least half of them."""
    said = _singular(text)
    known = {label: found for label in labels if (found := _singular(label))}
    whole = [label for label, found in known.items() if found <= said]
    if whole:
        return [label for label in whole if not any(known[label] < known[other] for other in whole)]
    shares = {label: (len(found & said) / len(found), len(found)) for label, found in known.items()}
    best = max(shares, key=lambda label: shares[label], default="")
    return [best] if best and shares[best][0] >= _HALF else []


def _singular(text: str) -> frozenset[str]:
    return frozenset(each.removesuffix("s") for each in words(text))


def error_texts(root: Element) -> Iterator[str]:
    """What the page calls an error."""
    return (each.text for each in root.walk() if each.role == TEXT and ERROR in each.states)


def objections(root: Element) -> Iterator[str]:
    """What the browser says of fields with which it does not send a form."""
    for each in root.walk():
        if objection := each.attribute(VALIDATION):
            yield f"{each.name}: {objection}" if each.name else objection


def _first(messages: list[str]) -> str:
    return next((each[:_LONGEST] for each in messages if any(map(str.isalnum, each))), "")
