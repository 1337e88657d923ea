"""For all tests.

How long an example of a law takes is never judged. A shell that starts the tests in the background ignores some
signals; the programs that tests interrupt must not inherit that.
"""

import os
import signal

import pytest
from hypothesis import settings

# In CI the same examples each time: a change is judged by what it changes. New ones are drawn everywhere else.
settings.register_profile("patient", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("patient")

for _number, _default in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGQUIT, signal.SIG_DFL),
):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _default)


@pytest.fixture(autouse=True)
def few_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest starts about eight times faster without the plugins that happen to be installed; tests that are about one
    load it by name."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture(autouse=True)
def shared_temporary_directory(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests of suites learn what those did by files that the suites write next to the project. Tests of what happens
    to such files take this back."""
    monkeypatch.setenv("UNKNOT_SHARED", str(tmp_path_factory.getbasetemp()))
