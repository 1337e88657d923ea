"""What holds for every draft that is kept, on every simulated application."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from web.generate.sites import sites
from web.suite.drafted import drafted
from web.suite.text_sites import text_sites

from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site
from unknot.web.suite.checks import is_true, was_true
from unknot.web.suite.draft import Draft, replaced
from unknot.web.suite.new_data import NewData
from unknot.web.suite.replay import Replay, ReplayPlace

SITES = st.one_of(sites(), text_sites())
SEEDS = st.integers(0, 1000)


def again(site: type[Site], draft: Draft) -> Replay:
    return ReplayPlace(SimulatedApplication(site), PageReader(KindByTitle())).replay(draft)


@given(SITES, SEEDS)
@settings(max_examples=40)
def test_a_kept_draft_works_again_with_its_data_and_with_others(site: type[Site], seed: int) -> None:
    for draft in drafted(site, seed).drafting.kept:
        renewed, data = NewData(seed + 1).renewed(draft)
        assert set(data) == set(draft.data)
        for each in (draft, renewed):
            done = again(site, each)
            assert done.problem == ""
            assert all(is_true(check, done.before, done.after) for check in each.checks)


@given(SITES, SEEDS)
@settings(max_examples=40)
def test_a_kept_draft_has_checks_that_fail_without_its_last_step(site: type[Site], seed: int) -> None:
    for draft in drafted(site, seed).drafting.kept:
        assert 1 <= len(draft.checks) <= 4
        without = again(site, replace(draft, steps=draft.steps[:-1]))
        assert without.worked
        assert not any(was_true(check, without.after) for check in draft.checks)


@given(SITES, SEEDS)
@settings(max_examples=40)
def test_a_kept_draft_is_no_longer_than_the_walk_that_did_it_first(site: type[Site], seed: int) -> None:
    found = drafted(site, seed)
    for draft in found.drafting.kept:
        act = draft.steps[-1]
        lengths = [
            sum(not each.after.refused for each in walk[1 : place + 1])
            for walk in found.walks
            for place, step in enumerate(walk)
            if step.before is not None
            and step.chosen is not None
            and not step.after.refused
            and (step.before.kind, step.chosen.action.key, step.after.kind) == (act.kind, act.action.key, act.leads_to)
        ]
        assert len(draft.steps) <= lengths[0]


@given(SITES, SEEDS)
@settings(max_examples=30)
def test_the_same_seed_gives_the_same_drafts(site: type[Site], seed: int) -> None:
    one, other = (drafted(site, seed).drafting for _ in range(2))
    assert one.in_order() == other.in_order()
    assert (one.dropped, one.replays) == (other.dropped, other.replays)


@given(SITES, SEEDS)
@settings(max_examples=30)
def test_what_one_draft_enters_is_no_part_of_what_another_does(site: type[Site], seed: int) -> None:
    entered = [value for draft in drafted(site, seed).drafting.kept for value in draft.data]
    assert not any(one in other for place, one in enumerate(entered) for other in entered[place + 1 :])


@given(SITES, SEEDS)
@settings(max_examples=30)
def test_what_was_done_is_kept_or_dropped_for_a_reason(site: type[Site], seed: int) -> None:
    found = drafted(site, seed)
    done = {
        (step.before.kind, step.chosen.action.key, step.after.kind)
        for walk in found.walks
        for step in walk
        if step.before is not None and step.chosen is not None and not step.after.refused
    }
    assert len(found.drafting.kept) + found.drafting.dropped.total() == len(done)


@given(st.dictionaries(st.text("ab 1", min_size=1), st.text("xyz", min_size=1), max_size=4), st.text("ab 1"))
def test_other_data_replaces_whole_words_only_and_each_place_once(data: dict[str, str], text: str) -> None:
    after = replaced(text, data)
    assert replaced(after, data) == after or any(value in data for value in data.values())
    for old in data:
        assert replaced(f"x{old}x", {old: "y"}) == f"x{old}x" or not (old[0].isalnum() and old[-1].isalnum())
