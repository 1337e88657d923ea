"""An instance under one name, whatever its port is."""

from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.model.web.step import FieldInput, PageStep
from unknot.web.application.observation import EventKind, Observation, PageEvent
from unknot.web.application.renamed_origin import RenamedOrigin

NAME = "127.0.0.1:{port0}"


class Echo:
    """Shows its address wherever it can, and remembers the step."""

    def __init__(self) -> None:
        self.host = "127.0.0.1:4000"
        self.step = PageStep(())

    def reset(self) -> Observation:
        address = f"http://{self.host}/a"
        link = Element("link", address, "a", attributes=(("href", address), ("id", "x")), options=(address,))
        text = Element("text", text=f"at {address}")
        other = Element("group", children=(Element("text", text="plain"),))
        root = Element("document", children=(Element("list", children=(link, text)), other))
        events = (PageEvent(EventKind.BLOCKED, address),)
        return Observation(address, address, root, events, refusal=address)

    def look_again(self) -> Observation | None:
        return self.reset()

    def perform(self, step: PageStep) -> Observation:
        self.step = step
        return self.reset()


def test_what_two_instances_show_is_the_same() -> None:
    echo = Echo()
    renamed = RenamedOrigin(echo, lambda: echo.host, NAME)
    first = renamed.reset()
    echo.host = "127.0.0.1:5000"
    assert renamed.reset() == first
    assert "4000" not in repr(first)
    assert first.address == "http://127.0.0.1:{port0}/a"
    assert [each.role for each in first.root.walk()] == [each.role for each in echo.reset().root.walk()]


def test_a_step_means_the_instance_that_is_there_now() -> None:
    echo = Echo()
    renamed = RenamedOrigin(echo, lambda: echo.host, NAME)
    step = PageStep(
        (
            Locator(
                attribute=("href", f"http://{NAME}/a"),
                text=f"http://{NAME}/a",
                within=Locator("list", f"{NAME}"),
                nth=1,
            ),
        ),
        (FieldInput((Locator("textbox", NAME),), f"http://{NAME}/"),),
    )
    renamed.perform(step)
    here = echo.host
    assert echo.step == PageStep(
        (
            Locator(
                attribute=("href", f"http://{here}/a"), text=f"http://{here}/a", within=Locator("list", here), nth=1
            ),
        ),
        (FieldInput((Locator("textbox", here),), f"http://{here}/"),),
    )


def test_what_has_no_address_stays_the_same_object() -> None:
    echo = Echo()
    seen = echo.reset()
    echo.reset = lambda: seen  # type: ignore[method-assign]
    renamed = RenamedOrigin(echo, lambda: echo.host, NAME).reset()
    assert renamed.root.children[1] is seen.root.children[1]


def test_a_longer_port_is_another_one() -> None:
    echo = Echo()
    longer = "http://127.0.0.1:40001/"
    echo.reset = lambda: Observation(longer, "", Element("document"))  # type: ignore[method-assign]
    assert RenamedOrigin(echo, lambda: echo.host, NAME).reset().address == longer
