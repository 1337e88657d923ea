"""Values that are typed, as far as they can be known: each snippet is the body of a test."""

from textwrap import indent

import pytest
from web.readers.python_suites.loading import submitted, use, used

_PROLOGUE = """
import os, random, json
from string import Template
from collections import namedtuple
from functools import partial
from dataclasses import dataclass, field, replace, asdict
from enum import Enum, StrEnum
from types import SimpleNamespace
from selenium.webdriver import Keys

USER = {"name": "Ann", "langs": ["it", "en"]}
PLACES = ("Rome", "Oslo")
PREFIX = "pre"

class Role(StrEnum):
    ADMIN = "boss"
    GUEST = "visitor"

@dataclass
class Person:
    name: str
    town: str = "Pisa"
    tags: list = field(default_factory=lambda: ["red"])

Point = namedtuple("Point", "x, y")

def listed(first, *others, sep=", ", **named):
    return sep.join([first, *others, *named.values()])
"""

_SNIPPETS = {
    "a constant": ("fill('plain')", ["plain"]),
    "a module's constant": ("fill(PREFIX)", ["pre"]),
    "an item": ("fill(USER['name']); fill(USER['langs'][-1])", ["Ann", "en"]),
    "an item with a default": ("fill(USER.get('age', '30')); fill(USER.get('name', '30'))", ["30", "Ann"]),
    "an f-string": ("n = 3\nfill(f'{PREFIX}-{n:02d} {USER[\"name\"]!s}')", ["pre-03 Ann"]),
    "percent": ("fill('%s is %d%%' % ('it', 5)); fill('%(a)s!' % {'a': 'x'})", ["it is 5%", "x!"]),
    "format": ("fill('{} and {b} {0}'.format('a', b='c'))", ["a and c a"]),
    "numbered format": ("fill('{}/{}'.format('a', 'b'))", ["a/b"]),
    "percent with widths": (
        "fill('n%.2f' % 2.5); fill('pc-%03d' % 13); fill('w%5s|%-3s|' % ('w03', 'a')); fill('%x %r' % (255, 'z'))",
        ["n2.50", "pc-013", "w  w03|a  |", "ff 'z'"],
    ),
    "percent, unknown formats": ("fill('%*d' % (3, 7)); fill('%d' % 'x'); fill('%-9s.' % random.random())", []),
    "conversions": (
        "fill('q{!r}'.format('z')); fill(f'q{PREFIX!r}'); fill(f'{PREFIX!r:>7}'); fill(f'{random.random()!r}')",
        ["q'z'", "q'pre'", "  'pre'"],
    ),
    "template": (
        "t = Template('$a-${b}$$')\nfill(t.substitute(a='x', b=2)); fill(t.safe_substitute({'a': 'y', 'b': 'z'}))",
        ["x-2$", "y-z$"],
    ),
    "slices": (
        "fill('abcdef'[1:-2]); fill('abc'[::-1]); fill(PREFIX[:2]); fill('abc'[random.random():])",
        ["bcd", "cba", "pr"],
    ),
    "padded": (
        "zeros = '7'.zfill\nfill(zeros(3)); fill('a'.center(3, '*') + 'b'.ljust(2)); fill('a'.rjust(10**9))",
        ["007", "*a*b "],
    ),
    "sum": ("fill('a' + 'b' + str(3))", ["ab3"]),
    "joined": ("fill('-'.join(['x', *PLACES]))", ["x-Rome-Oslo"]),
    "methods": ("fill(' Ab '.strip().upper().replace('B', 'c'))", ["Ac"]),
    "split": ("first, last = 'Ann Lee'.split()\nfill(last)", ["Lee"]),
    "repeated": ("fill('ab' * 3)", ["ababab"]),
    "unpacked": ("(a, b), *rest = ('x1', 'x2'), 'x3'\nfill(b); fill(rest[0])", ["x2", "x3"]),
    "both ways": ("fill('yes' if random.random() else 'no')", ["yes", "no"]),
    "both branches": ("v = 'one'\nif random.random():\n    v = 'two'\nfill(v)", ["two", "one"]),
    "a branch that is never taken": (
        "v = None\nif v is not None:\n    fill('never')\nfill(v or 'default')",
        ["default"],
    ),
    "loop": ("for p in PLACES:\n    fill(p)", ["Rome", "Oslo"]),
    "numbered loop": ("for i, p in enumerate(PLACES, 1):\n    fill(f'{i} {p}')", ["1 Rome", "2 Oslo"]),
    "pairs": ("for a, b in zip(PLACES, 'xy'):\n    fill(a + b)", ["Romex", "Osloy"]),
    "range": ("for i in range(2):\n    fill(f'user{i}')", ["user0", "user1"]),
    "comprehension": ("fill([p.lower() for p in PLACES if p != 'Rome'])", ["oslo"]),
    "grown list": ("them = []\nfor p in PLACES:\n    them.append(p)\nfill(them[1])", ["Oslo"]),
    "changed dict": ("d = dict(USER, name='Eve')\nd['age'] = '7'\nfill(d['name']); fill(d['age'])", ["Eve", "7"]),
    "merged dict": ("fill(({'a': 'x'} | {'a': 'y'})['a'])", ["y"]),
    "enumeration": ("fill(Role.ADMIN); fill(Role.GUEST.value); fill(Role['ADMIN'].name)", ["boss", "visitor", "ADMIN"]),
    "every member": ("for r in Role:\n    fill(r)", ["boss", "visitor"]),
    "record": ("p = Person('Bo')\nfill(p.name + p.town + p.tags[0])", ["BoPisared"]),
    "changed record": ("p = replace(Person('Bo'), town='Bari')\nfill(p.town); fill(asdict(p)['name'])", ["Bari", "Bo"]),
    "named tuple": ("p = Point('1st', y='2nd')\nfill(p.y)\nx, y = p\nfill(x)", ["2nd", "1st"]),
    "namespace": ("fill(SimpleNamespace(who='Al').who)", ["Al"]),
    "environment": ("fill(os.environ.get('NAME', 'fallback'))", ["fallback"]),
    "any of them": ("fill(random.choice(PLACES))", ["Rome", "Oslo"]),
    "all arguments": ("fill(listed('a', 'b', sep='+', last='c'))", ["a+b+c"]),
    "given together": ("a = ['a', 'b']\nfill(listed(*a, **{'sep': '_'}))", ["a_b"]),
    "lambda": ("make = lambda n: f'{n}@x.org'\nfill(make('bob'))", ["bob@x.org"]),
    "walrus": ("if (n := 'named'):\n    fill(n)", ["named"]),
    "attribute by name": ("fill(getattr(Person('Di'), 'name'))", ["Di"]),
    "known in parts": ("fill(f'user-{random.random()}')", ["user-"]),
    "a path": ("fill(os.path.join(os.path.dirname(__file__), 'a.png'))", ["a.png"]),
    "a key": ("send_keys('query' + Keys.ENTER)", ["query"]),
    "a shortcut": ("send_keys(Keys.CONTROL, 'a'); send_keys(Keys.CONTROL + 'v')", []),
    "nothing known": ("fill(random.random())", []),
    "generator": ("def g():\n    yield 'g1'\n    yield 'g2'\nfor x in g():\n    fill(x)", ["g1", "g2"]),
    "match": ("match random.random():\n    case 1:\n        fill('m1')\n    case _:\n        fill('m2')", ["m1", "m2"]),
    "tried": ("try:\n    fill('t1')\nexcept Exception:\n    fill('t2')\nfinally:\n    fill('t3')", ["t1", "t2", "t3"]),
    "searched": ("for p in page.all():\n    if p:\n        break\nelse:\n    raise KeyError\nfill('found')", ["found"]),
    "counted": ("n = 0\nwhile n < 3:\n    fill(f'user{n}')\n    n += 1", ["user0", "user1", "user2"]),
    "counted down": ("n = 2\nwhile n > 0:\n    fill(f'u{n}')\n    n -= 1\nelse:\n    fill('end')", ["u2", "u1", "end"]),
    "while it must": ("n = 0\nwhile n < page.count():\n    fill(f'row {n}')\n    n += 1", ["row 0", "row"]),
    "left at once": ("n = 0\nwhile n < 9:\n    fill('once')\n    break", ["once"]),
    "for ever": ("while True:\n    fill('ever')\n    if page.ok():\n        break", ["ever"]),
    "bound": ("type = partial(page.type, '#f')\ntype('p')\nfill(partial(listed, 'a', sep='-')('b'))", ["p", "a-b"]),
    "while": ("n = 0\nwhile n < 3:\n    fill('w')\n    n += 1", ["w"]),
    "called back": ("page.retry(lambda: fill('later'))", ["later"]),
    "json": ("fill(json.loads('{\"a\": [\"deep\"]}')['a'][0])", ["deep"]),
}


