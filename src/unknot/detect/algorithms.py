"""All detectors by name."""

from collections.abc import Mapping

from unknot.detect.engine.options import Detector
from unknot.detect.published.dtdetector import dependence_aware, exhaustive, isolate, reverse
from unknot.detect.published.mem_fast import mem_fast
from unknot.detect.published.pfast import pfast
from unknot.detect.published.pradet import pradet
from unknot.detect.published.tedd import tedd
from unknot.detect.published.tuscan import tuscan
from unknot.detect.sieve.sieve import sieve

DEFAULT = "sieve"

ALGORITHMS: Mapping[str, Detector] = {
    "sieve": sieve,
    "pfast": pfast,
    "mem-fast": mem_fast,
    "pradet": pradet,
    "tedd": tedd,
    "reverse": reverse,
    "isolate": isolate,
    "exhaustive": exhaustive,
    "dependence-aware": dependence_aware,
    "tuscan": tuscan,
}


def current_name(name: str) -> str:
    """`auto`, which used to choose between `sieve` and `mem-fast`, is an old name of the default."""
    return DEFAULT if name == "auto" else name
