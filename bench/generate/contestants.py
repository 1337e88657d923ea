"""The applications, and the generators that are compared on them."""

from collections.abc import Callable

from unknot.model.navigation_graph import NavigationGraph
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.generate.atusa import Atusa
from unknot.web.generate.dig import Dig
from unknot.web.generate.generator import SuiteGenerator
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.generate.subweb import Subweb
from unknot.web.generate.subweb_mosa import SubwebMosa
from unknot.web.simulated.dimeshift import Dimeshift
from unknot.web.simulated.pagekit.pagekit import Pagekit
from unknot.web.simulated.site import Site
from unknot.web.simulated.splittypie import Splittypie
from unknot.web.simulated.trello import Trello

SITES: dict[str, type[Site]] = {
    "phoenix": Trello,
    "dimeshift": Dimeshift,
    "splittypie": Splittypie,
    "pagekit": Pagekit,
}

OURS = "observing"
GENERATORS: dict[str, Callable[[NavigationGraph, int], SuiteGenerator]] = {
    OURS: lambda _, seed: LiveGenerator(Observing(seed)),
    "observing, without values seen": lambda _, seed: LiveGenerator(Observing(seed, reuse_values=False)),
    "observing, without restoring": lambda _, seed: LiveGenerator(Observing(seed, restore=False)),
    "observing, without patience": lambda _, seed: LiveGenerator(Observing(seed, patience=False)),
    "dig-si": lambda graph, seed: Dig(graph, seed, with_inputs=True),
    "dig-s": Dig,
    "dig-s, one candidate": lambda graph, seed: Dig(graph, seed, candidates=1),
    "longest of 50": lambda graph, seed: Dig(graph, seed, by_length=True),
    "subweb-mosa": SubwebMosa,
    "subweb": Subweb,
    "atusa": Atusa,
    "random-walk": lambda _, seed: LiveGenerator(RandomWalk(seed)),
}
