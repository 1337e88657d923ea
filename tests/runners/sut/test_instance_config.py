"""The table that a user writes, with all that can be wrong in it."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.sut.config import instance_spec
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.spec import InstanceSpec, ResetSpec

Open = Callable[..., Instance]
WHERE = "unknot.toml: [instance]"


def read(text: str) -> InstanceSpec:
    return instance_spec(tomllib.loads(text), WHERE)


def test_everything_that_can_be_said() -> None:
    spec = read(
        """
        start = "serve --port {port0} 'two words'"
        stop = ["serve", "--stop"]
        daemon = true
        prepare = "createdb {dir}/data"
        ready = "http://127.0.0.1:{port1}/health?a=b&c=d"
        ready-seconds = 7
        ports = 2
        env = { ADDRESS = "127.0.0.1:{port0}" }
        reset = { kind = "directory", path = "{dir}/data", live = true }
        """
    )
    assert spec == InstanceSpec(
        start=("serve", "--port", "{port0}", "two words"),
        daemon=True,
        stop=("serve", "--stop"),
        prepare=("createdb", "{dir}/data"),
        ready=("http://127.0.0.1:{port1}/health?a=b&c=d",),
        ready_seconds=7.0,
        ports=2,
        environment=(("ADDRESS", "127.0.0.1:{port0}"),),
        reset=ResetSpec("directory", (("path", "{dir}/data"), ("live", "true"))),
    )


def test_nothing_said_is_a_directory_that_is_emptied() -> None:
    assert read("") == InstanceSpec()


def test_a_reset_is_named_or_described() -> None:
    assert read('reset = "directory"').reset == ResetSpec("directory")
    assert read('reset = { kind = "command", run = ["a", "b c"] }').reset.options == (("run", ("a", "b c")),)
    assert read('reset = { kind = "postgresql", port = 5433 }').reset.options == (("port", "5433"),)


def test_braces_can_be_written() -> None:
    words = ("awk", "BEGIN {{print}} {}", '{"a": 1}')
    assert read(f"start = {list(words)}").start == words


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('strat = "x"', "unknown key `strat`; did you mean `start`"),
        ("ready_seconds = 3", "unknown key `ready_seconds`; did you mean `ready-seconds`"),
        ("zzz = 1", "unknown key `zzz`$"),
        ("start = 3", "`start` must be a command"),
        ('start = ["a", 3]', "`start` must be a command"),
        ('start = ""', "`start` is an empty command"),
        ("start = []", "`start` is an empty command"),
        ('start = [""]', "`start` is an empty command"),
        ('start = "it\'s"', "`start` cannot be split into words: No closing quotation"),
        ('start = ["a", "b\\u0000"]', "`start` has a NUL"),
        ('daemon = "yes"', "`daemon` must be true or false"),
        ("daemon = true", "`daemon` means nothing without `start`"),
        ('stop = "x"', "`stop` means nothing without `start`"),
        ("ports = true", "`ports` must be a whole number"),
        ("ports = -1", "`ports` must be a whole number"),
        ("ports = 1.0", "`ports` must be a whole number"),
        ("ports = 100000", "`ports` must be a whole number from 0 to 100"),
        ("ready-seconds = 0", "`ready-seconds` must be a number of seconds above 0"),
        ("ready-seconds = nan", "`ready-seconds` must be a number of seconds"),
        ("ready-seconds = inf", "`ready-seconds` must be a number of seconds"),
        ('ready-seconds = "5"', "`ready-seconds` must be a number of seconds"),
        ('ready = "port"', '`ready` is "port", but the instance has no ports'),
        ('ready = "http://example.org/"', "`ready` must be a page of this machine, not of example.org"),
        ('ready = "https://127.0.0.1/"', "`ready` must begin with http://"),
        ('ready = "http://127.0.0.1:{port0}0/"\nports = 1', "`ready` is not a web address"),
        ('start = "x {port0}"', r"`start` has a placeholder that means nothing here: \{port0\}"),
        ('ports = 1\nprepare = "x {port1}"', r"`prepare` has a placeholder that means nothing here: \{port1\}"),
        ('start = "sh -c ${HOME}"', r"`start` has a placeholder that means nothing here: \{HOME\}"),
        ('env = { A = "{tests}" }', r"`env.A` has a placeholder that means nothing here: \{tests\}"),
        ('reset = { kind = "command", run = "x {prot0}" }', r"`reset.run` has a placeholder .* here: \{prot0\}"),
        ('env = "A=1"', "`env` must be a table of variables"),
        ("env = { A = 1 }", "`env.A` must be text, not 1"),
        ('env = { "A=B" = "1" }', "`env.A=B` is not a name"),
        ('env = { "" = "1" }', "is not a name"),
        ('env = { TMPDIR = "/x" }', "`env.TMPDIR` is set by unknot"),
        ('env = { UNKNOT_DIR = "/x" }', "`env.UNKNOT_DIR` is set by unknot"),
        ("reset = 3", "`reset` must be a kind"),
        ('reset = { run = "x" }', "`reset` must be a kind"),
        ('reset = "restrat"', "`reset`: unknown reset 'restrat'; did you mean 'restart'"),
        ('reset = { kind = "command", rnu = "x" }', "`reset`: reset 'command' has no option 'rnu'; did you mean 'run'"),
        ('reset = "command"', "`reset`: reset 'command' needs the option 'run'"),
        ('reset = { kind = "command", run = [1] }', "`reset.run` must be text"),
        ('compose = "c.yaml"\nstart = "x"', "`start` cannot be given together with `compose`"),
        ("compose = 1", "`compose` must be text"),
        ('compose = ""', "`compose` must be text"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        read(text)
    assert caught.value.message.startswith(WHERE)
    assert "\n" not in caught.value.message


def test_compose_makes_the_commands() -> None:
    spec = read('compose = "deploy/{x}.yaml"\nports = 1\nready = "port"')
    name = spec.start[3]
    assert name.startswith("unknot-{worker}-")
    beginning = ("docker", "compose", "-p", name, "-f", "deploy/{{x}}.yaml")
    assert spec.start == (*beginning, "up", "--detach", "--wait")
    assert spec.stop == (*beginning, "down", "--volumes", "--remove-orphans", "--timeout", "5")
    assert spec.prepare == spec.stop
    assert spec.daemon
    assert spec.ready == ("port",)


def test_projects_of_two_configurations_are_distinguished() -> None:
    names = {instance_spec({"compose": "c.yaml"}, where).start[3] for where in ("a.toml", "b.toml", "a.toml")}
    assert len(names) == 2


def test_compose_starts_a_project_of_this_slot(
    opened: Open, monkeypatch: pytest.MonkeyPatch, work: Path, sandbox: Sandbox
) -> None:
    """No engine is needed for this: a program of that name writes down what it was requested."""
    (work / "docker").write_text('#!/bin/sh\necho "$UNKNOT_PORT_0: $*" >> requested\n')
    (work / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", str(work), prepend=os.pathsep)
    instance = opened(compose="c.yaml", ports=1)
    instance.begin()
    port = instance.variables["UNKNOT_PORT_0"]
    assert instance.is_alive(), "nothing descends from the command, so only a check could tell"
    instance.reset()
    instance.stop()
    requested = (work / "requested").read_text().splitlines()
    beginning = f"{port}: compose -p {instance_spec({'compose': 'c.yaml'}, WHERE).start[3]} -f c.yaml"
    down, up = "down --volumes --remove-orphans --timeout 5", "up --detach --wait"
    sequence = [down, up, down, down, up, down]
    assert requested == [f"{beginning} {words}".replace("{worker}", str(sandbox.number)) for words in sequence]


def test_no_engine_is_a_clear_error(opened: Open, monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    monkeypatch.setenv("PATH", str(sandbox.home))
    with pytest.raises(RunnerError, match="cannot run `docker` for the instance: there is no such program") as caught:
        opened(compose="compose.yaml").begin()
    assert "install it" in caught.value.hint
