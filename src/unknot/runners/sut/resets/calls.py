"""Resets that keep nothing: the system is made from scratch, or put back by a command or a request of the user's."""

import http.client
import urllib.error
import urllib.request

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.ready import check_page, opener
from unknot.runners.sut.resets.programs import run_program
from unknot.runners.sut.resets.protocol import CLEAN, Reset, ResetOptions

_MOST_SECONDS = 120.0
_STORY_BYTES = 2048


class RestartReset(Reset):
    """The instance is stopped, its owner empties its directory, prepares and starts it again, so the clean state is as
    good as the last two. Cost: whatever they take."""

    needs_stop = True

    def put_back(self, name: str) -> None:
        raise AssertionError(f"{name} was not kept: it is made from scratch")


class CommandReset(Reset):
    """`run` must succeed. What it does, and that it is enough, is the user's to know. It knows one state: the clean
    one. Cost: the command."""

    OPTIONS = frozenset({"run"})
    REQUIRED = ("run",)

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:
        self._words = options.words("run")
        self._context = context
        if not self._words:
            raise options.wrong("run", "is an empty command")

    def put_back(self, name: str) -> None:
        assert name == CLEAN, name
        run_program(self._words, self._context, purpose="the reset command")


class HttpReset(Reset):
    """Any status below 300 means that it is done. Only addresses of this machine, never through a proxy, redirects are
    not followed. Knows one state: the clean one. Cost: one request."""

    OPTIONS = frozenset({"url", "method"})
    REQUIRED = ("url",)

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:  # noqa: ARG002 - every kind is made alike
        self._url = options.text("url")
        self._method = options.text("method", "POST").upper()
        if not self._method.isalpha():
            raise options.wrong("method", f"is {self._method!r}, not a method such as POST")
        try:
            check_page(self._url)
        except UsageError as problem:
            raise self._no_address(options) from problem
        if not self._url.isprintable() or " " in self._url:
            raise self._no_address(options)

    def _no_address(self, options: ResetOptions) -> UsageError:
        return options.wrong(
            "url",
            f"is {self._url!r}, which is no http address of this machine",
            hint="for example http://127.0.0.1:{port0}/reset",
        )

    def put_back(self, name: str) -> None:
        assert name == CLEAN, name
        body = b"" if self._method in ("POST", "PUT", "PATCH") else None
        request = urllib.request.Request(self._url, data=body, method=self._method)
        try:
            with opener.open(request, timeout=_MOST_SECONDS) as answer:
                answer.read(_STORY_BYTES)
        except urllib.error.HTTPError as refusal:
            with refusal:
                printed = refusal.read(_STORY_BYTES).decode(errors="replace").strip()
            raise RunnerError(
                f"the reset {self._method} {self._url} was answered by {refusal.code}: {printed or refusal.reason}",
                hint="a reset must answer with a status below 300 when it is done",
                slug="reset-failed",
            ) from refusal
        except (OSError, http.client.HTTPException) as problem:
            raise RunnerError(
                f"the reset {self._method} {self._url} gave no answer: {problem}",
                hint="does the system still run?",
                slug="reset-failed",
            ) from problem
