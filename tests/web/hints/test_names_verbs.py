"""The verbs of test names: WordNet's scores, the lexicon, and which of them decides."""

import importlib.util
import json
import zlib
from pathlib import Path

import pytest

from unknot.web.hints.names.lexicon import NEUTRAL, OFTEN_NOUNS, READS, WRITES
from unknot.web.hints.names.verb_kinds import kind_by_similarity, kind_of, verb_similarity
from unknot.web.hints.names.wordnet import verbs, words

SCORES = Path(__file__).parents[2] / "data" / "test-names" / "wu-palmer.json"
PACKER = Path(__file__).parents[3] / "tools" / "pack_wordnet.py"


def test_wu_palmer_scores_are_those_of_nltk() -> None:
    scores = json.loads(SCORES.read_text())
    assert len(scores) == 300
    assert [[one, other, round(verb_similarity(one, other), 6)] for one, other, _ in scores] == scores


def test_a_word_that_is_no_verb_is_near_to_none() -> None:
    assert verb_similarity("login", "read") == 0.0


def test_a_verb_is_nearest_to_itself() -> None:
    assert all(verb_similarity(verb, verb) == 1.0 for verb in ("add", "move", "inhibit", "restrain"))


def test_no_verb_of_the_lexicon_is_in_two_lists() -> None:
    assert len(WRITES | READS | NEUTRAL) == len(WRITES) + len(READS) + len(NEUTRAL)
    assert OFTEN_NOUNS <= WRITES | READS | NEUTRAL


@pytest.mark.parametrize("verb", ["view", "search", "login", "check", "list", "download"])
def test_the_lexicon_has_verbs_that_read(verb: str) -> None:
    assert kind_of(verb) == "read"


@pytest.mark.parametrize("verb", ["add", "remove", "enrol", "assign", "pay", "upload", "subscribe"])
def test_the_lexicon_has_verbs_that_write(verb: str) -> None:
    assert kind_of(verb) == "write"


def test_a_verb_that_the_lexicon_lacks_goes_with_the_nearest_basic_one() -> None:
    assert kind_of("obliterate") == "write"
    assert kind_of("skim") == "read"


def test_a_verb_as_near_to_reading_as_to_writing_is_not_classed() -> None:
    assert kind_of("sneeze") is None


def test_a_verb_near_to_read_but_nearer_to_a_writing_one_is_not_classed() -> None:
    assert verb_similarity("replace", "read") > max(verb_similarity("replace", basic) for basic in ("create", "delete"))
    assert kind_by_similarity("replace") is None


def test_the_packer_writes_what_the_reader_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("pack_wordnet", PACKER)
    assert spec is not None
    assert spec.loader is not None
    packer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(packer)
    for name, text in _LITTLE_WORDNET.items():
        (tmp_path / name).write_text(text)
    packed = {"words.z": packer.packed_words(tmp_path), "verbs.z": packer.packed_verbs(tmp_path)}
    monkeypatch.setattr("pkgutil.get_data", lambda _, file: zlib.compress(packed[file.removeprefix("data/")].encode()))
    little = words.__wrapped__()
    assert little.parts == {"go": "vn", "run": "vn"}
    assert little.irregular == {("ran", "v"): "run"}
    assert verbs.__wrapped__().hypernyms == [(), (0,)]
    assert verbs.__wrapped__().senses == {"go": (0,), "run": (1, 0)}


_LITTLE_WORDNET = {
    "index.noun": "  1 licence\nrun n 1 0 1 0 00000300\ngo n 1 0 1 0 00000400\nrun_up n 1 0 1 0 00000500\n",
    "index.verb": "run v 2 0 2 0 00000200 00000100\ngo v 1 0 1 0 00000100\n",
    "index.adj": "",
    "index.adv": "",
    "data.verb": "  1 licence\n00000100 38 v 02 go 0 run 2 000 01 + 01 00 | move\n"
    "00000200 38 v 01 run 0 001 @ 00000100 v 0000 01 + 01 00 | move fast\n",
    "cntlist.rev": "run%2:38:00:: 1 9\nrun%1:04:00:: 1 3\ngo%2:38:00:: 1 5\n",
    "noun.exc": "",
    "verb.exc": "ran run\n",
}
