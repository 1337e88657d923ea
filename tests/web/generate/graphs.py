"""Navigation graphs for tests of generators."""

from hypothesis import strategies as st

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition


@st.composite
def navigation_graphs(draw: st.DrawFn) -> NavigationGraph:
    """Up to six pages, of which some may be out of reach; parallel transitions and circles."""
    pages = [f"P{number}" for number in range(draw(st.integers(1, 6)))]
    ends = draw(st.lists(st.tuples(st.sampled_from(pages), st.sampled_from(pages)), max_size=14))
    transitions = tuple(
        Transition(f"a{number}", source, target, (Parameter("x", values=("1", "2")),) if number % 2 else ())
        for number, (source, target) in enumerate(ends)
    )
    return NavigationGraph("P0", tuple(pages), transitions)


def transition(action: str, source: str, target: str) -> Transition:
    return Transition(action, source, target)


def graph_of(*transitions: Transition) -> NavigationGraph:
    """Begins at the source of the first one."""
    pages = dict.fromkeys(page for each in transitions for page in (each.source, each.target))
    return NavigationGraph(transitions[0].source, tuple(pages), transitions)
