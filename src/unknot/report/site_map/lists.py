"""The figures of a site map, and its lists: shared parts, faults, what was left alone, blocked addresses."""

from collections.abc import Iterator

from unknot.report.html.style import code, text
from unknot.report.site_map.details import action_table, page_link
from unknot.report.site_map.site_map import SiteMap
from unknot.report.wording import counted

_MOST_ROWS = 200


def overview(site: SiteMap) -> Iterator[str]:
    yield '<section id="overview" aria-labelledby="overview-h">'
    yield f'<h1 id="overview-h">{text(site.title)}</h1>'
    if site.problem:
        yield f'<p class="problem"><strong>Stopped early:</strong> {text(site.problem)}</p>'
    yield '<ul class="figures">'
    for number, name in site.figures:
        look = " bad" if name.startswith("fault") and number != "0" else ""
        yield f'<li class="figure{look}"><span class="count">{text(number)}</span> <span>{text(name)}</span></li>'
    yield "</ul></section>"


def parts_section(site: SiteMap) -> Iterator[str]:
    if not site.parts:
        return
    yield '<section id="parts" aria-labelledby="parts-h"><h2 id="parts-h">Shared parts</h2>'
    yield '<p class="dim">Menus, headers and the like, which several pages have.</p>'
    for number, part in enumerate(site.parts):
        counts = f"{counted(len(part.actions), 'action')}, on {counted(len(part.pages), 'page')}"
        yield f'<details class="kind" id="part-{number}"><summary><strong>{text(part.name)}</strong>'
        yield f'<span class="dim figures">{counts}</span></summary><div class="content">'
        yield from action_table(site, part.actions)
        yield f'<h3>On</h3><p class="pages-of-part">{" ".join(page_link(site, each) for each in part.pages)}</p>'
        yield "</div></details>"
    yield "</section>"


def faults_section(site: SiteMap) -> Iterator[str]:
    if not site.faults:
        return
    place = {page.name: number for number, page in enumerate(site.pages)}
    yield '<section id="faults" aria-labelledby="faults-h"><h2 id="faults-h">Faults</h2>'
    yield '<div class="scroll"><table><thead><tr><th>What</th><th>After</th><th class="number">Times</th></tr></thead>'
    yield "<tbody>"
    for fault in site.faults[:_MOST_ROWS]:
        where = page_link(site, place[fault.page]) if fault.page in place else code(fault.page) if fault.page else ""
        after = f"<strong>{text(fault.action)}</strong> on {where}" if fault.action else "the start"
        yield f'<tr><td><span class="badge victim">{text(fault.kind)}</span> {text(fault.text)}</td>'
        yield f'<td>{after}</td><td class="number">{fault.count:,}</td></tr>'
    yield "</tbody></table></div>"
    yield from _rest(len(site.faults))
    yield "</section>"


def spared_section(site: SiteMap) -> Iterator[str]:
    if not site.spared:
        return
    yield '<section id="spared" aria-labelledby="spared-h"><h2 id="spared-h">Left alone</h2>'
    yield '<div class="scroll"><table><thead><tr><th>Action</th><th>Why</th><th class="number">On kinds of pages</th>'
    yield "</tr></thead><tbody>"
    for title, why, count in site.spared[:_MOST_ROWS]:
        yield f'<tr><td>{text(title)}</td><td>{text(why)}</td><td class="number">{count:,}</td></tr>'
    yield "</tbody></table></div>"
    yield from _rest(len(site.spared))
    yield "</section>"


def blocked_section(site: SiteMap) -> Iterator[str]:
    if not site.blocked:
        return
    yield '<section id="blocked" aria-labelledby="blocked-h"><h2 id="blocked-h">Blocked addresses</h2>'
    yield '<p class="dim">Pages requested these from elsewhere; the browser did not reach them.</p><ul>'
    yield from (f"<li>{code(address)}</li>" for address in site.blocked[:_MOST_ROWS])
    yield "</ul>"
    yield from _rest(len(site.blocked))
    yield "</section>"


def _rest(many: int) -> Iterator[str]:
    if many > _MOST_ROWS:
        yield f'<p class="dim">and {many - _MOST_ROWS:,} more</p>'
