"""Everything about one page of a site map, as markup. All text of the application is escaped."""

from base64 import b64encode
from collections.abc import Iterable, Iterator

from unknot.model.web.action import FormField
from unknot.model.web.web_model import ValueList
from unknot.report.html.style import code, text
from unknot.report.site_map.site_map import MapAction, MapPage, MapTarget, SiteMap
from unknot.report.wording import counted

_MOST_OPTIONS = 6
_MOST_EXAMPLES = 8
_MOST_TARGETS = 6
_JPEG = b"\xff\xd8\xff"


def page_details(site: SiteMap, place: int) -> Iterator[str]:
    """A part of the page that can be opened; the script shows its content beside the drawing."""
    page = site.pages[place]
    start = ' <span class="badge setter">start</span>' if place == site.start else ""
    many = sum(fault.count for fault in page.faults)
    faults = f' <span class="badge victim">{counted(many, "fault")}</span>' if page.faults else ""
    yield f'<details class="kind" id="page-{place}"><summary>{code(page.name)}{start}{faults}'
    yield f'<span class="dim title">{text(page.title)}</span>{_tried(page)}</summary><div class="content">'
    yield from _picture(site, page)
    yield from _facts(page)
    yield from _actions(site, page)
    yield from _parts(site, page)
    yield from _values(page.values)
    if page.faults:
        yield "<h3>Faults</h3><ul>"
        yield from (
            f"<li>{text(each.kind)} after {_after(each.action)}: {text(each.text)}</li>" for each in page.faults
        )
        yield "</ul>"
    yield "</div></details>"


def action_table(site: SiteMap, actions: Iterable[MapAction]) -> Iterator[str]:
    rows = tuple(actions)
    was_run = any(each.tries is not None for each in rows)
    worked_head = '<th class="number">Worked</th>' if was_run else ""
    yield f'<table class="actions"><thead><tr><th>Action</th><th>Leads to</th>{worked_head}</tr></thead><tbody>'
    for action in rows:
        worked = "" if action.tries is None else f"{action.worked:,} of {action.tries:,}"
        if action.tries == 0:
            worked = '<span class="dim">left alone</span>' if action.spared else '<span class="dim">not tried</span>'
        yield f"<tr><td><strong>{text(action.title)}</strong>"
        yield from _fields(action.fields)
        yield from _notes(action)
        yield f"</td><td>{_targets(site, action.targets)}</td>"
        yield f'<td class="number">{worked}</td></tr>' if was_run else "</tr>"
    yield "</tbody></table>"


def page_link(site: SiteMap, place: int) -> str:
    return f'<a href="#page-{place}">{code(site.pages[place].name)}</a>'


def _after(action: str) -> str:
    return f"<strong>{text(action)}</strong>" if action else "the start"


def _tried(page: MapPage) -> str:
    visits = "" if page.visits is None else f"{counted(page.visits, 'visit')}, "
    if page.tried is None:
        return f'<span class="dim figures">{counted(page.total, "action")}</span>'
    label = f"{page.tried} of {counted(page.total, 'action')} tried"
    bar = f'<progress max="{max(page.total, 1)}" value="{page.tried}" aria-label="{label}"></progress>'
    return f'<span class="dim figures">{visits}{label}</span>{bar}'


def _picture(site: SiteMap, page: MapPage) -> Iterator[str]:
    """Only what begins as a JPEG does."""
    picture = site.screenshots.get(page.name, b"")
    if picture.startswith(_JPEG):
        source = f"data:image/jpeg;base64,{b64encode(picture).decode()}"
        yield f'<img class="screenshot" src="{source}" alt="Screenshot of {text(page.name)}" loading="lazy">'


def _facts(page: MapPage) -> Iterator[str]:
    rows = [
        ("Title", text(page.title)),
        ("Example", code(page.address) if page.address else ""),
        ("Headings", ", ".join(map(text, page.headings))),
    ]
    yield '<dl class="facts">'
    yield from (f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows if value)
    yield "</dl>"


def _actions(site: SiteMap, page: MapPage) -> Iterator[str]:
    forms = [each for each in page.actions if each.fields]
    others = [each for each in page.actions if not each.fields]
    sections = (("Forms", forms), ("Links and buttons", others))
    for name, some in sections if page.visits is not None else (("Actions", page.actions),):
        if some:
            yield f"<h3>{name}</h3>"
            yield from action_table(site, some)
    if not page.actions:
        yield '<p class="dim">Nothing can be done here, apart from what other pages have as well.</p>'


def _fields(fields: tuple[FormField, ...]) -> Iterator[str]:
    if fields:
        yield '<ul class="fields">'
        yield from (f"<li>{text(each.label)} <span>{_field(each)}</span></li>" for each in fields)
        yield "</ul>"


def _field(field: FormField) -> str:
    """What it takes."""
    kind = field.constraint("type") or field.role
    limits = (f"{name} {value}" for name, value in field.constraints if name in ("min", "max", "maxlength", "pattern"))
    words = [kind, *(["required"] if field.required else []), *limits]
    if field.options and field.role not in ("checkbox", "radio"):
        rest = len(field.options) - _MOST_OPTIONS
        more = f" and {rest} more" if rest > 0 else ""
        words.append(f"one of {', '.join(field.options[:_MOST_OPTIONS])}{more}")
    return text(", ".join(words))


def _notes(action: MapAction) -> Iterator[str]:
    if action.guard:
        yield f'<p class="note guard">{text(action.guard)}</p>'
    if action.spared:
        yield f'<p class="note dim">left alone: {text(action.spared)}</p>'
    if action.refusals:
        said = "; ".join(map(text, action.refusals))
        yield f'<p class="note refusal">refused: {said}</p>'


def _targets(site: SiteMap, targets: tuple[MapTarget, ...]) -> str:
    if not targets:
        return ""
    rows = []
    for each in targets[:_MOST_TARGETS]:
        many = f' <span class="dim">{each.count:,}×</span>' if each.count is not None else ""
        note = f'<div class="dim example">{text(each.note)}</div>' if each.note else ""
        rows.append(f"<li>{page_link(site, each.page)}{many}{note}</li>")
    if len(targets) > _MOST_TARGETS:
        others = " ".join(page_link(site, each.page) for each in targets[_MOST_TARGETS:])
        rows.append(f"<li><details><summary>and {len(targets) - _MOST_TARGETS} more</summary>{others}</details></li>")
    return f'<ul class="targets">{"".join(rows)}</ul>'


def _parts(site: SiteMap, page: MapPage) -> Iterator[str]:
    if page.parts:
        parts = (site.parts[number] for number in page.parts)
        links = (
            f'<li><a href="#part-{number}">{text(part.name)}</a> <span class="dim">'
            f"{counted(len(part.actions), 'action')}</span></li>"
            for number, part in zip(page.parts, parts, strict=True)
        )
        yield f"<h3>Shared with other pages</h3><ul>{''.join(links)}</ul>"


def _values(values: tuple[ValueList, ...]) -> Iterator[str]:
    if values:
        yield '<h3>Values in view</h3><dl class="facts">'
        for each in values:
            rest = " …" if len(each.examples) > _MOST_EXAMPLES else ""
            shown_values = ", ".join(map(text, each.examples[:_MOST_EXAMPLES]))
            yield f"<div><dt>{text(each.name)}</dt><dd>{shown_values}{rest}</dd></div>"
        yield "</dl>"
