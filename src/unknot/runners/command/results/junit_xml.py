"""Reads JUnit XML, in the dialects that tools have made of it."""

from xml.parsers import expat

from unknot.runners.command.results.id_template import IdTemplate
from unknot.runners.command.results.junit_cases import Cases
from unknot.runners.command.results.reported import Reading, ReadingStops, ResultsRefused

MOST_BYTES = 256 * 1024 * 1024
_PIECE = 1024 * 1024
_LONGEST_TAG = 16 * _PIECE
"""A parser looks again at a tag that is not yet whole: only a limit keeps that linear."""


def read_junit(data: bytes, template: str) -> Reading:
    """The cases in the document's sequence; `template` makes their ids, see IdTemplate.

    Guarantee: a case counts only when its end was seen, so a document that breaks off tells fewer tests, never other
    outcomes. Raises ResultsRefused, and believes nothing, for a document type or entity declaration (nothing needs
    them; they can make a small file endless), more than 256 MB, a tag of 16 MB, a million cases or absurd depth.
    Raises UsageError for a template that nothing can fill. Cost: linear, and memory for what is told only.
    """
    if len(data) > MOST_BYTES:
        raise ResultsRefused(
            f"the JUnit results have {len(data):,} bytes, more than {MOST_BYTES:,}",
            hint="let the tests print less, or the reporter leave out what they print",
        )
    cases = Cases(IdTemplate(template))
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
        return cases.tellings.broken(f"line {parser.CurrentLineNumber}: {stop}")
    except expat.ExpatError as error:
        return cases.tellings.broken(_why(error, data))
    except (ValueError, LookupError) as error:
        # What Python says to an encoding that it does not have, or that an XML parser cannot use.
        return cases.tellings.broken(f"the JUnit results are in an encoding that cannot be read: {error}")
    return cases.tellings.whole()


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
            )
    parser.Parse(b"", True)


def _refuse_declaration(name: str, *_: object) -> None:
    raise ResultsRefused(
        f"the JUnit results declare a document type or an entity (`{name[:40]}`), which no results need",
        hint="look at what has written the file: it is refused because such files can be made to do harm",
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
