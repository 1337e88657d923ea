"""The detectors by name."""

from collections.abc import Mapping

from unknot.detect.auto import auto
from unknot.detect.dependence_aware import dependence_aware
from unknot.detect.exhaustive import exhaustive
from unknot.detect.isolate import isolate
from unknot.detect.mem_fast import mem_fast
from unknot.detect.options import Detector
from unknot.detect.pfast import pfast
from unknot.detect.pradet import pradet
from unknot.detect.reverse import reverse
from unknot.detect.sieve import sieve
from unknot.detect.tedd import tedd
from unknot.detect.tuscan import tuscan

DEFAULT = "sieve"

ALGORITHMS: Mapping[str, Detector] = {
    "auto": auto,
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
