"""What must be true of a model beyond the types of its members."""

from collections.abc import Iterable
from dataclasses import replace

from unknot.model.sanitise import shown
from unknot.model.web.web_model import PageAction, ValueList, WebModel
from unknot.store.typed_json import Fault, at


def check_model(model: WebModel) -> None:
    """Raises Fault at the first place that contradicts another one."""
    kinds = [page.kind for page in model.pages]
    _check_unique(kinds, ".pages", ".kind")
    _check_unique([part.name for part in model.components], ".components", ".name")
    if model.start not in kinds and (kinds or model.start):
        raise Fault(f"there is no page {shown(model.start)!r}", ".start")
    names = {part.name for part in model.components}
    known = frozenset(kinds)
    values: dict[str, list[ValueList]] = {name: [] for name in names}
    for number, page in enumerate(model.pages):
        with at(f".pages[{number}]"):
            _check_unique(page.components, ".components", "")
            for place, name in enumerate(page.components):
                if name not in names:
                    raise Fault(f"there is no component {shown(name)!r}", f".components[{place}]")
                values[name] += page.values
            _check_unique([each.name for each in page.values], ".values", ".name")
            _check_actions(page.actions, known, page.values)
    for number, part in enumerate(model.components):
        with at(f".components[{number}]"):
            _check_actions(part.actions, known, values[part.name])


def _check_actions(actions: tuple[PageAction, ...], kinds: frozenset[str], values: Iterable[ValueList]) -> None:
    _check_unique([each.action.key for each in actions], ".actions", ".key")
    lists = {each.name for each in values}
    for number, found in enumerate(actions):
        with at(f".actions[{number}]"):
            labels = [each.label for each in found.action.fields]
            _check_unique(labels, ".fields", ".label")
            if not found.action.locators and not labels:
                raise Fault("must not be empty for an action without fields", ".locators")
            _check_unique([each.kind for each in found.destinations], ".destinations", ".kind")
            for place, destination in enumerate(found.destinations):
                if destination.kind not in kinds:
                    raise Fault(f"there is no page {shown(destination.kind)!r}", f".destinations[{place}].kind")
            if found.guard and found.guard.parameter and found.guard.parameter not in labels:
                raise Fault(f"there is no field {shown(found.guard.parameter)!r}", ".guard.parameter")
            if found.guard and found.guard.values and found.guard.values not in lists:
                raise Fault(f"there is no list of values {shown(found.guard.values)!r}", ".guard.values")


def with_pages_of_components(model: WebModel) -> WebModel:
    """Which pages have a component is said by the pages."""
    return replace(
        model,
        components=tuple(
            replace(part, pages=tuple(page.kind for page in model.pages if part.name in page.components))
            for part in model.components
        ),
    )


def _check_unique(names: Iterable[str], where: str, member: str) -> None:
    seen: dict[str, int] = {}
    for number, name in enumerate(names):
        if name in seen:
            raise Fault(f"{shown(name)!r} stands at {where[1:]}[{seen[name]}] already", f"{where}[{number}]{member}")
        seen[name] = number
