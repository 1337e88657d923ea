"""The actions of a page as methods."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from unknot.model.web.action import Action
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import PageAction
from unknot.web.pages.writing.choices import choices_among
from unknot.web.pages.writing.code import INDENT, Chain, statement
from unknot.web.pages.writing.fields import FieldEntry, FieldReader, MethodParameter
from unknot.web.pages.writing.literals import literal
from unknot.web.pages.writing.locator_code import best_locator, by_role, located
from unknot.web.pages.writing.method_names import field_method, has_data, method_name, opens_data
from unknot.web.pages.writing.words import TakenNames, snake, words_of

ROWS = {
    "row": ("rows", "row"),
    "listitem": ("items", "item"),
    "article": ("articles", "article"),
    "gridcell": ("cells", "cell"),
    "treeitem": ("tree_items", "tree_item"),
}
"""What a page calls its repeated parts, and one of them."""

_LOCALS = ("row", "re", "cast", "requires")
"""Names in the code that no parameter may hide."""


@dataclass(frozen=True)
class PlannedMethod:
    """`targets` are the classes of the pages that follow, the most frequent first; "" is the page itself. Without any,
    nothing is known of what follows. `keys` are those of the actions that it stands for. `attempt` is the name of a
    second method, which does the same and expects nothing: the application has refused some values. Empty if there is
    no need for one."""

    name: str
    parameters: tuple[MethodParameter, ...]
    body: tuple[str, ...]
    targets: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    requires: str = ""
    keys: tuple[str, ...] = field(default=(), compare=False)
    attempt: str = field(default="", compare=False)


@dataclass(frozen=True)
class PlaceWords:
    """What names depend on: the noun of the page, and the names of all that is in view."""

    noun: Sequence[str]
    heading: Sequence[str]
    names: Sequence[str]
    values: Mapping[str, str]
    """The names of the lists that values in view belong to."""


class MethodReader:
    """Makes the methods of one class. `taken` has the names that it has already."""

    def __init__(self, fields: FieldReader, words: PlaceWords, taken: TakenNames, modules: Sequence[str]) -> None:
        self._fields = fields
        self._words = words
        self._taken = taken
        self._modules = modules

    def methods(self, actions: Sequence[PageAction], targets: Mapping[str, tuple[str, ...]]) -> list[PlannedMethod]:
        """In the order of the page; `targets` are the classes that follow each action, by its key. Actions that do the
        same are one method, and so are many links to addresses of one sort, such as a choice of languages."""
        kept = [each for each in actions if not is_left_out(each)]
        choices = choices_among([each.action for each in kept], targets)
        drafts: dict[object, PlannedMethod] = {}
        for each in kept:
            sort = choices.get(each.action.key)
            following = targets.get(each.action.key, ())
            draft = self._choice(each, sort, following) if sort else self._draft(each, following)
            same = replace(draft, targets=(), docs=())
            known = drafts.get(same)
            if known is not None:
                both = tuple(dict.fromkeys([*known.targets, *draft.targets]))
                draft = replace(known, targets=both, keys=(*known.keys, *draft.keys))
            drafts[same] = draft
        tried = {each.name for each in drafts.values() if each.targets}
        needed = [each for each in drafts.values() if each.targets or each.name not in tried]
        named = [replace(each, name=self._taken.take(each.name)) for each in needed]
        refused = {each.action.key for each in kept if each.action.fields and each.refusals}
        return [replace(each, attempt=self._attempt(each)) if refused & {*each.keys} else each for each in named]

    def _attempt(self, method: PlannedMethod) -> str:
        """What leads to other pages fails if the page stays."""
        is_needed = method.targets and "" not in method.targets
        return self._taken.take(f"try_to_{method.name}") if is_needed else ""

    def _draft(self, known: PageAction, targets: tuple[str, ...]) -> PlannedMethod:
        action = known.action
        taken = TakenNames((*self._modules, *_LOCALS))
        row = self._row_parameter(action, taken) if action.row else None
        scope = "row" if _has_row(action) and action.fields else "self.page"
        entries = self._fields.entries(action, scope, taken)
        # What has no default comes first.
        ordered = sorted((each.parameter for each in entries), key=lambda each: each.optional)
        return PlannedMethod(
            method_name(action, self._words.noun, self._words.heading) if action.locators else field_method(action),
            (*([row] if row else []), *ordered),
            tuple(self._body(action, row, entries)),
            targets,
            tuple(_docs(known)),
            known.guard.text if known.guard else "",
            (action.key,),
        )

    def _choice(self, known: PageAction, sort: str, targets: tuple[str, ...]) -> PlannedMethod:
        """One method for all links of a sort, with the link as its parameter."""
        taken = TakenNames((*self._modules, *_LOCALS))
        name = taken.take("name")
        found = Chain("self.page").call("get_by_role", literal("link"), f"name={name}", "exact=True")
        body = (f"{INDENT * 2}with self._until_answered():", *statement(found.call("click"), 3))
        method = snake(["choose", *words_of(sort)])
        return PlannedMethod(
            method, (MethodParameter(name, "str"),), body, targets, tuple(_docs(known)), keys=(known.action.key,)
        )

    def _row_parameter(self, action: Action, taken: TakenNames) -> MethodParameter:
        wanted = self._words.values.get(action.name, "")
        return MethodParameter(taken.take(wanted or "name", [snake(self._words.noun), "text"]), "str")

    def _body(self, action: Action, row: MethodParameter | None, entries: Sequence[FieldEntry]) -> Iterator[str]:
        scope = "self.page"
        if row and _has_row(action):
            here = f"self.{ROWS[action.row][1]}({row.name})"
            scope = "row" if action.fields else here
            if action.fields:
                yield f"{INDENT * 2}row = {here}"
        last = entries[-1] if entries and not action.locators else None
        for each in entries:
            if each is not last:
                yield from each.lines(2)
        yield f"{INDENT * 2}with self._until_answered():"
        if last is None:
            yield from statement(self._clicked(action, row, scope), 3)
            return
        yield from statement(last.chain, 3)
        if last.chain.links[-1].name == "fill":
            pressed = Chain(last.chain.head, last.chain.links[:-1]).call("press", literal("Enter"))
            yield from statement(pressed, 3)

    def _clicked(self, action: Action, row: MethodParameter | None, scope: str) -> Chain:
        best = _best(action)
        assert best is not None
        if row and opens_data(action):
            found = Chain(scope).call("get_by_role", literal(best.role), f"name={row.name}", "exact=True")
            found = found.attribute("first") if best.nth is not None else found
        elif row and best.attribute is None:
            # What is not data of its name.
            if has_data(action):
                name = max(action.title.split("*"), key=len).strip()
                found = by_role(Chain(scope), best.role, name, exact=False)
            else:
                found = by_role(Chain(scope), best.role, best.name, self._words.names)
        else:
            found = located(best, scope, self._words.names)
        return found.call("click")


def _has_row(action: Action) -> bool:
    """Whether it is looked for in its row; a link to what a row is about is found by its text."""
    return bool(action.row) and not opens_data(action)


def _best(action: Action) -> Locator | None:
    """Within a row, its number on the page says nothing, and an address there is data of the row."""
    if not _has_row(action):
        return best_locator(action.locators)
    within = [replace(each, nth=None) for each in action.locators]
    return best_locator(each for each in within if each.name) or best_locator(within)


def is_left_out(known: PageAction) -> bool:
    """Whether there is no method for it: it leads out of the application, has never worked, or cannot be found again
    by anything but its place. A form that the application has only refused, and said why, needs other values."""
    action = known.action
    if known.tries and not known.worked and not (action.fields and known.refusals):
        return True
    if known.spared and action.href and _leads_out(action.href):
        return True
    if action.row and action.row not in ROWS:
        return True
    if not action.locators:
        return not action.fields or best_locator(action.fields[0].locators) is None
    best = _best(action)
    return best is None or (opens_data(action) and best.attribute is not None)


def _leads_out(href: str) -> bool:
    try:
        parts = urlsplit(href)
    except ValueError:
        return True
    return bool(parts.scheme or parts.netloc)


def _docs(known: PageAction) -> Iterator[str]:
    if known.guard:
        counts = f"worked {_times(known.guard.held)} when it held, failed {_times(known.guard.failed)} when not"
        yield f"{known.guard.text}: {counts}."
    if known.spared:
        yield f"Left alone by the crawl: {known.spared}."
    elif not known.tries:
        yield "Not tried by the crawl."
    elif not known.worked:
        yield f"Refused {_times(known.tries)} by the application: {known.refusals[-1]}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
