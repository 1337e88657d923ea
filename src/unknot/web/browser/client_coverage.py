"""Which JavaScript of an application the pages run, from the browser's own counters."""

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes, urljoin

from playwright.sync_api import Error

from unknot.model.web.code_coverage import CodeSet, Ranges, StepCoverage, merged, ranges_of
from unknot.web.browser.own_code import OwnCode
from unknot.web.browser.source_map import BadSourceMap, MappedScript, content_name

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Frame, Page

Json = Mapping[str, Any]

_DATA = re.compile(r""""(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|\d+""")
"""What may differ from page to page in a script that a server writes into it: strings and numbers.
A quote without an end counts to the end of the line: to look for the end of each again would be quadratic."""

_MOST_INLINE = 500
"""So many different scripts within pages are told apart. An application that writes new code into each page would
have ever more of it otherwise."""

_MOST_NAVIGATIONS = 20
"""The browser keeps the scripts of old documents while it counts, and goes through all of them for each answer: a
fifth of a millisecond for each document, without end. So counting begins again after so many."""

_LARGEST_MAP = 64 * 1024 * 1024


class ClientCoverage:
    """Follows one page at a time; what it knows of scripts stays.

    Guarantee
        What is reported ran. The union of what was taken since `follow` is what has run since then, also where a step
        leaves the page, within one site; except on one page of twenty that follow one another, where only loading is
        measured. A later step may lack code that ran before: the browser reports a function without branches once
        for each document.
    Cost
        One answer of the browser for each step. A map of sources is read once.
    """

    def __init__(self, own: OwnCode) -> None:
        self._own = own
        self._scripts: dict[str, Json] = {}
        """By the browser's id, as it told of them."""
        self._read: dict[tuple[str, str], _Script | None] = {}
        """By path and the browser's digest of the content; the path is empty for scripts within pages."""
        self._inline: set[str] = set()
        self._documents: set[str] = set()
        self._navigations = 0
        self._devtools: CDPSession

    def follow(self, page: "Page", devtools: "CDPSession") -> None:
        """Before the page loads anything."""
        self._devtools = devtools
        self._scripts.clear()
        self._documents.clear()
        self._navigations = 0
        page.on("framenavigated", self._navigated)
        # Unlike a navigation, it is always another document.
        page.on("domcontentloaded", self._loaded)
        devtools.on("Debugger.scriptParsed", self._parsed)
        devtools.send("Debugger.enable", {"maxScriptsCacheSize": 1})
        devtools.send("Debugger.setSkipAllPauses", {"skip": True})
        devtools.send("Profiler.enable")
        self._start()

    def taken(self) -> StepCoverage:
        """What ran since it was taken last."""
        answer = self._devtools.send("Profiler.takePreciseCoverage")
        ran, known = CodeSet(), CodeSet()
        for each in answer["result"]:
            script = self._script(each["scriptId"]) if each["url"] else None
            if script is not None:
                ran = ran.union(script.ran(each["functions"]))
                known = known.union(script.newly_known(each["functions"]))
        if self._navigations >= _MOST_NAVIGATIONS:
            self._devtools.send("Profiler.stopPreciseCoverage")
            self._start()
            # What the browser says of scripts that it has compiled before is no more than which functions ran.
            self._scripts.clear()
            self._navigations = 0
        return StepCoverage(ran, known)

    def _start(self) -> None:
        # With counts, each answer would take yet longer than the last.
        self._devtools.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})

    def _navigated(self, frame: "Frame") -> None:
        self._documents.add(_without_fragment(frame.url))

    def _loaded(self, page: "Page") -> None:  # noqa: ARG002 - there is one
        self._navigations += 1

    def _parsed(self, script: Json) -> None:
        if self._own.path(script["url"]):
            self._scripts[script["scriptId"]] = script

    def _script(self, number: str) -> "_Script | None":
        told = self._scripts.get(number)
        if told is None:
            return None
        is_inline = (
            told["startLine"] > 0 or told["startColumn"] > 0 or _without_fragment(told["url"]) in self._documents
        )
        key = "" if is_inline else self._own.path(told["url"]), told["hash"]
        if key not in self._read:
            self._read[key] = self._inline_script(told) if is_inline else self._file(told)
        return self._read[key]

    def _inline_script(self, told: Json) -> "_Script | None":
        source = self._source(told)
        if source is None:
            return None
        script = _Inline(source)
        if script.name not in self._inline and len(self._inline) >= _MOST_INLINE:
            return None
        self._inline.add(script.name)
        return script

    def _file(self, told: Json) -> "_Script":
        path = self._own.path(told["url"])
        if (address := told.get("sourceMapURL")) and (text := self._source_map(told, address)):
            source = self._source(told)
            try:
                if source is not None:
                    return _Mapped(MappedScript(source, text, self._own.source))
            except BadSourceMap:
                # Then it is what the browser ran that counts.
                pass
        return _Plain(f"{path}#{told['hash'][:12]}", told["length"])

    def _source(self, told: Json) -> str | None:
        try:
            return str(self._devtools.send("Debugger.getScriptSource", {"scriptId": told["scriptId"]})["scriptSource"])
        except Error:
            # Its page is gone.
            return None

    def _source_map(self, told: Json, address: str) -> str | None:
        """Read by the browser, so that it reaches the origins only."""
        if address.startswith("data:"):
            head, _, content = address.partition(",")
            try:
                data = base64.b64decode(content) if head.endswith(";base64") else unquote_to_bytes(content)
            except ValueError:
                return None
            return data.decode("utf-8", "replace")
        try:
            address = urljoin(told["url"], address)
        except ValueError:
            return None
        if not self._own.reaches(address):
            return None
        frame = told.get("executionContextAuxData", {}).get("frameId")
        options = {"disableCache": False, "includeCredentials": True}
        try:
            asked = {"frameId": frame, "url": address, "options": options}
            resource = self._devtools.send("Network.loadNetworkResource", asked)["resource"]
            if not resource["success"] or resource.get("httpStatusCode") != 200 or "stream" not in resource:
                return None
            return self._stream(resource["stream"])
        except Error:
            return None

    def _stream(self, handle: str) -> str | None:
        data = bytearray()
        try:
            while len(data) < _LARGEST_MAP:
                part = self._devtools.send("IO.read", {"handle": handle, "size": 1 << 20})
                data += base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode()
                if part["eof"]:
                    return data.decode("utf-8", "replace")
        finally:
            self._devtools.send("IO.close", {"handle": handle})
        return None


