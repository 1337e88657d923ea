"""`unknot explain TEST`: all that is known about one test, and why."""

import argparse
import json
import sys
from typing import Any

from rich.console import Console

from unknot.app.configuration import PYTEST, kind_of
from unknot.app.excerpts import SourceFiles, excerpts, excerpts_named, told_reasons
from unknot.app.fix.edges import Edge, edges_of
from unknot.app.fix.trial import Cut
from unknot.app.report import recall
from unknot.app.test_names import named_test
from unknot.cli.options import add_files, add_verb
from unknot.cli.trial_options import add_trial, recorded, trial
from unknot.fix.diff import unified
from unknot.model.errors import ExitCode, UnknotError
from unknot.model.recording import Recording
from unknot.recorder.sentences import NOTHING, why
from unknot.report.report import Report
from unknot.report.text.explain import ReasonDetails, explanation_json
from unknot.report.text.summary import explain as explanation
from unknot.report.text.summary import print_text
from unknot.store.lock import read_lock

_DESCRIPTION = """\
What the test needs, what breaks it and who depends on it, with the commands that show it. If
the suite was recorded, by `unknot detect --trace`, also why: what one test leaves and another
finds, and the lines where that happens; and a change that cuts the dependency, shown only if
it was tried in a copy of the project and nothing else changed. `unknot fix` makes the change.

  unknot explain test_total
  unknot explain tests/test_cart.py::test_total --no-try
"""
_NO_RECORDING = "not recorded: `unknot detect --trace` finds out what flows between them"


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "explain", "all that is known about one test, and why", _DESCRIPTION)
    parser.add_argument("test", metavar="TEST", help="a node id, or a part of one that fits no other test")
    parser.add_argument("--no-try", action="store_true", help="run nothing, and show no change")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_trial(parser)
    add_files(parser)
    parser.set_defaults(verb=explain)


def explain(options: argparse.Namespace, console: Console) -> ExitCode:
    report = Report(read_lock(options.lock), invocation=recall(options.state_dir))
    test = named_test(report.dependencies, options.test)
    edges = edges_of(report.dependencies, test)
    recording = recorded(options.state_dir) if edges else None
    cuts = _cuts(options, report, edges, recording, console)
    # The report itself complains about an unknown test, in either form.
    text = explanation(report, test, [_reasoned(cut, recording, options) for cut in cuts])
    if options.format == "json":
        reasons = [cut.reasons for cut in cuts]
        document = explanation_json(report, test, reasons, [_cut_json(cut) for cut in cuts])
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        print_text(Console(highlight=False), text)
    return ExitCode.CLEAN


def _cuts(
    options: argparse.Namespace, report: Report, edges: tuple[Edge, ...], recording: Recording | None, console: Console
) -> list[Cut]:
    if recording is None:
        return [Cut(edge) for edge in edges]
    known = [Cut(edge, edge.reasons(recording)) for edge in edges]
    if options.no_try or not any(cut.reasons for cut in known):
        return known
    try:
        with trial(options, report.dependencies, recording, console) as attempt:
            return list(attempt.cut_all(edges))
    except UnknotError as problem:
        # What is known is worth telling all the same.
        first = problem.message.splitlines()[0]
        return [Cut(cut.edge, cut.reasons, note=f"nothing could be tried: {first}") for cut in known]


def _reasoned(cut: Cut, recording: Recording | None, options: argparse.Namespace) -> ReasonDetails:
    files = SourceFiles(options.state_dir)
    known = cut.edge.claim.why
    if recording is None:
        can_be_recorded = kind_of(options) == PYTEST
        return ReasonDetails((_NO_RECORDING,) if can_be_recorded and not known else (), excerpts_named(known, files))
    best = told_reasons(cut.edge, cut.reasons)
    told = tuple(map(why, best)) or (NOTHING,)
    if known and all(reason.unseen for reason in best):
        # The lock file may have a better one: it was made with all claims in view.
        told = known
    return ReasonDetails(
        why=tuple(dict.fromkeys((*_suspected(cut, known), *told))),
        excerpts=(*excerpts_named(known, files), *excerpts(best, files)),
        tried=tuple(_tried(cut)),
        diff=_diff(cut).decode("utf-8", "replace"),
    )


def _suspected(cut: Cut, known: tuple[str, ...]) -> list[str]:
    """Reasons that the lock file has and no recording gives: those of suspicion."""
    recorded = {NOTHING, *map(why, cut.reasons)}
    return [reason for reason in known if reason not in recorded]


def _tried(cut: Cut) -> list[str]:
    lines = [f"{attempt.told}: no, {attempt.trouble}" for attempt in cut.attempts if attempt.trouble]
    if cut.suggestion is not None:
        lines.append(f"{cut.suggestion.told}; tried: the dependency is gone and nothing else changed")
    return [*lines, cut.note] if cut.note else lines


def _diff(cut: Cut) -> bytes:
    change = cut.suggestion
    return unified(change.path, change.before, change.after) if change is not None else b""


def _cut_json(cut: Cut) -> dict[str, Any]:
    return {
        "tried": [{"change": attempt.told, "trouble": attempt.trouble or None} for attempt in cut.attempts],
        "note": cut.note or None,
        "file": cut.suggestion.path if cut.suggestion is not None else None,
        "diff": _diff(cut).decode("utf-8", "replace") or None,
    }
