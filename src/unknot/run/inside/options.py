"""Options of pytest and its plugins that would change which tests run, in what order, or where."""

from typing import Any

_OVERRIDES: dict[str, object] = {
    # pytest itself
    "maxfail": 0,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "stepwise_skip": False,
    "usepdb": False,
    "xmlpath": None,
    "pastebin": None,
    # pytest-xdist: we are the distributor
    "numprocesses": None,
    "dist": "no",
    "distload": False,
    "tx": [],
    "looponfail": False,
    # pytest-cov: measuring every forked child would cost more than the tests
    "no_cov": True,
    # pytest-randomly and pytest-random-order: the reference order is the suite's own
    "randomly_reorganize": False,
    "random_order": False,
    "random_order_bucket": "none",
    # pytest-split, pytest-order and pytest-find-dependencies
    "splits": None,
    "group": None,
    "find_dependencies": False,
    # pytest-rerunfailures hides what we look for
    "reruns": 0,
}

_RANDOMLY_SEED = 1


def neutralise(config: Any) -> None:
    """Sets what is there; an option of a plugin that is not installed is left alone."""
    for name, value in _OVERRIDES.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)
    # Each start would draw its own seed and so answer the same question differently.
    if getattr(config.option, "randomly_seed", None) == "default":
        config.option.randomly_seed = _RANDOMLY_SEED
