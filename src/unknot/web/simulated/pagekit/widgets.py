"""The widgets of a pagekit site."""

from collections.abc import Mapping, Sequence

from unknot.web.simulated.pagekit.dialogs import PagekitDialogs
from unknot.web.simulated.pagekit.places import LOGIN_FORM, MENU_FORM, NUMBERS, TEXT_FORM, WIDGETS
from unknot.web.simulated.pagekit.things import Widget
from unknot.web.simulated.site import action

TEXT_TITLES = ("Welcome", "Contact", "Hours", "Team", "News")
LOGIN_TITLES = ("Sign in", "Members", "Access", "Staff")
MENU_TITLES = ("Navigation", "More", "Links")
_POSITIONS = ("all", "sidebar")


class WidgetsArea(PagekitDialogs):
    def __init__(self) -> None:
        super().__init__()
        self._position = "all"
        """In view."""
        self._widget: Widget | None = None
        """In the form; none if a new one is entered."""

    @action(WIDGETS, to=TEXT_FORM)
    def add_text(self) -> None:
        self._widget = None

    @action(WIDGETS, to=LOGIN_FORM)
    def add_login(self) -> None:
        self._widget = None

    @action(WIDGETS, to=MENU_FORM, named="add_menu")
    def add_menu_widget(self) -> None:
        self._widget = None

    @action(WIDGETS, to=TEXT_FORM, guard="the widget is there", widget_text_title=TEXT_TITLES)
    def edit_text(self, widget_text_title: str) -> None:
        self._edit_widget("text", widget_text_title)

    @action(WIDGETS, to=LOGIN_FORM, guard="the widget is there", widget_login_title=LOGIN_TITLES)
    def edit_login(self, widget_login_title: str) -> None:
        self._edit_widget("login", widget_login_title)

    @action(WIDGETS, to=MENU_FORM, guard="the widget is there", named="edit_menu", widget_menu_title=MENU_TITLES)
    def edit_menu_widget(self, widget_menu_title: str) -> None:
        self._edit_widget("menu", widget_menu_title)

    @action(WIDGETS, guard="the position is another one", named="go_to_menu", widget_menu=_POSITIONS)
    def go_to_position(self, widget_menu: str) -> None:
        self.require(widget_menu != self._position)
        self._position = widget_menu

    # One of them, or all

    @action(WIDGETS, guard="the widget is there", widget=NUMBERS)
    def copy_widget(self, widget: str) -> None:
        self._copy(self._listed_widget(widget))

    @action(WIDGETS, guard="there is a widget")
    def copy_all_widgets(self) -> None:
        for each in self._some_widgets():
            self._copy(each)

    @action(WIDGETS, guard="the widget is there", widget=NUMBERS)
    def delete_widget(self, widget: str) -> None:
        self._content.widgets.remove(self._listed_widget(widget))

    @action(WIDGETS, guard="there is a widget")
    def delete_all_widgets(self) -> None:
        self._some_widgets()
        self._content.widgets.clear()

    @action(WIDGETS, guard="the widget is there and not published", widget=NUMBERS)
    def publish_widget(self, widget: str) -> None:
        self._publish_widget(self._listed_widget(widget), published=True)

    @action(WIDGETS, guard="the widget is there and published", widget=NUMBERS)
    def unpublish_widget(self, widget: str) -> None:
        self._publish_widget(self._listed_widget(widget), published=False)

    @action(WIDGETS, guard="there is a widget")
    def publish_all_widgets(self) -> None:
        for each in self._some_widgets():
            each.is_published = True

    @action(WIDGETS, guard="there is a widget")
    def unpublish_all_widgets(self) -> None:
        for each in self._some_widgets():
            each.is_published = False

    def in_view(self) -> Mapping[str, Sequence[str]]:
        if self.page == WIDGETS:
            return {"widgets": [each.title for each in self._content.widgets]}
        return super().in_view()

    def _edit_widget(self, kind: str, title: str) -> None:
        found = [each for each in self._content.widgets if (each.kind, each.title) == (kind, title)]
        self.require(bool(found))
        self._widget = found[0]

    def _listed_widget(self, number: str) -> Widget:
        self.require(int(number) <= len(self._content.widgets))
        return self._content.widgets[int(number) - 1]

    def _some_widgets(self) -> list[Widget]:
        self.require(bool(self._content.widgets))
        return list(self._content.widgets)

    def _copy(self, widget: Widget) -> None:
        """The list shows no more than fit on a page of it."""
        if len(self._content.widgets) < _MOST_WIDGETS:
            self._content.widgets.append(Widget(widget.kind, f"{widget.title} (copy)", is_published=False))

    def _publish_widget(self, widget: Widget, *, published: bool) -> None:
        self.require(widget.is_published != published)
        widget.is_published = published


_MOST_WIDGETS = 20
"""Copying all would double them each time."""
