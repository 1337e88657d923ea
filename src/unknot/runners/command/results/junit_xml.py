"""Reads JUnit XML, in the dialects that tools have made of it."""

from xml.parsers import expat

from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import IdTemplate, shown
from unknot.runners.command.results.outcome_words import parse_seconds
from unknot.runners.command.results.reported import (
    STORY_LIMIT,
    Reading,
    ReadingStops,
    ReportedTest,
    ReportedTests,
    ResultsRefused,
    StoryExcerpt,
    excerpt,
)

_DEEPEST = 256
_SUITES = frozenset({"testsuites", "testsuite"})

# Maven's flakyFailure and flakyError are a first try that failed and a later one that passed. The later one ran after
# other tests, though it was not requested: the first one counts.
_BAD = frozenset({"failure", "error", "flakyFailure", "flakyError"})
_LEFT_OUT = frozenset({"skipped", "disabled", "ignored"})
_OUTPUT = frozenset({"system-out", "system-err"})
# Further tries of a test that has failed already, what tests say about themselves: of no interest.

_TOLD_WITH_FAILURE = "todo"
"""Node also reports whether such a test has failed; pytest and unittest do not."""
_EXPECTED_TO_FAIL = frozenset({"pytest.xfail", "xfail", _TOLD_WITH_FAILURE})
_BAD_STATUSES = frozenset({"failed", "fail", "failure", "error", "broken"})
_LEFT_OUT_STATUSES = frozenset({"notrun", "skipped", "disabled", "ignored", "pending"})


class JunitCases:
    """Handlers for a parser. Raise ReadingStops where the document is no JUnit document."""

    def __init__(self, template: IdTemplate) -> None:
        self.reported = ReportedTests()
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
                f"the JUnit results nest tags {_DEEPEST} deep",
                hint="look at what has written the file",
                slug="results-rejected",
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
        found = ReportedTest(
            self._template.fill(values), outcome, parse_seconds(values.get("time", "")), case.story(outcome.is_bad)
        )
        before = self.reported.last if self._last_was_failure else None
        if before is not None and before.test == found.test and case.verdicts == {"error"}:
            # pytest's way to say that a test failed and then its teardown too. It is one test, and it failed.
            seconds = before.seconds + found.seconds
            self.reported.replace_last(
                ReportedTest(found.test, found.outcome, seconds, excerpt(before.story, found.story))
            )
            self._last_was_failure = False
            return
        self.reported.add(found)
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


MOST_BYTES = 256 * 1024 * 1024
_PIECE = 1024 * 1024
_LONGEST_TAG = 16 * _PIECE
"""A parser looks again at a tag that is not yet whole: only a limit keeps that linear."""


def read_junit(data: bytes, template: str) -> Reading:
    """The cases in the document's sequence; `template` makes their ids, see IdTemplate.

    Guarantee: a case counts only when its end was seen, so a document that breaks off reports fewer tests, never other
    outcomes. Raises ResultsRefused for the whole document, for a document type or entity declaration (nothing needs
    them; they can make a small file endless), more than 256 MB, a tag of 16 MB, a million cases or absurd depth.
    Raises UsageError for a template that nothing can fill. Cost: linear, and memory for the results only.
    """
    if len(data) > MOST_BYTES:
        raise ResultsRefused(
            f"the JUnit results have {len(data):,} bytes, more than {MOST_BYTES:,}",
            hint="let the tests print less, or the reporter leave out what they print",
            slug="results-too-large",
        )
    cases = JunitCases(IdTemplate(template))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = cases.start
    parser.EndElementHandler = cases.end
    parser.CharacterDataHandler = cases.text
    parser.StartDoctypeDeclHandler = _refuse_declaration
    parser.EntityDeclHandler = _refuse_declaration
    try:
        _feed(parser, data)
    except ReadingStops as stop:
        return cases.reported.broken(f"line {parser.CurrentLineNumber}: {stop}")
    except expat.ExpatError as error:
        return cases.reported.broken(_why(error, data))
    except (ValueError, LookupError) as error:
        # What Python says to an encoding that it does not have, or that an XML parser cannot use.
        return cases.reported.broken(f"the JUnit results are in an encoding that cannot be read: {error}")
    return cases.reported.whole()


def _feed(parser: expat.XMLParserType, data: bytes) -> None:
    # Some reporters begin with an empty line, which XML forbids before its declaration.
    begin = len(data) - len(data.lstrip(b" \t\r\n")) if data[:1].isspace() else 0
    view = memoryview(data)
    for place in range(begin, len(data), _PIECE):
        parser.Parse(view[place : place + _PIECE], False)
        if place + _PIECE - begin - max(0, parser.CurrentByteIndex) > _LONGEST_TAG:
            raise ResultsRefused(
                f"the JUnit results have a tag of more than {_LONGEST_TAG:,} bytes",
                hint="let the reporter write long texts between tags, not into attributes",
                slug="results-rejected",
            )
    parser.Parse(b"", True)


def _refuse_declaration(name: str, *_: object) -> None:
    raise ResultsRefused(
        f"the JUnit results declare a document type or an entity (`{name[:40]}`), which no results need",
        hint="look at what has written the file: it is refused because such files can be made to do harm",
        slug="results-rejected",
    )


def _why(error: expat.ExpatError, data: bytes) -> str:
    if not data.strip():
        return "the JUnit results are empty"
    words = expat.ErrorString(error.code)
    unfinished = error.code in _UNFINISHED
    what = "the JUnit results break off" if unfinished else "the JUnit results are not well-formed"
    return f"{what}: {words} at line {error.lineno}, column {error.offset + 1}"


_UNFINISHED = frozenset(
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)
