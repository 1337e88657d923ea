"""The planted suites of the conformance checks."""

from functools import partial

from unknot.conformance.planted import Does, PlantedSuite, PlantedTest, Step

_MUCH = 20_000
"""Lines: more than a pipe buffers, and more than a runner should keep in memory for each test."""


def _test(name: str, *steps: Step) -> PlantedTest:
    return PlantedTest(name, steps)


_sets = partial(Step, Does.SETS)
_needs = partial(Step, Does.NEEDS)
_breaks_if = partial(Step, Does.BREAKS_IF)
_clears = partial(Step, Does.CLEARS)

KNOTTED = PlantedSuite(
    (
        _test("opens_account", _sets("account")),
        _test("verifies_account", _needs("account"), _sets("verified")),
        _test("price_in_euros", _breaks_if("rate")),
        _test("shows_banner"),
        _test("rate_of_the_day", _sets("rate")),
        _test("refreshes_rates", _clears("rate")),
        _test("tag_shows_code", _sets("code")),
        _test("codes_are_listed", _sets("code")),
        _test("looks_code_up", _needs("code")),
        _test("opens_cart", _sets("cart")),
        _test("orders_on_credit", _needs("verified"), _needs("cart")),
    )
)
"""Every kind of dependency once; green in reference order."""


def troubled(*, with_skips: bool) -> PlantedSuite:
    """Tests that fail or skip by themselves, and others that depend on what those leave."""
    tests = [
        _test("leaves_ink_and_fails", _sets("ink"), Step(Does.FAILS)),
        _test("fails_always", Step(Does.FAILS)),
        _test("needs_ink", _needs("ink")),
        _test("clean_sheet", _breaks_if("ink")),
        _test("blots_ink", _clears("ink")),
    ]
    if with_skips:
        tests.append(_test("leaves_ink_and_skips", _sets("ink"), Step(Does.SKIPS)))
    return PlantedSuite(tuple(tests))


CRASHING = PlantedSuite(
    (
        _test("leaves_ink", _sets("ink")),
        _test("crashes_with_ink_left", _sets("ink"), Step(Does.CRASHES)),
        _test("clean_sheet", _breaks_if("ink")),
        _test("shows_banner"),
    )
)

HANGING = PlantedSuite(
    (
        _test("shows_banner"),
        _test("hangs_with_ink_left", _sets("ink"), Step(Does.HANGS)),
        _test("clean_sheet", _breaks_if("ink")),
    ),
    timeout=2.0,
)

TALKATIVE = PlantedSuite(
    (
        _test("shows_banner"),
        _test("talks_and_passes", Step(Does.PRINTS, count=_MUCH)),
        _test("talks_and_fails", Step(Does.PRINTS, count=_MUCH), Step(Does.FAILS)),
        _test("shows_footer"),
    )
)

SLEEPING = PlantedSuite(tuple(_test(f"sleeps_{number}", Step(Does.SLEEPS, seconds=0.2)) for number in range(3)))

LEAVING = PlantedSuite(
    (
        _test("leaves_a_process", Step(Does.LEAVES)),
        _test("leaves_another", Step(Does.LEAVES), _sets("ink")),
        _test("clean_sheet", _breaks_if("ink")),
    )
)

HOSTILE_NAMES = (
    "with two  spaces",
    "with 'single' and \"double\" quotes",
    "$(touch stolen)",
    "`touch stolen`",
    "a; touch stolen",
    "a|b&c>stolen",
    "*?[a-z]",
    "../../../stolen",
    "-rf",
    "--help",
    "# no comment",
    "100% {tests} {0} %s",
    "back\\slash\\n",
    "Größe, 寸法, 🪢",
    '<tag attribute="x"> & entity &amp;',
    "long_" + "x" * 300,
)
"""Each may occur in a command line, a file or a document, and must have no effect."""


def hostile(names: tuple[str, ...]) -> PlantedSuite:
    """A chain through all names: each needs what the one before set, so that a lost name makes a test fail."""
    return PlantedSuite(
        tuple(
            _test(name, *([_needs(f"k{number - 1}")] if number else []), _sets(f"k{number}"))
            for number, name in enumerate(names)
        )
    )
