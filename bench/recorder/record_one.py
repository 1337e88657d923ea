"""`python record_one.py DIRECTORY LOOKS FILE`: records the suite in DIRECTORY and writes what it cost and found.

Runs in the suite's own environment, where unknot is installed. The cost is that of the pytest processes alone; what
the caller measures of this process is all of it.
"""

import json
import resource
import sys
from pathlib import Path

from unknot.app.recording.suite_recorder import record
from unknot.model.recording import FlowKind, Recording
from unknot.model.suite import Suite
from unknot.runners.settings import Settings

_KIBIBYTES_A_MEGABYTE = 1024
_OPTIONS = ("-q", "-p", "no:cacheprovider")


def main() -> None:
    directory, looks, file = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    recording = record(Settings(directory, options=_OPTIONS), looks=looks)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = {
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_mb": used.ru_maxrss / _KIBIBYTES_A_MEGABYTE,
    }
    file.write_text(json.dumps({**cost, **found(recording)}), encoding="utf-8")


def found(recording: Recording) -> dict[str, object]:
    raw = [flow for flow in recording.flows if flow.kind is FlowKind.READ_AFTER_WRITE]
    return {
        "tests": len(recording.tests),
        "dependencies": len(raw),
        "harmless": sum(flow.harmless for flow in raw),
        "anti_dependencies": len(recording.flows) - len(raw),
        "pairs": len(list(recording.may_need(Suite(recording.tests)).edges())),
        "locations": len({flow.location for flow in raw if not flow.harmless}),
        "left": len(recording.left),
        "with_both_lines": sum(bool(flow.written and flow.read) for flow in raw if not flow.harmless),
        "notes": list(recording.notes),
        "outcomes": {test: outcome.value for test, outcome in recording.outcomes.items()},
        "flows": [
            f"{flow.location.kind} {flow.location.name}: {flow.writer} -> {flow.reader}"
            for flow in raw
            if not flow.harmless
        ],
    }


if __name__ == "__main__":
    main()