class _Script:
    """How what the browser says of a script becomes code of the application."""

    def __init__(self) -> None:
        self._functions: set[int] = set()
        self._is_new = True

    def ran(self, functions: Iterable[Json]) -> CodeSet:
        counted = [each for each in functions if each["ranges"][0]["count"] and not _is_whole_script(each)]
        return CodeSet(self._bytes(executed(functions)), self._starts(counted))

    def newly_known(self, functions: Iterable[Json]) -> CodeSet:
        """All of it the first time, and the functions that were not known: the browser finds those within others when
        these run."""
        found = [
            each
            for each in functions
            if not _is_whole_script(each) and each["ranges"][0]["startOffset"] not in self._functions
        ]
        self._functions.update(each["ranges"][0]["startOffset"] for each in found)
        known = self._all() if self._is_new else {}
        self._is_new = False
        return CodeSet(known, self._starts(found))

    def _all(self) -> Mapping[str, Ranges]:
        raise NotImplementedError

    def _bytes(self, ranges: Ranges) -> Mapping[str, Ranges]:
        raise NotImplementedError

    def _starts(self, functions: Iterable[Json]) -> Mapping[str, Ranges]:
        raise NotImplementedError


class _Plain(_Script):
    """As the browser ran it."""

    def __init__(self, name: str, length: int) -> None:
        super().__init__()
        self.name = name
        self._length = length

    def _all(self) -> Mapping[str, Ranges]:
        return {self.name: ((0, self._length),)} if self._length else {}

    def _bytes(self, ranges: Ranges) -> Mapping[str, Ranges]:
        moved = merged((self._moved(start), self._moved(end)) for start, end in ranges)
        return {self.name: moved} if moved else {}

    def _starts(self, functions: Iterable[Json]) -> Mapping[str, Ranges]:
        starts = ranges_of(self._moved(each["ranges"][0]["startOffset"]) for each in functions)
        return {self.name: starts} if starts else {}

    def _moved(self, offset: int) -> int:
        return offset


class _Inline(_Plain):
    """A script, or the handler of an event, in a page. Strings and numbers in it are data, and are cut to a character
    each, so that it is the same code on each page."""

    def __init__(self, source: str) -> None:
        self._ends, self._cut = [0], [0]
        pieces, place, cut = [], 0, 0
        for found in _DATA.finditer(source):
            pieces += [source[place : found.start()], "#"]
            cut += found.end() - found.start() - 1
            self._ends.append(found.end())
            self._cut.append(cut)
            place = found.end()
        code = "".join((*pieces, source[place:]))
        super().__init__(content_name("inline", code), len(code))

    def _moved(self, offset: int) -> int:
        place = bisect_right(self._ends, offset) - 1
        return min(offset - self._cut[place], self._length)


class _Mapped(_Script):
    """By the sources that it was made of."""

    def __init__(self, mapped: MappedScript) -> None:
        super().__init__()
        self._mapped = mapped

    def _all(self) -> Mapping[str, Ranges]:
        return self._mapped.known()

    def _bytes(self, ranges: Ranges) -> Mapping[str, Ranges]:
        return self._mapped.original(ranges)

    def _starts(self, functions: Iterable[Json]) -> Mapping[str, Ranges]:
        found: dict[str, list[int]] = {}
        for each in functions:
            if (origin := self._mapped.origin(each["ranges"][0]["startOffset"])) is not None:
                found.setdefault(origin[0], []).append(origin[1])
        return {name: ranges_of(offsets) for name, offsets in found.items()}


def executed(functions: Iterable[Json]) -> Ranges:
    """What ran of a script. The ranges that the browser gives are nested; the innermost decides.

    >>> executed([{"ranges": [{"startOffset": 0, "endOffset": 9, "count": 1}, {"startOffset": 2, "endOffset": 5,
    ...     "count": 0}]}, {"ranges": [{"startOffset": 3, "endOffset": 4, "count": 1}]}])
    ((0, 2), (3, 4), (5, 9))
    """
    given = sorted(
        (
            (each["startOffset"], each["endOffset"], each["count"])
            for function in functions
            for each in function["ranges"]
        ),
        key=lambda each: (each[0], -each[1]),
    )
    result: list[tuple[int, int]] = []
    open_ranges: list[tuple[int, int]] = []
    """Ends and counts of those around the place, outermost first."""
    place = 0

    def go_to(offset: int) -> None:
        nonlocal place
        if open_ranges and open_ranges[-1][1] and offset > place:
            result.append((place, offset))
        place = offset

    for start, end, count in given:
        while open_ranges and open_ranges[-1][0] <= start:
            go_to(open_ranges[-1][0])
            open_ranges.pop()
        go_to(start)
        open_ranges.append((end, count))
    while open_ranges:
        go_to(open_ranges[-1][0])
        open_ranges.pop()
    return merged(result)


def _is_whole_script(function: Json) -> bool:
    return not function["functionName"] and function["ranges"][0]["startOffset"] == 0


def _without_fragment(address: str) -> str:
    return address.partition("#")[0]
