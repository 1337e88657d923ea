"""What is different between two versions of a Python source, in terms of the blocks of one of them."""

from dataclasses import dataclass

from unknot.coverage.blocks import Block, blocks_of


@dataclass(frozen=True)
class SourceChange:
    """`blocks` are those of the measured source that the other one does not have. `whole` says, in words, why nothing
    finer than the whole file can be told; it is empty otherwise."""

    blocks: tuple[Block, ...] = ()
    whole: str = ""

    def __bool__(self) -> bool:
        return bool(self.blocks or self.whole)

    def __or__(self, other: "SourceChange") -> "SourceChange":
        known = {block.number for block in self.blocks}
        added = tuple(block for block in other.blocks if block.number not in known)
        return SourceChange(self.blocks + added, self.whole or other.whole)


NOTHING = SourceChange()


def source_change(measured: str, other: str) -> SourceChange:
    """How `other` differs from the source that was measured. Comments and layout make no difference.

    A block is known by what it says and by its number among the blocks of its file: that is how pytest-testmon knows
    it, and whoever it would run again is to be run here too. What it costs is a few tests too many after a function
    was added inside another.
    """
    if measured == other:
        return NOTHING
    before, after = blocks_of(measured), blocks_of(other)
    if before is None:
        return SourceChange(whole="it could not be parsed when it was recorded")
    if after is None:
        return SourceChange(whole="it cannot be parsed")
    there = {(block.number, block.text) for block in after}
    return SourceChange(tuple(block for block in before if (block.number, block.text) not in there))
