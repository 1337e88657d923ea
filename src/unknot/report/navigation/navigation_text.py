"""A navigation graph for a terminal: each page with its actions and where they lead."""

from rich.text import Text

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.model.sanitise import shown
from unknot.report.navigation.pictures import signature
from unknot.report.text.lines import Lines
from unknot.report.wording import counted


def navigation_text(graph: NavigationGraph) -> Text:
    lines = Lines()
    guarded = sum(bool(each.guard) for each in graph.transitions)
    more = f", {guarded} with a guard" if guarded else ""
    lines.line(f"{counted(len(graph.pages), 'page')}, {counted(len(graph.transitions), 'transition')}{more}", "bold")
    actions: dict[str, list[Transition]] = {page: [] for page in graph.pages}
    for each in graph.transitions:
        actions[each.source].append(each)
    reachable = graph.reachable()
    for page, own in actions.items():
        lines.line()
        role = " (start)" if page == graph.start else "" if page in reachable else " (not reached from the start)"
        lines.line(f"{shown(page)}{role}", "bold")
        width = max((len(shown(signature(each))) for each in own), default=0)
        for each in own:
            lines.line(f"  {shown(signature(each)):{width}}  → {shown(each.target)}{_when(each)}")
    return lines.text


def _when(transition: Transition) -> str:
    parts = [
        *([f"needs {transition.guard.removeprefix('needs ')}"] if transition.guard else []),
        *([f"if {transition.condition}"] if transition.condition else []),
    ]
    return shown(f"  ({', '.join(parts)})") if parts else ""
