"""An instance that is a Docker Compose project: one project for each slot."""

import hashlib
import os
from dataclasses import replace

from unknot.runners.sut.spec import InstanceSpec


def compose_spec(file: str, project: str, spec: InstanceSpec) -> InstanceSpec:
    """`spec` with the commands that bring the project `file` up and take it down with its volumes. `project` is what
    tells the user's projects apart, such as the path of the configuration: engines are shared by all of a machine.

    Containers do not descend from the command that starts them, so no guard can end them when a worker is killed:
    the next instance with the same number removes them before it starts. Ports and the directory reach the file as
    `${UNKNOT_PORT_0}`, `${UNKNOT_DIR}`, ….
    """
    digest = hashlib.sha256(f"{os.getuid()}:{project}".encode()).hexdigest()[:10]
    as_it_is = file.replace("{", "{{").replace("}", "}}")
    compose = ("docker", "compose", "-p", f"unknot-{{worker}}-{digest}", "-f", as_it_is)
    down = (*compose, "down", "--volumes", "--remove-orphans", "--timeout", "5")
    return replace(spec, start=(*compose, "up", "--detach", "--wait"), daemon=True, stop=down, prepare=down)
