"""From the model of an application to the classes of its page objects.

Idea
    One class for each kind of page, and one for each component; each action is a method, its fields are the parameters,
    and the kinds of pages that followed are what it returns.
Guarantee
    Names are unique, no keywords and no builtins, whatever the page says. The navigation graph of the classes is that
    of the model, with their names. The same model gives the same classes.
Cost
    Linear in the model, but for signs: each heading is compared with all others.
"""

from collections.abc import Mapping, Sequence

from unknot.model.web.web_model import Component, Destination, PageAction, ValueList, WebModel, WebPage
from unknot.web.pages.writing.code import Chain
from unknot.web.pages.writing.fields import FieldReader
from unknot.web.pages.writing.literals import literal
from unknot.web.pages.writing.locator_code import ROLES, best_locator, located
from unknot.web.pages.writing.methods import ROWS, MethodReader, PlaceWords, PlannedMethod, is_left_out
from unknot.web.pages.writing.page_names import PageNames, component_key, noun_of
from unknot.web.pages.writing.plan import PagePlan, PlannedClass, PlannedGetter, PlannedRows
from unknot.web.pages.writing.signs import PageSign, SignReader
from unknot.web.pages.writing.words import RESERVED, TakenNames, plural, singular, snake, words_of

_OWN = ("page", "address", "recognised_by", "is_loaded", "wait_until_loaded", "visit")
"""What every page object has."""

_MODULES = ("base_page", "page_object", *RESERVED)

_MOST_ADDRESSES = 3


def plan_pages(model: WebModel, known: Mapping[str, str]) -> PagePlan:
    """`known` has names of classes from before, by kind of page or key of the component."""
    return _Planner(model, known).plan()


class _Planner:
    def __init__(self, model: WebModel, known: Mapping[str, str]) -> None:
        self._model = model
        self._names = PageNames(model, known)
        self._signs = SignReader(model, self._names.class_of)
        modules = TakenNames(_MODULES)
        classes = dict.fromkeys([*self._names.class_of.values(), *self._names.component_of.values()])
        self._modules = {name: modules.take("_".join(words_of(name))) for name in classes}
        self._things = frozenset(noun[-1] for page in model.pages if (noun := noun_of(page)))
        self._method_of: dict[tuple[str, str], str] = {}
        self._attribute_of: dict[tuple[str, str], str] = {}
        self._getter_of: dict[tuple[str, str], str] = {}

    def plan(self) -> PagePlan:
        by_class: dict[str, list[WebPage]] = {}
        for page in self._model.pages:
            by_class.setdefault(self._names.class_of[page.kind], []).append(page)
        classes = [
            *(self._page(name, pages) for name, pages in by_class.items()),
            *(self._component(each) for each in self._model.components if each.pages),
        ]
        return PagePlan(
            tuple(classes), dict(self._names.class_of), self._method_of, self._attribute_of, self._getter_of
        )

    def _page(self, name: str, pages: Sequence[WebPage]) -> PlannedClass:
        first = pages[0]
        taken = TakenNames(_OWN)
        rows = tuple(_rows([each for page in pages for each in page.actions], taken))
        parts = []
        for component in self._model.components:
            if component.name in first.components:
                part = self._names.component_of[component.name]
                attribute = self._attribute_of[name, component.name] = taken.take(self._modules[part])
                parts.append((attribute, part, self._modules[part]))
        getters = []
        for each in first.values:
            for getter in _getter(each, taken):
                getters.append(getter)
                self._getter_of[name, each.name] = getter.name
        methods = self._methods(pages, noun_of(first), taken, name)
        for page in pages:
            self._remember(page.kind, page.actions, methods)
        sign = self._signs.sign(pages)
        return PlannedClass(
            name, self._modules[name], first.kind, _page_doc(pages, name), sign, self._path(pages), tuple(parts), rows,
            tuple(getters), tuple(methods),
        )  # fmt: skip

    def _methods(self, pages: Sequence[WebPage], noun: list[str], taken: TakenNames, name: str) -> list[PlannedMethod]:
        """Those of all its kinds; an action of several is one."""
        targets: dict[str, tuple[str, ...]] = {}
        actions: dict[str, PageAction] = {}
        for page in pages:
            for each in page.actions:
                key = each.action.key
                targets[key] = tuple(dict.fromkeys([*targets.get(key, ()), *self._classes(each.destinations, name)]))
                if key not in actions or is_left_out(actions[key]) or (each.worked and not actions[key].worked):
                    actions[key] = each
        visible = [known for page in pages for known in self._model.actions_of(page)]
        values = {
            example: snake(singular(words_of(each.name)))
            for page in pages
            for each in page.values
            for example in each.examples
            if words_of(each.name)
        }
        heading = words_of(next((each for each in pages[0].common_headings if "*" not in each), ""))
        return self._reader(visible, noun, heading, values, taken).methods(tuple(actions.values()), targets)

    def _component(self, component: Component) -> PlannedClass:
        name = self._names.component_of[component.name]
        taken = TakenNames(_OWN)
        rows = tuple(_rows(component.actions, taken))
        targets = {each.action.key: self._classes(each.destinations, "") for each in component.actions}
        methods = self._reader(component.actions, [], [], {}, taken).methods(component.actions, targets)
        self._remember(component_key(component), component.actions, methods)
        root = Chain("self.page")
        role = component.role if component.role in ROLES else ""
        root = root.call("get_by_role", literal(role)) if role else root.call("locator", literal("body"))
        doc = f"The {' '.join(words_of(name))} of {_number(len(component.pages), len(self._model.pages))}"
        return PlannedClass(
            name, self._modules[name], component_key(component), doc, PageSign(root.attribute("first")), rows=rows,
            methods=tuple(methods),
        )  # fmt: skip

    def _reader(
        self,
        visible: Sequence[PageAction],
        noun: list[str],
        heading: list[str],
        values: Mapping[str, str],
        taken: TakenNames,
    ) -> MethodReader:
        labels = tuple(dict.fromkeys(field.label for each in visible for field in each.action.fields))
        names = tuple(dict.fromkeys(each.action.name for each in visible if each.action.locators))
        words = PlaceWords(noun, heading, names, values)
        return MethodReader(FieldReader(labels, self._things), words, taken, tuple(self._modules.values()))

    def _classes(self, destinations: Sequence[Destination], own: str) -> tuple[str, ...]:
        """ "" is the page itself."""
        found = ("" if each.stays else self._names.class_of.get(each.kind) for each in destinations)
        return tuple(dict.fromkeys("" if each == own else each for each in found if each is not None))

    def _remember(self, place: str, actions: Sequence[PageAction], methods: Sequence[PlannedMethod]) -> None:
        own = {each.action.key for each in actions}
        self._method_of |= {(place, key): method.name for method in methods for key in method.keys if key in own}

    def _path(self, pages: Sequence[WebPage]) -> str:
        """Its address, if that has no data, and the first page there has it."""
        first = pages[0]
        is_first = next(page for page in self._model.pages if page.template == first.template) is first
        if len(pages) > 1 or not is_first or first.is_dialog or "*" in first.template or "?" in first.template:
            return ""
        return first.template


