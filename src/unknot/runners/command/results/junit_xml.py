"""Reads JUnit XML, in the dialects that tools have made of it."""

from xml.parsers import expat

from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import IdTemplate, shown
from unknot.runners.command.results.reported import (
    STORY_LIMIT,
    Reading,
    ReadingStops,
    ReportedTest,
    ReportedTests,
    ResultsRefused,
    StoryExcerpt,
    excerpt,
    parse_seconds,
)

_DEEPEST = 256
_SUITES = frozenset({"testsuites", "testsuite"})

# Maven's flakyFailure and flakyError are a first try that failed and a later one that passed. The later one ran after
# other tests, though it was not requested: the first one counts.
_BAD = frozenset({"failure", "error", "flakyFailure", "flakyError"})
_LEFT_OUT = frozenset({"skipped", "disabled", "ignored"})
_OUTPUT = frozenset({"system-out", "system-err"})
# Further tries of a test that has failed already, what tests say about themselves: of no interest.

_WANTED = _BAD | _LEFT_OUT | _OUTPUT

_REPORTED_WITH_FAILURE = "todo"
"""Node also reports whether such a test has failed; pytest and unittest do not."""
_EXPECTED_TO_FAIL = frozenset({"pytest.xfail", "xfail", _REPORTED_WITH_FAILURE})
_BAD_STATUSES = frozenset({"failed", "fail", "failure", "error", "broken"})
_LEFT_OUT_STATUSES = frozenset({"notrun", "skipped", "disabled", "ignored", "pending"})


class _Case:
    """One test case: its attributes, and those of its children that say something, each with the text in it."""

    def __init__(self, attributes: dict[str, str], depth: int) -> None:
        self.attributes = attributes
        self.depth = depth
        self.children: list[tuple[str, dict[str, str], StoryExcerpt]] = []

    @property
    def verdicts(self) -> set[str]:
        return {tag for tag, _, _ in self.children if tag not in _OUTPUT}

    def reported(self, test: str) -> ReportedTest:
        outcome = self._outcome()
        return ReportedTest(test, outcome, parse_seconds(self.attributes.get("time", "")), self._story(outcome.is_bad))

    def _outcome(self) -> Outcome:
        is_bad = not self.verdicts.isdisjoint(_BAD)
        kinds = {attributes.get("type", "").lower() for tag, attributes, _ in self.children if tag in _LEFT_OUT}
        if _REPORTED_WITH_FAILURE in kinds:
            return Outcome.XFAILED if is_bad else Outcome.XPASSED
        if is_bad:
            return Outcome.FAILED
        if self.verdicts:
            return Outcome.SKIPPED if kinds.isdisjoint(_EXPECTED_TO_FAIL) else Outcome.XFAILED
        status = self.attributes.get("status", "").lower()
        if status in _BAD_STATUSES:
            return Outcome.FAILED
        return Outcome.SKIPPED if status in _LEFT_OUT_STATUSES else Outcome.PASSED

    def _story(self, with_output: bool) -> str:
        story: list[str] = []
        output: list[str] = []
        for tag, attributes, text in self.children:
            words = text.text().strip()
            if tag in _OUTPUT:
                output += [f"--- {tag} ---\n{words}"] if words else []
                continue
            headings = [attributes.get("message", ""), attributes.get("type", "") if tag in _BAD else ""]
            # Many tools say the message again in the text.
            story += [heading[:STORY_LIMIT] for heading in headings if heading[:STORY_LIMIT] not in words]
            story.append(words)
        return excerpt(*story, *(output if with_output else ()))


class _Document:
    """Handlers for a parser. Raise ReadingStops where the document is no JUnit document."""

    def __init__(self, template: IdTemplate) -> None:
        self.reported = ReportedTests()
        self._template = template
        self._depth = 0
        self._suites: list[str] = []
        self._case: _Case | None = None
        self._text: StoryExcerpt | None = None
        self._last_was_failure = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        tag = tag.rpartition(":")[2]
        if self._depth > _DEEPEST:
            raise ResultsRefused(
                f"the JUnit results nest tags {_DEEPEST} deep",
                hint="check what has written the file",
                slug="results-rejected",
            )
        if self._depth == 1 and tag not in _SUITES:
            raise ReadingStops(f"the results are no JUnit document: they begin with <{tag[:40]}>")
        case = self._case
        if case is None:
            if tag == "testcase":
                self._case = _Case(attributes, self._depth)
            else:
                self._suites.append(attributes.get("name", "") if tag in _SUITES else "")
        elif tag == "testcase":
            raise ReadingStops(f"a <testcase> inside the <testcase> {shown(case.attributes.get('name', ''))}")
        elif self._depth == case.depth + 1 and tag in _WANTED:
            self._text = StoryExcerpt()
            case.children.append((tag, attributes, self._text))

    def end(self, _tag: str) -> None:
        case = self._case
        if case is None:
            self._suites.pop()
        elif self._depth == case.depth:
            self._case = None
            self._report(case)
        elif self._depth == case.depth + 1:
            self._text = None
        self._depth -= 1

    def text(self, text: str) -> None:
        if self._text is not None:
            self._text.add(text)

    def _report(self, case: _Case) -> None:
        suite = " > ".join(filter(None, self._suites)) if self._template.wants_suite else ""
        found = case.reported(self._template.fill({**case.attributes, "suite": suite}))
        before = self.reported.last if self._last_was_failure else None
        if before is not None and before.test == found.test and case.verdicts == {"error"}:
            # pytest's way to say that a test failed and then its teardown too. It is one test, and it failed.
            seconds = before.seconds + found.seconds
            story = excerpt(before.story, found.story)
            self.reported.replace_last(ReportedTest(found.test, found.outcome, seconds, story))
            self._last_was_failure = False
            return
        self.reported.add(found)
        self._last_was_failure = case.verdicts == {"failure"}


_PIECE = 1024 * 1024
_LONGEST_TAG = 16 * _PIECE
"""A parser looks again at a tag that is not yet whole: only a limit keeps that linear."""


def read_junit(data: bytes, template: str) -> Reading:
    """The cases in the document's sequence; `template` makes their ids, see IdTemplate.

    Guarantee: a case counts only when its end was seen, so a document that breaks off reports fewer tests, never other
    outcomes. Raises ResultsRefused for the whole document, for a document type or entity declaration (nothing needs
    them; they can make a small file endless), a tag of 16 MB, a million cases or absurd depth.
    Raises UsageError for a template that nothing can fill. Cost: linear, and memory for the results only.
    """
    document = _Document(IdTemplate(template))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = document.start
    parser.EndElementHandler = document.end
    parser.CharacterDataHandler = document.text
    parser.StartDoctypeDeclHandler = _refuse_declaration
    parser.EntityDeclHandler = _refuse_declaration
    try:
        _feed(parser, data)
    except ReadingStops as stop:
        return document.reported.broken(f"line {parser.CurrentLineNumber}: {stop}")
    except expat.ExpatError as error:
        return document.reported.broken(_why(error, data))
    except (ValueError, LookupError) as error:
        # What Python says to an encoding that it does not have, or that an XML parser cannot use.
        return document.reported.broken(f"the JUnit results are in an encoding that cannot be read: {error}")
    return document.reported.whole()


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
        hint="check what has written the file: it is refused because such files can be made to do harm",
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
