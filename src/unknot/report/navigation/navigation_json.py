"""A navigation graph as data."""

from unknot.model.navigation_graph import NavigationGraph

FORMAT = 1


def navigation_json(graph: NavigationGraph) -> dict[str, object]:
    """Described in docs/reference/json.md. Deterministic."""
    return {
        "format": FORMAT,
        "start": graph.start,
        "pages": list(graph.pages),
        "transitions": [
            {
                "action": each.action,
                "source": each.source,
                "target": each.target,
                "parameters": [
                    {
                        "name": part.name,
                        **({"type": part.type} if part.type else {}),
                        **({"values": list(part.values)} if part.values else {}),
                    }
                    for part in each.parameters
                ],
                **({"guard": each.guard} if each.guard else {}),
                **({"condition": each.condition} if each.condition else {}),
            }
            for each in graph.transitions
        ],
    }