def _rows(actions: Sequence[PageAction], taken: TakenNames) -> list[PlannedRows]:
    roles = dict.fromkeys(each.action.row for each in actions if each.action.row in ROWS and not is_left_out(each))
    # Methods call them by these names.
    return [PlannedRows(taken.take(ROWS[role][0]), taken.take(ROWS[role][1]), role) for role in roles]


def _getter(values: ValueList, taken: TakenNames) -> list[PlannedGetter]:
    best = best_locator(values.locators)
    # What has none in the model is a column of a table.
    if best is None and (values.locators or not values.name.strip()):
        return []
    words = [each for each in words_of(values.name) if not each.isdigit()]
    name = taken.take(snake(plural(words)) or "values")
    if best is None:
        return [PlannedGetter(name, Chain("self").call("_column", literal(values.name)))]
    return [PlannedGetter(name, located(best, "self.page", ()).call("all_inner_texts"))]


def _number(some: int, every: int) -> str:
    return "all pages" if some == every else "one page" if some == 1 else f"{some} of {every} kinds of pages"


def _page_doc(pages: Sequence[WebPage], name: str) -> str:
    first = pages[0]
    heading = next(iter(first.common_headings or first.headings), "") or first.title
    if not heading.strip("* "):
        what = " ".join(word for word in words_of(name) if word != "page")
        heading = f"{what}, for example '{first.headings[0]}'" if first.headings else what
    addresses = [_readable(each) for each in dict.fromkeys(page.template for page in pages) if each]
    where = ", ".join(addresses[:_MOST_ADDRESSES]) + (" and others" if len(addresses) > _MOST_ADDRESSES else "")
    return f"{_readable(heading)} ({where})" if where else _readable(heading)


def _readable(template: str) -> str:
    """With dots for data, and for more than a few parameters."""
    path, mark, query = template.partition("?")
    short = query if query.count("&") < _MOST_ADDRESSES else "…"
    return f"{path}{mark}{short}".replace("*", "…")
