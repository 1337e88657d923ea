from playwright_suite.pages.frame import Frame


class SettingsPage(Frame):
    address = "/settings"

    def set_registration(self, state: str) -> None:
        self.open()
        self.page.get_by_label("Registration").select_option(state)
        self.press("Save")

    def set_library_name(self, name: str) -> None:
        self.open()
        self.fill("Library name", name)
        self.press("Save")
