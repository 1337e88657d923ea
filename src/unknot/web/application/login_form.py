"""Whether a login has been lost, by what is in view."""

from unknot.model.web.element import Element

_FIELDS = frozenset({"textbox", "searchbox", "combobox", "checkbox"})

LoginForm = tuple[tuple[str, str], ...]
"""The fields of a form with a password, by role and name."""


def login_forms(root: Element) -> frozenset[LoginForm]:
    """The forms that take a password; a password field outside of forms makes one of all fields there. Cost: linear in
    the tree."""
    forms = [each for each in root.walk() if each.role == "form"]
    inside = {id(field) for form in forms for field in form.walk()}
    scopes = [tuple(form.walk()) for form in forms]
    scopes.append(tuple(each for each in root.walk() if id(each) not in inside))
    return frozenset(_labels(scope) for scope in scopes if any(map(_is_password, scope)))


class LoginWatch:
    """Says when the login is lost: a login form that was in view before the login, and not after it, is back. A form to
    change the password, which is another one, does not count."""

    def __init__(self) -> None:
        self._forms: frozenset[LoginForm] = frozenset()

    def logged_in(self, before: Element, after: Element) -> None:
        self._forms = login_forms(before) - login_forms(after)

    def is_lost(self, seen: Element) -> bool:
        """Costs nothing where there was no such form."""
        return bool(self._forms) and not self._forms.isdisjoint(login_forms(seen))


def _labels(scope: tuple[Element, ...]) -> LoginForm:
    return tuple(sorted({(each.role, each.name) for each in scope if _is_field(each)}))


def _is_field(element: Element) -> bool:
    return element.role in _FIELDS or _is_password(element)


def _is_password(element: Element) -> bool:
    return element.attribute("type").lower() == "password"
