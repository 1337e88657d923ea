"""The drawing: every slot is in it, where and as long as it should be, and nothing in an id can change that."""

import re

import pytest
from html_page import Page
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.model.plan import Timeline, TimelineItem
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.plan.gantt import ticks, to_gantt

LEFT, PLOT = 150.0, 1080.0
Box = tuple[str, float, float, float]


def lane(*slots: tuple[str, float], order: int = 0) -> tuple[TimelineItem, ...]:
    """Tests and their seconds, one after another."""
    clock, found = 0.0, []
    for test, seconds in slots:
        found.append(TimelineItem(TestId(test), order, clock, clock + seconds))
        clock += seconds
    return tuple(found)


def boxes(drawn: str) -> list[Box]:
    """Class, x, y and width of each box of a slot or of several."""
    found = re.findall(
        r'<g class="(slot[^"]*)"><title>[^<]*</title><rect x="([\d.]+)" y="(\d+)" width="([\d.]+)"', drawn
    )
    return [(look, float(x), float(y), float(width)) for look, x, y, width in found]


def drawn_together(title: str) -> int:
    """How many slots the box with this title stands for."""
    found = re.match(r"([\d,]+) tests, ", title)
    return int(found[1].replace(",", "")) if found else 1


def titles(drawn: str) -> list[str]:
    return re.findall(r'<g class="slot[^"]*"><title>([^<]*)</title>', drawn)


def test_boxes_are_where_and_as_long_as_the_tests_run() -> None:
    first, second, third = boxes(to_gantt((lane(("a", 1.0), ("b", 3.0)), lane(("c", 2.0))), "lanes"))
    assert first == ("slot", LEFT, first[2], PLOT / 4 - 1)
    assert second == ("slot", LEFT + PLOT / 4, first[2], PLOT * 3 / 4 - 1)
    assert third[:2] == ("slot", LEFT)
    assert third[3] == PLOT / 2 - 1
    assert third[2] > first[2]


def test_two_drawings_can_share_a_scale() -> None:
    (box,) = boxes(to_gantt((lane(("a", 1.0)),), "lanes", until=4.0))
    assert box[3] == PLOT / 4 - 1


def test_there_is_nothing_to_draw_without_lanes() -> None:
    assert to_gantt((), "lanes") == ""


def test_a_repeated_run_is_marked_and_named() -> None:
    drawn = to_gantt((lane(("a", 1.0), ("b", 1.0)), lane(("a", 1.0), ("c", 1.0))), "lanes")
    assert [look for look, *_ in boxes(drawn)] == ["slot", "slot", "slot again", "slot"]
    assert "a (repeated run)\n1.00 s, from 0 s to 1.00 s" in titles(drawn)


def test_a_bad_outcome_is_marked_and_named() -> None:
    slots = (
        TimelineItem(TestId("a"), 0, 0.0, 1.0, Outcome.FAILED),
        TimelineItem(TestId("b"), 0, 1.0, 2.0, Outcome.PASSED),
    )
    drawn = to_gantt((slots,), "lanes")
    assert [look for look, *_ in boxes(drawn)] == ["slot bad", "slot"]
    assert titles(drawn)[0].endswith(", failed")


def test_the_lane_that_ends_last_is_named() -> None:
    drawn = to_gantt((lane(("a", 1.0)), lane(("b", 2.0))), "lanes")
    assert '<g class="lane"><title>lane 1: 1 test, 1.00 s</title>' in drawn
    assert '<g class="lane longest"><title>lane 2: 1 test, 2.00 s, ends last</title>' in drawn
    assert "▸ 2 · 2.00 s" in drawn


def test_the_bound_is_a_line_where_it_lies() -> None:
    drawn = to_gantt((lane(("a", 4.0)),), "lanes", bound=1.0)
    assert f'<line x1="{LEFT + PLOT / 4:.1f}"' in drawn
    assert "no plan ends before 1.00 s</text>" in drawn


def test_a_label_is_shortened_to_the_room_there_is() -> None:
    name = "tests/test_a.py::test_a_name_of_some_length"
    drawn = to_gantt((lane((name, 1.0), ("rest", 1.0)), lane((f"{name}2", 1.0), ("more", 9.0))), "lanes")
    texts = Page(drawn).texts
    assert "a_name_of_som…" in texts
    drawn = to_gantt((lane((name, 1.0)),), "lanes")
    assert "test_a_name_of_some_length" in Page(drawn).texts


def test_what_is_too_narrow_is_drawn_together_and_counted() -> None:
    slots = lane(*((f"t{number}", 0.001) for number in range(3000)), ("long", 30.0))
    drawn = to_gantt((slots,), "lanes")
    found = titles(drawn)
    assert len(found) < 20
    assert found[-1].startswith("long\n")
    assert sum(map(drawn_together, found[:-1])) == 3000
    assert found[0].startswith("305 tests, t0 to t304\n")


def test_boxes_that_look_different_are_not_merged() -> None:
    many = [(f"t{number}", 0.001) for number in range(6)]
    drawn = to_gantt((lane(("long", 30.0)), lane(*many), lane(*many[:3])), "lanes")
    assert [look for look, *_ in boxes(drawn)] == ["slot", "slot", "slot again"]


def test_orders_are_not_drawn_together() -> None:
    slots = (*lane(("a", 0.001)), *lane(("b", 0.001), order=1), TimelineItem(TestId("c"), 1, 1.0, 9.0))
    assert len(boxes(to_gantt((slots,), "lanes"))) == 3


def test_tests_that_take_no_time_are_seen() -> None:
    found = boxes(to_gantt((lane(("a", 0.0), ("b", 0.0)),), "lanes"))
    assert len(found) == 1
    assert found[0][3] > 0


def test_hostile_ids_are_text(nasty: Order) -> None:
    drawn = to_gantt((lane(*((test, 1.0) for test in nasty)),), "<script>alert(1)</script>")
    page = Page(drawn)
    assert set(page.tags) == {"svg", "g", "title", "rect", "text", "line"}
    titles = [text.split("\n")[0] for text in page.texts]
    assert all(shown(test) in titles for test in nasty)


seconds = st.sampled_from((0.0, 0.0001, 0.001, 0.01, 0.5, 7.0))
timelines = st.lists(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), seconds), max_size=40).map(lambda slots: lane(*slots)),
    min_size=1,
    max_size=5,
).map(tuple)


@settings(deadline=None, max_examples=60)
@given(timeline=timelines)
def test_every_slot_is_in_one_box_and_no_box_is_out_of_the_plot(timeline: Timeline) -> None:
    drawn = to_gantt(timeline, "lanes")
    Page(drawn)
    assert sum(map(drawn_together, titles(drawn))) == sum(map(len, timeline))
    rows: dict[float, float] = {}
    for _, x, y, width in boxes(drawn):
        assert x >= max(LEFT, rows.get(y, 0.0)) - 0.02
        # A box that takes no time is still seen, and may stand a little beyond its end.
        rows[y] = x + width - 0.6
    assert all(end <= LEFT + PLOT + 0.02 for end in rows.values())


@settings(deadline=None, max_examples=100)
@given(until=st.floats(0, 1e9))
def test_ticks_are_few_even_and_inside(until: float) -> None:
    moments = [moment for moment, _ in ticks(until)]
    assert moments[0] == 0.0
    assert len(moments) <= 13
    assert moments[-1] <= until * (1 + 1e-9)
    if until > 1e-6:
        step = moments[1]
        assert len(moments) >= 5
        assert all(moment == pytest.approx(number * step) for number, moment in enumerate(moments))
        assert moments[-1] + step > until * (1 - 1e-9)
