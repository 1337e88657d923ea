"""`unknot explain TEST`: what is known about one test, and why."""

import argparse
from typing import Any

from unknot.app.configuration import PYTEST
from unknot.app.excerpts import SourceFiles, excerpts, shown_reasons, unrecorded
from unknot.app.find_tests import find_test
from unknot.app.fix.fix import TrialOptions, explain_test
from unknot.app.fix.trial import Cut
from unknot.app.known_result import known_result
from unknot.app.options import options_from
from unknot.app.report import last_invocation
from unknot.cli.fix import add_trial
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.fix.source_file import unified_diff_bytes
from unknot.model.errors import ExitCode
from unknot.model.reason import Reason
from unknot.model.recording import Recording
from unknot.recorder.reasons import nothing_found
from unknot.report.reasons import sentences
from unknot.report.report import Report
from unknot.report.text.explain import ReasonDetails, explanation_json
from unknot.report.text.summary import explain as explanation

DESCRIPTION = """\
Shows what the test needs, what breaks it and which tests depend on it, with the commands that
prove it. If the suite was recorded, by `unknot detect --trace`, it also shows why: the state that
one test leaves and another reads, the lines of code, and a change that removes the dependency.
A change is shown only if it worked in a copy of the project. `unknot fix` applies it.

  unknot explain test_total
  unknot explain tests/test_cart.py::test_total --no-try
"""
_NO_RECORDING = "not recorded: run `unknot detect --trace` to find the reason"


def add_options(parser: OptionGroup) -> None:
    parser.add("test", metavar="TEST", help="a node id, or a part of one that matches no other test")
    parser.flag("--no-try", "run nothing, and show no change")
    add_trial(parser)
    parser.files()
    parser.output(("text", "json"))


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(TrialOptions, vars(given))
    report = Report(known_result(options.files), invocation=last_invocation(given.state_dir))
    test = find_test(report.dependencies, given.test)
    cuts, recording = explain_test(test, report.dependencies, options, progress, tries=not given.no_try)
    # The report names an unknown test, in either form.
    text = explanation(report, test, [reason_details(cut, recording, options) for cut in cuts])
    if given.format == "json":
        reasons = [cut.reasons for cut in cuts]
        write_json(explanation_json(report, test, reasons, [cut_json(cut) for cut in cuts]))
    else:
        write_rich(text)
    return ExitCode.CLEAN


def reason_details(cut: Cut, recording: Recording | None, options: TrialOptions) -> ReasonDetails:
    files = SourceFiles(options.runner.directory, options.files.state_dir)
    known = cut.edge.claim.why
    if recording is None:
        can_be_recorded = options.runner.kind == PYTEST
        return ReasonDetails((_NO_RECORDING,) if can_be_recorded and not known else (), excerpts(known, files))
    best = shown_reasons(cut.edge, cut.reasons)
    reasons = best or (nothing_found(recording),)
    if known and all(reason.unseen for reason in best):
        # The lock file may have a better one, made with all claims known.
        reasons = known
    return ReasonDetails(
        why=sentences((*_from_hints(cut, known), *reasons)),
        excerpts=excerpts((*unrecorded(known), *best), files),
        tried=tuple(_tried(cut)),
        diff=_diff(cut).decode("utf-8", "replace"),
    )


def _from_hints(cut: Cut, known: tuple[Reason, ...]) -> list[Reason]:
    """Reasons of the lock file that no recording gives: those from hints."""
    recorded = {reason.portable() for reason in cut.reasons}
    return [reason for reason in known if not reason.is_empty and reason not in recorded]


def _tried(cut: Cut) -> list[str]:
    lines = [f"{attempt.change}: no, {attempt.problem}" for attempt in cut.attempts if attempt.problem]
    if cut.suggestion is not None:
        lines.append(f"{cut.suggestion.summary}; tried: the dependency is gone and nothing else changed")
    return [*lines, cut.note] if cut.note else lines


def _diff(cut: Cut) -> bytes:
    change = cut.suggestion
    return unified_diff_bytes(change.path, change.before, change.after) if change is not None else b""


def cut_json(cut: Cut) -> dict[str, Any]:
    return {
        "tried": [{"change": attempt.change, "trouble": attempt.problem or None} for attempt in cut.attempts],
        "note": cut.note or None,
        "file": cut.suggestion.path if cut.suggestion is not None else None,
        "diff": _diff(cut).decode("utf-8", "replace") or None,
    }
