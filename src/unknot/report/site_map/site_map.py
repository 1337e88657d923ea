"""What the page shows, whether it comes from a crawl, from a model on disk or from page objects."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.model.web.action import FormField
from unknot.model.web.crawl_summary import CrawlSummary, PageFault
from unknot.model.web.web_model import Guard, PageAction, ValueList, WebModel
from unknot.report.wording import counted


@dataclass(frozen=True)
class MapTarget:
    """A page that an action leads to, by its place in the map. `count` is None if nothing was counted. `note` says
    when, or with which values."""

    page: int
    count: int | None = None
    note: str = ""


@dataclass(frozen=True)
class MapAction:
    """`tries` is None where nothing was tried, because nothing was run."""

    title: str
    fields: tuple[FormField, ...] = ()
    targets: tuple[MapTarget, ...] = ()
    tries: int | None = None
    worked: int = 0
    guard: str = ""
    refusals: tuple[str, ...] = ()
    spared: str = ""


@dataclass(frozen=True)
class MapPart:
    """A part that several pages share. `pages` are places in the map."""

    name: str
    actions: tuple[MapAction, ...]
    pages: tuple[int, ...]


@dataclass(frozen=True)
class MapPage:
    """`parts` are places in the map. `tried` and `total` count the actions that may be tried, of shared parts, too."""

    name: str
    title: str = ""
    address: str = ""
    headings: tuple[str, ...] = ()
    visits: int | None = None
    actions: tuple[MapAction, ...] = ()
    parts: tuple[int, ...] = ()
    values: tuple[ValueList, ...] = ()
    tried: int | None = None
    total: int = 0
    faults: tuple[PageFault, ...] = ()


@dataclass(frozen=True)
class SiteMap:
    """`figures` are a number and what it counts. `screenshots` are JPEG images by the name of the page. `problem` says
    why the crawl ended early."""

    title: str
    pages: tuple[MapPage, ...]
    start: int | None
    figures: tuple[tuple[str, str], ...]
    parts: tuple[MapPart, ...] = ()
    screenshots: Mapping[str, bytes] = field(default_factory=dict)
    faults: tuple[PageFault, ...] = ()
    spared: tuple[tuple[str, str, int], ...] = ()
    blocked: tuple[str, ...] = ()
    problem: str = ""


def map_of_crawl(found: CrawlSummary, screenshots: Mapping[str, bytes] | None = None, problem: str = "") -> SiteMap:
    model = found.model
    pages, parts = _content(model, found.faults)
    everything = (
        *(each for part in parts for each in part.actions),
        *(each for page in pages for each in page.actions),
    )
    actions = [each for each in everything if not each.spared]
    tried = sum(bool(each.tries) for each in actions)
    faults = sum(fault.count for fault in found.faults)
    return SiteMap(
        _title(model) or "A web application",
        pages,
        _start(model),
        (
            *_sizes(model),
            (f"{tried:,} of {len(actions):,}", "actions tried"),
            (f"{found.steps:,}", "steps" if found.steps != 1 else "step"),
            (f"{found.resets:,}", "resets" if found.resets != 1 else "reset"),
            (f"{found.seconds:,.0f} s", "in the browser"),
            (f"{faults:,}", "faults" if faults != 1 else "fault"),
        ),
        parts,
        screenshots or {},
        found.faults,
        found.spared(),
        found.blocked,
        problem,
    )


def map_of_model(model: WebModel, screenshots: Mapping[str, bytes] | None = None) -> SiteMap:
    pages, parts = _content(model, ())
    summary = CrawlSummary(model, (), (), 0, 0, 0, 0.0)
    title = _title(model) or "A web application"
    return SiteMap(title, pages, _start(model), _sizes(model), parts, screenshots or {}, spared=summary.spared())


def map_of_graph(graph: NavigationGraph) -> SiteMap:
    place = {page: number for number, page in enumerate(graph.pages)}
    actions: dict[str, dict[tuple[str, tuple[str, ...], str], list[Transition]]] = {page: {} for page in graph.pages}
    for each in graph.transitions:
        key = each.action, tuple(part.name for part in each.parameters), each.guard
        actions[each.source].setdefault(key, []).append(each)
    pages = tuple(
        MapPage(page, actions=tuple(_of_transitions(some, place) for some in own.values()), total=len(own))
        for page, own in actions.items()
    )
    sizes = (
        (f"{len(graph.pages):,}", "pages" if len(graph.pages) != 1 else "page"),
        (f"{len(graph.transitions):,}", "transitions" if len(graph.transitions) != 1 else "transition"),
    )
    return SiteMap("Page objects", pages, place.get(graph.start), sizes)


def _of_transitions(transitions: Iterable[Transition], place: Mapping[str, int]) -> MapAction:
    several = tuple(transitions)
    first = several[0]
    fields = tuple(FormField(each.name, (), each.type or "value", each.values) for each in first.parameters)
    targets = tuple(MapTarget(place[each.target], note=_condition(each)) for each in several)
    guard = f"needs {first.guard}" if first.guard else ""
    return MapAction(first.action, fields, targets, guard=guard)


def _condition(transition: Transition) -> str:
    return f"if {transition.condition}" if transition.condition else ""


def _content(model: WebModel, faults: Iterable[PageFault]) -> tuple[tuple[MapPage, ...], tuple[MapPart, ...]]:
    place = {page.kind: number for number, page in enumerate(model.pages)}
    number = {part.name: at for at, part in enumerate(model.components)}
    by_page: dict[str, list[PageFault]] = {}
    for fault in faults:
        by_page.setdefault(fault.page, []).append(fault)
    pages = []
    for page in model.pages:
        everything = [each for each in model.actions_of(page) if not each.spared]
        pages.append(
            MapPage(
                page.kind,
                page.title,
                page.address,
                page.headings,
                page.visits,
                tuple(_of_action(each, place) for each in page.actions),
                tuple(number[name] for name in page.components),
                page.values,
                sum(each.tries > 0 for each in everything),
                len(everything),
                tuple(by_page.get(page.kind, ())),
            )
        )
    parts = tuple(
        MapPart(
            part.name,
            tuple(_of_action(each, place) for each in part.actions),
            tuple(place[page.kind] for page in model.pages if part.name in page.components),
        )
        for part in model.components
    )
    return tuple(pages), parts


def _of_action(found: PageAction, place: Mapping[str, int]) -> MapAction:
    return MapAction(
        found.action.title or found.action.name,
        found.action.fields,
        tuple(
            MapTarget(place[each.kind], each.count, ", ".join(f"{label}: {value}" for label, value in each.values))
            for each in found.destinations
        ),
        found.tries,
        found.worked,
        _guard(found.guard) if found.guard else "",
        found.refusals,
        found.spared,
    )


def _guard(guard: Guard) -> str:
    return (
        f"{guard.text} (worked {counted(guard.held, 'time')} with it, failed {counted(guard.failed, 'time')} without)"
    )


def _title(model: WebModel) -> str:
    return next((page.title for page in model.pages if page.kind == model.start), "")


def _start(model: WebModel) -> int | None:
    return next((number for number, page in enumerate(model.pages) if page.kind == model.start), None)


def _sizes(model: WebModel) -> tuple[tuple[str, str], ...]:
    transitions = len(model.graph().transitions)
    return (
        (f"{len(model.pages):,}", "kinds of pages" if len(model.pages) != 1 else "kind of page"),
        (f"{transitions:,}", "transitions" if transitions != 1 else "transition"),
    )
