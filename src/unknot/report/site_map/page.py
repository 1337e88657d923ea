"""The HTML page of a web application: one file that needs no network and no library."""

from collections.abc import Iterator
from html import escape

from unknot import __version__
from unknot.report.html.style import SITE_MAP, text
from unknot.report.site_map.details import page_details
from unknot.report.site_map.drawing import drawing_data
from unknot.report.site_map.lists import blocked_section, faults_section, overview, parts_section, spared_section
from unknot.report.site_map.site_map import SiteMap


def site_map_html(site: SiteMap) -> str:
    """The page. Guarantee: all text of the application is escaped, the page loads nothing, and no script but its own
    runs. Without scripts it has the same content except for the drawing. Cost: linear in the model and the screenshots,
    and that of `drawing_data`."""
    return "".join(f"{line}\n" for line in _page(site))


def _page(site: SiteMap) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{SITE_MAP.content_security_policy()}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>unknot: {text(site.title)}</title><style>{SITE_MAP.style()}</style></head><body>"
    yield '<a class="skip" href="#main">Skip to the result</a>'
    yield from _header(site)
    yield '<main id="main" tabindex="-1">'
    yield from overview(site)
    if site.pages:
        yield '<section id="graph" aria-labelledby="graph-h"><h2 id="graph-h">Navigation</h2>'
        yield '<noscript><p class="dim">The drawing needs JavaScript, which is disabled.</p></noscript></section>'
        yield '<section id="pages" aria-labelledby="pages-h"><h2 id="pages-h">Pages</h2>'
        for place in range(len(site.pages)):
            yield from page_details(site, place)
        yield "</section>"
    else:
        yield '<p class="dim">No page was seen.</p>'
    yield from parts_section(site)
    yield from faults_section(site)
    yield from spared_section(site)
    yield from blocked_section(site)
    yield f'</main><footer class="dim">Written by unknot {escape(__version__)}.</footer>'
    yield f'<script type="application/json" id="data">{drawing_data(site)}</script>'
    yield f"<script>{SITE_MAP.script()}</script></body></html>"


def _header(site: SiteMap) -> Iterator[str]:
    names = {
        **({"graph": "Navigation", "pages": "Pages"} if site.pages else {}),
        **({"parts": "Shared parts"} if site.parts else {}),
        **({"faults": "Faults"} if site.faults else {}),
        **({"spared": "Left alone"} if site.spared else {}),
        **({"blocked": "Blocked"} if site.blocked else {}),
    }
    links = "".join(f'<li><a href="#{name}">{words}</a></li>' for name, words in names.items())
    yield f'<header><span class="brand">unknot</span><nav aria-label="Sections"><ul>{links}</ul></nav></header>'
