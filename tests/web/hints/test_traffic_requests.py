"""What a request carries and is about, and what an answer shows."""

import json

import pytest

from unknot.model.traffic import Field
from unknot.web.hints.traffic.bodies import fields_of, ids_given, leaves, shown_text
from unknot.web.hints.traffic.requests import collection, graphql_operations, is_login, items, removes, writes
from unknot.web.hints.traffic.values import found_in, is_distinctive, plain

FORM = "application/x-www-form-urlencoded"


def _pairs(address: str, body: str, body_type: str) -> list[tuple[str, str]]:
    return [(field.name, field.value) for field in fields_of(address, body, body_type)]


def test_values_come_from_the_address_the_form_and_json() -> None:
    assert _pairs("/s?q=red+boat", "name=Nora+B%C3%A4r&empty=", FORM) == [("q", "red boat"), ("name", "Nora Bär")]
    body = json.dumps({"user": {"name": "nora", "tags": ["sailor", 7]}, "none": None, "new": True})
    assert _pairs("/", body, "application/json") == [
        *(("user.name", "nora"), ("user.tags", "sailor"), ("user.tags", "7"), ("new", "True"))
    ]


def test_of_an_uploaded_file_only_the_name_counts() -> None:
    body = (
        '--x\r\nContent-Disposition: form-data; name="caption"\r\n\r\nat the pier\r\n'
        '--x\r\nContent-Disposition: form-data; name="picture"; filename="pier.png"\r\n\r\n\x89PNG\r\n--x--\r\n'
    )
    assert _pairs("/", body, "multipart/form-data; boundary=x") == [("caption", "at the pier"), ("picture", "pier.png")]


def test_passwords_become_digests_and_tokens_of_forms_are_left_out() -> None:
    [secret] = fields_of("/", "password=hunter2&csrf_token=f00", FORM)
    assert secret.is_secret
    assert "hunter2" not in secret.value
    assert fields_of("/", "new_password=hunter2", FORM)[0].value == secret.value
    assert fields_of("/", "new_password=hunter3", FORM)[0].value != secret.value


@pytest.mark.parametrize("body", ["{", "--", "%", "a=1;b", "\x00\ud800", '{"a":' * 2_000, "--x\r\n--x", "&" * 9_999])
@pytest.mark.parametrize("body_type", ["", FORM, "application/json", "multipart/form-data"])
def test_a_hostile_body_is_read_as_far_as_it_goes(body: str, body_type: str) -> None:
    assert all(isinstance(field, Field) for field in fields_of("/?%=&&=", body, body_type))


def test_leaves_of_a_deep_document_are_given_up_at_some_depth() -> None:
    deep: object = "bottom"
    for _ in range(50):
        deep = [deep]
    assert list(leaves(deep)) == []


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ({"id": 7}, ("7",)),
        ({"data": {"addUser": {"id": "u-7", "name": "nora"}}}, ("u-7",)),
        ([{"id": 7}], ()),
        ({"users": [{"id": 7}]}, ()),
        ("text", ()),
    ],
)
def test_ids_are_taken_from_what_was_made_and_not_from_lists(answer: object, ids: tuple[str, ...]) -> None:
    assert ids_given(json.dumps(answer)) == ids


def test_what_an_answer_shows_has_no_markup_and_no_escapes_in_it() -> None:
    html = '<p>Nora <b>B&auml;r</b></p><input value="red &amp; blue">'
    assert {"Nora", "Bär", "red & blue"} <= found_in(
        {"Nora", "Bär", "red & blue", "auml"}, shown_text(html, "text/html")
    )
    assert shown_text('{"a": ["B\\u00e4r", 1]}', "application/json; charset=utf-8") == "Bär\n1"
    assert shown_text("not json", "application/json") == "not json"


def test_whole_words_are_found_and_parts_of_words_are_not() -> None:
    text = "Nora  Berg\nlives at /users/17, user001x. 李雷在这里"
    wanted = {"Nora Berg", "Nor", "/users/1", "/users/17", "user001", "李雷", "berg"}
    assert found_in(wanted, text) == {"Nora Berg", "/users/17", "李雷"}


@pytest.mark.parametrize("value", ["1", "on", "yes", "42", "", "  ", "--", "\n", "True"])
def test_short_and_common_values_are_not_distinctive(value: str) -> None:
    assert not is_distinctive(plain(value))


@pytest.mark.parametrize(
    ("method", "address", "body", "status", "expected"),
    [
        ("POST", "/users", "name=nora", 303, True),
        ("POST", "/users", "name=nora", 409, False),
        ("DELETE", "/users/7", "", 204, True),
        ("PATCH", "/users/7", "{}", 0, True),
        ("GET", "/users", "", 200, False),
        ("GET", "/users/7/delete", "", 302, True),
        ("GET", "/admin.php?action=delete&id=7", "", 302, True),
        ("GET", "/model", "", 200, False),
        ("POST", "/graphql", '{"query": "{ users { id } }"}', 200, False),
        ("POST", "/graphql", '{"query": "query A { a } mutation B { b }", "operationName": "B"}', 200, True),
        ("POST", "/graphql", '{"query": "query A { a } mutation B { b }", "operationName": "A"}', 200, False),
        ("POST", "/graphql", '[{"query": "{ a }"}, {"query": "mutation { b }"}]', 200, True),
        ("POST", "/search", '{"query": "boats"}', 200, True),
    ],
)
def test_which_requests_write(method: str, address: str, body: str, status: int, expected: bool) -> None:
    assert writes(method, address, body, status) is expected


def test_a_comment_or_a_text_in_a_graphql_query_is_no_operation() -> None:
    assert graphql_operations(json.dumps({"query": '# mutation\nquery A { find(text: "mutation {") }'})) == ("query",)


def test_items_are_named_by_their_address() -> None:
    assert items("/users/7/edit") == ("/users/7",)
    assert items("/o/0b9e4f5a-1c2d-4e3f-8a9b-0c1d2e3f4a5b") == ("/o/0b9e4f5a-1c2d-4e3f-8a9b-0c1d2e3f4a5b",)
    assert items("/users") == ()
    assert collection("/api/users/7/posts/9") == "/users/7/posts"
    assert collection("/") == "/"


def test_logins_and_removals_are_known_by_their_words() -> None:
    assert is_login("/login")
    assert is_login("/users/sign_in?next=/")
    assert not is_login("/blog/catalog_index")
    assert removes("POST", "/people/5/remove")
    assert not removes("POST", "/delegates")