@pytest.mark.parametrize("name", _SNIPPETS)
def test_what_is_typed(name: str) -> None:
    body, values = _SNIPPETS[name]
    body = body.replace("send_keys(", "page.element.send_keys(").replace("fill(", "page.fill('#field', ")
    code = f"{_PROLOGUE}\ndef test_it(page):\n{indent(body, '    ')}\n"

    result = use(code, "test_it.py::test_it")

    assert [mention.text for mention in result.submitted] == values
    assert result.is_known


_CALLS = {
    "page.locator('#x').fill('v')": ["v"],
    "page.fill('#x', 'v', timeout=3)": ["v"],
    "page.fill(selector='#x', value='v')": ["v"],
    "page.get_by_label('x').type('v')": ["v"],
    "page.keyboard.type('v')": ["v"],
    "page.keyboard.insert_text('v')": ["v"],
    "page.locator('#x').press_sequentially('v', delay=5)": ["v"],
    "page.locator('#x').press('a')": [],
    "page.locator('#x').set_checked(True)": [],
    "page.select_option('#x', ['v', 'w'])": ["v", "w"],
    "page.locator('#x').select_option(label='v')": ["v"],
    "page.locator('#x').select_option(index=2)": [],
    "page.locator('#x').set_input_files(['v.png', 'w.png'])": ["v.png", "w.png"],
    "page.set_input_files('#x', {'name': 'v.txt', 'mimeType': 'text/plain', 'buffer': b'x'})": ["v.txt", "text/plain"],
    "page.set_input_files('#x', 'files/v.png')": ["files/v.png", "v.png"],
    "driver.find_element('id', 'x').send_keys('/tmp/v.bin')": ["/tmp/v.bin", "v.bin"],
    "page.fill('#x', '/docs/v.html')": ["/docs/v.html"],
    "page.request.put('/x', form={'name': 'v'})": ["v"],
    "page.on('dialog', lambda dialog: dialog.accept('v'))": ["v"],
    "driver.find_element('id', 'x').send_keys('v')": ["v"],
    "ActionChains(driver).send_keys('v').perform()": ["v"],
    "ActionChains(driver).send_keys_to_element(element, 'v')": ["v"],
    "Select(element).select_by_value('v')": ["v"],
    "driver.execute_script('x', 'v')": [],
    "browser.fill('x', 'v')": ["v"],
    "browser.fill_form({'x': 'v'})": ["v"],
    "browser.choose('x', 'v')": ["v"],
    "write('v', into='x')": ["v"],
    "sb.type('#x', 'v')": ["v"],
    "sb.send_keys('#x', 'v')": ["v"],
    "page.goto('/v')": [],
    "'text'.type('v')": [],
}


