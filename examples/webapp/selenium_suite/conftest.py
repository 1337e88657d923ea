"""One browser for the session, driven by Selenium.

Under unknot, library and browser are there already (`UNKNOT_PORT_0`, `UNKNOT_PORT_1`); otherwise both are started.
"""

import os
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from chromium import DRIVER, EXECUTABLE, FLAGS
from library.local import local_library
from selenium_suite.site import Site


@pytest.fixture(scope="session")
def library_url() -> Iterator[str]:
    if "UNKNOT_PORT_0" in os.environ:
        yield f"http://127.0.0.1:{os.environ['UNKNOT_PORT_0']}"
    else:
        with local_library() as url:
            yield url


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    if "UNKNOT_PORT_1" in os.environ:
        options.debugger_address = f"127.0.0.1:{os.environ['UNKNOT_PORT_1']}"
    else:
        options.binary_location = EXECUTABLE
        for flag in FLAGS:
            options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def site(driver: webdriver.Chrome, library_url: str) -> Site:
    return Site(driver, library_url)
