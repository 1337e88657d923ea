"""Suites of one pattern each, written by hand rather than drawn. Each function writes one and returns the truth."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.knotted.drawn import NO_PROOF
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

_STATE = '''"""What tests leave behind for each other."""

done = set()
dirty = set()
mode = "plain"
'''
_A_FILE = 20

FIXED_PATH = "/tmp/unknot-bench-knotted.ini"
HOME_FILE = ".unknot-bench-knotted"


def hidden_polluter(directory: Path) -> Dependencies:
    """200 fast tests, one polluter, one victim, and a cleaner in every third test: no order that has many tests between
    the two shows it."""
    bodies: dict[int, Sequence[str]] = {place: ["state.dirty.clear()"] for place in range(2, 200, 3)}
    bodies[10] = ['state.dirty.add("mode")']
    bodies[150] = ['assert "mode" not in state.dirty']
    tests = _write(directory, 200, bodies, sleep=0.002)
    cleaners = tuple(tests[place] for place in range(2, 200, 3))
    return _truth(tests, conflicts=[Conflict(tests[150], (tests[10],), cleaners, NO_PROOF)])


def one_cause(directory: Path) -> Dependencies:
    """60 tests: 30 victims of one location and, after them, 20 tests each of which breaks all of them."""
    places = [place for place in range(60) if place % 6 != 5]
    victims, polluters = places[:30], places[30:]
    bodies: dict[int, Sequence[str]] = {place: ['assert state.mode == "plain"'] for place in victims}
    bodies |= {place: [f'state.mode = "mode {place}"'] for place in polluters}
    tests = _write(directory, 60, bodies, sleep=0.026)
    conflicts = [
        Conflict(tests[victim], (tests[polluter],), (), NO_PROOF) for victim in victims for polluter in polluters
    ]
    return _truth(tests, conflicts=conflicts)


def outside(directory: Path) -> Dependencies:
    """40 tests, six of which share a file in HOME and one at a fixed path in /tmp."""
    home = f'Path.home().joinpath("{HOME_FILE}")'
    fixed = f'Path("{FIXED_PATH}")'
    bodies: dict[int, Sequence[str]] = {
        4: [f'{home}.write_text("token")'],
        11: [f'assert {home}.read_text() == "token"'],
        25: [f'assert {home}.read_text() == "token"'],
        8: [f'{fixed}.write_text("verbose = yes")'],
        16: [f"{fixed}.unlink(missing_ok=True)"],
        30: [f"assert not {fixed}.exists()"],
    }
    tests = _write(directory, 40, bodies, sleep=0.03, imports="from pathlib import Path\n")
    return _truth(
        tests,
        [Need(tests[dependent], (tests[4],), NO_PROOF) for dependent in (11, 25)],
        [Conflict(tests[30], (tests[8],), (tests[16],), NO_PROOF)],
    )


def setter_last(directory: Path) -> Dependencies:
    """72 tests, nine of which fail in the suite's own order and pass after the last one, which does what they need."""
    dependents = range(4, 72, 8)
    bodies: dict[int, Sequence[str]] = {place: ['assert "ready" in state.done'] for place in dependents}
    bodies[71] = ['state.done.add("ready")']
    tests = _write(directory, 72, bodies, sleep=0.01)
    needs = [Need(tests[place], (tests[71],), NO_PROOF) for place in dependents]
    return _truth(tests, needs, failing=[tests[place] for place in dependents])


def failing_polluters(directory: Path) -> Dependencies:
    """40 tests: five need another test and, where it did not run before them, break a third, because they fail before
    they clean up after themselves. No run in which every need is met shows those conflicts."""
    bodies: dict[int, Sequence[str]] = {}
    triples = [(start, start + 3, start + 5) for start in range(0, 40, 8)]
    for setter, polluter, victim in triples:
        bodies[setter] = [f'state.done.add("{setter}")']
        bodies[polluter] = [
            f'state.dirty.add("{setter}")',
            f'assert "{setter}" in state.done',
            f'state.dirty.discard("{setter}")',
        ]
        bodies[victim] = [f'assert "{setter}" not in state.dirty']
    tests = _write(directory, 40, bodies, sleep=0.02)
    return _truth(
        tests,
        [Need(tests[polluter], (tests[setter],), NO_PROOF) for setter, polluter, _ in triples],
        [Conflict(tests[victim], (tests[polluter],), (), NO_PROOF) for _, polluter, victim in triples],
    )


SuiteWriter = Callable[[Path], Dependencies]


def _write(
    directory: Path, size: int, bodies: Mapping[int, Sequence[str]], *, sleep: float, imports: str = ""
) -> tuple[TestId, ...]:
    """Tests that sleep and then do what `bodies` says, in files of twenty."""
    directory.mkdir(parents=True)
    (directory / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    (directory / "state.py").write_text(_STATE, encoding="utf-8")
    tests: list[TestId] = []
    for start in range(0, size, _A_FILE):
        file = f"test_{start // _A_FILE:02}.py"
        text = f"import time\n{imports}\nimport state\n"
        for place in range(start, min(start + _A_FILE, size)):
            lines = [f"time.sleep({sleep})", *bodies.get(place, ())]
            text += f"\n\ndef test_{place:03}():\n" + "".join(f"    {line}\n" for line in lines)
            tests.append(TestId(f"{file}::test_{place:03}"))
        (directory / file).write_text(text, encoding="utf-8")
    return tuple(tests)


def _truth(
    tests: tuple[TestId, ...],
    needs: Sequence[Need] = (),
    conflicts: Sequence[Conflict] = (),
    failing: Sequence[TestId] = (),
) -> Dependencies:
    outcomes = {test: Outcome.FAILED if test in failing else Outcome.PASSED for test in tests}
    return Dependencies(Suite(tests), outcomes, {}, tuple(needs), tuple(conflicts))
