"""Options of pytest and its plugins that would change which tests run, in what order, or where."""

from typing import Any

RESULTS = "UNKNOT_ONE_PROCESS_RESULTS"
STARTED = "UNKNOT_ONE_PROCESS_STARTED"
"""In the environment of a run in one process: a file, and when it was started."""

SELECTION: dict[str, object] = {"lf": False}
"""Options that select tests by what an earlier run has left."""

_OTHER_ORDERS: dict[str, object] = {
    # pytest-xdist: we are the distributor
    "numprocesses": None,
    "dist": "no",
    "distload": False,
    "tx": [],
    "looponfail": False,
    # pytest-randomly and pytest-random-order: the reference order is the suite's own
    "randomly_reorganize": False,
    "random_order": False,
    "random_order_bucket": "none",
}

_OVERRIDES: dict[str, object] = {
    **_OTHER_ORDERS,
    # pytest itself
    "maxfail": 0,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "stepwise_skip": False,
    "usepdb": False,
    "trace": False,
    "xmlpath": None,
    "pastebin": None,
    # pytest-split, pytest-order and pytest-find-dependencies
    "splits": None,
    "group": None,
    "find_dependencies": False,
    # pytest-testmon leaves out what it has seen pass
    "testmon": False,
    "no-testmon": True,
    # pytest-rerunfailures hides what we look for
    "reruns": 0,
}

_UNMEASURED: dict[str, object] = {"no_cov": True}
"""pytest-cov: measuring every forked child would cost more than the tests."""

_RANDOMLY_SEED = 1


def neutralise(config: Any, *, selects: bool = False, measures: bool = False) -> None:
    """Sets what is there; an option of a plugin that is not installed is left alone. `selects` leaves `--lf` alone,
    `measures` the options of pytest-cov."""
    _override(config, {**_OVERRIDES, **({} if selects else SELECTION), **({} if measures else _UNMEASURED)})
    # Each start would draw its own seed and so answer the same request differently.
    if getattr(config.option, "randomly_seed", None) in ("default", "last"):
        config.option.randomly_seed = _RANDOMLY_SEED


def keep_order(config: Any) -> None:
    """Leaves the suite in its own order, in one process."""
    _override(config, _OTHER_ORDERS)


def _override(config: Any, values: dict[str, object]) -> None:
    for name, value in values.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)


def same_by_hand(option: Any) -> list[str]:
    """The words that make a plain pytest, started by hand with node ids, do as `neutralise` makes this one do.
    To be called before it. There are none against `--lf` and its like."""
    words: list[str] = []
    if getattr(option, "maxfail", 0):
        words.append("--maxfail=0")
    if getattr(option, "numprocesses", None):
        words.append("-n0")
    if getattr(option, "cov_source", None) and not getattr(option, "no_cov", True):
        words.append("--no-cov")
    if getattr(option, "randomly_reorganize", False):
        words.append("--randomly-dont-reorganize")
    if getattr(option, "randomly_seed", None) in ("default", "last"):
        words.append(f"--randomly-seed={_RANDOMLY_SEED}")
    if getattr(option, "testmon", False):
        words.append("--no-testmon")
    if getattr(option, "random_order_enabled", False) or _is_chosen(getattr(option, "random_order_bucket", None)):
        words.append("--random-order-bucket=none")
    return words


def _is_chosen(bucket: object) -> bool:
    """pytest-random-order marks its default by a subclass of str."""
    return type(bucket) is str
