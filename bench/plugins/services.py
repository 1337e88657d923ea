"""Plugins for asynchronous code, the web and its frameworks."""

from bench.plugins.subject import Subject

_ASYNC = """
import asyncio

import pytest


@pytest.fixture
async def answer():
    await asyncio.sleep(0)
    return 42


async def test_fixture(answer):
    assert answer == 42


async def test_sets_up():
    await asyncio.sleep(0)
    shared.ready = True


async def test_depends():
    await asyncio.sleep(0)
    assert shared.ready
"""
_SESSION_LOOP = """
import asyncio

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def queue():
    return asyncio.Queue()


async def test_sets_up(queue):
    await queue.put(1)


async def test_depends(queue):
    assert queue.get_nowait() == 1
"""
_ANYIO = """
import anyio
import pytest

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


async def test_sleep():
    await anyio.sleep(0)


async def test_sets_up():
    shared.ready = True


async def test_depends():
    assert shared.ready
"""
_TRIO = """
import trio


async def test_sleep():
    await trio.sleep(0)


async def test_sets_up():
    shared.ready = True


async def test_depends():
    assert shared.ready
"""
_SETTINGS = """
SECRET_KEY = "x"
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.sqlite3"}}
"""
_DJANGO = """
import pytest
from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db


def test_rolled_back():
    User.objects.create(username="ann")
    assert User.objects.count() == 1


def test_rolled_back_too():
    assert User.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_flushed():
    User.objects.create(username="bob")
"""
_HTTPSERVER = """
import urllib.request


def test_request(httpserver):
    httpserver.expect_request("/a").respond_with_data("hello")
    with urllib.request.urlopen(httpserver.url_for("/a")) as answer:
        assert answer.read() == b"hello"
"""
_LOCALSERVER = """
import urllib.request


def test_request(httpserver):
    httpserver.serve_content("hello")
    with urllib.request.urlopen(httpserver.url) as answer:
        assert answer.read() == b"hello"
"""
_HTTPX = """
import httpx


def test_request(httpx_mock):
    httpx_mock.add_response(text="hello")
    assert httpx.get("http://nowhere").text == "hello"
"""
_REQUESTS = """
import requests


def test_request(requests_mock):
    requests_mock.get("http://nowhere", text="hello")
    assert requests.get("http://nowhere").text == "hello"
"""
_RESPONSES = """
import requests


def test_request(responses):
    responses.add("GET", "http://nowhere/", body="hello")
    assert requests.get("http://nowhere").text == "hello"
"""
_AIOHTTP = """
from aiohttp import web


async def test_request(aiohttp_client):
    async def hello(request):
        return web.Response(text="hello")

    app = web.Application()
    app.router.add_get("/", hello)
    client = await aiohttp_client(app)
    answer = await client.get("/")
    assert await answer.text() == "hello"
"""
_FLASK = """
import flask
import pytest


@pytest.fixture
def app():
    app = flask.Flask(__name__)
    app.add_url_rule("/", view_func=lambda: "hello")
    return app


def test_request(client):
    assert client.get("/").text == "hello"
"""
_FLASK_SERVER = """
import urllib.request

import flask
import pytest


def hello():
    return "hello"


@pytest.fixture(scope="session")
def app():
    app = flask.Flask(__name__)
    app.add_url_rule("/", view_func=hello)
    return app


def test_request(live_server):
    live_server.start()
    with urllib.request.urlopen(f"http://localhost:{live_server.port}/") as answer:
        assert answer.read() == b"hello"
"""
_TORNADO = """
import pytest
import tornado.web


class Hello(tornado.web.RequestHandler):
    def get(self):
        self.write("hello")


@pytest.fixture
def app():
    return tornado.web.Application([("/", Hello)])


@pytest.mark.gen_test
def test_request(http_client, base_url):
    answer = yield http_client.fetch(base_url)
    assert answer.body == b"hello"
"""
_CELERY = """
def test_task(celery_app, celery_worker):
    @celery_app.task
    def add(one, other):
        return one + other

    celery_worker.reload()
    assert add.delay(1, 2).get(timeout=20) == 3
"""
_RECORDING = """
import pytest
import requests


@pytest.mark.block_network
def test_no_network():
    with pytest.raises(RuntimeError):
        requests.get("http://127.0.0.1:9")
"""

SERVICES = (
    Subject("pytest-asyncio", _ASYNC, ini="asyncio_mode = auto"),
    Subject("pytest-asyncio", _SESSION_LOOP),
    Subject("anyio", _ANYIO),
    Subject("pytest-trio", _TRIO, ini="trio_mode = true"),
    Subject("pytest-aiohttp", _AIOHTTP, ini="asyncio_mode = auto", needs=("pytest-asyncio",)),
    Subject("pytest-tornado", _TORNADO),
    Subject(
        "pytest-django",
        _DJANGO,
        ini="DJANGO_SETTINGS_MODULE = settings\npythonpath = .\ndjango_find_project = false",
        files={"settings.py": _SETTINGS},
    ),
    Subject("pytest-flask", _FLASK),
    Subject("pytest-flask", _FLASK_SERVER),
    Subject("pytest-httpserver", _HTTPSERVER),
    Subject("pytest-localserver", _LOCALSERVER),
    Subject("pytest-httpx", _HTTPX),
    Subject("requests-mock", _REQUESTS),
    Subject("pytest-responses", _RESPONSES),
    Subject("pytest-recording", _RECORDING),
    Subject("celery", _CELERY, options="-p celery.contrib.pytest"),
)
