"""The model of an application says nothing of the instance on which it was found."""

from dataclasses import replace

from unknot.model.web.action import Action
from unknot.model.web.element import Element
from unknot.model.web.web_model import WebModel
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.model_builder import ModelBuilder
from unknot.web.crawl.trace import TakenStep

PAY = "http://pay.example:9000"


def bills(origin: str, today: str) -> Element:
    return Element(
        "document",
        children=(
            Element("heading", "Bills"),
            Element("link", "Home", "a", attributes=(("href", f"{origin}/"),)),
            Element("link", "Docs", "a", attributes=(("href", "https://docs.example/"),)),
            Element("link", "", "a", attributes=(("href", f"{origin}/feed"),)),
            Element("link", "Pay", "a", attributes=(("href", f"{PAY}/now"),)),
            Element(
                "form",
                children=(
                    Element("textbox", "Day", "input", value=today, attributes=(("type", "date"),)),
                    Element("textbox", f"{origin}/invite/1", "input", attributes=(("id", "invitation"),)),
                    Element("button", "Save", "button"),
                ),
            ),
        ),
    )


def model_of(port: int, today: str = "2026-11-19") -> WebModel:
    reader = PageReader(FoldedKinds())
    builder = ModelBuilder((f"http://127.0.0.1:{port}", PAY))
    origin = f"http://127.0.0.1:{port}"
    first = reader.view(Observation(f"{origin}/bills?page=2", "Bills", bills(origin, today)))
    pay = reader.view(Observation(f"{PAY}/now", "Pay", Element("document")))
    builder.add(TakenStep(None, None, first))
    link = next(each for each in first.actions if each.name == "Pay")
    builder.add(TakenStep(first, ChosenStep(link), pay))
    return builder.model()


def test_the_port_of_the_instance_and_the_day_make_no_difference() -> None:
    model, again = model_of(8000), model_of(9123, "2027-01-01")
    assert [_known(each.action) for each in again.pages[0].actions] == [
        _known(each.action) for each in model.pages[0].actions
    ]
    assert replace(model.pages[0], actions=()) == replace(again.pages[0], actions=())


def _known(action: Action) -> Action:
    """Where there is no other way to find an element than by its whole address, the locator has the port."""
    return replace(
        action,
        locators=tuple(each for each in action.locators if each.role),
        fields=tuple(replace(each, locators=()) for each in action.fields),
    )


def test_addresses_begin_behind_the_origin_unless_it_is_another() -> None:
    model = model_of(8000)
    assert [page.address for page in model.pages] == ["/bills?page=2", f"{PAY}/now"]
    links = {each.action.name: each.action.href for each in model.pages[0].actions if each.action.href}
    assert links["Home"] == "/"
    assert links["Docs"] == "https://docs.example/"
    assert links["Pay"] == f"{PAY}/now"
    assert model.other_origins == (PAY,)


def test_what_a_field_held_is_not_kept() -> None:
    fields = [field for each in model_of(8000).pages[0].actions for field in each.action.fields]
    assert fields
    assert {field.value for field in fields} == {""}
