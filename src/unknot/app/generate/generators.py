"""The generators of tests, by name."""

from collections.abc import Callable, Mapping

from unknot.model.navigation_graph import NavigationGraph
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.generate.atusa import Atusa
from unknot.web.generate.dig import Dig
from unknot.web.generate.generator import SuiteGenerator
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.generate.subweb import Subweb
from unknot.web.generate.subweb_mosa import SubwebMosa

GENERATORS: Mapping[str, Callable[[NavigationGraph, int], SuiteGenerator]] = {
    "observing": lambda _, seed: LiveGenerator(Observing(seed)),
    "random-walk": lambda _, seed: LiveGenerator(RandomWalk(seed)),
    "dig-s": Dig,
    "dig-si": lambda graph, seed: Dig(graph, seed, with_inputs=True),
    "subweb": Subweb,
    "subweb-mosa": SubwebMosa,
    "atusa": Atusa,
}
"""The first is ours, and the default. The graph is that of a crawl; ours and the random walk do without."""
