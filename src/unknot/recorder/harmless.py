"""Which flows do not matter: the reader would have made by itself what it found, or did not look at it."""

UNKNOWN: object = None
"""A sign that was not taken: the test did not pass alone, or was not run alone. Nothing follows from it."""


def is_harmless(
    *,
    found: object,
    left: object,
    alone: object,
    clean: object = UNKNOWN,
    seen: object = UNKNOWN,
    seen_alone: object = UNKNOWN,
) -> bool:
    """Judges a flow from a writer to a reader by what the location held at different moments, each as a sign
    (a fingerprint by content): what the reader `found` and `left` in the suite; what it leaves when it runs `alone`
    from the `clean` state; and what it had before its eyes when it first looked, in the suite (`seen`) and alone
    (`seen_alone`). A sign that is UNKNOWN is equal to nothing.

    Running the reader alone tries it with another content, the clean one, in place of what the writer left. Two
    observations then mean that it makes no difference to the reader which of the two it meets:

    - *It makes the same itself.* Alone it leaves just what it found in the suite, and in the suite it let that be:
      lazy initialisation, memo tables, registries filled by an import, flags that say "already done". All three must
      agree. A reader that goes on from what it found (a counter, a list to which everyone appends) has left != found;
      one that looks and then resets has, too; one that found more than it makes has alone != found.
    - *It overwrites before it looks.* Whatever was there, what it first sees is the same: a set-up that assigns or
      clears, and a test that then uses what it has assigned.

    If the writer had only put the location back as it was in the clean state, the reader has been tried with one
    content only, and nothing follows: without this writer it may meet what an earlier one left. Where the clean
    state is UNKNOWN that case is not told apart.

    Assumes that the reader is a function of what it reads: one that draws random numbers or asks the time shows
    different signs, and is not harmless. Says nothing of other contents that the location might have, left by writers
    that have not run before this reader.
    """
    if UNKNOWN in (found, left, alone) or found == clean:
        return False
    makes_it_itself = found == left == alone
    overwrites_first = clean is not UNKNOWN and seen is not UNKNOWN and seen == seen_alone
    return makes_it_itself or overwrites_first
