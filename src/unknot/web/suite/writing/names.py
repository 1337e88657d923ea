"""What a person would call a test: by what it does, and what it achieves."""

import re
from collections.abc import Iterator, Sequence

from unknot.web.pages.writing.words import TakenNames, is_command, words_of
from unknot.web.suite.draft import Check, CheckKind, Draft
from unknot.web.suite.writing.body import Body

_LONGEST = 62
"""A line has room for `def`, the parameter and the type."""

_MOST_WORDS = 5
_VERB_ONLY = 1
_REFUSES = re.compile(
    r"\b(?:not?|cannot|can't|must|may|only|already|error|wrong|invalid|required|needs?|missing|sorry|please|least|most|"
    r"too|between|enter|choose|fill|exists?|unknown|failed|denied|forbidden)\b",
    re.IGNORECASE,
)
"""Words of a message that objects to something."""

_FRONT = frozenset({"page", "dialog"})


class NameGiver:
    """Gives each test of a suite a name of its own."""

    def __init__(self) -> None:
        self._taken = TakenNames()

    def name(self, draft: Draft, body: Body) -> str:
        act = _act(body)
        effects = list(_effects(draft, body))
        before = _words(body.call.owner.name)
        names = [_joined("test", act, each) for each in effects]
        names += [_joined("test", act, ["on", *before], each) for each in effects if before != act[-len(before) :]]
        names += [_joined("test", act, ["with", *each], effects[0]) for each in _given(draft, body)]
        return self._taken.take(names[0], names[1:])


def _act(body: Body) -> list[str]:
    """The method, with what it acts on if it does not say so: "save" on the page on which a book is edited."""
    words = body.call.method.name.strip("_").split("_")
    page = _words(body.call.owner.name)
    if len(words) == _VERB_ONLY and is_command(words) and not body.call.component:
        page = page[1:] if len(page) > 1 and is_command(page) else page
        return [*words, *(each for each in page if each not in words)]
    return words


def _words(name: str) -> list[str]:
    words = words_of(name)
    return words[:-1] if len(words) > 1 and words[-1] in _FRONT else words


def _effects(draft: Draft, body: Body) -> Iterator[list[str]]:
    """The most telling first; the last one fits always."""
    checks = {each.kind: each for each in reversed(body.written)}
    message = checks.get(CheckKind.MESSAGE)
    if message and not checks.keys() & {CheckKind.LISTED, CheckKind.GONE, CheckKind.COUNT} and _refuses(message):
        yield from _refusals(draft, message)
    if CheckKind.LISTED in checks:
        yield from (["shows", "it", *place] for place in _places(checks[CheckKind.LISTED]))
    elif CheckKind.GONE in checks:
        yield from (["takes", "it", *_off(place)] for place in _places(checks[CheckKind.GONE]))
    elif CheckKind.COUNT in checks:
        count = checks[CheckKind.COUNT]
        verb = "adds" if count.by > 0 else "takes"
        how_many = "one" if abs(count.by) == 1 else "some"
        link = "to" if count.by > 0 else "off"
        yield from ([verb, how_many, link, *place[1:]] for place in _places(count))
    if CheckKind.FIELD in checks and (label := words_of(checks[CheckKind.FIELD].values)):
        yield ["keeps", "the", *label[:_MOST_WORDS]]
    if message:
        said = [each for each in words_of(_without_data(message.text, draft)) if not each.isdigit()]
        if 0 < len(said) <= _MOST_WORDS:
            yield ["says", *said]
        yield ["shows", "a", "message"] if said else ["shows", "it"]
    after = _words(body.after)
    yield ["leads", "to", *(after or ["the", "next"]), "page"]


def _refusals(draft: Draft, message: Check) -> Iterator[list[str]]:
    """What was wrong, if the message names a field."""
    said = set(words_of(message.text))
    for label, value in draft.steps[-1].values:
        words = words_of(label)
        if words and said.issuperset(words):
            yield [*(["with", "wrong"] if value else ["without"]), *words[:_MOST_WORDS], "is", "refused"]
    empty = [words_of(label) for label, value in draft.steps[-1].values if not value and words_of(label)]
    yield from (["without", *words[:_MOST_WORDS], "is", "refused"] for words in empty)
    yield ["is", "refused"]


def _refuses(message: Check) -> bool:
    return _REFUSES.search(message.text) is not None


def _places(check: Check) -> Iterator[list[str]]:
    yield ["in", "the", "list"]
    if words := words_of(check.values):
        yield ["in", *words[:_MOST_WORDS]]


def _off(place: Sequence[str]) -> list[str]:
    return ["off", *place[1:]]


def _without_data(text: str, draft: Draft) -> str:
    for each in sorted(draft.data, key=len, reverse=True):
        text = text.replace(each, " ")
    return text


def _given(draft: Draft, body: Body) -> Iterator[list[str]]:
    """Each optional field that is filled."""
    fields = draft.steps[-1].action.fields
    labels = dict(draft.steps[-1].values)
    for each in body.call.method.parameters:
        if each.optional and any(fields[number].label in labels for number in each.fields if number < len(fields)):
            yield each.name.strip("_").split("_")


def _joined(*parts: Sequence[str] | str) -> str:
    words = [word for part in parts for word in ([part] if isinstance(part, str) else part)]
    name = ""
    for each in words:
        if len(f"{name}_{each}") > _LONGEST:
            break
        name = f"{name}_{each}" if name else each
    return name
