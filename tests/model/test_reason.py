"""What a lock file keeps of a reason is the same on every machine."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame

LIBRARY = Frame("/usr/lib/python3.12/site-packages/lib/cache.py", 9, "put")
MINE, TEST = Frame("shop/cart.py", 41, "add"), Frame("test_cart.py", 12, "test_add")


def test_a_library_file_keeps_two_parts_of_its_path_and_of_a_stack_the_ends_remain() -> None:
    between = (Frame("shop/models.py", 3, "save"), Frame("shop/orders.py", 7, "order"))
    reason = Reason(ReasonKind.FLOW, written=(LIBRARY, MINE, *between, TEST), read=(MINE,), shown="x" * 500)
    portable = reason.portable()
    assert portable.written == (Frame("/lib/cache.py", 9, "put"), MINE, TEST)
    assert portable.read == (MINE,)
    assert len(portable.shown) == 80


frames = st.builds(
    Frame, st.lists(st.sampled_from(["", "a", "b c", ".."]), max_size=4).map("/".join), st.integers(0, 3), st.just("f")
)


@given(st.lists(frames, max_size=6), st.text(max_size=200))
def test_a_portable_reason_stays_as_it_is(stack: list[Frame], shown: str) -> None:
    reason = Reason(ReasonKind.FLOW, written=tuple(stack), shown=shown).portable()
    assert reason.portable() == reason
