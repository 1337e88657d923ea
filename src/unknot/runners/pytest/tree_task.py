"""The orders that one worker is running as one tree, and what has come back of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.runners.dispatch.crash_attribution import may_be_foreign
from unknot.runners.dispatch.prefix_tree import Path, Tree


@dataclass
class TreeTask:
    """Fed with the worker's messages; `finished` returns the orders that are decided. Does no I/O. `killed` has, by
    node, the story of tests whose process was ended by a signal that may have come from outside: they have no
    result."""

    orders: Mapping[int, Path]
    tree: Tree
    results: dict[int, Result] = field(default_factory=dict)
    wrote: set[str] = field(default_factory=set)
    wrote_unknown: bool = False
    marking: set[int] = field(default_factory=set)
    wrote_shared: set[int] = field(default_factory=set)
    kept_by_no_layer: set[int] = field(default_factory=set)
    why_no_layers: str = ""
    split: set[int] = field(default_factory=set)
    killed: dict[int, str] = field(default_factory=dict)
    child: int = 0
    in_flight: int | None = None
    out_of_time: bool = False
    done: bool = False
    _ripe: set[int] = field(default_factory=set)
    _reported: set[int] = field(default_factory=set)
    _credited: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._keys_ending_at: dict[int, list[int]] = {}
        for key, nodes in self.tree.nodes_of.items():
            self._keys_ending_at.setdefault(nodes[-1], []).append(key)

    def key_of(self, node: int) -> int:
        """The first order that the node belongs to."""
        return self._first_keys[node]

    @cached_property
    def _first_keys(self) -> Mapping[int, int]:
        return {node: key for key, nodes in reversed(self.tree.nodes_of.items()) for node in nodes}

    def take(self, message: Mapping[str, Any]) -> None:
        match message["event"]:
            case "child":
                self.child = message["pid"]
            case "start":
                self.in_flight = message["node"]
            case "end":
                branches = self.tree.branches[message["node"]]
                self.in_flight = branches[0] if len(branches) == 1 else None
                self.results[message["node"]] = Result(
                    Outcome(message["outcome"]), message["seconds"], message["story"], message.get("details", "")
                )
                if message["outcome"] == Outcome.CRASHED:
                    self.in_flight = None
                    self._ripen_through(message["node"])
                else:
                    # Looking at every order after every test would be quadratic.
                    self._ripe.update(self._keys_ending_at.get(message["node"], ()))
            case "wrote":
                self.wrote.update(message["paths"])
                self.wrote_unknown |= message["unknown"]
                self.marking.add(self.tree.items[message["node"]])
                if not message["kept"]:
                    self.kept_by_no_layer.add(self.tree.items[message["node"]])
                if message["shared"]:
                    self.wrote_shared.add(self.tree.items[message["node"]])
            case "left":
                if message["nodes"][0] not in self.tree.roots:
                    self._split_off(message["nodes"])
            case "unlayered":
                self.why_no_layers = message["why"]
            case "broke":
                self.break_off(message["why"], by_signal=message["signal"])
            case "done":
                self.done = True

    def break_off(self, why: str, *, by_signal: int = 0) -> None:
        """The process is gone. If a test was under way it is the test's doing, or, by some signals, may be; if not, its
        orders are run again."""
        if self.in_flight is not None:
            if self.out_of_time:
                self._end_at(self.in_flight, Outcome.TIMED_OUT, why)
            elif may_be_foreign(by_signal):
                self.killed[self.in_flight] = why
            else:
                self._end_at(self.in_flight, Outcome.CRASHED, why)
        self.in_flight = None
        self.out_of_time = False
        # A process that died in the middle of a test has not reported what it wrote.
        self.wrote_unknown = True

    def _end_at(self, node: int, outcome: Outcome, why: str) -> None:
        self.results[node] = Result(outcome, 0.0, why)
        self._ripen_through(node)

    def blame_kills(self) -> list[int]:
        """Every test that was killed has crashed: returns these nodes."""
        for node, why in self.killed.items():
            self._end_at(node, Outcome.CRASHED, why)
        return list(self.killed)

    def completed(self) -> int | None:
        """An order that ran to its end, the shortest; None if there is none."""
        whole = [key for key, nodes in self.tree.nodes_of.items() if all(self._is_verdict(node) for node in nodes)]
        return min(whole, key=lambda key: len(self.tree.nodes_of[key]), default=None)

    def _is_verdict(self, node: int) -> bool:
        return node in self.results and self.results[node].outcome.is_verdict

    def unexplained(self) -> list[int]:
        """Orders without results for which nothing but their own tests can be the reason: a test of theirs was killed,
        or the process ended between tests before any order was decided."""
        left = list(self.unfinished())
        if not self.killed:
            return [] if self._reported else left
        return [key for key in left if not self.killed.keys().isdisjoint(self.tree.nodes_of[key])]

    def _ripen_through(self, node: int) -> None:
        self._ripe.update(key for key, nodes in self.tree.nodes_of.items() if node in nodes)

    def _split_off(self, nodes: Sequence[int]) -> None:
        """These branches cannot share their prefix: a sibling left traces on disk."""
        below = set(nodes)
        self.split.update(key for key, path in self.tree.nodes_of.items() if below.intersection(path))

    def finished(self) -> list[tuple[int, tuple[Result, ...], int]]:
        """Orders decided since the last call: key, results, and tests executed that no order reported before."""
        found = []
        for key in sorted(self._ripe - self._reported):
            nodes = self.tree.nodes_of[key]
            if (results := self._results(nodes)) is not None:
                self._reported.add(key)
                new = [node for node in nodes if node in self.results and node not in self._credited]
                self._credited.update(new)
                found.append((key, results, len(new)))
        self._ripe.clear()
        return found

    def unfinished(self) -> dict[int, Path]:
        return {key: path for key, path in self.orders.items() if key not in self._reported}

    def _results(self, nodes: Sequence[int]) -> tuple[Result, ...] | None:
        """None while undecided. After a test that took its process down, nothing else was run."""
        found: list[Result] = []
        for node in nodes:
            result = self.results.get(node)
            if result is None:
                return None
            found.append(result)
            if result.outcome in (Outcome.CRASHED, Outcome.TIMED_OUT):
                return (*found, *(Result(Outcome.NOT_RUN) for _ in nodes[len(found) :]))
        return tuple(found)