@pytest.mark.parametrize("call", _CALLS)
def test_which_calls_submit_what(call: str) -> None:
    code = f"""
from helium import write
from selenium.webdriver import ActionChains
from selenium.webdriver.support.ui import Select

def test_it(page, driver, element, browser, sb):
    {call}
"""
    assert submitted(code, "test_it.py::test_it") == _CALLS[call]


def test_docstrings_names_of_cases_and_modules_that_are_only_imported_are_not_used() -> None:
    code = """
'''module'''
ELSEWHERE = "elsewhere"

def test_it(page):
    '''docstring'''
    page.click("button")
"""
    assert used(code, "test_it.py::test_it") == ["button"]


def test_a_decorators_arguments_are_used() -> None:
    code = "import allure\n\n@allure.title('Adds Ann')\ndef test_it():\n    pass\n"

    assert used(code, "test_it.py::test_it") == ["Adds Ann"]


def test_what_one_test_changes_is_not_seen_by_another() -> None:
    code = """
STATE = {}
NAMES = []
class Page:
    title = "plain"

def test_first(page):
    STATE["name"] = "first"
    NAMES.append("added")
    Page.title = "changed"
    page.fill("#x", STATE["name"] + NAMES[0] + Page.title)

def test_second(page):
    for name in NAMES:
        page.fill("#x", name)
    page.fill("#x", Page.title)
"""
    assert submitted(code, "test_it.py::test_first") == ["firstaddedchanged"]
    assert submitted(code, "test_it.py::test_second") == ["plain"]


def test_data_files_of_the_project_are_read() -> None:
    files = {
        "tests/test_data.py": """
import csv, json, pathlib, pytest

HERE = pathlib.Path(__file__).parent
USERS = json.loads((HERE / "data" / "users.json").read_text())

def rows():
    with open("tests/data/rooms.csv") as file:
        return list(csv.DictReader(file))

@pytest.mark.parametrize("user", USERS, ids=lambda user: user["name"])
def test_users(page, user):
    page.fill("#name", user["name"])

def test_rooms(page):
    for row in rows():
        page.fill("#room", row["room"])
""",
        "tests/data/users.json": '[{"name": "Ann"}, {"name": "Ben"}]',
        "tests/data/rooms.csv": "room,seats\nHall,3\nAula,4\n",
    }

    assert submitted(files, "tests/test_data.py::test_users[Ben]") == ["Ben"]
    assert submitted(files, "tests/test_data.py::test_rooms") == ["Hall", "Aula"]


def test_defaults_of_fields_of_several_libraries() -> None:
    code = """
import attr
from pydantic import BaseModel, Field

class User(BaseModel):
    name: str = Field("ann", max_length=5)
    town: str = Field(default="Bari")

@attr.s(auto_attribs=True)
class Room:
    title: str = attr.ib(default="Hall")

def test_it(page):
    page.fill("#x", User().name + " " + User(town="Pisa").town + " " + Room().title)
"""
    assert submitted(code, "test_it.py::test_it") == ["ann Pisa Hall"]


def test_a_configuration_file_is_read() -> None:
    files = {
        "suite/config.ini": "[login]\nname = ann\npassword: s3cret\n",
        "suite/read_config.py": """
import configparser

config = configparser.RawConfigParser()
config.read("../suite/config.ini")

class ReadConfig:
    @staticmethod
    def name():
        return config.get("login", "name")
""",
        "suite/test_it.py": """
from read_config import ReadConfig, config

def test_it(driver):
    driver.find_element("id", "x").send_keys(ReadConfig.name())
    driver.find_element("id", "y").send_keys(config["login"]["password"])
""",
    }

    assert submitted(files, "suite/test_it.py::test_it") == ["ann", "s3cret"]
