"""A run as compact bytes. The order is not among them: the caller knows it already."""

import struct
import zlib

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.store.fingerprint import encoded

# These numbers are on users' disks. A new outcome takes the next number and a new schema version.
OUTCOME_CODES = {
    Outcome.PASSED: 0,
    Outcome.FAILED: 1,
    Outcome.SETUP_ERROR: 2,
    Outcome.TEARDOWN_ERROR: 3,
    Outcome.SKIPPED: 4,
    Outcome.XFAILED: 5,
    Outcome.XPASSED: 6,
    Outcome.TIMED_OUT: 7,
    Outcome.CRASHED: 8,
    Outcome.NOT_RUN: 9,
}
_OUTCOMES = {code: outcome for outcome, code in OUTCOME_CODES.items()}

_HEADER = struct.Struct("<IIqd")  # results, stories, executed, seconds
_STORY = struct.Struct("<II")  # position in the order, length in bytes

# Seconds are noise that no level shrinks further; stories shrink well enough at the fastest.
_COMPRESSION_LEVEL = 1


class DamagedBlob(ValueError):
    """The bytes are not what `encode_run` made for this order."""


def encode_run(run: Run) -> bytes:
    """Loses nothing: seconds are doubles, and every story that is not empty is kept.

    Cost: about nine bytes a test plus its compressed story.
    """
    results = run.results
    stories = [(position, encoded(result.story)) for position, result in enumerate(results) if result.story]
    return zlib.compress(
        b"".join(
            (
                _HEADER.pack(len(results), len(stories), run.executed, run.seconds),
                bytes([OUTCOME_CODES[result.outcome] for result in results]),
                struct.pack(f"<{len(results)}d", *[result.seconds for result in results]),
                *[_STORY.pack(position, len(story)) for position, story in stories],
                *[story for _, story in stories],
            )
        ),
        _COMPRESSION_LEVEL,
    )


def decode_run(request: OrderRequest, blob: bytes) -> Run:
    """The run that `encode_run` was given, provided it was the answer to this request.

    Raises DamagedBlob for other bytes; a flipped bit is seen by the checksum that zlib keeps.
    """
    try:
        return _decoded(request, zlib.decompress(blob))
    except (zlib.error, struct.error, UnicodeDecodeError, KeyError) as error:
        raise DamagedBlob(f"a recorded run cannot be decoded: {error}") from error


def _decoded(request: OrderRequest, data: bytes) -> Run:
    count, story_count, executed, seconds = _HEADER.unpack_from(data)
    if count != len(request.order):
        raise DamagedBlob(f"a recorded run has {count} results for an order of {len(request.order)} tests")
    offset = _HEADER.size
    codes = data[offset : offset + count]
    offset += count
    durations = struct.unpack_from(f"<{count}d", data, offset)
    offset += 8 * count
    texts = _stories(data, offset, story_count)
    results = tuple(
        Result(_OUTCOMES[code], duration, texts.get(position, ""))
        for position, (code, duration) in enumerate(zip(codes, durations, strict=True))
    )
    return Run(request, results, executed, seconds)


def _stories(data: bytes, offset: int, count: int) -> dict[int, str]:
    start = offset + count * _STORY.size
    texts: dict[int, str] = {}
    for number in range(count):
        position, length = _STORY.unpack_from(data, offset + number * _STORY.size)
        texts[position] = data[start : start + length].decode("utf-8", "surrogatepass")
        start += length
    return texts
