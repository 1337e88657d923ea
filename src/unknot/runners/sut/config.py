"""`[tool.unknot.instance]`: what the user wrote, checked."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import replace

from unknot.runners.config_table import ConfigTable
from unknot.runners.sut.placeholders import escaped, filled, names_in
from unknot.runners.sut.ready import PORT, check_page, is_page
from unknot.runners.sut.resets.kinds import check_reset
from unknot.runners.sut.spec import InstanceSpec, ResetSpec


def compose_spec(file: str, project: str, spec: InstanceSpec) -> InstanceSpec:
    """`spec` with the commands that bring the project `file` up and take it down with its volumes. `project`
    distinguishes the user's projects, such as the path of the configuration: engines are shared by all of a machine.

    Containers do not descend from the command that starts them, so no reaper can end them when a worker is killed:
    the next instance with the same number removes them before it starts. Ports and the directory reach the file as
    `${UNKNOT_PORT_0}`, `${UNKNOT_DIR}`, ….
    """
    digest = hashlib.sha256(f"{os.getuid()}:{project}".encode()).hexdigest()[:10]
    compose = ("docker", "compose", "-p", f"unknot-{{worker}}-{digest}", "-f", escaped(file))
    down = (*compose, "down", "--volumes", "--remove-orphans", "--timeout", "5")
    return replace(spec, start=(*compose, "up", "--detach", "--wait"), daemon=True, stop=down, prepare=down)


_KEYS = (
    "start",
    "daemon",
    "stop",
    "prepare",
    "ready",
    "ready-seconds",
    "ports",
    "env",
    "reset",
    "files",
    "coverage",
    "compose",
)
_COMPOSE_MAKES = ("start", "daemon", "stop", "prepare")
_MOST_PORTS = 100


def instance_spec(table: Mapping[str, object], where: str) -> InstanceSpec:
    """`where` names the file and the table, for errors. Raises UsageError for whatever cannot be meant. Reads no file
    and starts nothing."""
    written = ConfigTable(table, where)
    written.check_keys(_KEYS)
    spec = InstanceSpec(
        start=written.words("start"),
        daemon=written.flag("daemon"),
        stop=written.words("stop"),
        prepare=written.words("prepare"),
        ready=written.words("ready"),
        ready_seconds=written.seconds("ready-seconds", InstanceSpec.ready_seconds),
        ports=written.whole_number("ports", most=_MOST_PORTS),
        environment=written.environment("env"),
        reset=_reset(written),
        files=written.texts("files"),
        coverage=written.texts("coverage"),
    )
    if "compose" in written:
        for key in _COMPOSE_MAKES:
            if key in written:
                raise written.wrong(key, "cannot be given together with `compose`, which makes it", "leave one out")
        spec = compose_spec(written.text("compose"), where, spec)
    _check_agreement(spec, written)
    _check_placeholders(spec, written)
    return spec


def _reset(table: ConfigTable) -> ResetSpec:
    value = table.value("reset", ResetSpec.kind)
    given = {"kind": value} if isinstance(value, str) else value
    if not isinstance(given, dict) or not isinstance(given.get("kind"), str):
        raise table.wrong(
            "reset", f"must be a kind, or a table with `kind`, not {value!r}", 'for example `reset = "restart"`'
        )
    options = [(name, _reset_option(table, f"reset.{name}", each)) for name, each in given.items() if name != "kind"]
    spec = ResetSpec(str(given["kind"]), tuple(options))
    check_reset(spec, table.name("reset"))
    return spec


def _reset_option(table: ConfigTable, key: str, value: object) -> str | tuple[str, ...]:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise table.wrong(key, f"must be text, a number, true, false or a list of texts, not {value!r}")


def _check_agreement(spec: InstanceSpec, written: ConfigTable) -> None:
    """Between one key and another."""
    for key, value in (("stop", spec.stop), ("daemon", spec.daemon)):
        if value and not spec.start:
            raise written.wrong(key, "means nothing without `start`", "say how the system is started")
    if spec.ready == (PORT,) and not spec.ports:
        raise written.wrong("ready", f'is "{PORT}", but the instance has no ports', "add `ports = 1`")


def _check_placeholders(spec: InstanceSpec, written: ConfigTable) -> None:
    values = {"dir": "/dir", "worker": "0", **{f"port{index}": "20000" for index in range(spec.ports)}}
    for key, texts in spec.texts():
        for name in (name for text in texts for name in names_in(text) if name not in values):
            known = ", ".join(f"{{{each}}}" for each in values)
            more = "" if spec.ports else " (ports come with `ports = 1`)"
            raise written.wrong(
                key,
                f"has a placeholder that means nothing here: {{{name}}}",
                f"there are {known}{more}; write {{{{ and }}}} for braces around a name",
            )
    if is_page(spec.ready):
        check_page(filled(spec.ready[0], values), written.name("ready"))
