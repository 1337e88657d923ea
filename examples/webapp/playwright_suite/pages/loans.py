from playwright_suite.pages.frame import Frame


class LoansPage(Frame):
    address = "/loans"

    def give_back(self, title: str) -> None:
        self.open()
        self.send(self.row(title).get_by_role("button", name="Return"))
