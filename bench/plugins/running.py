"""Plugins that change how tests are run, chosen, ordered or reported."""

from bench.plugins.subject import Subject

_PLAIN = """
def test_adds():
    assert 1 + 1 == 2


def test_multiplies():
    assert 2 * 3 == 6
"""
_AGAIN = """
import pytest

tries = []


{mark}
def test_passes_when_run_again():
    tries.append(1)
    assert len(tries) == 2
"""
_SLOW = """
import time

import pytest


@pytest.mark.timeout(20)
def test_in_time():
    time.sleep(0.01)
"""
_ORDERED = """
import pytest
import shared


@pytest.mark.order(2)
def test_depends():
    assert shared.ready


@pytest.mark.order(1)
def test_sets_up():
    shared.ready = True


def test_independent():
    assert True
"""
_MARKED = """
import pytest


@pytest.mark.dependency()
def test_root():
    pass


@pytest.mark.dependency(depends=["test_root"])
def test_after_the_root():
    pass
"""
_CHECKS = """
from pytest_check import check


def test_several_checks():
    with check:
        assert 1 == 1
    check.equal(2, 2)
"""
_SUBTESTS = """
def test_parts(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert number < 3
"""
_REPEATED = """
import pytest


@pytest.mark.repeat(3)
def test_three_times():
    assert True
"""
_BENCHMARK = """
def test_speed(benchmark):
    assert benchmark(sum, range(100)) == 4950
"""
_MEMORY = """
import pytest


@pytest.mark.limit_memory("100 MB")
def test_memory():
    assert len(bytearray(1000)) == 1000
"""
_METADATA = """
def test_metadata(metadata):
    assert "Python" in metadata
"""
RUNNING = (
    Subject("pytest-rerunfailures", _AGAIN.format(mark="@pytest.mark.flaky(reruns=2)")),
    Subject("pytest-retry", _AGAIN.format(mark="@pytest.mark.flaky(retries=2)")),
    Subject("flaky", _AGAIN.format(mark="@pytest.mark.flaky(max_runs=2)")),
    Subject("pytest-timeout", _SLOW),
    Subject("pytest-timeout", _SLOW, ini="timeout_method = thread"),
    Subject("pytest-subtests", _SUBTESTS),
    Subject("pytest-xdist", _PLAIN, options="-n 2 --dist loadfile", in_order=("-n0",)),
    Subject("pytest-randomly", _PLAIN, in_order=("--randomly-dont-reorganize",)),
    Subject("pytest-random-order", _PLAIN, options="--random-order", in_order=("--random-order-bucket=none",)),
    Subject("pytest-split", _PLAIN, options="--splits 1 --group 1"),
    Subject("pytest-order", _ORDERED),
    Subject("pytest-dependency", _MARKED),
    Subject("pytest-repeat", _REPEATED),
    Subject("pytest-picked", _PLAIN),
    Subject("pytest-testmon", _PLAIN, options="--testmon"),
    Subject("pytest-check", _CHECKS),
    Subject("pytest-cov", _PLAIN, options="--cov=shared"),
    Subject("pytest-html", _PLAIN, options="--html=report.html", needs=("pytest-metadata",)),
    Subject("pytest-metadata", _METADATA),
    Subject("pytest-sugar", _PLAIN),
    Subject("pytest-instafail", _PLAIN, options="--instafail"),
    Subject("pytest-clarity", _PLAIN),
    Subject("pytest-benchmark", _BENCHMARK),
    Subject("pytest-profiling", _PLAIN, options="--profile"),
    Subject("pytest-memray", _MEMORY, options="--memray"),
)
