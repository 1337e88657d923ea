"""The bytes of a run."""

import zlib
from contextlib import suppress

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import TestId
from unknot.store.journal.blob import OUTCOME_CODES, DamagedBlob, decode_run, encode_run

ORDER = (TestId("a"), TestId("b"))
RUN = Run(
    OrderRequest(ORDER), (Result(Outcome.PASSED, 0.25), Result(Outcome.FAILED, 1.5, "why")), executed=2, seconds=2.0
)


def test_every_outcome_has_a_code_of_its_own() -> None:
    assert set(OUTCOME_CODES) == set(Outcome)
    assert len(set(OUTCOME_CODES.values())) == len(Outcome)


def test_bytes_written_by_format_one_are_read_for_ever() -> None:
    written = bytes.fromhex(
        "02000000 01000000 0200000000000000 0000000000000040"  # two results, one story, executed, seconds
        "00 01"  # passed, failed
        "000000000000d03f 000000000000f83f"  # seconds of each
        "01000000 03000000 776879"  # the story of the second
    )
    assert decode_run(OrderRequest(ORDER), zlib.compress(written)) == RUN
    assert zlib.decompress(encode_run(RUN)) == written


def test_a_story_with_halves_of_characters_is_kept() -> None:
    run = Run(OrderRequest(ORDER[:1]), (Result(Outcome.FAILED, 0.0, "\udcff and \ud800\udc00"),), executed=1)
    assert decode_run(run.request, encode_run(run)) == run


@pytest.mark.parametrize("position", range(len(encode_run(RUN))))
def test_a_changed_byte_is_noticed_or_harmless(position: int) -> None:
    blob = bytearray(encode_run(RUN))
    blob[position] ^= 0x55
    with suppress(DamagedBlob):
        assert decode_run(RUN.request, bytes(blob)) == RUN


@pytest.mark.parametrize("length", range(len(encode_run(RUN))))
def test_cut_off_bytes_are_refused(length: int) -> None:
    with pytest.raises(DamagedBlob):
        decode_run(RUN.request, encode_run(RUN)[:length])


def test_an_outcome_that_nobody_knows_is_refused() -> None:
    data = bytearray(zlib.decompress(encode_run(RUN)))
    data[24] = 200
    with pytest.raises(DamagedBlob):
        decode_run(RUN.request, zlib.compress(bytes(data)))


def test_the_run_of_an_order_of_another_length_is_refused() -> None:
    with pytest.raises(DamagedBlob, match="2 results for an order of 1"):
        decode_run(OrderRequest(ORDER[:1]), encode_run(RUN))
