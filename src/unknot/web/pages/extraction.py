"""The navigation graph of hand-written page objects in Python.

Reference
    M. Biagiola, "Search based and diversity based web test generation" (thesis), Algorithm 1.
Idea
    A page is a class of page objects, an action one of its public methods, and what the method returns is the page that
    follows: every `return` of a page object is a transition of its own. The actions of a component, which pages keep in
    an attribute and no method returns, are actions of these pages.
Assumptions
    Methods return the page object that follows, by a constructor, as `self`, or by their annotation. Where no method of
    any page object does, methods that return nothing and act on the page are taken to stay on it.
Guarantee
    Each method that returns a page object gives at least one transition. The code is never run.
Differs from the paper
    Pages that cannot be reached from the start are kept, as in the authors' program. Unions, inherited methods and
    `match` are read. Guards are taken from assertions and exceptions in front of an action, and from `requires`.
Cost
    Linear in the code, but for methods that return what others return.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unknot.model.errors import UsageError
from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.model.sanitise import shown
from unknot.web.pages.classes import FunctionNode, PageClass, PageClasses, last_name, read_classes
from unknot.web.pages.endings import MethodEnding, endings_of

_PROPERTIES = frozenset({"property", "cached_property"})
_NO_ACTIONS = frozenset({*_PROPERTIES, "staticmethod", "classmethod", "contextmanager", "overload"})
_THE_SAME = frozenset({"type(self)", "self.__class__"})
_PARTS_OF_UNIONS = frozenset({"Union", "Optional"})


@dataclass(frozen=True)
class ExtractedGraph:
    """`stays`: no method returns a page object, so methods that act are taken to stay on their page."""

    graph: NavigationGraph
    stays: bool = False


def extract_navigation_graph(texts: Mapping[str, str], start: str = "") -> ExtractedGraph:
    """`texts` has the code of each file, by its path. `start` names the page at which the application begins; without
    it that is the only page that no other leads to, or else the first of the code. Raises UsageError if there is no
    page object, no such start, or a file that is no Python."""
    reader = _Reader(read_classes(texts))
    pages = reader.pages()
    if not pages:
        raise UsageError(
            "there is no page object in these files",
            hint="A page object is a class whose constructor takes a `page` (Playwright) or a `driver` (Selenium).",
            slug="pages-none",
        )
    names = _distinct_names(pages)
    transitions = [each for page in pages for each in reader.transitions(page, names)]
    stays = not transitions
    if stays:
        transitions = [each for page in pages for each in reader.staying(page, names[page])]
    graph = NavigationGraph(_start(start, names, transitions), tuple(names.values()), tuple(transitions))
    return ExtractedGraph(graph, stays)


class _Reader:
    def __init__(self, classes: PageClasses) -> None:
        self._classes = classes
        self._page_objects = [each for each in classes.classes if each.is_page_object()]

    def pages(self) -> list[PageClass]:
        """Page objects that are no components, and no base class of others that is never returned itself."""
        returned = {
            target
            for page in self._page_objects
            for _, endings in self._actions(page)
            for target, _ in endings
            if target is not page
        }
        kept = {component for page in self._page_objects for component in self._components(page).values()}
        return [each for each in self._page_objects if each in returned or not (each.has_subclasses or each in kept)]

    def transitions(self, page: PageClass, names: Mapping[PageClass, str]) -> Iterator[Transition]:
        parts = {attribute: part for attribute, part in self._components(page).items() if part not in names}
        for prefix, owner in [("", page), *((f"{attribute}.", part) for attribute, part in parts.items())]:
            for method, endings in self._actions(owner):
                for target, ending in endings:
                    # A component stays on the page that has it.
                    name = names[page] if target is owner else names.get(target)
                    if name is not None:
                        yield self._transition(prefix + method.name, method, names[page], name, ending)

    def _components(self, page: PageClass) -> dict[str, PageClass]:
        """Page objects in attributes, annotated or assigned in the constructor, and those that properties return."""
        return {
            attribute: part
            for each in page.lineage
            for node in each.node.body
            for attribute, what in _attributes(node)
            for part in self._classes_in(each, what)
        }

    def staying(self, page: PageClass, name: str) -> Iterator[Transition]:
        """For page objects whose methods return nothing. What they inherit is how they act, not what they do."""
        for method in _public_methods(page):
            if method in page.node.body and method.returns is not None and ast.unparse(method.returns) == "None":
                guards = {guard: None for ending in endings_of(method) for guard in ending.guards}
                yield self._transition(method.name, method, name, name, MethodEnding(None, tuple(guards)))

    def _actions(self, page: PageClass) -> Iterator[tuple[FunctionNode, list[tuple[PageClass, MethodEnding]]]]:
        """The methods that return page objects, each with what it returns."""
        for method in _public_methods(page):
            found = list(self._targets(page, method, frozenset()))
            if found:
                yield method, found

    def _targets(
        self, page: PageClass, method: FunctionNode, within: frozenset[str]
    ) -> Iterator[tuple[PageClass, MethodEnding]]:
        """`within` are the methods whose results are being looked for: one that returns its own result has no other."""
        annotated = self._annotated(page, method)
        within |= {method.name}
        seen: list[PageClass] = []
        unknown = False
        for ending in endings_of(method):
            if ending.value is None:
                continue
            found = list(self._values(page, method, ending.value, within))
            unknown |= not found
            for target in found:
                seen.append(target)
                yield target, ending
        if unknown or not seen:
            guards = {guard: None for ending in endings_of(method) for guard in ending.guards}
            for target in annotated:
                if target not in seen and not (target.has_subclasses and seen):
                    yield target, MethodEnding(None, tuple(guards))

    def _values(
        self, page: PageClass, method: FunctionNode, value: ast.expr, within: frozenset[str]
    ) -> Iterator[PageClass]:
        """The page objects that an expression may be."""
        match value:
            case ast.IfExp(body=body, orelse=orelse):
                yield from self._values(page, method, body, within)
                yield from self._values(page, method, orelse, within)
            case ast.Name(id="self"):
                yield page
            case ast.Name(id=name):
                for node in ast.walk(method):
                    if isinstance(node, ast.Assign) and any(last_name(target) == name for target in node.targets):
                        yield from self._values(page, method, node.value, within)
            case ast.Call(func=function) if ast.unparse(function) in _THE_SAME:
                yield page
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name not in within:
                other = page.methods().get(name)
                if other is not None:
                    for target, _ in self._targets(page, other, within):
                        yield target
            case ast.Call(func=function, args=arguments):
                if last_name(function) == "cast" and arguments:
                    yield from self._classes_in(page, arguments[0])
                else:
                    yield from self._classes_in(page, function)

    def _annotated(self, page: PageClass, method: FunctionNode) -> list[PageClass]:
        return list(dict.fromkeys(self._classes_in(page, method.returns)))

    def _classes_in(self, page: PageClass, node: ast.expr | None) -> Iterator[PageClass]:
        """The page objects that an annotation or a constructor names; unions have several."""
        match node:
            case ast.Constant(value=str(text)):
                try:
                    inner = ast.parse(text, mode="eval").body
                except SyntaxError:
                    return
                yield from self._classes_in(page, inner)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                yield from self._classes_in(page, left)
                yield from self._classes_in(page, right)
            case ast.Subscript(value=value, slice=inner) if last_name(value) in _PARTS_OF_UNIONS:
                for part in inner.elts if isinstance(inner, ast.Tuple) else [inner]:
                    yield from self._classes_in(page, part)
            case ast.Name() | ast.Attribute():
                name = last_name(node)
                found = page if name == "Self" else self._meant(page, name)
                if found is not None and found.is_page_object():
                    yield found

    def _meant(self, page: PageClass, name: str) -> PageClass | None:
        """An inherited method is in the file of an ancestor, whose names it uses."""
        for each in page.lineage:
            found = self._classes.meant(name, each.file)
            if found is not None:
                return found
        return None

    def _transition(
        self, action: str, method: FunctionNode, source: str, target: str, ending: MethodEnding
    ) -> Transition:
        arguments = [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs][1:]
        return Transition(
            action,
            source,
            target,
            tuple(self._parameter(argument) for argument in arguments),
            " and ".join(ending.guards),
            " and ".join(ending.conditions),
        )

    def _parameter(self, argument: ast.arg) -> Parameter:
        annotation = argument.annotation
        if annotation is None:
            return Parameter(argument.arg)
        values: tuple[str, ...] = self._classes.members_of(last_name(annotation))
        if isinstance(annotation, ast.Subscript) and last_name(annotation) == "Literal":
            parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            values = tuple(str(part.value) for part in parts if isinstance(part, ast.Constant))
        return Parameter(argument.arg, ast.unparse(annotation).strip("'\""), values)


def _public_methods(page: PageClass) -> Iterator[FunctionNode]:
    for name, method in page.methods().items():
        decorators = {last_name(each.func if isinstance(each, ast.Call) else each) for each in method.decorator_list}
        if not name.startswith("_") and not decorators & _NO_ACTIONS:
            yield method


def _attributes(node: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Names of attributes that a part of a class makes, and the annotation or constructor that says what they are."""
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            yield name, annotation
        case ast.FunctionDef(name="__init__"):
            for each in ast.walk(node):
                match each:
                    case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Call(func=function)):
                        yield name, function
        case ast.FunctionDef(name=name, decorator_list=decorators, returns=returns):
            if any(last_name(each) in _PROPERTIES for each in decorators):
                yield name, returns


def _distinct_names(pages: list[PageClass]) -> dict[PageClass, str]:
    """The classes' names; with the file where two share one."""
    count: dict[str, int] = {}
    for page in pages:
        count[page.name] = count.get(page.name, 0) + 1
    return {page: page.name if count[page.name] == 1 else f"{page.file}::{page.name}" for page in pages}


def _start(wanted: str, names: Mapping[PageClass, str], transitions: list[Transition]) -> str:
    known = list(names.values())
    if wanted:
        if wanted not in known:
            raise UsageError(
                f"there is no page object {shown(wanted)}",
                hint=f"There are {shown(', '.join(known))}.",
                slug="pages-no-start",
            )
        return wanted
    reached = {each.target for each in transitions if each.target != each.source}
    first = [name for name in known if name not in reached]
    return first[0] if len(first) == 1 else known[0]
