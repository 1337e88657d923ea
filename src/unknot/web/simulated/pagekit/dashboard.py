"""The dashboard of pagekit and its widgets."""

from collections.abc import Mapping, Sequence

from unknot.web.simulated.pagekit.dialogs import PagekitDialogs
from unknot.web.simulated.pagekit.places import DASHBOARD, DELETE_DIALOG, IDS
from unknot.web.simulated.site import action

_FEEDS = ("News", "Weather", "Sport")
_ADDRESSES = ("http://news.example.org", "http://weather.example.org", "http://sport.example.org")
_POSTS = ("1", "5", "10")
_CONTENTS = ("all", "first", "none")
_CITIES = ("Genova", "Rome", "Hamburg")
_UNITS = ("metric", "imperial")
_USERS_SHOWN = ("logged in", "last registered")
_DISPLAYS = ("thumbnail", "list")
_USERS_COUNTED = ("show", "hide")
_NUMBERS_OF_USERS = ("6", "12", "18", "24")


class DashboardArea(PagekitDialogs):
    def __init__(self) -> None:
        super().__init__()
        self._kinds: list[str] = []
        """Of the widgets on the dashboard."""

    @action(
        DASHBOARD,
        widget_feed_title=_FEEDS,
        widget_feed_url=_ADDRESSES,
        widget_feed_number_of_posts=_POSTS,
        widget_feed_post_content=_CONTENTS,
    )
    def add_feed_widget(self, **_values: str) -> None:
        self._kinds.append("feed")

    @action(DASHBOARD, widget_location=_CITIES, widget_unit=_UNITS)
    def add_location_widget(self, **_values: str) -> None:
        self._kinds.append("location")

    @action(
        DASHBOARD,
        widget_user_type=_USERS_SHOWN,
        widget_user_display=_DISPLAYS,
        widget_total_user=_USERS_COUNTED,
        widget_number_of_users=_NUMBERS_OF_USERS,
    )
    def add_user_widget(self, **_values: str) -> None:
        self._kinds.append("user")

    @action(
        DASHBOARD,
        guard="the widget is a feed",
        id=IDS,
        widget_feed_title=_FEEDS,
        widget_feed_url=_ADDRESSES,
        widget_feed_number_of_posts=_POSTS,
        widget_feed_post_content=_CONTENTS,
    )
    def edit_feed_widget(self, id: str, **_values: str) -> None:
        self._require_kind(id, "feed")

    @action(DASHBOARD, guard="the widget is a location", id=IDS, widget_location=_CITIES, widget_unit=_UNITS)
    def edit_location_widget(self, id: str, **_values: str) -> None:
        self._require_kind(id, "location")

    @action(
        DASHBOARD,
        guard="the widget is about users",
        id=IDS,
        widget_user_type=_USERS_SHOWN,
        widget_user_display=_DISPLAYS,
        widget_total_user=_USERS_COUNTED,
        widget_number_of_users=_NUMBERS_OF_USERS,
    )
    def edit_user_widget(self, id: str, **_values: str) -> None:
        self._require_kind(id, "user")

    @action(DASHBOARD, guard="the widget is a location", id=IDS)
    def delete_location_widget(self, id: str) -> None:
        self._require_kind(id, "location")
        self._delete_widget(id)

    @action(DASHBOARD, to=DELETE_DIALOG, guard="the widget is a feed or about users", id=IDS)
    def delete_user_or_feed_widget(self, id: str) -> None:
        self._require_kind(id, "feed", "user")
        self._ask(DASHBOARD, lambda: self._delete_widget(id))

    def in_view(self) -> Mapping[str, Sequence[str]]:
        return {"widgets": self._kinds} if self.page == DASHBOARD else super().in_view()

    def _require_kind(self, number: str, *kinds: str) -> None:
        self.require(int(number) <= len(self._kinds) and self._kinds[int(number) - 1] in kinds)

    def _delete_widget(self, number: str) -> str:
        del self._kinds[int(number) - 1]
        return ""
