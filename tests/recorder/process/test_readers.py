import asyncio
import decimal
import logging
import os
import random
import sys
import types

import pytest
from process_changes import PROCESS

from unknot.recorder.inside.process.readers import readers, unseen_readers


@pytest.mark.parametrize("name", PROCESS)
def test_every_state_has_readers_or_a_reason(name: str) -> None:
    assert readers(name) or unseen_readers(name)


@pytest.mark.parametrize("name", PROCESS)
def test_what_is_named_is_there(name: str) -> None:
    for holder, attribute in readers(name):
        assert attribute in vars(holder)


def test_the_functions_of_random_are_those_that_draw_from_the_shared_generator() -> None:
    found = readers("random.getstate()")
    assert {(random, "random"), (random, "choice"), (random, "shuffle"), (random, "getrandbits")} <= {*found}
    assert not {"seed", "setstate", "Random", "SystemRandom"} & {attribute for _, attribute in found}


def test_numpys_functions_are_found_once_it_is_imported() -> None:
    numpy_random = pytest.importorskip("numpy.random")
    found = readers("numpy.random.get_state()")
    assert {(numpy_random, "rand"), (numpy_random, "choice"), (numpy_random, "randint")} <= {*found}
    assert not {"seed", "set_state", "default_rng"} & {attribute for _, attribute in found}


def test_names_under_which_a_module_has_imported_them() -> None:
    module = types.ModuleType("shop")
    code = "from os import getcwd as here, chdir\nfrom random import choice\nimport os\nhuge = 28\nother = len"
    exec(code, vars(module))
    assert readers("os.getcwd()", [module, os]) == [(os, "getcwd"), (os, "getcwdb"), (module, "here")]
    assert readers("random.getstate()", [module])[-1] == (module, "choice")


def test_a_value_is_not_searched_under_other_names() -> None:
    module = types.ModuleType("shop")
    vars(module)["offset"] = sys.modules["time"].timezone
    assert all(holder is not module for holder, _ in readers("time.tzname", [module]))


def test_an_attribute_is_its_own_reader() -> None:
    assert readers("sys.excepthook") == [(sys, "excepthook")]
    assert readers("signal.getsignal(SIGUSR1)")[0] == (sys.modules["signal"], "getsignal")


def test_the_unknown_has_no_readers() -> None:
    assert readers("shop.cart.CART") == []
    assert unseen_readers("shop.cart.CART") == ""


def test_reads_that_cannot_be_recorded_are_described() -> None:
    assert "Decimal" in unseen_readers("decimal.getcontext()")
    assert "outside" in unseen_readers("signal.getsignal(SIGUSR1)")
    assert unseen_readers("random.getstate()") == ""


def test_modules_that_were_replaced_by_others_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    class Strange:
        def __getattribute__(self, name: str) -> object:
            raise RuntimeError(name)

    monkeypatch.setitem(sys.modules, "locale", Strange())
    monkeypatch.setattr(random, "choice", Strange())
    assert "localeconv" not in {attribute for _, attribute in readers("locale.setlocale()")}
    assert (random, "choice") not in readers("random.getstate()")


def test_logging_reads_the_levels_above() -> None:
    parent, child = logging.getLogger("uses"), logging.getLogger("uses.below")
    own = logging.getLogger("uses.own")
    own.setLevel(logging.INFO)
    found = readers("logging.getLogger('uses').level")
    assert {(parent, "level"), (parent, "_cache"), (child, "_cache")} == {*found}
    assert (own, "_cache") in readers("logging.root.manager.disable")
    assert readers("logging.getLogger('uses').handlers") == [(parent, "handlers")]
    assert readers("logging.getLogger('unknown').level") == []


def test_libraries_that_are_imported_are_known() -> None:
    assert (decimal, "getcontext") in readers("decimal.getcontext()")
    assert (asyncio, "get_event_loop") in readers("asyncio.get_event_loop()")
