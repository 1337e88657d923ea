"""The detectors by name."""

from collections.abc import Mapping

from unknot.detect.options import Detector
from unknot.detect.sieve import sieve

ALGORITHMS: Mapping[str, Detector] = {
    "sieve": sieve,
}
