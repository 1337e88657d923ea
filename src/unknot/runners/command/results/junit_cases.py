"""The test cases of a JUnit document, as its tags come in."""

from unknot.model.outcome import Outcome
from unknot.runners.command.results.excerpt import STORY_LIMIT, StoryExcerpt, excerpt
from unknot.runners.command.results.id_template import IdTemplate
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import ReadingStops, ReportedTest, ReportedTests, ResultsRefused
from unknot.runners.command.results.seconds import parse_seconds

_DEEPEST = 256
_SUITES = frozenset({"testsuites", "testsuite"})

# Maven's flakyFailure and flakyError are a first try that failed and a later one that passed. The later one ran after
# other tests, where nobody had asked for it: the first one is the answer.
_BAD = frozenset({"failure", "error", "flakyFailure", "flakyError"})
_LEFT_OUT = frozenset({"skipped", "disabled", "ignored"})
_OUTPUT = frozenset({"system-out", "system-err"})
# Further tries of a test that has failed already, what tests say about themselves: of no interest.

_TOLD_WITH_FAILURE = "todo"
"""Node tells besides whether such a test has failed; pytest and unittest do not."""
_EXPECTED_TO_FAIL = frozenset({"pytest.xfail", "xfail", _TOLD_WITH_FAILURE})
_BAD_STATUSES = frozenset({"failed", "fail", "failure", "error", "broken"})
_LEFT_OUT_STATUSES = frozenset({"notrun", "skipped", "disabled", "ignored", "pending"})


class Cases:
    """Handlers for a parser. Raise ReadingStops where the document is no JUnit document."""

    def __init__(self, template: IdTemplate) -> None:
        self.tellings = ReportedTests()
        self._template = template
        self._depth = 0
        self._suites: list[str] = []
        self._case: _Case | None = None
        self._last_was_failure = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if ":" in tag:
            tag = tag.rpartition(":")[2]
        if self._depth > _DEEPEST:
            raise ResultsRefused(
                f"the JUnit results nest tags {_DEEPEST} deep", hint="look at what has written the file"
            )
        if self._depth == 1 and tag not in _SUITES:
            raise ReadingStops(f"the results are no JUnit document: they begin with <{tag[:40]}>")
        if self._case is not None:
            self._case.start(tag, attributes, self._depth)
        elif tag == "testcase":
            self._case = _Case(attributes, self._depth)
        elif self._template.wants_suite:
            self._suites.append(attributes.get("name", "") if tag in _SUITES else "")

    def end(self, _tag: str) -> None:
        case = self._case
        if case is None:
            if self._suites:
                self._suites.pop()
        elif case.depth == self._depth:
            self._case = None
            self._tell(case)
        else:
            case.end(self._depth)
        self._depth -= 1

    def text(self, text: str) -> None:
        if self._case is not None:
            self._case.text(text)

    def _tell(self, case: "_Case") -> None:
        values = case.attributes
        if self._template.wants_suite:
            values = {**values, "suite": " > ".join(filter(None, self._suites))}
        outcome = case.outcome
        told = ReportedTest(
            self._template.fill(values), outcome, parse_seconds(values.get("time", "")), case.story(outcome.is_bad)
        )
        before = self.tellings.last if self._last_was_failure else None
        if before is not None and before.test == told.test and case.verdicts == {"error"}:
            # pytest's way to say that a test failed and then its teardown too. It is one test, and it failed.
            seconds = before.seconds + told.seconds
            self.tellings.replace_last(
                ReportedTest(told.test, told.outcome, seconds, excerpt(before.story, told.story))
            )
            self._last_was_failure = False
            return
        self.tellings.add(told)
        self._last_was_failure = case.verdicts == {"failure"}


class _Case:
    """One test case: which verdicts it has, and the texts that go with them."""

    def __init__(self, attributes: dict[str, str], depth: int) -> None:
        self.attributes = attributes
        self.depth = depth
        self.verdicts: set[str] = set()
        self._expected = ""
        self._story: StoryExcerpt | None = None
        self._output: StoryExcerpt | None = None
        self._tag = ""
        self._headings: tuple[str, ...] = ()
        self._words: StoryExcerpt | None = None

    def start(self, tag: str, attributes: dict[str, str], depth: int) -> None:
        if tag == "testcase":
            raise ReadingStops(f"a <testcase> inside the <testcase> {shown(self.attributes.get('name', ''))}")
        if depth != self.depth + 1:
            return
        self._tag = tag
        self._words = StoryExcerpt() if tag in _BAD or tag in _LEFT_OUT or tag in _OUTPUT else None
        if tag in _OUTPUT or self._words is None:
            return
        self.verdicts.add(tag)
        kind, message = attributes.get("type", ""), attributes.get("message", "")
        self._headings = (message[:STORY_LIMIT], kind[:STORY_LIMIT]) if tag in _BAD else (message[:STORY_LIMIT],)
        if tag in _LEFT_OUT and kind.lower() in _EXPECTED_TO_FAIL:
            self._expected = kind.lower()

    def text(self, text: str) -> None:
        if self._words is not None:
            self._words.add(text)

    def end(self, depth: int) -> None:
        if depth != self.depth + 1 or self._words is None:
            return
        words = self._words.text().strip()
        if self._tag in _OUTPUT:
            if words:
                self._output = self._output or StoryExcerpt()
                self._output.add_line(f"--- {self._tag} ---\n{words}")
        else:
            self._story = self._story or StoryExcerpt()
            # Many tools say the message again in the text.
            for part in (*(heading for heading in self._headings if heading not in words), words):
                self._story.add_line(part)
        self._words = None

    @property
    def outcome(self) -> Outcome:
        is_bad = not self.verdicts.isdisjoint(_BAD)
        if self._expected == _TOLD_WITH_FAILURE:
            return Outcome.XFAILED if is_bad else Outcome.XPASSED
        if is_bad:
            return Outcome.FAILED
        if self.verdicts:
            return Outcome.XFAILED if self._expected else Outcome.SKIPPED
        status = self.attributes.get("status", "").lower()
        if status in _BAD_STATUSES:
            return Outcome.FAILED
        return Outcome.SKIPPED if status in _LEFT_OUT_STATUSES else Outcome.PASSED

    def story(self, with_output: bool) -> str:
        texts = (self._story, self._output if with_output else None)
        return excerpt(*(text.text() for text in texts if text is not None))
