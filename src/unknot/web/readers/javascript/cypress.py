"""Cypress's own ways: chains that start with `cy`, custom commands, fixtures and aliases."""

import posixpath

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import entered, pass_to_library
from unknot.web.readers.javascript.modules import JavaScriptModules

_FIXTURE_HOMES = ("cypress/fixtures", "test/fixtures", "tests/fixtures", "fixtures")


class Cypress:
    """`commands` by name, each with whether it starts from a subject; `aliases` are what `.as()` named."""

    def __init__(self, machine: Machine, modules: JavaScriptModules) -> None:
        self._machine = machine
        self._modules = modules
        self.commands: dict[str, tuple[v.Closure, bool]] = {}
        self.aliases: dict[str, v.Value] = {}

    def add_command(self, how: str, arguments: list[v.Value]) -> None:
        """`Cypress.Commands.add('login', …)`, and `addAll({ login, … })`. Overwritten ones stay what they are."""
        named = arguments[0] if arguments else v.UNKNOWN
        if how == "addAll" and isinstance(arguments[-1], v.Entries):
            for name, value in arguments[-1].entries.items():
                for function in v.functions_in([value]):
                    self.commands[name] = (function, len(arguments) > 1)
        body = next(v.functions_in(arguments), None)
        if how in ("add", "addQuery") and isinstance(named, v.Text) and body is not None:
            options = next((one for one in arguments if isinstance(one, v.Entries)), None)
            self.commands[named.text] = (body, options is not None and "prevSubject" in options.entries)

    def command(self, name: str, arguments: list[v.Value], at: Activation) -> v.Value:
        """One of the project's own; a child command gets its subject first, of which nothing is known."""
        closure, has_subject = self.commands[name]
        given = [v.UNKNOWN, *arguments] if has_subject else arguments
        result = entered(self._machine, closure, v.UNKNOWN, given, at.uncertain)
        return v.LibraryValue("cy") if isinstance(result, v.Unknown) else result

    def link(self, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
        """A link of a chain. Fixtures and aliases are known values, which the next link gets."""
        first = arguments[0] if arguments else v.UNKNOWN
        if name == "fixture" and isinstance(first, v.Text):
            self._machine.trace.uses(first)
            return self._fixture(first.text, at)
        if name == "wrap" and not isinstance(first, v.Unknown | v.LibraryValue):
            return first
        if name == "get" and isinstance(first, v.Text) and first.text.startswith("@"):
            return self.aliases.get(first.text[1:], receiver)
        if name not in KNOWN_COMMANDS:
            self._machine.trace.add_gap(f"{at.file}:{line} calls {name} of Cypress, which is no command that is found")
        pass_to_library(self._machine, arguments)
        return receiver

    def _fixture(self, name: str, at: Activation) -> v.Value:
        ending = "" if posixpath.splitext(name)[1] else ".json"
        above = [posixpath.dirname(at.file)]
        while above[-1]:
            above.append(posixpath.dirname(above[-1]))
        for home in (posixpath.join(base, folder) for base in above for folder in _FIXTURE_HOMES):
            data = self._modules.data(posixpath.join(home, name + ending))
            if not isinstance(data, v.Unknown):
                return data
        return v.LibraryValue("cy")


KNOWN_COMMANDS = v.words(
    "and as blur check children clear clearAllCookies clearAllLocalStorage clearAllSessionStorage clearCookie",
    "clearCookies clearLocalStorage click clock closest contains dblclick debug document each end eq exec filter",
    "find first fixture focus focused get getAllCookies getAllLocalStorage getAllSessionStorage getCookie getCookies",
    "go hash hover intercept invoke its last location log mount next nextAll nextUntil not now on once off origin",
    "parent parents parentsUntil pause press prev prevAll prevUntil prompt readFile reload request rightclick root",
    "route screenshot scrollIntoView scrollTo select selectFile server session setCookie shadow should siblings spread",
    "spy state stub submit task then tick restore title trigger type uncheck url viewport visit wait whitelist window",
    "within wrap writeFile $$",
    # What stubs, spies, promises and jQuery's objects have, which begin with `cy`, too.
    "returns resolves rejects throws callsFake callThrough withArgs onCall onFirstCall catch finally text val attr",
    # Plugins: Testing Library, real events, accessibility, pictures, files, frames, waiting.
    "findByText findAllByText findByRole findAllByRole findByLabelText findAllByLabelText findByPlaceholderText",
    "findAllByPlaceholderText findByTestId findAllByTestId findByTitle findAllByTitle findByAltText findAllByAltText",
    "findByDisplayValue findAllByDisplayValue configureCypressTestingLibrary realClick realHover realPress realType",
    "realTouch realSwipe realMouseDown realMouseUp realMouseMove injectAxe checkA11y configureAxe percySnapshot",
    "matchImageSnapshot compareSnapshot matchImage eyesOpen eyesClose eyesCheckWindow toMatchSnapshot snapshot",
    "attachFile xpath iframe frameLoaded enter waitUntil drag move tab api allure recurse verifyDownload",
)
