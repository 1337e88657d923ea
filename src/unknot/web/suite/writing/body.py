"""What a test does, as statements: from a draft to calls of page objects.

Idea
    Each kind of page that a test comes to is a variable, made by the call that leads there first. Page objects hold
    nothing but the page of the browser, so that a variable is as good as a new object when the test comes back. A
    variable that nothing uses is not assigned, and one that is used once, at the beginning, is no variable.
Guarantee
    Type checkers accept it: a variable has one type, and a union is narrowed before it is used.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from unknot.web.pages.writing.code import INDENT, WIDTH, Chain, columns, statement
from unknot.web.pages.writing.literals import literal
from unknot.web.pages.writing.plan import PagePlan, PlannedClass
from unknot.web.pages.writing.words import TakenNames, is_command, snake, words_of
from unknot.web.suite.draft import Check, CheckKind, Draft
from unknot.web.suite.writing.calls import CallReader, NotWritable, PageCall

PAGE = "page"
"""What the fixture is called: the page of the browser."""

_LONGEST_MESSAGE = 60
_SUFFIXES = frozenset({"page", "dialog"})


@dataclass(frozen=True)
class WrittenStatement:
    """An expression, or its value in a `variable`. `uses` are the variables in it."""

    expression: Chain
    variable: str = ""
    uses: tuple[str, ...] = ()
    is_asserted: bool = False
    before: tuple[str, str] | None = None
    """In front of an expression that is asserted: a value and an operator, such as `"Ferry"` and `not in`."""
    after: str = ""
    """Behind it: an operator and a value, such as `== before + 1`."""

    def lines(self) -> list[str]:
        if not self.is_asserted:
            return statement(self.expression, 1, f"{self.variable} = " if self.variable else "")
        expression = str(self.expression)
        if self.before is not None:
            value, operator = self.before
            parts = [value, f"{operator} {expression}"]
        else:
            parts = [expression, self.after] if self.after else [expression]
        line = f"{INDENT}assert {' '.join(parts)}"
        if columns(line) <= WIDTH:
            return [line]
        whole = f"{INDENT * 2}{' '.join(parts)}"
        inside = [whole] if columns(whole) <= WIDTH else [f"{INDENT * 2}{part}" for part in parts]
        return [f"{INDENT}assert (", *inside, f"{INDENT})"]


@dataclass(frozen=True)
class Body:
    """Three groups of statements, of which the first may be empty. `classes` are the names of the page objects that
    they name, `act` is what the test is about, `call` its method, `after` the page object that follows it, and
    `written` are the checks that the statements make."""

    arrange: tuple[WrittenStatement, ...]
    act: tuple[WrittenStatement, ...]
    checks: tuple[WrittenStatement, ...]
    classes: frozenset[str]
    call: PageCall
    after: str
    written: tuple[Check, ...]

    def lines(self) -> list[str]:
        groups = [[line for each in group for line in each.lines()] for group in (self.arrange, self.act, self.checks)]
        return [line for group in groups if group for line in ("", *group)][1:]


class BodyWriter:
    """Of the drafts of one application."""

    def __init__(self, plan: PagePlan, calls: CallReader) -> None:
        self._plan = plan
        self._calls = calls

    def body(self, draft: Draft) -> Body:
        """Raises NotWritable if the page objects cannot do a step, or see none of its checks."""
        return _Writing(self._plan, self._calls, draft).body()


class _Writing:
    """One body while it is written."""

    def __init__(self, plan: PagePlan, calls: CallReader, draft: Draft) -> None:
        self._plan = plan
        self._draft = draft
        self._calls_of = calls
        self._pages = [calls.class_of(each.kind) for each in draft.steps]
        self._pages.append(calls.class_of(draft.steps[-1].leads_to))
        self._calls = [calls.call(each) for each in draft.steps]
        self._names = TakenNames((PAGE, "expect", "before", *(each.module for each in plan.classes)))
        self._variables: dict[str, str] = {}
        self._classes: set[str] = set()

    def body(self) -> Body:
        counted = {check: self._counted_at(check) for check in self._draft.checks if check.kind is CheckKind.COUNT}
        countable = [check for check in counted if counted[check] is not None]
        before = {check: self._before(check, is_only=len(countable) == 1) for check in countable}
        steps: list[WrittenStatement] = [self._start()]
        last = len(self._calls) - 1
        arrival: list[WrittenStatement] = []
        for number, call in enumerate(self._calls):
            for check, name in before.items():
                if counted[check] == number:
                    steps.append(self._count(check, self._pages[number], name))
            act, arrival = self._step(call, self._pages[number], self._pages[number + 1], is_last=number == last)
            if number < last:
                steps += [act, *arrival]
        written: list[Check] = []
        checks: list[WrittenStatement] = []
        for check in self._draft.checks:
            found = self._check(check, before.get(check, ""))
            if found is not None:
                checks.append(found)
                written.append(check)
        pages = [each for each in self._draft.checks if each.kind is CheckKind.PAGE]
        if pages and not checks and not arrival:
            arrival = [self._is_there(self._pages[-1])]
        if pages and arrival:
            written = [*pages, *written]
        if not written:
            raise NotWritable("the page objects see nothing of what it checks")
        return self._tidied(steps, act, (*arrival, *checks), tuple(written))

    def _start(self) -> WrittenStatement:
        first = self._pages[0]
        self._classes.add(first.name)
        return WrittenStatement(Chain(first.name).called(PAGE), self._variable(first))

    def _step(
        self, call: PageCall, page: PlannedClass, after: PlannedClass, *, is_last: bool
    ) -> tuple[WrittenStatement, list[WrittenStatement]]:
        """The call, and what has to hold before the page that follows is used."""
        variable = self._variables[page.name]
        act = WrittenStatement(call.on(variable), uses=(variable,))
        targets = call.method.targets
        # What a method of a component calls itself is the component: the page stays the same.
        stays = "" in targets and after.name == page.name
        if stays or (after.name in self._variables and after.name in targets):
            return act, []
        if after.name in targets:
            made = replace(act, variable=self._variable(after))
            if len(targets) == 1:
                return made, []
            self._classes.add(after.name)
            narrow = Chain("isinstance").called(made.variable, after.name)
            return made, [WrittenStatement(narrow, uses=(made.variable,), is_asserted=True)]
        if call.method.attempt:
            act = replace(act, expression=call.on(variable, is_attempt=True))
            if after.name == page.name:
                return act, []
        elif set(targets) - {""}:
            raise NotWritable(f"{call.owner.name}.{call.method.name} does not lead to {after.name}")
        arrival = []
        if after.name not in self._variables:
            self._classes.add(after.name)
            arrival = [WrittenStatement(Chain(after.name).called(PAGE), self._variable(after))]
        name = self._variables[after.name]
        loaded = WrittenStatement(Chain(name).call("wait_until_loaded"), uses=(name,))
        return act, [*arrival, self._is_there(after) if is_last else loaded]

    def _variable(self, page: PlannedClass) -> str:
        if page.name not in self._variables:
            words = words_of(page.name)
            words = words[:-1] if len(words) > 1 and words[-1] in _SUFFIXES else words
            name = snake(words)
            # Not `add_book.add_book(…)`.
            is_form = len(words) > 1 and is_command(words)
            self._variables[page.name] = self._names.take(*(("form", [name]) if is_form else (name, [])))
        return self._variables[page.name]

    def _counted_at(self, check: Check) -> int | None:
        """The last step before which the list is in view; None if it is not in view at the end, or never before."""
        if self._getter(self._pages[-1], check) is None:
            return None
        there = [number for number, page in enumerate(self._pages[:-1]) if page.name == self._pages[-1].name]
        return there[-1] if there else None

    def _before(self, check: Check, *, is_only: bool) -> str:
        getter = self._getter(self._pages[-1], check)
        return "before" if is_only else self._names.take(f"{getter}_before")

    def _count(self, check: Check, page: PlannedClass, name: str) -> WrittenStatement:
        found = self._list(page, check)
        assert found is not None
        return WrittenStatement(Chain("len").called(str(found)), name, uses=(found.head,))

    def _getter(self, page: PlannedClass, check: Check) -> str | None:
        return self._plan.getter_of.get((page.name, check.values))

    def _list(self, page: PlannedClass, check: Check) -> Chain | None:
        """On a page that the test has come to."""
        getter = self._getter(page, check)
        return None if getter is None else Chain(self._variable(page)).attribute(getter)

    def _check(self, check: Check, before: str) -> WrittenStatement | None:
        page = self._pages[-1]
        if check.kind is CheckKind.MESSAGE:
            text = _shortened(check.text)
            shown = Chain(PAGE).call("get_by_text", literal(text)).attribute("first")
            return WrittenStatement(Chain("").call("expect", shown).call("to_be_visible")) if text else None
        if check.kind is CheckKind.FIELD:
            if not self._calls_of.holds_text(self._draft.steps[-1].leads_to, check.values):
                return None
            label = Chain(PAGE).call("get_by_label", literal(check.values), "exact=True")
            return WrittenStatement(Chain("").call("expect", label).call("to_have_value", literal(check.text)))
        if check.kind is CheckKind.PAGE:
            return None
        found = self._list(page, check)
        if found is None:
            return None
        uses = (found.head,)
        if check.kind is CheckKind.COUNT:
            if not before:
                return None
            change = f"+ {check.by}" if check.by > 0 else f"- {-check.by}"
            return WrittenStatement(
                Chain("len").called(str(found)), uses=(*uses, before), is_asserted=True,
                after=f"== {before} {change}",
            )  # fmt: skip
        operator = "in" if check.kind is CheckKind.LISTED else "not in"
        return WrittenStatement(found, uses=uses, is_asserted=True, before=(literal(check.text), operator))

    def _is_there(self, page: PlannedClass) -> WrittenStatement:
        name = self._variable(page)
        shown = Chain(name).attribute("recognised_by")
        return WrittenStatement(Chain("").call("expect", shown).call("to_be_visible"), uses=(name,))

    def _tidied(
        self,
        steps: Sequence[WrittenStatement],
        act: WrittenStatement,
        checks: Sequence[WrittenStatement],
        written: tuple[Check, ...],
    ) -> Body:
        """Without what nothing uses."""
        used = Counter(name for each in (*steps, act, *checks) for name in each.uses)
        every = [replace(each, variable=each.variable if used[each.variable] else "") for each in (*steps, act)]
        first, second = every[0], every[1]
        if used[first.variable] == 1 and first.variable in second.uses and second.expression.head == first.variable:
            every[:2] = [replace(second, expression=replace(second.expression, head=str(first.expression)))]
        return Body(
            tuple(every[:-1]), (every[-1],), tuple(checks), frozenset(self._classes), self._calls[-1],
            self._pages[-1].name, written,
        )  # fmt: skip


def _shortened(text: str) -> str:
    """A part of it is found as well."""
    words = text.split()
    kept: list[str] = []
    for each in words:
        if kept and len(" ".join([*kept, each])) > _LONGEST_MESSAGE:
            break
        kept.append(each)
    return " ".join(kept)
