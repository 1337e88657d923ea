"""Packs the part of WordNet that test names need into the data files of `unknot.web.hints.names`.

    python tools/pack_wordnet.py /usr/share/wordnet

A developer's script: it is run again only for another WordNet. The directory holds the plain files of WordNet 3.0
(index.*, data.verb, *.exc, cntlist.rev), as Debian's package `wordnet-base` installs them.

words.z   a line for each set of parts of speech (n, v, a, r), the most frequent first, with all single words that
          have it; then, after an empty line, irregular forms, each with its part of speech and what it is a form of
verbs.z   a line for each verb synset: the numbers of its hypernyms; then, after an empty line, a line for each single
          verb with the numbers of its synsets, the most frequent first. Synsets are numbered in the order of their
          names, which decides between equal common hypernyms.
"""

import re
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "src" / "unknot" / "web" / "hints" / "names" / "data"
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_PART_BY_SENSE_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_SINGLE = re.compile("[a-z]{2,}")
_IRREGULAR = ("n", "v")


def main() -> int:
    if len(sys.argv) != 2 or not Path(sys.argv[1], "data.verb").is_file():
        sys.stderr.write("usage: python tools/pack_wordnet.py DIRECTORY (with data.verb, index.noun, ...)\n")
        return 2
    source = Path(sys.argv[1])
    DATA.mkdir(exist_ok=True)
    for name, text in (("words.z", packed_words(source)), ("verbs.z", packed_verbs(source))):
        (DATA / name).write_bytes(zlib.compress(text.encode("ascii"), 9))
    (DATA / "LICENSE-WordNet.txt").write_text(licence(source), encoding="ascii")
    return 0


def packed_words(source: Path) -> str:
    counts = _tag_counts(source)
    parts: dict[str, list[str]] = defaultdict(list)
    for part, file in PARTS.items():
        for lemma in filter(_is_single, _all_lemmas(source, file)):
            parts[lemma].append(part)
    alike: dict[str, list[str]] = defaultdict(list)
    for word in sorted(parts):
        alike["".join(sorted(parts[word], key=lambda part: -counts[word, part]))].append(word)
    lines = [f"{frequent_first} {' '.join(alike[frequent_first])}" for frequent_first in sorted(alike)]
    return "\n".join([*lines, "", *_irregular_forms(source, set(parts))])


def packed_verbs(source: Path) -> str:
    index = _all_lemmas(source, "verb")
    names: dict[int, str] = {}
    hypernyms: dict[int, list[int]] = {}
    for line in _lines(source / "data.verb"):
        fields = line.split(" | ")[0].split()
        offset, lemma = int(fields[0]), fields[4].lower()
        names[offset] = f"{lemma}.v.{index[lemma].index(offset) + 1:02}"
        pointers = fields[5 + 2 * int(fields[3], 16) - 1 :]
        hypernyms[offset] = [int(pointers[at + 1]) for at, mark in enumerate(pointers[:-1]) if mark == "@"]
    number = {offset: place for place, offset in enumerate(sorted(names, key=names.__getitem__))}
    synsets = [_numbers(number, hypernyms[offset]) or "-" for offset in number]
    verbs = [f"{verb} {_numbers(number, index[verb])}" for verb in sorted(filter(_is_single, index))]
    return "\n".join([*synsets, "", *verbs])


def _numbers(number: dict[int, int], offsets: list[int]) -> str:
    return " ".join(str(number[offset]) for offset in offsets)


def licence(source: Path) -> str:
    """Every file of WordNet begins with it, in numbered lines."""
    head = [line for line in (source / "data.verb").read_text("utf-8").splitlines() if line.startswith("  ")]
    return "\n".join(re.sub(r"^\s+\d+ ?", "", line).rstrip() for line in head) + "\n"


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("  ")]


def _is_single(lemma: str) -> bool:
    return _SINGLE.fullmatch(lemma) is not None


def _all_lemmas(source: Path, file: str) -> dict[str, list[int]]:
    """The synsets of each word or phrase, the most frequent first."""
    found = {}
    for line in _lines(source / f"index.{file}"):
        fields = line.split()
        found[fields[0]] = [int(offset) for offset in fields[-int(fields[2]) :]]
    return found


def _tag_counts(source: Path) -> Counter[tuple[str, str]]:
    """How often each word was seen as each part of speech in the texts that WordNet's makers tagged."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in _lines(source / "cntlist.rev"):
        sense, _, count = line.split()
        lemma, _, rest = sense.partition("%")
        counts[lemma, _PART_BY_SENSE_TYPE[rest[0]]] += int(count)
    return counts


def _irregular_forms(source: Path, known: set[str]) -> list[str]:
    lines = []
    for part in _IRREGULAR:
        for line in _lines(source / f"{PARTS[part]}.exc"):
            form, *bases = line.split()
            single = [base for base in bases if base in known]
            if _is_single(form) and single:
                lines.append(f"{form} {part} {single[0]}")
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
