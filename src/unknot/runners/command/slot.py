"""A slot that runs a suite by commands."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from unknot.model.suite import Order
from unknot.runners.command.launcher import LauncherLost
from unknot.runners.command.order_run import OneByOneRun, TogetherRun
from unknot.runners.command.shared_orders import SharedOrders
from unknot.runners.command.spec import CommandSpec
from unknot.runners.command.workspace import CommandWorkspace
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt, OrderRetries
from unknot.runners.dispatch.deadlines import Deadlines
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.parts import can_fork
from unknot.runners.sut.spec import CLEAN_SECONDS, InstanceSpec
from unknot.runners.workers.slot import Answered

_CLEAN_STATE = 0.005
"""Seconds, for predictions only."""


@dataclass(frozen=True)
class CommandSlotSpec:
    """Implements SlotSpec."""

    command: CommandSpec
    instance: InstanceSpec | None
    settings: Settings

    @property
    def can_share(self) -> bool:
        """Only between two processes is there a moment to keep a state, and only an instance can keep one. What a test
        leaves in the working copy is not kept, so there must be one to see whether it left anything."""
        return (
            self.command.one_by_one
            and self.instance is not None
            and can_fork(self.instance)
            and not self.settings.reset
            and self.settings.workdir == "copy"
        )

    @property
    def clean_state(self) -> float:
        return self.command.start_seconds + (_CLEAN_STATE if self.instance is None else CLEAN_SECONDS)

    def open(self, sandbox: Sandbox) -> "CommandSlot":
        return CommandSlot(self, sandbox)


class CommandSlot:
    """Implements WorkerSlot. No result rests on a run that broke off by chance: see OrderRetries."""

    def __init__(self, spec: CommandSlotSpec, sandbox: Sandbox) -> None:
        self._shares = spec.can_share
        self._workspace = CommandWorkspace(spec.command, spec.instance, spec.settings, sandbox)
        kind = OneByOneRun if spec.command.one_by_one else TogetherRun
        self._runs = kind(spec.command, self._workspace, Deadlines(spec.settings.timeout))
        self._retries = OrderRetries(self._attempt)

    def answer(
        self,
        orders: Sequence[Order],
        *,
        shares: bool,
        in_lanes: bool = False,  # noqa: ARG002 - one process for each order, or for each test
    ) -> Generator[Answered | None, None, None]:
        if shares and self._shares and len(orders) > 1 and isinstance(self._runs, OneByOneRun):
            yield from SharedOrders(self._workspace, self._runs, self._answer).answers(orders)
        else:
            for order in orders:
                answered = yield from self._answer(order)
                yield answered

    def renew(self) -> None:
        self._workspace.renew()

    def close(self) -> None:
        self._workspace.close()

    def _answer(self, order: Order) -> Generator[None, None, Answered]:
        if not order:
            return Answered((), 0, 0.0)
        return (yield from self._retries.answer(order))

    def _attempt(self, order: Order, watches_instance: bool) -> OrderAttempt:
        """One run from a clean state. Nothing of it counts if the disk is full or the instance gone."""
        try:
            self._workspace.clean()
            attempt = self._runs.run(order, watches_instance=watches_instance)
        except LauncherLost as problem:
            self._workspace.recover()
            return OrderAttempt(AttemptEnd.GARBLED, story=str(problem), may_be_foreign=True)
        if attempt.end is not AttemptEnd.WHOLE or any(result.outcome.is_bad for result in attempt.results):
            self._workspace.check_room()
        if attempt.end is AttemptEnd.GARBLED or not self._workspace.has_lost_instance():
            return attempt
        if watches_instance and attempt.position is not None:
            return attempt
        return self._workspace.loss((), 0 if len(order) == 1 else None)
