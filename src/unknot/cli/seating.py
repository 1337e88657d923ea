"""How a suite is run on slots, before anything is run; and what goes by it: keys of the journal, printed commands."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from unknot.cli.configuration import Configuration
from unknot.runners.command.project_files import project_files
from unknot.runners.listing import Listing
from unknot.runners.pytest.settings import Settings
from unknot.runners.sut.measure import described
from unknot.runners.sut.spec import InstanceSpec
from unknot.runners.workers.slot import SlotSpec


@dataclass(frozen=True)
class Seating:
    """How the suite is run, before anything is: what opens a slot, and what can be run there."""

    spec: SlotSpec
    listing: Listing
    settings: Settings
    invocation: tuple[str, ...]
    is_warm: bool = False
    put_back_by: str = ""


def on_ground(listing: Listing, options: argparse.Namespace, put_back_by: str) -> Listing:
    """The listing, told apart from one whose tests ran on another system or were put back otherwise. As the user wrote
    it: what is made of that may hold paths of this machine."""
    configuration: Configuration = options.configuration
    system = f"instance {configuration.tables.get('instance')!r}"
    return replace(listing, plugins=(*listing.plugins, system, f"put back by {put_back_by}"))


def with_files(listing: Listing, globs: Sequence[str]) -> Listing:
    """The listing with these files of the project, or all, as files that all tests share."""
    more = project_files(listing.root, globs)
    return replace(listing, modules=tuple(dict.fromkeys((*listing.modules, *more))))


def put_back_by_of(settings: Settings, instance: InstanceSpec | None) -> str:
    ways = ["the working copy"] if settings.workdir == "copy" else []
    if settings.reset:
        ways.append(settings.reset)
    if instance is not None:
        ways.append(described(instance.reset))
    return " and ".join(ways) or "nothing"


def by_hand_of(options: argparse.Namespace) -> tuple[str, ...]:
    """What must be typed before an order's ids to have it run as the detection did."""
    words = ["unknot", "ask"]
    if options.runner != "auto":
        words += ["--runner", options.runner]
    if options.workdir != "auto":
        words += ["--workdir", options.workdir]
    for suite in options.suite:
        words += ["--suite", suite]
    if options.reset:
        words += ["--reset", options.reset]
    return tuple(words)
